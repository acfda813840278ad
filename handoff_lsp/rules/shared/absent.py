"""Shared by the rules about absent fields: absent slots that are required, and the fixes that insert them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot, Unknown
from handoff_lsp.contracts.model import GOES_ON, Severity
from handoff_lsp.contracts.names import fold_name, leading_number, same_name, slip_of
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix, Related, Rule, severity_for
from handoff_lsp.rules.shared.bounded import MAX_UNKNOWN
from handoff_lsp.rules.shared.misplaced import misplaced
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.placement import insertion
from handoff_lsp.writing.words import in_its_words, title_beside


def is_empty(handoff: Handoff, slot: Slot) -> bool:
    """Whether a section that must hold something now holds nothing."""
    return slot.present and slot.data in ("", [], {}) and handoff.values.holds(slot.field.filled)


def absent(handoff: Handoff) -> list[Slot]:
    """Slots that are required now and absent, or empty though they need a value.

    Children of an absent or mistyped slot are left out: one defect, one finding.
    """
    if "absent" not in handoff.memo:
        handoff.memo["absent"] = list(_absent(handoff))
    found: list[Slot] = handoff.memo["absent"]
    return found


def absent_of(handoff: Handoff, parent: Slot) -> list[Slot]:
    """The absent slots among the children of one."""
    if "absent by parent" not in handoff.memo:
        by_parent: dict[int, list[Slot]] = {}
        for slot in absent(handoff):
            by_parent.setdefault(id(slot.parent), []).append(slot)
        handoff.memo["absent by parent"] = by_parent
    found: list[Slot] = handoff.memo["absent by parent"].get(id(parent), [])
    return found


def _absent(handoff: Handoff) -> Iterator[Slot]:
    for slot in handoff.to_judge:
        if not slot.present or slot.problem is not None:
            continue
        for child in slot.children.values():
            if child.field.required is False or (child.present and not is_empty(handoff, child)):
                continue
            if handoff.values.holds(child.field.required):
                yield child


def holds_nothing(handoff: Handoff, parent: Slot) -> bool:
    """Whether a section has none of its fields, and no name that might have been meant for one."""
    if handoff.body.quoted or not parent.path:
        return False  # an object of JSON, or the handoff itself
    return not parent.unknown and all(not child.written for child in named_children(parent))


def named_children(parent: Slot) -> list[Slot]:
    """The fields of a section without its text, tables and lists that have no name; these, if there are no others."""
    children = list(parent.children.values())
    return [child for child in children if tuple(child.field.carriers) != ("body",)] or children


def is_there(parent: Slot, title: str) -> bool:
    """Whether an object already has a key of that name, declared or not: it must not be written again."""
    known = any(title == child.title and child.written for child in parent.children.values())
    return known or any(title == unknown.name for unknown in parent.unknown)


def is_conditional(slot: Slot) -> bool:
    """Whether other fields make an absent slot necessary: it is required, or must be filled, on a condition."""
    return isinstance(slot.field.required, str) or (slot.present and isinstance(slot.field.filled, str))


def severity_now(rule: Rule, handoff: Handoff, slot: Slot) -> Severity:
    """A rule's severity for a wrong value: only a warning while the field's condition is false."""
    asked = slot.field.required
    if isinstance(asked, str) and rule.code not in slot.field.severity and not handoff.values.holds(asked):
        return "warning"
    return severity_for(rule, slot)


def is_section(slot: Slot) -> bool:
    """Whether a field is written as a section, or as several."""
    return slot.field.carriers[:1] == ["section"] or bool(slot.field.each)


def is_status(handoff: Handoff, slot: Slot) -> bool:
    """Whether a field is the status, by which the orchestrator decides."""
    return bool(slot.path) and slot.path == handoff.spec.contract.status


def is_acted_on(handoff: Handoff, path: str) -> bool:
    """Whether every route that advances or continues reads a field."""
    name = path.partition(".")[0].partition("[")[0]
    routes = [one for one in handoff.spec.contract.routing if one.action in GOES_ON]
    return bool(routes) and all(name in route.reads for route in routes)


def is_decisive(handoff: Handoff, path: str) -> bool:
    """Whether the decision depends on a field, or on one inside it."""
    return any(one == path or one.startswith(f"{path}.") for one in handoff.spec.deciding)


def absence(rule: Rule, handoff: Handoff, slot: Slot, what: str) -> Finding:
    """The finding that a required field is missing, at the heading, key or line that it belongs to."""
    near = near_miss(handoff, slot)
    parent = slot.parent if slot.parent is not None and slot.parent.path else None
    consequence = handoff.spec.contract.unread if is_status(handoff, slot) else slot.field.because
    if near is not None:
        name, field = near.unknown.name, slot.title
        message = (
            say("Unknown section `{name}`; did you mean `{field}`?", name=name, field=field)
            if is_section(slot)
            else say("Unknown field `{name}`; did you mean `{field}`?", name=name, field=field)
        )
        span = near.unknown.key
    else:
        message = what
        table = parent.table if parent is not None else None
        span = (
            slot.key
            if slot.written and slot.key is not None
            else handoff.source.lines.first_line_of(table.value)
            if table is not None and table.value is not None
            else parent.anchor()
            if parent is not None
            else _front_line(handoff, slot) or handoff.home()
        )
    severity = severity_for(rule, slot)
    return Finding(
        rule,
        handoff,
        span,
        message,
        note=consequence,
        slot=slot,
        severity=severity,
        upstream=slot.field.upstream.get("missing", []),
        fixes=_fixes(handoff, slot, near, severity),
        # An empty part was begun and not finished.
        withholds=slot.present or (severity == "warning" and _is_needed(handoff, slot)),
    )


def _is_needed(handoff: Handoff, slot: Slot) -> bool:
    """Whether the next step needs an absent field: it is always read, or what is written makes it decisive."""
    return is_acted_on(handoff, slot.path) or (is_conditional(slot) and is_decisive(handoff, slot.path))


def _front_line(handoff: Handoff, slot: Slot) -> Span | None:
    """The opening line of the front matter that lacks a field; None for a field that belongs elsewhere."""
    if slot.field.carriers[:1] != ["front-matter"] or handoff.is_part:
        return None
    front = front_matter(handoff.tree)
    return front.opening if front is not None else None


class LikelyName(NamedTuple):
    """A name unknown to the contract that was most likely meant for an absent field.

    ``sole``: no other name of the object may be meant for the same field.
    """

    unknown: Unknown
    sole: bool


def near_miss(handoff: Handoff, slot: Slot) -> LikelyName | None:
    """The name that was most likely meant for an absent field: another profile's name for it, or a misspelling."""
    if slot.parent is None or slot.written:
        return None
    misses = handoff.memo.setdefault("near misses", {})
    if id(slot.parent) not in misses:
        misses[id(slot.parent)] = _near_misses(slot.parent)
    found: LikelyName | None = misses[id(slot.parent)].get(slot.title)
    return found


def may_hold(slot: Slot, unknown: Unknown) -> bool:
    """Whether a field may be where an unknown name is: in front matter, or outside of it; in an object, with it."""
    carriers = slot.field.carriers
    if slot.parent is None or slot.parent.path:
        return True
    return "front-matter" in carriers if unknown.in_front else carriers != ["front-matter"]


def means(handoff: Handoff, slot: Slot, unknown: Unknown) -> bool:
    """Whether an unknown name was most likely meant for an absent field."""
    near = near_miss(handoff, slot)
    return near is not None and near.unknown is unknown


def _near_misses(parent: Slot) -> dict[str, LikelyName]:
    """The first near miss of each absent field of an object that has one, by the field's title.

    A name is never meant for a field that is present, nor for two fields.
    """
    absent_ones = [child for child in parent.children.values() if not child.written]
    titles = [child.title for child in absent_ones]
    wrong: dict[str, list[str]] = {}
    for child in absent_ones:
        for name in child.field.instead_of:
            wrong.setdefault(fold_name(name), []).append(child.title)
    misses: dict[str, LikelyName] = {}
    places = {child.title: child for child in absent_ones}
    for unknown in parent.unknown[:MAX_UNKNOWN] if titles else ():
        fitting = [title for title in titles if may_hold(places[title], unknown)]
        meant = [title for title in wrong.get(fold_name(unknown.name), []) if title in fitting]
        title = meant[0] if len(meant) == 1 else None if meant else _slip(unknown.name, fitting)
        if title is not None:
            first = misses.get(title)
            misses[title] = LikelyName(unknown, True) if first is None else first._replace(sole=False)
    return misses


def _slip(name: str, titles: list[str]) -> str | None:
    """The title that a name misspells; None without one. A plural is no misspelling of its singular."""
    title = slip_of(name, titles)
    is_plural = title is not None and not title.casefold().endswith("s") and same_name(name, f"{title}s")
    return title if not is_plural else None


def _fixes(handoff: Handoff, slot: Slot, near: LikelyName | None, severity: Severity) -> Callable[[], Iterator[Fix]]:
    insert = partial(_insert, handoff, mends_error=severity == "error")

    def make() -> Iterator[Fix]:
        if near is not None:
            yield _rename(handoff, slot, near)
            return
        parent = slot.parent
        if slot.written or parent is None or parent.table is not None or _is_elsewhere(handoff, slot):
            return  # only the author knows the value, or the cells of the column
        together = _group(handoff, slot, parent)
        if together:
            title = next(title for title, group in handoff.spec.contract.groups.items() if slot.name in group)
            yield from insert(say("Insert the {group}", group=title), together, preferred=True)
        sections = is_section(slot)
        if holds_nothing(handoff, parent):
            yield from insert(
                say("Insert the fields of `{field}`", field=parent.title),
                _wanted(handoff, parent),
                preferred=True,
            )
            return
        if not together:
            title = (
                say("Insert section `{field}`", field=slot.title)
                if sections
                else say("Insert field `{field}`", field=title_beside(handoff, slot))
            )
            yield from insert(title, [slot], preferred=True)
        others = [other for other in _wanted(handoff, parent) if is_section(other) == is_section(slot)]
        if len(others) > 1 and slot in others and not all(other in together for other in others):
            if len(others) == 2:
                title = say("Insert both missing sections") if sections else say("Insert both missing fields")
            elif sections:
                title = say("Insert all {number} missing sections", number=len(others))
            else:
                title = say("Insert all {number} missing fields", number=len(others))
            yield from insert(title, others, preferred=False)

    return make


def _rename(handoff: Handoff, slot: Slot, near: LikelyName) -> Fix:
    """Only a different spelling of the same name is safe: any other change of the value changes the statement."""
    old, key = near.unknown.name, near.unknown.key
    number = leading_number(old) if is_section(slot) else ""
    bare = old.removeprefix(number)
    title = slot.title if same_name(bare, slot.title) else in_its_words(handoff, slot.field).title or slot.title
    edit = Edit(key, handoff.body.quote(number + title))
    safe = near.sole and same_name(bare, title)
    return Fix(
        say("Rename `{old}` to `{number}{title}`", old=old, number=number, title=title),
        (edit,),
        safe=safe,
        preferred=near.sole,
    )


def _insert(handoff: Handoff, title: str, slots: list[Slot], *, preferred: bool, mends_error: bool) -> Iterator[Fix]:
    """Safe only if it mends an error with a placeholder, and the content is not there in a form that is not read.

    An empty part would count as content.
    """
    edits = tuple(insertion(handoff, slots))
    if edits:
        mends = mends_error and any("<" in edit.text for edit in edits)
        safe = handoff.mode != "handoff" or (mends and not any(_is_said(handoff, slot) for slot in slots))
        yield Fix(title, edits, safe=safe, preferred=preferred, inserts=tuple(slots))


def _is_said(handoff: Handoff, slot: Slot) -> bool:
    """Whether prose has an absent field in a form that is not read, such as `**Status**` on a line of its own.

    Its sign is the name of the field, or of a field in it, before a colon or the end of a line, or a line that is one
    of its values.
    """
    if not handoff.body.prose:
        return False
    fields = [slot.field, *slot.field.fields.values()]
    titles = [slot.title, *(field.title or name for name, field in slot.field.fields.items())]
    names = "|".join(re.escape(name) for name in [*titles, *(alias for field in fields for alias in field.aliases)])
    said = rf"(?<![\w-])(?:{names})[*_`\"']*[ \t\r]*(?:[:：]|$)"
    if slot.field.kind.is_choice:
        said += "|" + rf"^[^\w\n]*(?:{'|'.join(re.escape(one.value) for one in slot.field.values)})[^\w\n]*$"
    known = [one.span for one in handoff.slots if one.span is not None and one.parent and not one.field.fields]
    found = re.compile(said, re.IGNORECASE | re.MULTILINE).finditer(handoff.source.text, *handoff.span)
    return any(not any(span.holds(match.start()) for span in known) for match in islice(found, MAX_UNKNOWN))


def _group(handoff: Handoff, slot: Slot, parent: Slot) -> list[Slot]:
    """The absent fields that are inserted together with an absent status; empty where a field goes alone."""
    group = next((group for group in handoff.spec.contract.groups.values() if slot.name in group), None)
    if group is None or parent.path:
        return []
    absent_ones = [
        child
        for name, child in parent.children.items()
        if name in group and not child.written and near_miss(handoff, child) is None
    ]
    return absent_ones if len(absent_ones) > 1 and any(is_status(handoff, child) for child in absent_ones) else []


def _wanted(handoff: Handoff, parent: Slot) -> list[Slot]:
    """The fields of an object that are not written though this handoff or template needs them, in order."""
    children = [child for child in parent.children.values() if not child.written]
    if handoff.mode == "template":
        return [child for child in children if in_template(child)]
    return [
        child
        for child in children
        if handoff.values.holds(child.field.required)
        and near_miss(handoff, child) is None
        and not _is_elsewhere(handoff, child)
    ]


def _is_elsewhere(handoff: Handoff, slot: Slot) -> bool:
    """Whether an absent field is in another object: it is not to be written a second time."""
    return any(home == slot.path for _, _, home in misplaced(handoff))


def in_template(slot: Slot) -> bool:
    """Whether a template must declare a field: not where a profile turns the finding off."""
    if slot.field.severity.get("template-missing-section") == "off":
        return False
    return slot.field.required is True if slot.field.in_template is None else slot.field.in_template


def related_to(slots: list[Slot], word: str) -> list[Related]:
    """The places of other fields in a finding."""
    return [Related(slot.token, f"{word} `{slot.title}`") for slot in slots if slot.token is not None]
