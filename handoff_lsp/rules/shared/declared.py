"""Shared by the rules that report a contract's checks: each rule reports the checks that name it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import LongList, Slot
from handoff_lsp.contracts.held import Held
from handoff_lsp.contracts.lines import names_in
from handoff_lsp.contracts.model import Check
from handoff_lsp.contracts.values import Values
from handoff_lsp.language import say
from handoff_lsp.rules.rule import MESSAGE_LENGTH, Finding, Fix, Related, Rule, shown
from handoff_lsp.rules.shared.absent import absent, is_acted_on, is_decisive, related_to
from handoff_lsp.rules.shared.relation_words import broken
from handoff_lsp.rules.shared.vocabulary import contradicts, needed_then
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.placement import insertion

# The most characters of each value in a message that would be too long otherwise.
_LONGEST_VALUE = 30
# The names that only the items of a list have.
_ITEM_NAMES = frozenset({"this", "previous", "holder"})


class Judgement(NamedTuple):
    """The outcome of a check at one place: ``holds`` is None where the check does not apply.

    ``slot``: the item of the list that the check goes through; None for a check of the whole handoff.
    """

    holds: object
    values: Values
    slot: Slot | None


def declared(rule: Rule, handoff: Handoff) -> Iterator[Finding]:
    """The findings of a contract's checks that name a rule."""
    for name, check in handoff.spec.checks.get(rule.code, {}).items():
        for holds, values, item in judgements(handoff, check, holding=False):
            if holds is False and not _reads_absent(handoff, check):
                slot = item or _at(handoff.root, values.fill(check.at)) or handoff.root
                yield _finding(rule, handoff, name, check, values, slot)


def _reads_absent(handoff: Handoff, check: Check) -> bool:
    """Whether a check reads a field that is reported as missing: that is one cause, and one finding is enough."""
    missing = [slot for slot in absent(handoff) if slot.parent is handoff.root and not _is_unreported(slot)]
    if not missing:
        return False
    used = {path.partition(".")[0] for path in handoff.spec.paths_in(check.check)}
    return any(slot.name in used for slot in missing)


def _is_unreported(slot: Slot) -> bool:
    return any(code.startswith("missing-") and at == "off" for code, at in slot.field.severity.items())


def judgements(handoff: Handoff, check: Check, *, holding: bool = True) -> Iterator[Judgement]:
    """The outcomes of a check: one for the handoff, or one for each item of the list that it goes through.

    Without ``holding``, the items of a long list for which the check holds may be left out.
    """
    of_each = "[]" in check.at and bool(check.when) and _is_of_items(handoff, check.when)
    if check.when and not of_each and not handoff.values.holds(check.when):
        return
    if check.rule == "count-mismatch" and _is_uncertain(handoff, check):
        return
    long = _of_long_list(handoff, check) if not holding and "[]" in check.at and not of_each else None
    if long is not None:
        yield from long
    elif "[]" in check.at:
        yield from _of_items(handoff, check, check.when if of_each else "")
    else:
        yield Judgement(handoff.values.evaluate(check.check), handoff.values, None)


def _is_of_items(handoff: Handoff, condition: str) -> bool:
    return any(path.partition(".")[0] in _ITEM_NAMES for path in handoff.spec.conditions.paths(condition))


def _is_uncertain(handoff: Handoff, check: Check) -> bool:
    """Whether a check counts a list whose number of things is uncertain."""
    lists = [name for name, slot in handoff.root.children.items() if not slot.countable]
    if not lists:
        return False
    return any(path.partition(".")[0] in lists for path in handoff.spec.paths_in(check.check))


def _of_items(handoff: Handoff, check: Check, when: str) -> Iterator[Judgement]:
    """The outcomes of a check for each item of a list for which ``when`` holds. Equal values are checked once."""
    slots = handoff.root.find(check.at)
    if not slots:
        return
    names = names_in(when, check.check, check.message, *check.upstream, *check.related)
    # CEL gets a long list again for each item, so only the fields that the check reads are passed.
    data = handoff.values.of(names)
    judged: dict[str, Judgement] = {}
    before: Slot | None = None
    for slot in slots:
        previous = before.data if before is not None and "previous" in names and _beside(before, slot) else None
        before = slot
        if slot.data is None:
            continue
        holder = _holder(slot) if "holder" in names else None
        key = repr((slot.data, holder, previous))
        if key not in judged:
            item = {"this": slot.data, "holder": holder}
            if previous is not None:
                item["previous"] = previous
            values = handoff.values_of({**data, **item})
            applies = not when or values.holds(when)
            judged[key] = Judgement(values.evaluate(check.check) if applies else None, values, None)
        yield judged[key]._replace(slot=slot)


def _of_long_list(handoff: Handoff, check: Check) -> Iterator[Judgement] | None:
    """The outcomes of a check that is about the items alone, without those known to hold from an earlier text.

    None for any other check.
    """
    path, _, name = check.at.partition("[]")
    lists = handoff.root.find(path)
    items = lists[0].items if len(lists) == 1 else ()
    held = handoff.spec.conditions.held(check.check)
    if held is None or not isinstance(items, LongList) or "." in name[1:] or "[" in name:
        return None
    if name and (lists[0].field.items is None or name[1:] not in lists[0].field.items.fields):
        return None
    column = items.column(name[1:])
    if not {str, type(None)}.issuperset(map(type, column)):
        return None
    return _of_unknown(handoff, check, items, name[1:], held, column)


def _of_unknown(
    handoff: Handoff, check: Check, items: LongList, name: str, held: Held, column: Sequence[str | None]
) -> Iterator[Judgement]:
    """The outcomes for the items of a long list, or a field of them, for which a check is not known to hold."""
    names = names_in(check.check, check.message, *check.upstream, *check.related)
    data = handoff.values.of(names)
    fails = False
    for number in held.unknown(column):
        this = column[number]
        if this is None:
            continue
        previous = column[number - 1] if number and "previous" in names else None
        item = {"this": this, "holder": None} | ({"previous": previous} if previous is not None else {})
        values = handoff.values_of({**data, **item})
        holds = values.evaluate(check.check)
        fails = fails or holds is False or check.check in handoff.gave_up
        if holds is True:
            held.add(held.pair(column, number))
        else:
            yield Judgement(holds, values, items[number].children[name] if name else items[number])
    if not fails:
        held.add_all(column)


def _holder(slot: Slot) -> object:
    """The list item that a slot is or belongs to."""
    item = _item(slot)
    if item is None:
        return None
    return item.row if item.row is not None else item.data


def _item(slot: Slot) -> Slot | None:
    at: Slot | None = slot
    while at is not None and not at.name.endswith("]"):
        at = at.parent
    return at


def _beside(one: Slot, other: Slot) -> bool:
    """Whether two slots belong to items of the same list."""
    first, second = _item(one), _item(other)
    return first is not None and second is not None and first.parent is second.parent


def _at(root: Slot, path: str) -> Slot | None:
    """The slot at a path; if it is absent, its nearest parent."""
    while path:
        found = root.find(path)
        if found:
            return found[0]
        path = path[: max(path.rfind("."), path.rfind("["), 0)]
    return None


def _message(check: Check, values: Values) -> str:
    """A check's own message with its values; empty without one."""
    message = values.fill(check.message)
    return message if len(message) <= MESSAGE_LENGTH else values.fill(check.message, _LONGEST_VALUE)


def _finding(rule: Rule, handoff: Handoff, name: str, check: Check, values: Values, slot: Slot) -> Finding:
    field = slot.path if "[" in check.at else check.at
    return Finding(
        rule,
        handoff,
        _span(handoff, slot),
        _message(check, values) or broken(handoff, check, values, slot),
        note=check.because,
        check=name,
        severity=check.severity,
        slot=slot,
        field=field,
        upstream=[values.fill(token) for token in check.upstream],
        related=_related(handoff, check, values),
        fixes=lambda: _fixes(handoff, check, values, slot),
        withholds=is_acted_on(handoff, field) or _contests(rule, handoff, check, field),
    )


def _contests(rule: Rule, handoff: Handoff, check: Check, field: str) -> bool:
    """Whether a finding says that something contradicts a field on which the decision depends."""
    return rule.code == "contradiction" and check.severity == "warning" and is_decisive(handoff, field)


def _related(handoff: Handoff, check: Check, values: Values) -> Iterator[Related]:
    """The places of the other fields that a check mentions, including those in companions."""
    for path in check.related:
        companion, colon, inner = path.partition(":")
        inside = not colon or companion not in handoff.spec.contract.companions
        other = handoff if inside else handoff.companion(companion)
        if other is None:
            continue
        found = other.root.find(values.fill(path if inside else inner))
        if other.source is handoff.source:
            yield from related_to(found, say("see"))
            continue
        name = handoff.around.name_of(other)
        for slot in found:
            if slot.token is not None:
                span = other.source.lines.first_line_of(slot.token)
                message = say("`{text}` in {name}", text=shown(other.source.slice(span)), name=name)
                yield Related(span, message, name, other.source)


def _span(handoff: Handoff, slot: Slot) -> Span:
    span = (slot.token if slot.written else None) or slot.anchor()
    if span == Span(0, 0):
        return handoff.home()
    return handoff.source.lines.first_line_of(span)


def _fixes(handoff: Handoff, check: Check, values: Values, slot: Slot) -> Iterator[Fix]:
    if not check.correct or slot.value is None or slot.path != values.fill(check.at):
        return
    right = values.evaluate(check.correct)
    if right is None:
        return
    text = handoff.body.quote(right)
    read = handoff.body.read(slot.field, right, handoff.spec.empty_words)
    edits = [Edit(slot.value, text)]
    if "[" not in slot.path:  # a check of one list item is not repeated
        if contradicts(handoff, slot.path, read):
            return  # the fix would only replace one contradiction by another
        edits += insertion(handoff, needed_then(handoff, slot.path, read))
    # If two values disagree, either may be wrong, so the author chooses. A count is most likely wrong
    # if there is something to count.
    counted = [found for path in check.related for found in handoff.root.find(path)]
    likely = check.rule == "count-mismatch" and any(found.present and found.data for found in counted)
    to = text if text.isdigit() else f"`{shown(text, 80)}`"
    yield Fix(say("Change `{field}` to {to}", field=slot.title, to=to), tuple(edits), safe=False, preferred=likely)
