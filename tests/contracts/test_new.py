"""New handoffs of every contract and profile: recognized, complete, and without findings once they are filled in."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field, Mode
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.samples.new_handoff import NewHandoff, new_handoff
from handoff_lsp.text import Edit, Source, apply_edits
from handoff_lsp.writing.skeleton_document import form_of

EVERY = [(entry.name, profile) for entry in builtin() for profile in entry.contract.profiles]
MODES: list[Mode] = ["handoff", "template"]
# Rules about a whole line: the placeholder of its time is a finding of these.
LINES = {"invalid-log-line"}
TIME = "2026-01-01T00:00:00Z"


def made(name: str, profile: str, mode: Mode) -> NewHandoff:
    return new_handoff(builtin(), builtin()[name], profile, mode)


def look(name: str, text: str) -> tuple[Analysis, Handoff]:
    contract = builtin()[name].contract
    path = next(iter(contract.locations), "")
    if contract.file is not None and not path:
        path = contract.usual[0].replace("**/", "").replace("*", "new")
    analysis = analyze(Source(text), path, builtin(), Options())
    handoff = next((handoff for handoff in analysis.handoffs if handoff.spec.name == name), None)
    assert handoff is not None, f"not recognised:\n{text}"
    return analysis, handoff


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("name", "profile"), EVERY, ids=[f"{name}@{profile}" for name, profile in EVERY])
def test_a_new_handoff_is_recognized_and_only_waits_to_be_filled_in(name: str, profile: str, mode: Mode) -> None:
    new = made(name, profile, mode)
    analysis, handoff = look(name, new.text)
    form = form_of(builtin()[name].spec(profile))
    assert handoff.spec.profile == profile
    # A whole file has no comment that could declare its contract.
    assert handoff.mode == mode or (form == "file" and new.lacks)
    assert handoff.form == form
    assert new.text.endswith("\n") and not new.text.endswith("\n\n")
    # The time of an entry is no field.
    waiting = {"placeholder-left", "invalid-log-line" if handoff.log is not None else ""}
    unexpected = [finding for finding in analysis.findings if finding.code not in waiting]
    assert unexpected == [], new.text


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=[f"{name}@{profile}" for name, profile in EVERY])
def test_filled_in_it_has_no_error(name: str, profile: str) -> None:
    tried = []
    for text in filled_in(name, made(name, profile, "handoff").text):
        analysis, handoff = look(name, text)
        errors = [f"{finding.code}: {finding.message}" for finding in analysis.findings if finding.severity == "error"]
        if not errors:
            # The values may be evidence for one of the variants that the default combines.
            assert handoff.spec.profile == profile or profile == builtin()[name].contract.default_profile, text
            assert handoff.mode == "handoff", text
            return
        tried.append("\n".join([text, *errors]))
    pytest.fail("\n\n".join(tried))


def filled_in(name: str, text: str) -> Iterator[str]:
    """A text with its placeholders filled in, once for each value of its status, then of all that have several."""
    _, handoff = look(name, text)
    status = handoff.status
    count = max(len(status.field.values), 1) if status is not None else 1
    for number in range(count):
        yield fill(name, text, number, 0)
    for number in range(1, 4):
        yield fill(name, text, 0, number)


def fill(name: str, text: str, status: int, other: int) -> str:
    for _ in range(100):
        analysis, _ = look(name, text)
        # The companions after it are filled in, too.
        slots = [(handoff, slot) for handoff in analysis.handoffs for slot in handoff.slots if waits(handoff, slot)]
        if not slots:
            # Items, cells and values after a label have no slot with a placeholder.
            findings = [item for item in analysis.findings if item.severity == "error" or item.code in LINES]
            left = next((item for item in findings if item.code in LINES or item.code == "placeholder-left"), None)
            if left is None:
                return text
            hint = left.span.of(text).strip("<>")
            filled = TIME if hint.startswith("YYYY") else hint.removesuffix("…") or "Something"
            text = apply_edits(text, [Edit(left.span, "Design" if left.field == "title" else filled)])
            continue
        handoff, slot = min(slots, key=lambda found: found[1].path != found[0].spec.contract.status)
        span = slot.problem.span if slot.problem is not None else slot.value
        assert span is not None
        hint = span.of(text).strip('<>"').removesuffix(", without quotes")
        if slot.field.type == "integer" and hint.isdigit():  # the contract's proposed number
            text = apply_edits(text, [Edit(span, hint)])
            continue
        number = status if slot.path == handoff.spec.contract.status else other
        text = apply_edits(text, [Edit(span, value_for(handoff, slot, number))])
    raise AssertionError(f"not to be filled in:\n{text}")


def waits(handoff: Handoff, slot: Slot) -> bool:
    return slot.problem is not None and slot.problem.kind == "placeholder"


def value_for(handoff: Handoff, slot: Slot, number: int) -> str:
    field = slot.field
    if field.forbidden and handoff.values.holds(field.forbidden):
        return '""' if handoff.json is not None else ""
    if field.example or handoff.json is None:
        text = field.example or plain_value(field, number)
        return json.dumps(text) if handoff.json is not None and field.type not in {"integer", "number"} else text
    text = plain_value(field, number)
    return text if field.type in {"integer", "number", "boolean"} else json.dumps(text)


def plain_value(field: Field, number: int) -> str:
    if field.type in {"enum", "rows"} and field.values:
        return field.values[number % len(field.values)].value + (" a row" if field.type == "rows" else "")
    if field.type == "map":
        return "\n  one: two"
    return {"integer": "0", "number": "0", "boolean": "false", "timestamp": TIME}.get(field.type, "Something")


def test_a_heading_says_in_which_kind_of_document_it_is_to_be_filled_in() -> None:
    assert made("status-block", "reviewer", "template").text.startswith("# {feature name} — Handoff from Reviewer\n")
    assert made("status-block", "reviewer", "handoff").text.startswith("# <feature name…> — Handoff from Reviewer\n")
