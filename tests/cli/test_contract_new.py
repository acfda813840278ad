"""``handoff-lsp contract new``: for each form, the contract works with every other command as it is written."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main

FORMS = ["document", "section", "run", "fence", "file"]


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


@pytest.mark.parametrize("form", FORMS)
def test_a_new_contract_works(form: str, here: Path, run: Any, capsys: pytest.CaptureFixture[str]) -> None:
    done = run("contract", "new", "nightly-report", "--form", form)
    assert (done.returncode, done.stderr) == (0, b"")
    printed = done.stdout.decode()
    assert printed.startswith("Wrote contracts/nightly-report.yaml and contracts/nightly-report.cases.md.\n")
    lines = printed.splitlines()
    # Each step that it prints works as it is printed.
    assert "Write into .handoff-lsp.toml:" in lines
    setting = next(line for line in lines if "contract-files" in line)
    (here / ".handoff-lsp.toml").write_text(setting.strip() + "\n", encoding="utf-8")
    steps = [line.split()[1:] for line in lines if line.startswith("  handoff-lsp ")]
    assert [step[:2] for step in steps] == [["contract", "test"], ["new", "nightly-report"]]
    code, out, err = told(capsys, *steps[0])
    assert (code, err) == (0, "")
    assert "Not shown" not in out, "its cases show all of it"
    assert re.search(r"^(8|9) cases: \1 passed\.", out)
    name = "nightly-report.json" if form == "file" else "new.md"
    assert told(capsys, *steps[1], "-o", name) == (0, "", "")
    code, out, err = told(capsys, "parse", "--output-format", "json", name)
    assert (code, err) == (1, ""), "it is to be filled in"
    assert '"contract": "nightly-report", "profile": "default", "mode": "handoff"' in out
    rules = set(re.findall(r'"rule": "([a-z-]+)"', out))
    assert rules == {"placeholder-left"} or (form == "document" and rules == {"placeholder-left", "missing-section"})
    # Beside its contract and its cases, the document is the only handoff here.
    assert "in 1 of " in told(capsys, "check", ".")[1]


@pytest.mark.parametrize("form", FORMS)
def test_a_filled_in_document_is_clean(form: str, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "contract", "new", "nightly-report", "--form", form)[0] == 0
    (here / ".handoff-lsp.toml").write_text('contract-files = ["contracts/*.yaml"]\n', encoding="utf-8")
    name = "nightly-report.json" if form == "file" else "new.md"
    assert told(capsys, "new", "nightly-report", "-o", name)[0] == 0
    path = here / name
    text = re.sub(r"<done [^>]*>", "done", path.read_text(encoding="utf-8"))
    text = re.sub(r"## Summary\n*\Z", "## Summary\n\nBuilt it.\n", text)
    path.write_text(re.sub(r"<[^>]*>", "login-page", text), encoding="utf-8")
    assert told(capsys, "check", name) == (0, "No findings in 1 file (1 handoff).\n", "")


def test_a_schema_in_the_workspace_is_named_by_its_path(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def first_line(*arguments: str) -> str:
        code, out, err = told(capsys, "contract", "new", *arguments)
        assert (code, err) == (0, "")
        path = here / out.split()[1]
        line = path.read_text(encoding="utf-8").splitlines()[0]
        found = re.fullmatch(r"# yaml-language-server: \$schema=(.*)", line)
        assert ("yaml-language-server" in out) == (found is None), "what the contract lacks is printed"
        if found:
            assert (path.parent / found[1]).is_file()
        return found[1] if found else ""

    (here / ".git").mkdir()
    assert first_line("one-report") == ""
    (here / "schemas").mkdir()
    (here / "schemas" / "contract.schema.json").write_text("{}", encoding="utf-8")
    assert first_line("two-report") == "../schemas/contract.schema.json"
    (here / "contracts" / "contract.schema.json").write_text("{}", encoding="utf-8")
    assert first_line("three-report") == "contract.schema.json"
    assert first_line("four-report", "-o", "formats/deep/four.yml") == "../../schemas/contract.schema.json"


def test_how_it_comes_into_the_config(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = here / ".handoff-lsp.toml"
    # A pattern that matches no file is an error of the config; the first contract mends it.
    config.write_text('contract-files = ["contracts/*.yaml"]\n', encoding="utf-8")
    code, out, err = told(capsys, "contract", "new", "one-report")
    assert (code, err) == (0, "")
    assert "contract-files" not in out
    out = told(capsys, "contract", "new", "two-report", "-o", "two.yaml")[1]
    assert 'Write into .handoff-lsp.toml:\n\n    contract-files = ["contracts/*.yaml", "two.yaml"]\n' in out
    config.unlink()
    (here / "pyproject.toml").write_text("[tool.handoff-lsp]\n", encoding="utf-8")
    out = told(capsys, "contract", "new", "three-report", "-o", "three.yaml")[1]
    assert 'pyproject.toml, in [tool.handoff-lsp]:\n\n    contract-files = ["three.yaml"]\n' in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("Nightly Report",),
            "`Nightly Report` is not a contract name; use lower-case words joined by hyphens, such as `nightly-report`",
        ),
        (("status-block",), "`status-block` is a built-in contract; choose another name"),
        (("mine", "-o", "mine.md"), "mine.md: a contract file must end in .yaml"),
        (("mine", "--form", "fense"), "unknown value `fense`; did you mean `fence`?"),
        (("there",), "contracts/there.yaml already exists"),
        (("half",), "contracts/half.cases.md already exists"),
        (("mine", "-o", "file/mine.yaml"), "cannot write file/mine.yaml"),
        ((), "NAME"),
    ],
)
def test_wrong_arguments(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    (here / "contracts").mkdir()
    (here / "contracts" / "there.yaml").write_text("mine\n", encoding="utf-8")
    (here / "contracts" / "half.cases.md").write_text("mine\n", encoding="utf-8")
    (here / "file").write_text("", encoding="utf-8")
    code, _, err = told(capsys, "contract", "new", *arguments)
    assert code == 2
    assert message in err
    assert (here / "contracts" / "there.yaml").read_text(encoding="utf-8") == "mine\n"
    assert not (here / "contracts" / "half.yaml").exists(), "either both files or none"


def test_force_writes_over_both(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "contract", "new", "mine")[0] == 0
    assert told(capsys, "contract", "new", "mine", "--form", "fence", "--force")[0] == 0
    assert "fence:" in (here / "contracts" / "mine.yaml").read_text(encoding="utf-8")
    assert "```mine" in (here / "contracts" / "mine.cases.md").read_text(encoding="utf-8")
