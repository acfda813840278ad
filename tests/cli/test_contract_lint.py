"""``handoff-lsp contract lint``: real contracts and workspaces, by the real command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main

CONFIG = 'contract-files = ["contracts/*.yaml"]\n'


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


@pytest.fixture
def project(here: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """A workspace with a contract of its own, `nightly-report`, a section, and one document of it."""
    assert told(capsys, "contract", "new", "nightly-report", "--form", "section")[0] == 0
    (here / ".handoff-lsp.toml").write_text(CONFIG, encoding="utf-8")
    assert told(capsys, "new", "nightly-report", "-o", "report.md")[0] == 0
    (here / "NOTES.md").write_text("# Notes\n\nStatus: fine\n", encoding="utf-8")
    return here


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_a_sound_contract_with_the_files_that_match(project: Path, run: Any) -> None:
    done = run("contract", "lint")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == (
        "nightly-report: 1 of 2 files below this folder match.\nNo problems in 1 contract.\n"
    )
    done = run("contract", "lint", "--output-format", "json")
    assert (done.returncode, done.stdout) == (0, b"[]\n")


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ("required: true", "requird: true", (0, 5, 12), "unknown key `requird`; did you mean `required`?"),
        (
            "when: {status: done}",
            "when: {status: don}",
            (0, 20, 23),
            "`status` is never `don`; did you mean `done`?",
        ),
        ("at: open_questions", "at: open_question", (0, 9, 22), "did you mean `open_questions`?"),
        ("enough: 2", "enough: 4", (0, 61, 62), "`enough` (4) is never reached"),
        ("status: status", "status: [", (2, 8, 9), "not YAML"),
    ],
)
def test_a_mistake_is_at_its_token(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    old: str,
    new: str,
    at: tuple[int, int, int],
    message: str,
) -> None:
    """``at``: the lines below the change, and the columns."""
    path = project / "contracts" / "nightly-report.yaml"
    change(path, old, new)
    text = path.read_text(encoding="utf-8")
    line, first, last = text.count("\n", 0, text.index(new)) + 1 + at[0], *at[1:]
    code, out, err = told(capsys, "contract", "lint", "--output-format", "json")
    assert (code, err) == (1, "")
    (problem,) = json.loads(out)
    assert (problem["rule"], problem["severity"]) == ("invalid-contract", "error")
    assert message in problem["message"]
    start, end = problem["range"]["start"], problem["range"]["end"]
    assert (start["line"], start["column"], end["column"]) == (line, first, last)
    code, out, err = told(capsys, "contract", "lint", "contracts/nightly-report.yaml")
    assert (code, err) == (1, "")
    assert out.startswith(f"contracts/nightly-report.yaml:{line}:{first}: error[invalid-contract] {problem['message']}")
    shown = text.split("\n")[line - 1]
    assert out.splitlines()[1:3] == [f"{line:>4} | {shown}", f"     | {' ' * (first - 1)}{'^' * (last - first)}"]
    assert "Found 1 error in 1 contract." in out


def test_a_contract_that_matches_no_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(project / "contracts" / "nightly-report.yaml", "(?i)^Nightly", "(?i)^Weekly")
    code, out, err = told(capsys, "contract", "lint")
    assert (code, err) == (0, "")
    assert out == (
        "contracts/nightly-report.yaml:2:1: warning[no-match] 0 of 2 files below this folder match `nightly-report`; "
        "`handoff-lsp doctor FILE` gives the reason\n"
        "   2 | contract: nightly-report\n"
        "     | ^^^^^^^^\n"
        "\n"
        "nightly-report: 0 of 2 files below this folder match.\n"
        "Found 1 warning in 1 contract.\n"
    )
    assert told(capsys, "contract", "lint", "--fail-on", "warning")[0] == 1


def test_documents_that_the_config_excludes_do_not_count(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".handoff-lsp.toml").write_text(CONFIG + 'exclude = ["report.md"]\n', encoding="utf-8")
    assert "0 of 1 file below this folder match" in told(capsys, "contract", "lint")[1]


def twin(project: Path, name: str, form: str) -> None:
    """A second contract that recognizes the documents of the first, from whose file it is made."""
    text = (project / "contracts" / f"{form}.yaml").read_text(encoding="utf-8")
    (project / "contracts" / f"{name}.yaml").write_text(text.replace(f"contract: {form}", f"contract: {name}"), "utf-8")


def test_two_contracts_claim_a_section(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    twin(project, "twin-report", "nightly-report")
    text = (project / "report.md").read_text(encoding="utf-8")
    for name in ("b", "c", "d", "e"):
        (project / f"{name}.md").write_text(f"# Notes\n\n{text}", encoding="utf-8")
    code, out, err = told(capsys, "contract", "lint")
    assert (code, err) == (0, "")
    told_of = [line for line in out.splitlines() if "[two-claims]" in line]
    said = "warning[two-claims] `nightly-report` and `twin-report` claim this handoff: both check it"
    assert told_of == [f"b.md:3:1: {said}", f"c.md:3:1: {said}", f"d.md:3:1: {said} (2 more)"]
    found = json.loads(told(capsys, "contract", "lint", "--output-format", "json")[1])
    assert [each["path"] for each in found] == ["b.md", "c.md", "d.md", "e.md", "report.md"]
    # One of them is switched off: nothing is left to report but that it matches nothing.
    (project / ".handoff-lsp.toml").write_text(CONFIG + 'disable = ["twin-report"]\n', encoding="utf-8")
    out = told(capsys, "contract", "lint")[1]
    assert "two-claims" not in out and "twin-report: 0 of 6" in out and "nightly-report: 5 of 6" in out


def test_two_contracts_claim_a_file_and_one_gets_it(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "contract", "new", "a-report", "--form", "file")[0] == 0
    (here / ".handoff-lsp.toml").write_text(CONFIG, encoding="utf-8")
    assert told(capsys, "new", "a-report", "-o", "a-report.json")[0] == 0
    twin(here, "b-report", "a-report")
    code, out, _ = told(capsys, "contract", "lint")
    assert code == 0
    assert "a-report.json:1:1: warning[two-claims] `b-report` and `a-report` claim this handoff: `a-report` wins" in out
    assert "a-report: 1 of 1 file below" in out and "b-report: 0 of 1 file below" in out
    # The other commands name the winner.
    assert '"contract": "a-report"' in told(capsys, "parse", "--output-format", "json", "a-report.json")[1]


def test_a_handoff_inside_of_another_is_no_dispute(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "contract", "new", "inner-report", "--form", "fence")[0] == 0
    inner = '```inner_report\n{"status": "done", "summary": "x", "open_questions": 0}\n```\n'
    with (project / "report.md").open("a", encoding="utf-8") as file:
        file.write(f"\n{inner}")
    out = told(capsys, "contract", "lint")[1]
    assert out == (
        "inner-report: 1 of 2 files below this folder match.\n"
        "nightly-report: 1 of 2 files below this folder match.\n"
        "No problems in 2 contracts.\n"
    )


def test_a_contract_is_checked_before_a_config_names_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / ".handoff-lsp.toml").unlink()
    code, out, _ = told(capsys, "contract", "lint", "contracts")
    assert code == 0
    assert "nightly-report: 1 of 2 files below this folder match." in out


def test_a_broken_config_is_one_of_the_problems(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / ".handoff-lsp.toml").write_text(CONFIG, encoding="utf-8")
    code, out, err = told(capsys, "contract", "lint")
    assert (code, err) == (1, "")
    assert '.handoff-lsp.toml:1:19: error[invalid-config] the pattern "contracts/*.yaml" matches no file' in out


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\0\1\2", "binary"),
        (b"a: &a [x, x, x, x, x, x, x, x, x, x]\n" + b"b: \xff\n", "not UTF-8"),
        (b"x" * 2_000_000, "too large"),
        (None, "no such file or folder"),
    ],
)
def test_a_file_that_cannot_be_read(
    project: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, message: str
) -> None:
    path = project / "contracts" / "other.yaml"
    if content is not None:
        path.write_bytes(content)
    code, out, _ = told(capsys, "contract", "lint", "contracts/other.yaml", "contracts/nightly-report.yaml")
    assert code in {1, 2} and "contracts/other.yaml" in out and message in out
    assert "nightly-report: 1 of 2 files below this folder match." in out, "the others are still checked"


def test_built_in_contracts_have_no_errors(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = told(capsys, "contract", "lint", "status-block", "activity-log")
    assert code == 0
    assert "error[" not in out


def test_a_library_of_contracts_needs_no_documents(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "report.md").unlink()
    assert "warning[no-match]" in told(capsys, "contract", "lint", "--fail-on", "warning")[1]
    code, out, _ = told(capsys, "contract", "lint", "--fail-on", "warning", "--ignore", "no-match")
    assert code == 0 and "0 of 1 file below" in out and "no-match" not in out
    assert told(capsys, "contract", "lint", "--fail-on", "warning", "--ignore", "two-claims")[0] == 1
