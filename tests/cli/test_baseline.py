"""``handoff-lsp baseline``, and ``check`` with one: known findings are left out, new ones are reported."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from cli.conftest import Run
from cli.documents import BAD
from conftest import SHARED

from handoff_lsp.cli.checking.baseline_file import NAME, normal
from handoff_lsp.cli.main import main

GOOD = BAD.replace("compleet", "complete")
# A second defect, in another section.
WORSE = BAD.replace("verdict: n/a", "verdict: maybe")


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in CI, where a check leaves the baseline as it is."""
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture
def known(bad: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """The handoff with one error, which is in the baseline."""
    assert main(["baseline"]) == 0
    capsys.readouterr()
    return bad


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    code = main(["check", *arguments])
    told = capsys.readouterr()
    return code, told.out + told.err


def rules(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str]]:
    """The path and the field of each finding."""
    main(["check", "--output-format", "json", *arguments])
    return [(found["path"], found["field"]) for found in json.loads(capsys.readouterr().out)["findings"]]


def test_a_baseline_is_written_and_named_in_the_config(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline"]) == 0
    assert capsys.readouterr().out == (
        f'Wrote {NAME}: 1 finding in 1 file.\nWrote .handoff-lsp.toml: baseline = "{NAME}"\n'
    )
    assert Path(NAME).read_text() == (
        '{\n "version": 1,\n "findings": [\n'
        '  {"path": "a-handoff.md", "rule": "invalid-value", "field": "status", "text": "compleet", "count": 1}\n'
        " ]\n}\n"
    )
    assert check(capsys) == (0, "No findings in 1 file (1 handoff).\n1 finding is in the baseline.\n")
    assert check(capsys, "--no-baseline")[0] == 1


def test_a_folder_with_a_config_of_its_own_is_covered(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inner = here / "inner" / "deep"
    inner.mkdir(parents=True)
    (inner / "a-handoff.md").write_text(BAD, encoding="utf-8")
    (here / "inner" / ".handoff-lsp.toml").write_text("examples = true\n", encoding="utf-8")
    assert main(["baseline"]) == 0
    capsys.readouterr()
    assert check(capsys) == (0, "No findings in 1 file (1 handoff).\n1 finding is in the baseline.\n")
    assert check(capsys, "inner")[0] == 0


@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        (".handoff-lsp.toml", "# Ours\n[rules]\n", f'baseline = "{NAME}"\n# Ours\n[rules]\n'),
        (".handoff-lsp.toml", "\ufeffexamples = true\r\n", f'\ufeffbaseline = "{NAME}"\r\nexamples = true\r\n'),
        (
            "pyproject.toml",
            '[project]\nname = "x"\n[tool.handoff-lsp]\nexamples = true\n',
            f'[project]\nname = "x"\n[tool.handoff-lsp]\nbaseline = "{NAME}"\nexamples = true\n',
        ),
        ("pyproject.toml", "[tool.handoff-lsp]", f'[tool.handoff-lsp]\nbaseline = "{NAME}"\n'),
    ],
)
def test_a_config_gets_the_key(
    bad: Path, name: str, before: str, after: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(name).write_bytes(before.encode())
    assert main(["baseline"]) == 0
    assert f'Added to {name}: baseline = "{NAME}"\n' in capsys.readouterr().out
    assert Path(name).read_bytes() == after.encode()
    assert check(capsys)[0] == 0


def test_a_config_without_a_place_for_the_key_is_left_alone(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "[tool]\nhandoff-lsp = { examples = true }\n"
    Path("pyproject.toml").write_text(text)
    assert main(["baseline"]) == 0
    assert f"Check with `--baseline {NAME}`: pyproject.toml does not name it.\n" in capsys.readouterr().out
    assert Path("pyproject.toml").read_text() == text
    assert check(capsys, "--baseline", NAME)[0] == 0
    assert check(capsys)[0] == 1


def test_a_new_defect_is_the_only_finding(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known.write_text(WORSE)
    assert rules(capsys) == [("a-handoff.md", "abstract.verdict")]


def test_an_equal_defect_in_another_place_is_new(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (known.parent / "b-handoff.md").write_text(BAD)
    assert rules(capsys) == [("b-handoff.md", "status")]


def test_one_more_of_the_same_in_one_file_is_new(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An entry covers as many findings as it counts."""
    turn = '```agent_contract_handoff\n{"agent_status": {"plan_status": "DONE"}}\n```\n'
    (here / "turns.md").write_text(turn)
    main(["baseline"])
    capsys.readouterr()
    first = json.loads(Path(NAME).read_text())["findings"]
    (here / "turns.md").write_text(f"{turn}\n{turn}")
    assert len(rules(capsys)) == sum(entry["count"] for entry in first) > 0


@pytest.mark.parametrize(
    "edit",
    [
        lambda text: "Intro.\n\n" + text,
        lambda text: text.replace("compleet", "   compleet  "),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "\ufeff" + text,
        lambda text: text.replace("## DoD coverage", "## DoD coverage\n- ✓ one more"),
    ],
    ids=["lines above", "blanks", "CRLF", "BOM", "lines below"],
)
def test_an_edit_around_a_known_defect_keeps_it_known(
    known: Path, edit: object, capsys: pytest.CaptureFixture[str]
) -> None:
    assert callable(edit)
    known.write_bytes(edit(BAD).encode())
    assert rules(capsys) == []


def test_a_moved_file_keeps_its_entries(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (known.parent / "board").mkdir()
    known.rename(known.parent / "board" / "renamed-handoff.md")
    assert rules(capsys, "board") == []
    assert "a-handoff.md" in Path(NAME).read_text()  # not all files were checked
    assert rules(capsys) == []
    (known.parent / "board" / "second-handoff.md").write_text(BAD)
    assert rules(capsys) == [("board/second-handoff.md", "status")]
    assert main(["baseline"]) == 0
    assert [entry["path"] for entry in json.loads(Path(NAME).read_text())["findings"]] == ["board/renamed-handoff.md"]


def test_a_file_that_the_baseline_knows_gets_no_entries_of_another(
    known: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = known.parent / "b-handoff.md"
    other.write_text(WORSE.replace("compleet", "complete"))
    main(["baseline", "--force"])
    capsys.readouterr()
    known.unlink()
    other.write_text(WORSE)
    assert rules(capsys) == [("b-handoff.md", "status")]


# It becomes shorter by itself


def test_check_removes_what_is_fixed(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known.write_text(GOOD)
    code, told = check(capsys)
    assert (code, told) == (
        0,
        "No findings in 1 file (1 handoff).\n1 finding that is gone was removed from the baseline.\n",
    )
    assert json.loads(Path(NAME).read_text())["findings"] == []
    known.write_text(BAD)
    assert check(capsys)[0] == 1


def test_in_ci_and_in_a_read_only_file_it_only_says_so(
    known: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    known.write_text(GOOD)
    before = Path(NAME).read_text()
    words = "1 finding of the baseline is gone; `handoff-lsp baseline` removes it.\n"
    monkeypatch.setenv("CI", "true")
    assert check(capsys)[1].endswith(words)
    monkeypatch.delenv("CI")
    Path(NAME).chmod(0o444)
    assert check(capsys)[1].endswith(words)
    assert Path(NAME).read_text() == before


@pytest.mark.parametrize(
    "arguments",
    [["a-handoff.md"], ["--select", "missing-status"], ["--severity", "invalid-value=off"], ["--exclude", "a-*"]],
    ids=" ".join,
)
def test_a_run_that_does_not_see_everything_removes_nothing(
    known: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    before = Path(NAME).read_text()
    if arguments == ["a-handoff.md"]:
        known.write_text(GOOD)
    assert "baseline" not in check(capsys, *arguments)[1]
    assert Path(NAME).read_text() == before


def test_baseline_removes_what_is_fixed_and_adds_only_by_force(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known.write_text(GOOD.replace("verdict: n/a", "verdict: maybe"))
    assert main(["baseline"]) == 0
    assert capsys.readouterr().out == (
        f"{NAME}: 0 findings in 0 files; 1 gone and removed.\n"
        "1 other finding is not in it; `handoff-lsp baseline --force` adds it.\n"
    )
    assert check(capsys)[0] == 1
    assert main(["baseline", "--force"]) == 0
    assert check(capsys)[0] == 0


def test_a_part_of_the_repository_leaves_the_other_entries(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (known.parent / "board").mkdir()
    (known.parent / "board" / "b-handoff.md").write_text(BAD)
    main(["baseline", "--force", "board"])
    assert [entry["path"] for entry in json.loads(Path(NAME).read_text())["findings"]] == [
        "a-handoff.md",
        "board/b-handoff.md",
    ]


def test_a_baseline_changes_no_decision(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["parse", "--output-format", "json", "a-handoff.md"]) == 1
    parsed = json.loads(capsys.readouterr().out)
    assert (parsed["routing"]["action"], len(parsed["findings"])) == ("stop", 1)
    main(["check", "--output-format", "json"])
    data = json.loads(capsys.readouterr().out)
    assert data["summary"]["baseline"] == 1
    assert data["handoffs"][0]["routing"] == parsed["routing"]


def test_fix_fixes_what_is_known_too(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    turn = '```agent_contract_handoff\n{"agent_status": {"plan_status": "DONE",}}\n```\n'
    (here / "turn.md").write_text(turn)
    main(["baseline"])
    assert check(capsys, "--fix-only")[0] == 0
    assert '"DONE",}' not in (here / "turn.md").read_text()


# What is wrong with a baseline


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"version": 1,\n "findings": [,]}', ":2: not JSON: expecting value"),
        ("<<<<<<< HEAD\n{}", ":1: not JSON: expecting value"),
        ("[]", ":1: not a baseline: it has no `version`"),
        ('{\n "version": 2, "findings": []}', ":2: version 2, but this handoff-lsp reads version 1"),
        ('{"version": true, "findings": []}', ":1: version true, but"),
        ('{"version": 1,\n "findings": {}}', ":2: `findings` must be a list"),
        (
            '{"version": 1, "findings": [\n{"path": "a", "rule": "b", "count": 1},\n3]}',
            ":3: an entry must be an object",
        ),
        ('{"version": 1, "findings": [\n{"path": "a", "rule": "b", "count": 0}]}', ":2: `count` must be a number"),
        ('{"version": 1, "findings": [\n{"path": "a", "count": 1}]}', ":2: an entry needs `path` and `rule`"),
        ('{"version": 1, "findings": [\n{"path": ["a"], "rule": "b", "count": 1}]}', ":2: `path` must be a string"),
        ('{"version": 1, "findings": [\n{"pth": "a"}]}', ":2: unknown key `pth`"),
        ("[" * 100_000, ": not JSON that can be read"),
        ("\0", ": binary (a NUL byte at offset 0)"),
    ],
)
def test_a_broken_baseline_is_an_error(
    known: Path, text: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path(NAME).write_text(text)
    for command in ("check", "baseline"):
        assert main([command]) == 2
        told = capsys.readouterr()
        assert told.err.startswith(f"handoff-lsp: error: {NAME}{message}")
        assert "`handoff-lsp baseline --force` writes a new one" in told.err
    assert Path(NAME).read_text() == text


def test_force_overwrites_no_other_file(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("notes.md").write_text("# Notes\n")
    assert main(["baseline", "-o", "notes.md", "--force"]) == 2
    told = "notes.md is no baseline, and is not overwritten; remove it first"
    assert capsys.readouterr().err.splitlines()[0] == f"handoff-lsp: error: {told}"
    assert Path("notes.md").read_text() == "# Notes\n"


def test_force_writes_a_broken_one_anew(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(NAME).write_text("<<<<<<< HEAD\n")
    assert main(["baseline", "--force"]) == 0
    assert check(capsys)[0] == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "--baseline", "none.json"], "no such file: none.json"),
        (["check", "--baseline", NAME, "--no-baseline"], "`--baseline` cannot be used with `--no-baseline`"),
        (["baseline", "-o", "nowhere/x.json"], "nowhere/x.json is in no existing folder"),
        (["baseline", "-o", "."], ". is a folder: name a file in it"),
    ],
)
def test_wrong_arguments(known: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("name", ["../x.json", "/x.json", "~/x.json", ""])
def test_a_config_names_no_file_outside_its_folder(bad: Path, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(".handoff-lsp.toml").write_text(f'baseline = "{name}"\n')
    assert main(["baseline"]) == 2
    assert ".handoff-lsp.toml:1: the path of the baseline " in capsys.readouterr().err


def test_nothing_is_written_if_a_file_cannot_be_checked(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "a-handoff.md", "missing.md"]) == 2
    assert f"{NAME} was not written: not everything could be checked.\n" in capsys.readouterr().out
    assert not Path(NAME).exists()


# Lines


@pytest.mark.parametrize(
    "line",
    [
        "status: done",
        "  status:   done",
        "- status: done",
        "12. status: done",
        "> - [x] status: done\r",
        "\ufeffstatus: done",
    ],
)
def test_marks_and_blanks_of_a_line_do_not_count(line: str) -> None:
    assert normal(line) == "status: done"


def test_a_long_line_is_cut_but_still_compared_whole() -> None:
    assert normal("x" * 10_000) != normal("x" * 9_999)
    assert len(normal("x" * 10_000)) < 200


# Adopting on real repositories


def test_adopting_on_real_repositories(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (SHARED / "wild").is_dir():
        pytest.skip("no wild: ../shared/wild is not beside this clone")
    folder = tmp_path / "wild"
    shutil.copytree(SHARED / "wild", folder, copy_function=shutil.copyfile)  # the originals are read-only
    monkeypatch.chdir(folder)
    before = rules(capsys)
    assert len(before) > 100
    main(["check"])
    assert "`handoff-lsp baseline` lists the findings of today" in capsys.readouterr().out
    assert main(["baseline"]) == 0
    capsys.readouterr()
    written = Path(NAME).read_bytes()
    assert rules(capsys) == []
    assert Path(NAME).read_bytes() == written

    (folder / "board").mkdir()
    (folder / "board" / "new-handoff.md").write_text(BAD)
    assert rules(capsys) == [("board/new-handoff.md", "status")]
    # Whole repositories move, and every file gets another line.
    for repo in [path for path in folder.iterdir() if path.is_dir() and path.name != "board"]:
        for path in repo.rglob("*.md"):
            path.write_bytes(path.read_bytes() + b"\n\n<!-- read -->\n")
        repo.rename(repo.with_name(f"moved-{repo.name}"))
    assert rules(capsys) == [("board/new-handoff.md", "status")]
    assert b"moved-" in Path(NAME).read_bytes()


def test_config_show_names_the_baseline_of_a_folder_above(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "inner").mkdir()
    (here / "inner" / ".handoff-lsp.toml").write_text("examples = true\n", encoding="utf-8")
    (here / ".handoff-lsp.toml").write_text(f'baseline = "{NAME}"\n', encoding="utf-8")
    assert main(["config", "show", "inner/a-handoff.md"]) == 0
    told = capsys.readouterr().out.split("\n")
    assert any(line.split() == ["baseline", f'"{NAME}"', ".handoff-lsp.toml:1"] for line in told)


def test_an_empty_baseline_is_written_anew_by_force(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(NAME).touch()
    assert main(["baseline"]) == 2
    assert main(["baseline", "--force"]) == 0
    capsys.readouterr()
    assert check(capsys)[0] == 0


def test_a_baseline_in_another_folder_is_named_where_it_counts(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("ci").mkdir()
    assert main(["baseline", "-o", "ci/known.json"]) == 0
    capsys.readouterr()
    assert check(capsys) == (0, "No findings in 1 file (1 handoff).\n1 finding is in the baseline.\n")


def test_another_config_removes_nothing(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(NAME).read_text(encoding="utf-8")
    Path("other.toml").write_text('[rules]\ninvalid-value = "off"\n', encoding="utf-8")
    check(capsys, "--config", "other.toml", "--baseline", NAME)
    assert Path(NAME).read_text(encoding="utf-8") == before


def test_a_file_that_cannot_be_looked_at_is_not_gone(known: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(NAME).read_text(encoding="utf-8")
    unknown = f"{'x' * 300}.md"  # too long a name: looking at it is an error, as in a folder without permission
    Path(NAME).write_text(text.replace("a-handoff.md", unknown), encoding="utf-8")
    check(capsys)
    assert unknown in Path(NAME).read_text(encoding="utf-8")


def test_a_file_and_its_text_on_standard_input_are_one(run: Run, known: Path) -> None:
    done = run("check", ".", "-", "--stdin-filename", known.name, stdin=known.read_bytes())
    assert (done.returncode, b"in 1 file (1 handoff)" in done.stdout) == (0, True)
