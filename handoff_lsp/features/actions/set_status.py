"""Setting the status of a handoff, with the fields the new value requires and without those it forbids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import AROUND_NOTHING, tables
from handoff_lsp.contracts.arguments import arguments_of
from handoff_lsp.contracts.names import key_name
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import NO_CHANGE, Action, Alternative, Change, chosen, one_of
from handoff_lsp.language import say
from handoff_lsp.rules.shared.absent import absent, near_miss
from handoff_lsp.rules.shared.restated import dispute_of
from handoff_lsp.rules.shared.vocabulary import own_values
from handoff_lsp.text import Draft, Edit, Span, line_indent
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.json_placement import layout, outer_edit, wanted_value
from handoff_lsp.writing.placement import insertion, put_value, settled
from handoff_lsp.writing.removal import content_of, emptying, is_unfilled, removal
from handoff_lsp.writing.skeleton import Stops, section
from handoff_lsp.writing.unclaimed import missing

_PLACEHOLDER = lazy_pattern(r"\s*(?:<[^<>\n]*>|\{[^{}\n]*\})")
# Inserted text may need more fields. No contract needs more rounds than it has levels.
_MOST_ROUNDS = 6
# Signs behind a value that say nothing.
_AROUND_VALUE = " \t\r\n*_`\"',.;}]"
# Empty JSON values.
_NOTHING = {"null", '""', "{}", "[]"}


def set_status(analysis: Analysis, span: Span) -> Iterator[Action]:
    """The action that sets the status of the handoff at ``span`` to another of its values."""
    index, handoff = chosen(analysis, span) or (0, None)
    if handoff is not None:
        yield from one_of(title_of(handoff), settings(analysis, index))


def title_of(handoff: Handoff) -> str:
    """The title of the action with all values of the status."""
    field = handoff.spec.field(handoff.spec.contract.status)
    return say("Set `{field}` to …", field=field.title) if field is not None else ""


def settings(analysis: Analysis, index: int) -> Iterator[Alternative]:
    """A choice for each other value that the status of a handoff may have, by its index."""
    handoff = analysis.handoffs[index]
    if handoff.mode == "template" or handoff.body.append_only or handoff.wrong_form:
        return
    field, slot = handoff.spec.field(handoff.spec.contract.status), handoff.status
    if field is None or not field.kind.is_choice or (slot is not None and not _is_settable(handoff, slot)):
        return
    for value in own_values(handoff):
        if not arguments_of(value.value) and _value_edits(handoff, value.value):
            make = partial(_change, analysis, index, value.value)
            title = say("Set `{field}` to `{value}`", field=field.title, value=value.value)
            key = f"status {index} {value.value}"
            action = Action(title, "refactor.rewrite.handoff", make, key=key, safe=False)
            yield Alternative(value.value, value.about, action)


def _is_settable(handoff: Handoff, slot: Slot) -> bool:
    """Whether a value can be written at the status, or where it belongs, without removing the author's text."""
    if not slot.written:
        return near_miss(handoff, slot) is None
    if handoff.body.quoted and slot.value is None:
        return False
    if slot.problem is None:  # an open enum accepts a sentence, too
        is_listed = any(value.value == slot.data for value in slot.field.values)
        return is_listed or not isinstance(slot.data, str) or len(slot.data.split()) <= 1
    return _wrong_part(slot) is not None or _takes_detail(slot)


def _wrong_part(slot: Slot) -> Span | None:
    """The part of a wrong status that was meant as its value, or is a placeholder for it; None if it is a sentence."""
    problem = slot.problem
    if problem is None:
        return None
    if problem.kind == "placeholder":
        part = _PLACEHOLDER.match(problem.found) or _choice(slot).search(problem.found)
        if part is None or (part.group().strip() != problem.found.strip() and "detail" not in slot.field.tolerate):
            return None
        return Span(problem.span.start + part.start(), problem.span.start + part.end())
    _, loose, wrong = tables(slot.field)
    is_word = len(problem.found.split()) <= 1 or key_name(problem.found.strip(" .,;:!*_`~")) in {*loose, *wrong}
    return problem.span if is_word and problem.kind in {"value", "format"} else None


def _choice(slot: Slot) -> re.Pattern[str]:
    """A pattern for alternatives of an enum in a row, as a template shows them."""
    values = sorted((re.escape(value.value) for value in slot.field.values), key=len, reverse=True)
    one = f"[*_`]*(?:{'|'.join(values)})[*_`]*"
    return re.compile(rf"{one}(?:\s*(?:[|/]|\bor\b)\s*{one})+", re.IGNORECASE)


def _takes_detail(slot: Slot) -> bool:
    problem = slot.problem
    return problem is not None and problem.kind in {"value", "placeholder"} and "detail" in slot.field.tolerate


def _change(analysis: Analysis, index: int, value: str) -> Change:
    """The edits that set the status of a handoff and add the fields it requires; none if it would not be read so."""
    draft = Draft(analysis.source.text)
    before = analysis.handoffs[index]
    lacked = {slot.path for slot in absent(before)}
    needed = {slot.path for slot in before.slots if _is_needed_now(before, slot)}
    tried: set[str] = set()
    now = analysis
    for _ in range(_MOST_ROUNDS):
        handoff = now.handoffs[index]
        edits = _value_edits(handoff, value)
        if not edits and _says(handoff, value):
            edits = (
                _what_it_needs(handoff, lacked, tried)
                or _what_it_does_not(handoff, needed, tried)
                or _what_follows(analysis, before, now, handoff)
            )
        if not edits:
            break
        draft.apply(edits)
        now = analysis.again(draft.text)
        if not _is_still(before, now, index, len(analysis.handoffs)):
            return NO_CHANGE
        # While a placeholder holds the place of the value, the handoff may count as a template.
        if now.handoffs[index].mode == "template" and _says(now.handoffs[index], value):
            return NO_CHANGE
    return Change(draft.edits()) if _says(now.handoffs[index], value) else NO_CHANGE


def _is_still(before: Handoff, now: Analysis, index: int, count: int) -> bool:
    """Whether a document has as many handoffs, and this one its contract and form."""
    if len(now.handoffs) != count:
        return False
    handoff = now.handoffs[index]
    # The profile may differ: perhaps only a placeholder was evidence for the old one.
    return (handoff.spec.name, handoff.form) == (before.spec.name, before.form)


def _says(handoff: Handoff, value: str) -> bool:
    slot = handoff.status
    return slot is not None and slot.problem is None and slot.data == value


def _value_edits(handoff: Handoff, value: str) -> list[Edit]:
    """The edits that write the value of the status, or a place for it; none if it has that value."""
    slot = handoff.root.down(handoff.spec.contract.status)
    if slot.path != handoff.spec.contract.status or not slot.written:
        if not slot.written:
            return insertion(handoff, [slot])
        filled = _filled(handoff, slot)
        return [filled] if filled is not None else []
    if slot.data == value and slot.problem is None:
        return []
    if slot.value is None or slot.value.start == slot.value.end:
        put = put_value(handoff, slot, value)
        return [put] if put is not None else []
    if slot.problem is None:
        return [Edit(slot.value, handoff.body.quote(value))]
    wrong = _wrong_part(slot)
    if wrong is None:
        return _before_sentence(slot, value) if _takes_detail(slot) else []
    if not handoff.body.quoted:
        return [Edit(wrong, value)]
    # A value is replaced together with its quotes if it is all of the text between them.
    whole = wrong == slot.problem.span or wrong.end - wrong.start == len(slot.problem.found)
    return [Edit(slot.problem.span, handoff.body.quote(value))] if whole else []


def _before_sentence(slot: Slot, value: str) -> list[Edit]:
    """The edit that puts a value before a sentence, in place of a value that the sentence begins with."""
    assert slot.problem is not None
    start, found = slot.problem.span.start, slot.problem.found
    leading = (one.value for one in slot.field.values if re.match(rf"{re.escape(one.value)}\b", found, re.IGNORECASE))
    first = max(leading, key=len, default="")
    return [Edit(Span(start, start + len(first)), f"{value} —" if first else f"{value} — ")]


def _is_needed_now(handoff: Handoff, slot: Slot) -> bool:
    return isinstance(slot.field.required, str) and handoff.values.holds(slot.field.required)


def _what_it_needs(handoff: Handoff, lacked: set[str], tried: set[str]) -> list[Edit]:
    """The edits that insert or fill the required fields that were not missing before, or that the status requires."""
    if not handoff.absence_is_certain:
        return []
    status = handoff.spec.contract.status
    edits: list[Edit] = []
    inserted: list[Slot] = []
    for slot in absent(handoff):
        asked = [line for line in (slot.field.required, slot.field.filled) if isinstance(line, str)]
        conditions = [line for line in asked if handoff.values.holds(line)]
        because = slot.path not in lacked or any(status in handoff.spec.paths_in(line) for line in conditions)
        step = f"fill {slot.path}" if slot.written else f"insert {slot.path}"
        if not because or step in tried or near_miss(handoff, slot) is not None:
            continue
        if not slot.written:
            tried.add(step)
            inserted.append(slot)
        elif (edit := _filled(handoff, slot)) is not None:
            edits.append(edit)
    put = insertion(handoff, inserted)
    if put:  # an insertion may touch a field to be filled, so filling waits for the next round
        return put
    tried |= {f"fill {slot.path}" for slot in absent(handoff) if slot.written}
    return edits


def _filled(handoff: Handoff, slot: Slot) -> Edit | None:
    """The edit that gives an empty field its placeholders; None if it is not empty."""
    if handoff.body.quoted:
        node, fragment = handoff.body.node(slot), handoff.body.fragment
        if node is None or fragment is None or "".join(slot.raw.split()) not in _NOTHING:
            return None
        text = fragment.text
        where = layout(text, node)
        made = wanted_value(handoff, slot, Stops(), line_indent(text, node.start), where.step)
        edit = outer_edit(handoff.source.text, fragment, Span(node.start, node.end), made)
        return settled(handoff.source.text, edit)
    _, _, body = section(slot.name, missing(handoff, slot), 1, Stops()).plain.partition("\n\n")
    if not body or (slot.carrier != "section" and "\n" in body):
        return None
    if not slot.raw.strip():
        return put_value(handoff, slot, body)
    # An empty word such as "none" is replaced; a sentence with a reason is the author's and stays.
    held = content_of(handoff, slot)
    if held is not None and held.of(handoff.source.text).strip(AROUND_NOTHING).casefold() in handoff.spec.empty_words:
        return settled(handoff.source.text, Edit(held, body))
    return None


def _what_it_does_not(handoff: Handoff, needed: set[str], tried: set[str]) -> list[Edit]:
    """The edits that empty or remove unfilled fields that are forbidden now or that only the old status required."""
    edits: list[Edit] = []
    for slot in handoff.slots:
        if not slot.written or slot.path in tried or slot.path == handoff.spec.contract.status:
            continue
        forbidden = bool(slot.field.forbidden) and handoff.values.holds(slot.field.forbidden)
        over = slot.path in needed and not _is_needed_now(handoff, slot)
        if (forbidden or over) and is_unfilled(handoff, slot):
            tried.add(slot.path)
            edit = emptying(handoff, slot) if handoff.values.holds(slot.field.required) else removal(handoff, slot)
            if edit is not None and not any(edit.span.overlaps(other.span) for other in edits):
                edits.append(edit)
    return edits


def _what_follows(analysis: Analysis, before: Handoff, now: Analysis, handoff: Handoff) -> list[Edit]:
    """The edits of fields that contradict the new status but not the old one.

    These are the same status stated again, and values for which a check leaves no choice; other text stays.
    """
    old, new = before.status, handoff.status
    if old is not None and new is not None and dispute_of(handoff) is not None and dispute_of(before) is None:
        again = [one.value for one in new.others if one.value is not None and one.data == old.data]
        return [Edit(span, handoff.body.quote(new.data)) for span in again]
    known = {None, *(one.check for one in analysis.findings if one.handoff is before)}
    for finding in now.findings:
        slot, contradicts = finding.slot, finding.code == "contradiction" and finding.check not in known
        if contradicts and finding.handoff is handoff and slot is not None and _may_go(handoff, slot):
            edits = [edit for fix in finding.proposed for edit in fix.edits]
            if [edit.span for edit in edits] == [slot.value]:
                return edits
    return []


def _may_go(handoff: Handoff, slot: Slot) -> bool:
    """Whether a field has a placeholder, or one of its values without a remark."""
    if is_unfilled(handoff, slot):
        return True
    if slot.value is None or slot is handoff.status or slot.remark is not None:
        return False
    line = handoff.source.lines.line_span(handoff.source.lines.line_of(slot.value.end))
    behind = handoff.source.text[slot.value.end : line.end]
    return not behind.strip(_AROUND_VALUE) and any(value.value == slot.data for value in slot.field.values)
