"""The functions of `import handoff_lsp`: one text, no config, no other file."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

import handoff_lsp
from handoff_lsp import UnknownNameError, check_text, new, parse_text, schema

PATH = "handoffs/board/backend-dev-handoff.md"
SOUND = """\
# Board — Handoff from Developer

## Status

complete

## Status reason

-

## Abstract

```yaml
outcome: The board is sorted by due date.
verdict: n/a
files: 1 created, 0 modified, 0 deleted
next_phase: DoD-checker
open_questions: 0
```

## Iteration

iter 1

## Files created

- src/board.py

## Files modified

None

## Quality gate results

pytest: 12 passed

## DoD coverage

- [x] sorted by due date

## Key decisions

None

## For the next agent

Look at the tie-break.

## Open questions

None
"""
WRONG = SOUND.replace("\ncomplete\n", "\ncompleet\n")


def test_a_sound_handoff_is_ok_and_has_its_fields_and_the_decision() -> None:
    report = check_text(SOUND, PATH)
    assert report.findings == ()
    assert report.ok
    assert report.feedback() == ""
    (handoff,) = report.handoffs
    assert (handoff.contract, handoff.mode, handoff.status) == ("status-block", "handoff", "complete")
    assert handoff.fields["abstract"]["open_questions"] == 0
    assert handoff.routing is not None
    assert (handoff.routing.action, handoff.routing.doubts) == ("advance", ())


def test_a_broken_one_has_findings_with_places_and_fixes() -> None:
    report = check_text(WRONG, PATH)
    (finding,) = report.errors
    assert (finding.rule, finding.field, finding.line, finding.column) == ("invalid-value", "status", 5, 1)
    assert not report.ok
    assert finding.fix is not None
    assert finding.fix.apply(WRONG) == SOUND
    assert report.handoffs[0].findings == report.findings


@pytest.mark.parametrize("change", [lambda text: text.replace("\n", "\r\n"), lambda text: f"\ufeff{text}"])
def test_a_fix_is_applied_at_its_place_in_any_text(change: Callable[[str], str]) -> None:
    finding = check_text(change(WRONG), PATH).errors[0]
    assert finding.fix is not None
    assert finding.fix.apply(change(WRONG)) == change(SOUND)


def test_a_fix_is_not_applied_to_another_text() -> None:
    finding = check_text(WRONG, PATH).errors[0]
    assert finding.fix is not None
    with pytest.raises(ValueError, match="not the text that was checked"):
        finding.fix.apply("short")


def test_ordinary_text_has_no_handoff_and_is_not_ok() -> None:
    report = check_text("# Notes\n\n## Status\n\nfine\n")
    assert (report.handoffs, report.findings, report.ok) == ((), (), False)
    assert "there is no handoff in your final message" in report.feedback()
    assert parse_text("# Notes\n\n## Status\n\nfine\n") == ()


def test_without_fixes_there_are_none_and_the_findings_are_the_same() -> None:
    with_fixes, without = check_text(WRONG, PATH), check_text(WRONG, PATH, fixes=False)
    assert [finding.message for finding in without.findings] == [finding.message for finding in with_fixes.findings]
    assert [finding.fix for finding in without.findings] == [None]
    assert [finding.fixable for finding in without.findings] == ["unsafe"] == [with_fixes.findings[0].fixable]
    assert "[invalid-value]" in without.feedback() and "Replace line" not in without.feedback()
    assert "Replace line 5:\n```\ncompleet\n```\nwith:\n```\ncomplete\n```" in with_fixes.feedback()


def test_templates_are_no_handoffs_to_act_on() -> None:
    template = new("status-block", mode="template")
    report = check_text(template, contract="status-block")
    assert [handoff.mode for handoff in report.handoffs] == ["template"]
    assert not report.ok
    assert parse_text(template, contract="status-block") == ()


def test_a_named_contract_is_what_a_text_without_a_handoff_lacks() -> None:
    """So an agent that forgot it gets one to fill in."""
    feedback = check_text("All is done.", contract="agent-contract").feedback()
    assert "there is no handoff in your final message" in feedback
    assert '"plan_status"' in feedback
    assert feedback.endswith("Replace everything in `<…>`.")


def test_warnings_are_feedback_too_and_ok() -> None:
    report = check_text(WRONG, PATH, rules={"invalid-value": "warning"})
    assert report.errors == ()
    assert "is readable, with 1 warning" in report.feedback()


def test_a_doubt_is_not_ok_even_where_a_comment_hides_the_finding() -> None:
    report = check_text(f"{WRONG}\n<!-- handoff-ignore-file: invalid-value -->\n", PATH)
    assert report.errors == ()
    assert report.handoffs[0].routing is not None
    assert report.handoffs[0].routing.action != "advance"
    assert not report.ok
    assert report.feedback().startswith("handoff-lsp: `")
    assert "the orchestrator's next step is stop" in report.feedback()


def test_rules_set_severities_also_of_a_check_of_a_contract() -> None:
    assert check_text(WRONG, PATH, rules={"invalid-value": "off"}).findings == ()
    report = check_text(WRONG, PATH, rules={"invalid-value": "hint"})
    assert [finding.severity for finding in report.findings] == ["hint"]


UNKNOWN: list[tuple[Callable[[], object], str, str, str | None]] = [
    (lambda: check_text("", contract="status-blok"), "contract", "status-blok", "status-block"),
    (lambda: check_text("", profile="testr"), "profile", "testr", "tester"),
    (lambda: check_text("", contract="agent-contract", profile="tester"), "profile", "tester", None),
    (lambda: check_text("", mode="draft"), "mode", "draft", None),  # type: ignore[arg-type]
    (lambda: check_text("", rules={"missing-feild": "error"}), "rule", "missing-feild", "missing-field"),
    (lambda: check_text("", rules={"missing-field": "eror"}), "severity", "eror", "error"),  # type: ignore[dict-item]
    (lambda: parse_text("", contract="status-blok"), "contract", "status-blok", "status-block"),
    (lambda: new("status-blok"), "contract", "status-blok", "status-block"),
    (lambda: new("status-block", "testr"), "profile", "testr", "tester"),
    (lambda: schema("status-blok"), "contract", "status-blok", "status-block"),
    (lambda: schema("status-block", "testr"), "profile", "testr", "tester"),
    (lambda: schema("status-block", maker="opnai"), "maker", "opnai", "openai"),  # type: ignore[arg-type]
    (lambda: new("status-block", mode="draft"), "mode", "draft", None),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("call", "kind", "name", "near"), UNKNOWN, ids=[f"{row[1]}-{row[2]}" for row in UNKNOWN])
def test_an_unknown_name_is_an_error_with_the_nearest_one(
    call: Callable[[], object], kind: str, name: str, near: str | None
) -> None:
    with pytest.raises(UnknownNameError, match=f"unknown {kind} `{name}`") as raised:
        call()
    error = raised.value
    assert isinstance(error, ValueError)
    assert (error.kind, error.name, error.nearest) == (kind, name, near)
    assert near is None or near in error.known
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.nearest) == (str(error), near)


def test_reports_are_frozen_comparable_hashable_and_picklable() -> None:
    report = check_text(WRONG, PATH)
    assert report == check_text(WRONG, PATH) != check_text(SOUND, PATH)
    assert hash(report) == hash(check_text(WRONG, PATH))
    assert len({report, check_text(WRONG, PATH), *report.handoffs, *report.findings}) == 3
    again = pickle.loads(pickle.dumps(report))
    assert again == report
    assert again.feedback() == report.feedback() != ""
    with pytest.raises(FrozenInstanceError):
        report.path = ""  # type: ignore[misc]


def test_a_new_handoff_is_what_the_command_writes() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "handoff_lsp", "new", "status-block", "--profile", "tester"],
        capture_output=True,
        check=True,
        cwd=Path(handoff_lsp.__file__).parents[1],
    )
    assert new("status-block", "tester") == ran.stdout.decode()


def test_a_schema_is_what_the_command_prints() -> None:
    for asked, made in (
        ([], schema("agent-contract")),
        (["--of", "handoff"], schema("agent-contract", of="handoff")),
        (["--for", "openai"], schema("agent-contract", maker="openai")),
    ):
        ran = subprocess.run(
            [sys.executable, "-m", "handoff_lsp", "schema", "agent-contract", *asked],
            capture_output=True,
            check=True,
            cwd=Path(handoff_lsp.__file__).parents[1],
        )
        assert made == json.loads(ran.stdout)
    with pytest.raises(ValueError, match="not written in JSON or YAML"):
        schema("status-block", of="handoff")


def test_no_config_and_no_other_file_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".handoff-lsp.toml").write_text('[rules]\ninvalid-value = "off"\n', encoding="utf-8")
    assert check_text(WRONG, PATH).errors


def test_the_import_is_cheap_and_says_nothing() -> None:
    code = (
        "import sys, logging, handoff_lsp\n"
        "handoff_lsp.__version__, dir(handoff_lsp)\n"
        "print(sorted(name for name in sys.modules if name.startswith('handoff_lsp')))\n"
        f"handoff_lsp.check_text({WRONG!r}, {PATH!r}).feedback()\n"
        "print(logging.getLogger().handlers, logging.getLogger('handoff_lsp').handlers)\n"
        "print(sorted({'pygls', 'lsprotocol', 'argparse'} & set(sys.modules)))\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "['handoff_lsp']\n[] []\n[]\n"
    assert ran.stderr == ""


def test_every_public_name_is_there_and_documented() -> None:
    for name in handoff_lsp.__all__:
        assert getattr(handoff_lsp, name) is not None
        assert name in dir(handoff_lsp)
    with pytest.raises(AttributeError, match="no attribute 'analyze'"):
        handoff_lsp.analyze  # type: ignore[attr-defined]  # noqa: B018
    page = (Path(handoff_lsp.__file__).parents[1] / "docs" / "library.md").read_text(encoding="utf-8")
    assert [name for name in handoff_lsp.__all__ if f"`{name}" not in page] == []


def test_a_path_may_be_a_path_object() -> None:
    assert check_text(SOUND, Path(PATH)) == check_text(SOUND, PATH)
    assert parse_text(SOUND, Path(PATH)) == parse_text(SOUND, PATH)
