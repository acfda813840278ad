"""No fix decides for the author: the text before it almost had the status or verdict that it writes."""

from __future__ import annotations

from difflib import SequenceMatcher

import pytest
from case_files import Case, read_cases

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import GOES_ON, Field, Value
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.value_effects import status_actions
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.actions.offered import each, fix_all, quick_fixes
from handoff_lsp.text import Edit, Source, apply_edits

CASES = read_cases()


def decisions(handoff: Handoff) -> dict[str, tuple[object, str, Field]]:
    """A handoff's status and verdicts: the value of each, and the text as written."""
    status = handoff.spec.contract.status
    return {
        slot.path: (slot.data if slot.problem is None else None, slot.raw, slot.field)
        for slot in handoff.slots
        if slot.path == status or slot.field.judgement
    }


def all_but_written(value: Value, text: str) -> bool:
    """Whether a text has a value, one of its other spellings, or a misspelling of one."""
    words = [value.value, *value.instead_of]
    wanted = [key_name(word) for word in words]
    pieces = [key_name(piece) for piece in (text, *text.replace("|", " ").split())]
    return any(
        one and (one == piece or one in piece or SequenceMatcher(None, one, piece).ratio() >= 0.75)
        for one in wanted
        for piece in pieces
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_is_printed_as_the_fix_decides_nothing(case: Case) -> None:
    before = case.analyze()
    text = case.text
    for finding in before.findings:
        if finding.fix is None:
            continue
        after = case.analyze(apply_edits(text, finding.fix.edits))
        if len(after.handoffs) != len(before.handoffs):
            continue
        for old, new in zip(before.handoffs, after.handoffs, strict=True):
            known = decisions(old)
            for path, (data, _, field) in decisions(new).items():
                was = known.get(path, (None, "", field))
                if data in (None, "", was[0]):
                    continue
                value = next((one for one in field.values if one.value == data), None)
                # For a renamed key or heading, or a handoff that has become readable, the text had it.
                written = was[1] or case.text
                assert value is None or all_but_written(value, written), f"{finding.fix.title}: {written!r} → {data!r}"


HANDOFF = """# Board — Handoff from {role}

## Status

{status}

## Status reason

x

## Abstract

```yaml
outcome: x
verdict: {verdict}
files: 0 created, 0 modified, 0 deleted
next_phase: tester
open_questions: 0
```

## Files Created
"""


@pytest.mark.parametrize("status", ["dnoe", "", "xyz", "<complete | blocked | failed | incomplete>", "<…>", "?"])
@pytest.mark.parametrize("verdict", ["", "<APPROVED | REQUEST_CHANGES>", "maybe", "<…>"])
def test_garbage_nothing_and_placeholders_are_not_turned_into_a_value(status: str, verdict: str) -> None:
    text = HANDOFF.format(role="Reviewer", status=status, verdict=verdict)
    analysis = analyze(Source(text), "x-handoff.md", builtin(), Options())
    values = {"complete", "blocked", "failed", "incomplete", "APPROVED", "REQUEST_CHANGES"}
    found = [finding for finding in analysis.findings if finding.field in {"status", "abstract.verdict"}]
    assert len(found) == 2
    for finding in found:
        assert finding.fix is None or not values & {edit.text for edit in finding.fix.edits}
        assert "Did you mean" not in finding.hint
        for action in each(quick_fixes(analysis, finding.span)):
            assert not (action.preferred and values & {edit.text for edit in action.edits})
        assert (
            not finding.fixes
            or not values & {edit.text for edit in finding.fixes[0].edits}
            or not (finding.fixes[0].preferred)
        )


def test_a_slip_of_the_pen_is_mended() -> None:
    text = HANDOFF.format(role="Reviewer", status="compleet", verdict="APPROVED")
    analysis = analyze(Source(text), "x-handoff.md", builtin(), Options())
    fix = next(finding.fix for finding in analysis.findings if finding.field == "status")
    assert fix is not None
    assert (fix.title, fix.safe) == ('Change "compleet" to `complete`', False)


KEYS = ("patterns_checked", "files_checked", "commands_run", "key_outputs", "verbatim_outputs", "cross_layer_impacts")
TURN = """```agent_contract_handoff
{
  "agent_status": {"plan_status": "%s", "agent_id": "ab12345", "pending_steps": [], "next_action": "done"},
  "evidence_report": {%s"verification": {"method": "pytest", "checks": ["login"], "result": "pass"}}
}
```
"""


@pytest.mark.parametrize("status", ["COMPLETE", "IN_PROGRESS"])
@pytest.mark.parametrize("known", [(), KEYS])
def test_that_there_is_nothing_to_list_is_for_the_author_to_say(status: str, known: tuple[str, ...]) -> None:
    text = TURN % (status, "".join(f'"{key}": ["it"], ' for key in known))
    analysis = analyze(Source(text), "", builtin(), Options())
    inserting = [
        action
        for finding in analysis.findings
        for action in each(quick_fixes(analysis, finding.span))
        if action.title.startswith("Insert")
    ]
    assert inserting and not any(action.safe for action in inserting)
    assert fix_all(analysis) is None


def with_status() -> list[tuple[Case, Handoff]]:
    """Two cases of each contract, form and syntax with a status that alone decides whether the pipeline continues."""
    found: dict[tuple[str, str, str], list[tuple[Case, Handoff]]] = {}
    for case in CASES:
        for handoff in case.analyze().handoffs:
            slot = handoff.status
            if slot is None or slot.value is None or slot.problem is not None or handoff.mode != "handoff":
                continue
            if status_actions(handoff.spec) and isinstance(slot.data, str):
                known = found.setdefault((handoff.spec.name, handoff.form, handoff.syntax), [])
                if len(known) < 2:
                    known.append((case, handoff))
    assert {name for name, _, _ in found} == {
        entry.name
        for entry in builtin()
        if any(status_actions(entry.spec(profile)) for profile in entry.contract.profiles)
    }
    return [pair for pairs in found.values() for pair in pairs]


@pytest.mark.parametrize(("case", "handoff"), with_status(), ids=lambda value: getattr(value, "name", ""))
@pytest.mark.parametrize(
    "wording", ["{held} or {going}", "{going} or {held}", "not {going}", "<{going} | {held}>", "?", ""]
)
def test_a_value_to_go_on_with_is_offered_last(case: Case, handoff: Handoff, wording: str) -> None:
    """The first fix, which some editors apply by default, must not advance an undecided handoff."""
    actions = status_actions(handoff.spec)
    going = {value for value, action in actions.items() if action in GOES_ON}
    held = [value for value in actions if value not in going]
    text = wording.format(going=sorted(going)[0], held=held[0])
    slot = handoff.status
    assert slot is not None and slot.value is not None
    old = handoff.source.slice(slot.value)
    new = f'"{text}"' if old.startswith('"') else text
    analysis = case.analyze(apply_edits(case.text, (Edit(slot.value, new),)))
    before = handoff.spec.contract.status
    for finding in analysis.findings:
        if finding.handoff is None or finding.field != before:
            continue
        found = each(quick_fixes(analysis, finding.span))
        offered = [action for action in found if action.title.startswith(("Set ", "Change "))]
        goes_on = [any(f"`{value}`" in action.title.rpartition(" to ")[2] for value in going) for action in offered]
        assert goes_on == sorted(goes_on), [action.title for action in offered]
        assert not any(action.preferred for action, goes in zip(offered, goes_on, strict=True) if goes)
