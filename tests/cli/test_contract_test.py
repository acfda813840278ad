"""``handoff-lsp contract test``: real contracts and case files, run by the real command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handoff_lsp.cli.main import main

CONTRACT = """\
contract: nightly-report
title: Nightly report
about: What the nightly agent leaves for the morning.
status: result
unread: treated as failed
default_profile: v1
profiles:
  v1: {about: The only version}
section:
  title: (?i)^Nightly report
  holds:
    - {some: [result, failures], enough: 2}
  labels: true
fields:
  result:
    title: Result
    carriers: [bold-label, plain-label]
    type: enum
    values:
      - {value: green, about: Everything passed}
      - {value: red, about: Something failed}
    required: true
    because: the release waits for it
  failures:
    title: Failures
    carriers: [bold-label, plain-label]
    type: integer
  cause:
    title: Cause
    carriers: [bold-label, plain-label]
    type: line
    required: result == 'red'
    forbidden: result == 'green'
checks:
  red-has-failures:
    rule: contradiction
    when: result == 'red'
    check: failures > 0
    at: failures
    message: Result is red, but Failures is {failures}
routing:
  - {when: result == 'green', action: advance, reason: The release goes out.}
  - {action: stop, reason: Somebody looks at the failures.}
"""
RED = """\
## A red report must count its failures
~~~~document
## Nightly report
- Result: red
- Failures: 0
            ^ contradiction error "but Failures is 0"
- Cause: disk full
~~~~
routes stop
"""
GREEN = """\
## A green report is clean
~~~~document
## Nightly report
- Result: green
- Failures: 0
~~~~
routes advance "goes out"
"""
RED_WITH_FAILURES = """\
## A red report with failures needs its cause
~~~~document
## Nightly report
   ^^^^^^^^^^^^^^ missing-conditional-field
- Result: red
- Failures: 3
~~~~
"""


@pytest.fixture
def project(here: Path) -> Path:
    """A workspace with a contract of its own and no cases."""
    (here / ".handoff-lsp.toml").write_text('contract-files = ["contracts/*.yaml"]\n', encoding="utf-8")
    (here / "contracts").mkdir()
    (here / "contracts" / "nightly.yaml").write_text(CONTRACT, encoding="utf-8")
    return here


def write(project: Path, *cases: str) -> Path:
    path = project / "contracts" / "nightly.cases.md"
    path.write_text("# Nightly reports\n\n" + "\n".join(cases), encoding="utf-8")
    return path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["contract", "test", *arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


def test_passing_cases_and_what_they_do_not_show(project: Path, run: Any) -> None:
    write(project, RED, GREEN)
    done = run("contract", "test")
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode().splitlines() == [
        "Not covered by a passing case of nightly-report (4 of 6 statements):",
        "  contracts/nightly.yaml:22:5: fields.result.required: no case fires it",
        "  contracts/nightly.yaml:32:5: fields.cause.required: no case fires it",
        "  contracts/nightly.yaml:33:5: fields.cause.forbidden: no case fires it",
        "  contracts/nightly.yaml:35:3: checks.red-has-failures: no near miss",
        "",
        "2 cases: 2 passed. The passing cases cover 2 of 6 checks, conditions and routes.",
    ]


def test_a_case_more_is_a_gap_less(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RED, GREEN, RED_WITH_FAILURES)
    code, out, _ = told(capsys)
    assert code == 0
    assert "checks.red-has-failures" not in out and "cause.required" not in out
    assert out.endswith("3 cases: 3 passed. The passing cases cover 4 of 6 checks, conditions and routes.\n")


def test_a_decision_counts_only_where_a_case_states_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RED.replace("routes stop\n", ""), GREEN)
    assert "nightly.yaml:42:5: routing.0: no near miss" in told(capsys)[1]


def test_a_failing_case_has_expected_and_found_at_its_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RED.replace("Failures: 0", "Failures: 2"), GREEN.replace("advance", "ask"))
    code, out, err = told(capsys, "--quiet")
    assert (code, err) == (1, "")
    assert out == (
        "FAILED contracts/nightly.cases.md:3: A red report must count its failures\n"
        '  contracts/nightly.cases.md:7:13: expected contradiction error "but Failures is 0", but it was not found\n'
        "       7 | - Failures: 2\n"
        "         |             ^\n"
        "\n"
        "FAILED contracts/nightly.cases.md:13: A green report is clean\n"
        '  contracts/nightly.cases.md:19: expected routes ask "goes out", but found advance: The release goes out.\n'
        "\n"
    )


def test_what_is_found_and_not_expected_fails(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, GREEN.replace("Result: green", "Result: gren").replace('routes advance "goes out"\n', ""))
    code, out, _ = told(capsys)
    assert code == 1
    assert "nightly.cases.md:6:11: found invalid-value error: `Result` is" in out
    assert "but it was not expected" in out
    assert "1 case: 0 passed, 1 failed." in out


def test_another_severity_or_other_words_are_a_failure(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RED.replace("contradiction error", "contradiction warning"))
    code, out, _ = told(capsys)
    assert code == 1
    assert 'expected contradiction warning "but Failures is 0", but found contradiction error: Result is' in out


def test_update_writes_what_is_found_and_keeps_what_is_right(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = GREEN.replace("Result: green", "Result: red\n         ^^^^^ invalid-value")
    path = write(project, RED, wrong)
    code, out, _ = told(capsys, "--update")
    assert code == 0
    assert "Updated contracts/nightly.cases.md: read what has changed." in out
    text = path.read_text(encoding="utf-8")
    assert RED in text, "a case that passes stays as it is"
    assert "invalid-value" not in text
    assert '- Failures: 0\n            ^ contradiction error "Result is red, but Failures is 0"\n' in text
    assert "^ missing-conditional-field error" in text
    assert 'routes stop "' in text
    assert told(capsys)[0] == 0
    before = path.stat().st_mtime_ns
    assert "Updated" not in told(capsys, "--update")[1]
    assert path.stat().st_mtime_ns == before


def test_update_keeps_the_line_breaks_of_the_file(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(project, RED)
    path.write_bytes(RED.replace("but Failures is 0", "but it is not").replace("\n", "\r\n").encode())
    assert told(capsys)[0] == 1
    assert told(capsys, "--update")[0] == 0
    data = path.read_bytes()
    assert data.count(b"\n") == data.count(b"\r\n") == RED.count("\n")


def test_a_fix_is_part_of_a_case(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = """\
## A slip is corrected
~~~~document
## Nightly report
- Result: gren
          ^^^^ invalid-value "must be one of"
- Failures: 0
~~~~
~~~~fixed invalid-value
## Nightly report
- Result: red
- Failures: 0
~~~~
"""
    path = write(project, case)
    code, out, _ = told(capsys)
    assert code == 1
    assert 'nightly.cases.md:12: the fix of invalid-value makes another document; found "- Result: green" here' in out
    assert told(capsys, "--update")[0] == 0
    assert "- Result: green\n- Failures: 0\n~~~~\n" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("old", "new", "line", "message"),
    [
        ("contradiction", "contradicton", 8, "unknown rule `contradicton`; did you mean `contradiction`?"),
        ("^ contradiction", "^contradiction", 8, "below a line: carets, the rule"),
        ("^ contradiction", "^ Contradiction", 8, "below a line: carets, the rule"),
        ("~~~~document", "~~~~documnt", 4, "a fence of a case is `document`"),
        ("~~~~document", "~~~~document a.md profil", 4, "`profil` is no option"),
        ("~~~~document", "~~~~document profile=v2", 4, "`nightly-report` has no profile `v2`"),
        ("~~~~document", "~~~~document contract=nightly profile=v1", 4, "unknown contract `nightly`"),
        ("~~~~document", "~~~~document rule:contradiction=eror", 4, "unknown severity `eror`; did you mean `error`?"),
        ("~~~~document", "~~~~document size=3", 4, "`nightly-report` has no setting `size`"),
        ("routes stop", "routes halt", 11, 'a decision is `routes ACTION "words"`'),
        ("~~~~\nroutes", "routes", 4, "this fence is not closed"),
        ("## Nightly report\n", "^ contradiction\n", 5, "this mark has no line above it"),
    ],
)
def test_a_mistake_in_a_case_is_never_a_passing_case(
    project: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, line: int, message: str
) -> None:
    assert old in RED
    write(project, RED.replace(old, new), GREEN)
    code, _, err = told(capsys)
    assert code == 2
    assert f"handoff-lsp: error: contracts/nightly.cases.md:{line}: " in err
    assert message in err


def test_a_broken_contract_is_reported_and_the_others_are_tested(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(project, RED)
    (project / "contracts" / "other.yaml").write_text(CONTRACT.replace("integer", "intger"), encoding="utf-8")
    (project / "contracts" / "other.cases.md").write_text(GREEN, encoding="utf-8")
    code, out, err = told(capsys)
    assert code == 2
    assert "contracts/other.yaml:27: " in err and "did you mean `integer`?" in err
    assert "1 case: 1 passed." in out


def test_which_contracts_and_cases_are_run(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RED, GREEN)
    for named in ("contracts", "contracts/nightly.yaml", "contracts/nightly.cases.md", "nightly-report", "nightly"):
        assert "2 cases: 2 passed." in told(capsys, named)[1]
    (project / "more").mkdir()
    (project / "more" / "one.md").write_text(GREEN, encoding="utf-8")
    assert "1 case: 1 passed." in told(capsys, "contracts", "--cases", "more")[1]
    # A contract that no config names is tested as well.
    (project / ".handoff-lsp.toml").unlink()
    assert "2 cases: 2 passed." in told(capsys, "contracts/nightly.yaml")[1]


def test_a_built_in_contract_with_cases_of_ones_own(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    case = "## A log\n~~~~document .agent/activity.log\n2026-02-08T10:40:00Z [STATUS] running\n~~~~\n"
    (here / "logs.md").write_text(case, encoding="utf-8")
    code, out, err = told(capsys, "activity-log", "--cases", "logs.md")
    assert (code, err) == (0, "")
    assert "Not covered by a passing case of activity-log" in out
    assert "1 case: 1 passed." in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "no cases: write some into contracts/nightly.cases.md, or name them with --cases"),
        (("status-blok",), "no such file: `status-blok`; did you mean `status-block`?"),
        (("contracts/absent.yaml",), "contracts/absent.yaml: no such file or folder"),
        (("empty",), "no contract in the folder empty"),
        (("lonely.cases.md",), "no contract beside lonely.cases.md: lonely.yaml is missing"),
        (("--cases", "empty"), "no case file in the folder empty"),
        (("--updat",), "unknown option `--updat`; did you mean `--update`?"),
    ],
)
def test_wrong_arguments(
    project: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    (project / "empty").mkdir()
    (project / "lonely.cases.md").write_text(GREEN, encoding="utf-8")
    code, _, err = told(capsys, *arguments)
    assert code == 2
    assert message in err


def test_nothing_to_test_without_a_contract(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = told(capsys)
    assert code == 2
    assert "no contract: name its file, or list it in `contract-files` of the config" in err


def test_an_unknown_action(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contract", "tset"]) == 2
    assert "unknown action `tset`; did you mean `test`?" in capsys.readouterr().err
    assert main(["contract"]) == 2
    assert "missing action: it is one of " in capsys.readouterr().err


def test_check_passes_over_the_documents_of_cases(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(project, RED, GREEN, RED_WITH_FAILURES)
    assert main(["check", "."]) == 0
    assert "No findings in 1 file (0 handoffs)." in capsys.readouterr().out


def test_a_check_may_be_named_in_place_of_its_rule(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = RED.replace("^ contradiction error", "^ nightly-report/red-has-failures error")
    write(project, named)
    assert told(capsys)[0] == 0
    path = write(project, named.replace("but Failures is 0", "other words"))
    assert told(capsys)[0] == 1
    assert told(capsys, "--update")[0] == 0
    assert '^ contradiction error "Result is red' in path.read_text(encoding="utf-8")
    write(project, named.replace("red-has-failures", "red-has-failure"))
    code, _, err = told(capsys)
    assert code == 2
    assert "unknown check `nightly-report/red-has-failure`; did you mean `red-has-failures`?" in err


def test_of_an_extended_contract_only_what_its_own_file_states(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "contracts" / "weekly.yaml").write_text(
        """\
contract: weekly-report
extends: nightly-report
section: {title: '(?i)^Weekly report'}
fields:
  owner: {title: Owner, carriers: [bold-label, plain-label], type: line, required: true}
checks:
  green-has-none:
    rule: contradiction
    when: result == 'green'
    check: failures == 0
    at: failures
    message: Result is green, but Failures is {failures}
+routing:
  - {when: "failures > 9", action: ask, reason: Many failures}
""",
        encoding="utf-8",
    )
    case = "## A\n~~~~document\n## Weekly report\n- Result: green\n- Failures: 0\n- Owner: me\n~~~~\nroutes advance\n"
    (project / "contracts" / "weekly.cases.md").write_text(case, encoding="utf-8")
    code, out, err = told(capsys, "contracts/weekly.yaml")
    assert (code, err) == (0, "")
    assert [line.strip() for line in out.splitlines()[1:4]] == [
        "contracts/weekly.yaml:5:74: fields.owner.required: no case fires it",
        "contracts/weekly.yaml:7:3: checks.green-has-none: no case fires it",
        "contracts/weekly.yaml:14:5: routing.0: no case fires it",
    ]
    assert out.startswith("Not covered by a passing case of weekly-report (3 of 3 statements):\n")
    # A contract below it that is broken is named, too.
    (project / "contracts" / "nightly.yaml").write_text(CONTRACT.replace("integer", "intger"), encoding="utf-8")
    code, _, err = told(capsys, "contracts/weekly.yaml")
    assert code == 2
    assert "contracts/weekly.yaml:2: " in err and "contracts/nightly.yaml:27: " in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"## A\n\0", "binary (a NUL byte at offset 5)"),
        (b"## A\n\xff\n", "not UTF-8"),
        (b"x" * 6_000_000, "too large"),
        (b"", "no case: one is a heading"),
        (b"# Notes\n\n## A heading\n\nWithout a document.\n", "no case: one is a heading"),
    ],
)
def test_a_case_file_that_cannot_be_read(
    project: Path, capsys: pytest.CaptureFixture[str], content: bytes, message: str
) -> None:
    (project / "contracts" / "nightly.cases.md").write_bytes(content)
    code, _, err = told(capsys)
    assert code == 2
    assert f"handoff-lsp: error: contracts/nightly.cases.md: {message}" in err
