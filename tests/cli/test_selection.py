"""``--select``, ``--ignore``, ``--severity``, and the options for files: ``--exclude`` and its relatives."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from cli.documents import BAD

from handoff_lsp.cli.main import main
from handoff_lsp.rules.rule import RuleGroup

# A wrong value and a wrong count.
DOCUMENT = BAD.replace("1 created", "3 created")

# Only the wrong count.
COUNTED = DOCUMENT.replace("compleet", "complete")


@pytest.fixture
def document(here: Path) -> Path:
    path = here / "a-handoff.md"
    path.write_text(DOCUMENT, encoding="utf-8")
    return path


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main(["check", "--output-format", "json", *arguments])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def rules(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    return [finding["rule"] for finding in checked(capsys, *arguments)["findings"]]


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["check", *arguments]) == 2
    return capsys.readouterr().err.splitlines()[0].removeprefix("handoff-lsp: error: ")


# Rules


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ([], ["invalid-value", "count-mismatch"]),
        (["--select", "count-mismatch"], ["count-mismatch"]),
        (["--select", "consistency"], ["count-mismatch"]),
        (["--select", "consistency,invalid-value"], ["invalid-value", "count-mismatch"]),
        (["--select", "consistency", "--select", "invalid-value"], ["invalid-value", "count-mismatch"]),
        (["--ignore", "invalid-value"], ["count-mismatch"]),
        (["--ignore", "values, consistency"], []),
        # The more specific name decides, and `--ignore` between equals.
        (["--select", "values", "--ignore", "invalid-value"], []),
        (["--select", "invalid-value", "--ignore", "values"], ["invalid-value"]),
        (["--select", "invalid-value", "--ignore", "invalid-value"], []),
        (["--select", "status-block/files-created-count", "--ignore", "count-mismatch"], ["count-mismatch"]),
        (["--ignore", "status-block/files-created-count"], ["invalid-value"]),
    ],
)
def test_selected_rules_are_shown(
    document: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], shown: list[str]
) -> None:
    assert rules(capsys, *arguments) == shown


def test_ignored_findings_do_not_fail_the_run_but_change_no_decision(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document.write_text(COUNTED, encoding="utf-8")
    decision = checked(capsys)["handoffs"][0]["routing"]
    assert main(["check", "--ignore", "values,consistency"]) == 0
    assert capsys.readouterr().out == "No findings in 1 file (1 handoff).\n"
    assert checked(capsys, "--ignore", "values,consistency")["handoffs"][0]["routing"] == decision
    assert [doubt["rule"] for doubt in decision["doubts"]] == ["count-mismatch"]


def test_a_rule_that_is_off_withholds_nothing_as_in_the_config(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document.write_text(COUNTED, encoding="utf-8")
    by_option = checked(capsys, "--severity", "count-mismatch=off")
    (document.parent / ".handoff-lsp.toml").write_text('rules.count-mismatch = "off"\n')
    assert checked(capsys) == by_option
    routing = by_option["handoffs"][0]["routing"]
    assert (routing["action"], routing["doubts"]) == ("advance", [])


def test_a_severity_goes_before_those_of_the_config_and_its_files(
    document: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (document.parent / ".handoff-lsp.toml").write_text(
        'rules.count-mismatch = "hint"\n[[files]]\npattern = "*.md"\nrules.count-mismatch = "off"\n'
    )
    assert rules(capsys) == ["invalid-value"]
    found = checked(capsys, "--severity", "count-mismatch=warning", "--severity", "invalid-value=information")
    assert [each["severity"] for each in found["findings"]] == ["information", "warning"]


def test_parse_takes_severities_too(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document.write_text(COUNTED, encoding="utf-8")
    assert main(["parse", str(document)]) == 1
    assert main(["parse", str(document), "--severity", "count-mismatch=off"]) == 0


def test_that_a_file_was_not_checked_is_shown_whatever_is_selected(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "long.md").write_text("x\n" * 100_001, encoding="utf-8")
    assert rules(capsys, "--select", "invalid-value") == ["too-large"]
    assert rules(capsys, "--ignore", "too-large") == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--select", "invalid-valeu"], "unknown rule `invalid-valeu`; did you mean `invalid-value`?"),
        (["--ignore", "consistensy"], "unknown rule `consistensy`; did you mean `consistency`?"),
        (["--select", "status-blok/x"], "unknown contract `status-blok`; did you mean `status-block`?"),
        (
            ["--ignore", "status-block/files-created-coun"],
            "unknown check `files-created-coun` of `status-block`; did you mean `files-created-count`?",
        ),
        (["--select", ""], "`--select` names no rule"),
        (["--severity", "values=off"], "unknown rule `values`"),
        (["--severity", "invalid-value=warn"], "unknown level `warn` of `invalid-value`; did you mean `warning`?"),
        (
            ["--severity", "invalid-value"],
            "`--severity` needs RULE=LEVEL, such as `count-mismatch=warning`, not `invalid-value`",
        ),
        (
            ["--exclude", "../x"],
            'the pattern "../x" of `--exclude` leads out of the working folder with `..`',
        ),
        (["--isolated", "--config", "x.toml"], "`--isolated` reads no config, so it cannot be used with `--config`"),
    ],
)
def test_wrong_arguments_are_refused_with_the_nearest_name(
    here: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert refused(capsys, *arguments) == message


def test_a_check_of_an_own_contract_is_known_by_the_config_of_a_given_path(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "team").mkdir()
    assert main(["contract", "new", "nightly-report", "-o", "team/nightly-report.yaml"]) == 0
    (here / "team" / ".handoff-lsp.toml").write_text('contract-files = ["nightly-report.yaml"]\n')
    capsys.readouterr()
    assert refused(capsys, "--ignore", "nightly-report/nope") == "unknown contract `nightly-report`"
    assert refused(capsys, "team", "--ignore", "nightly-report/nope").startswith("unknown check `nope`")


def test_only_what_is_shown_is_fixed(document: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--fix", "--unsafe-fixes", "--ignore", "count-mismatch"]) == 0
    assert document.read_text(encoding="utf-8") == COUNTED


# Files


@pytest.fixture
def tree(here: Path) -> Path:
    for name in ("old/a.md", "old/b/c.md", "new/d.md"):
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("# Notes\n", encoding="utf-8")
    (here / ".handoff-lsp.toml").write_text('exclude = ["new"]\n')
    return here


def files(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    return [each["path"] for each in checked(capsys, *arguments)["files"]]


def test_exclude_replaces_the_config_and_extend_exclude_adds_to_it(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert files(capsys) == ["old/a.md", "old/b/c.md"]
    assert files(capsys, "--exclude", "old/b") == ["new/d.md", "old/a.md"]
    assert files(capsys, "--extend-exclude", "old/b") == ["old/a.md"]
    assert files(capsys, "--exclude", "old/b,d.md") == ["old/a.md"]
    assert files(capsys, "--exclude", "b", "--extend-exclude", "a.md") == ["new/d.md"]


def test_patterns_of_options_begin_at_the_working_folder(
    tree: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tree / "old")
    assert files(capsys, "--extend-exclude", "b/c.md", "--extend-exclude", "old/a.md") == ["a.md"]


def test_force_exclude_leaves_out_named_files_and_says_so(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert files(capsys, "new/d.md", "old/a.md") == ["new/d.md", "old/a.md"]
    found = checked(capsys, "--force-exclude", "new/d.md", "old/a.md", "new", "old/b")
    assert [each["path"] for each in found["files"]] == ["old/a.md", "old/b/c.md"]
    assert found["skipped"] == [{"path": name, "reason": "excluded by `new`"} for name in ("new/d.md", "new")]
    assert main(["check", "--force-exclude", "new/d.md"]) == 0
    assert capsys.readouterr().out == "Nothing to check; 1 file skipped: new/d.md (excluded by `new`).\n"


def test_force_exclude_leaves_out_what_no_walk_enters(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "node_modules").mkdir()
    (tree / "node_modules" / "x.md").write_text("# x\n")
    found = checked(capsys, "--force-exclude", "node_modules/x.md")
    assert found["skipped"][0]["reason"] == "a folder `node_modules` is not entered"


def test_force_exclude_and_config_show_leave_out_the_same_links_and_other_files(
    tree: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tree / "link.md").symlink_to("old/a.md")
    (tree / "folder").symlink_to("old")
    (tree / "old" / "notes.txt").write_text(DOCUMENT)
    why = {
        "link.md": "`link.md` is a symbolic link",
        "folder/b/c.md": "`folder` is a symbolic link",
        "old/notes.txt": "only .md and .markdown and the data files of contracts and the config are checked",
    }
    assert files(capsys) == ["old/a.md", "old/b/c.md"]
    assert files(capsys, *why) == list(why)
    found = checked(capsys, "--force-exclude", "old/a.md", *why)
    assert [each["path"] for each in found["files"]] == ["old/a.md"]
    assert {each["path"]: each["reason"] for each in found["skipped"]} == why
    for name, reason in why.items():
        main(["config", "show", name, "--output-format", "json"])
        assert json.loads(capsys.readouterr().out)["passed_over"] == reason


def test_force_exclude_hides_no_missing_file(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--force-exclude", "nope.txt", "nowhere"]) == 2
    assert "nope.txt: no such file or folder" in capsys.readouterr().err


def test_force_exclude_counts_for_the_name_of_standard_input(run: Any, tree: Path) -> None:
    done = run("check", "-", "--stdin-filename", "new/d-handoff.md", "--force-exclude", stdin=DOCUMENT.encode())
    assert (done.returncode, done.stdout.startswith(b"Nothing to check")) == (0, True)


def test_isolated_reads_no_config_even_a_broken_one(tree: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tree / "old" / ".handoff-lsp.toml").write_text("this is no TOML")
    assert main(["check"]) == 2
    capsys.readouterr()
    assert files(capsys, "--isolated") == ["new/d.md", "old/a.md", "old/b/c.md"]
    assert main(["check", "--isolated"]) == 0


def test_the_page_names_all_groups_of_rules() -> None:
    page = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")
    part = page.partition("a group of rules as")[2].partition(". The most specific")[0]
    assert set(re.findall(r"`([a-z-]+)`", part)) == {group.replace(" ", "-") for group in get_args(RuleGroup)}
