"""Completion of headings in a Markdown handoff: sections, whole groups of them, and a value in the heading."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.completion.item import CompletionItem, ItemKind, first_sentence, make_edit
from handoff_lsp.features.completion.markdown.line import CursorLine, has_body
from handoff_lsp.features.completion.markdown.values import value_items, value_span
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import contract_key, field_key
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.section_placement import blank_lines, section_level
from handoff_lsp.writing.skeleton import Skeleton, Stops, item_heading, joined, section
from handoff_lsp.writing.unclaimed import to_fill_in


def in_heading(
    handoff: Handoff, owner: Slot | None, line: CursorLine, heading: re.Match[str], context: Context
) -> Iterator[CompletionItem]:
    """The items for the line of a heading: its value after a colon, else the missing sections.

    ``owner``: the innermost field or item that the line is in.
    """
    title = heading["title"]
    start = line.span.start + heading.start("title")
    for colon in (":", "："):
        head, sign, _ = title.partition(colon)
        if sign and line.offset > start + len(head):
            name = handoff.spec.names.folded.get(fold_name(head))
            field = handoff.spec.fields[name] if name is not None else None
            if name is not None and field is not None and "heading-inline" in field.carriers:
                low = start + len(head) + 1
                low += len(title[len(head) + 1 :]) - len(title[len(head) + 1 :].lstrip(" \t"))
                slot = handoff.root.children[name]
                mine = slot if slot.key is not None and line.span.covers(slot.key) else None
                span = value_span(mine, line, min(low, line.offset))
                yield from value_items(handoff, name, field, line, span, context)
            return
    yield from section_items(handoff, owner, line, heading)


def usual_sections(
    handoff: Handoff, owner: Slot | None, line: CursorLine, registry: Registry
) -> Iterator[CompletionItem]:
    """The same for a blank line, without the sections of other profiles; none above text that they would take over."""
    rest = handoff.source.text[line.span.end :]
    start = line.span.end + len(rest) - len(rest.lstrip())
    below = handoff.tree.section_at(start)
    if not _BETWEEN.match(handoff.source.text, start) and (below is None or not below.heading.span.holds(start)):
        return iter(())
    foreign = {field_key(handoff.spec, name) for name in _of_others(handoff.spec, registry)}
    return (item for item in section_items(handoff, owner, line, None) if item.key not in foreign)


# No text that a section would take over: a comment, a thematic break, or the end.
_BETWEEN = lazy_pattern(r"(?m)<!--|(?:[-*_][ \t]*){3,}(?:\r|$)|\Z")


def _of_others(spec: Spec, registry: Registry) -> Iterator[str]:
    """The root fields that another profile expects, and this one does not mention; none for the default profile."""
    if spec.name not in registry:
        return
    entry = registry[spec.name]
    default = entry.spec(entry.contract.default_profile)
    others = [entry.spec(name) for name in entry.contract.profiles] if spec.profile != default.profile else []
    for name, field in spec.fields.items():
        expected = any(name in one.fields and _is_usual(one.fields[name]) for one in others)
        if expected and not _is_usual(field) and field == default.fields.get(name):
            yield name


def _is_usual(field: Field) -> bool:
    return bool(field.in_template or field.required)


def section_items(
    handoff: Handoff, owner: Slot | None, line: CursorLine, heading: re.Match[str] | None
) -> Iterator[CompletionItem]:
    """The missing sections of the field or the item that the line is in and of those around it, then the handoff's."""
    slot = owner
    while slot is not None and slot.path:
        level = section_level(handoff, slot)
        if slot.field.fields and (heading is None or len(heading["signs"]) == level):
            yield from _sections_in(handoff, slot, level, line, heading)
        slot = slot.parent
    yield from _sections_in(handoff, handoff.root, section_level(handoff), line, heading)


def _sections_in(
    handoff: Handoff, parent: Slot, level: int, line: CursorLine, heading: re.Match[str] | None
) -> Iterator[CompletionItem]:
    """The missing groups, then the missing sections: the usual ones first, in contract order from the cursor on."""
    fields = parent.field.fields if parent.path else handoff.spec.fields

    def has_no_place(name: str) -> bool:
        if heading is None and not parent.path and _is_out_of_order(handoff, name, line):
            return True
        slot = parent.children.get(name)
        if slot is None or slot.field.each:
            return False  # there may be another item
        return slot.written and not (slot.key is not None and line.span.covers(slot.key))

    names = list(fields)
    above = [
        index
        for index, name in enumerate(names)
        if (slot := parent.children.get(name)) is not None
        and slot.written
        and slot.span is not None
        and slot.span.start < line.span.start
    ]
    turn = max(above, default=-1) + 1
    order = [name for name in [*names[turn:], *names[:turn]] if not has_no_place(name)]
    order.sort(key=lambda name: not _expected(handoff, fields[name]))
    # If the heading has a body, only the heading is completed.
    bare = heading is not None and has_body(handoff.tree, line)
    if not bare and not parent.path:
        words = partial(to_fill_in, handoff)
        yield from group_items(handoff.source.text, handoff.spec, line, heading, level, has_no_place, words)
    for name in order:
        field = fields[name]
        in_section = "section" in field.carriers or field.each
        if not in_section or (_unwanted(handoff, field) and not handoff.values.holds(field.required)):
            continue
        field = to_fill_in(handoff, name, field)
        number = _next_number(parent.children[name], line) if field.each else 1
        title = item_heading(field, Stops(), number).plain if field.each else field.title
        if not title:
            continue
        made = section(name, field, level, Stops(), bare=bare, number=number)
        detail = (
            f"required · {first_sentence(field.about)}"
            if handoff.values.holds(field.required)
            else first_sentence(field.about)
        )
        yield from section_item(
            handoff.source.text,
            title,
            "section",
            made,
            line,
            heading,
            detail,
            field_key(handoff.spec, f"{parent.path}.{name}" if parent.path else name),
            bare,
        )


def _is_out_of_order(handoff: Handoff, name: str, line: CursorLine) -> bool:
    """Whether a section at the cursor would come before one that must be above it, or after one that must be below."""
    contract, names = handoff.spec.contract, list(handoff.spec.fields)
    for other in handoff.root.children.values():
        if other.key is None or not other.headed or other.name == name:
            continue
        above = other.key.start < line.span.start
        if (handoff.spec.fields[name].first and above) or (other.field.first and not above):
            return True
        read = not contract.reads or name in contract.reads or other.name in contract.reads
        if contract.ordered and read and above != (names.index(other.name) < names.index(name)):
            return True
    return False


def _next_number(slot: Slot, line: CursorLine) -> int:
    """The number for the heading of an item at the cursor: one more than in the item above it."""
    above = [item for item in slot.items if item.span is not None and item.span.start < line.span.start]
    numbers = [part.data for part in above[-1].children.values() if part.is_group] if above else []
    return next((number for number in numbers if isinstance(number, int)), len(above)) + 1


def _expected(handoff: Handoff, field: Field) -> bool:
    """Whether a handoff of this kind usually has a section."""
    return bool(field.in_template) or handoff.values.holds(field.required)


def _unwanted(handoff: Handoff, field: Field) -> bool:
    """Whether a section must be empty now."""
    return bool(field.forbidden) and handoff.values.holds(field.forbidden)


def group_items(
    text: str,
    spec: Spec,
    line: CursorLine,
    heading: re.Match[str] | None,
    level: int,
    there: Callable[[str], bool],
    words: Callable[[str, Field], Field],
) -> Iterator[CompletionItem]:
    """The contract's groups with an absent first field, each as one item. ``words``: the notation of a field."""
    for title, group in spec.contract.groups.items():
        names = [name for name in group if name in spec.fields]
        if not names or there(names[0]):
            continue
        stops = Stops()
        fields = {name: words(name, spec.fields[name]) for name in names if not there(name)}
        made = joined([section(name, field, level, stops) for name, field in fields.items()], "\n\n")
        detail = ", ".join(field.title or name for name, field in fields.items())
        yield from section_item(text, title, "block", made, line, heading, detail, contract_key(spec.name))


_WORD = lazy_pattern(r"\w+")


def section_item(
    text: str,
    label: str,
    kind: ItemKind,
    made: Skeleton,
    line: CursorLine,
    heading: re.Match[str] | None,
    detail: str,
    key: str,
    bare: bool = False,
) -> Iterator[CompletionItem]:
    """The item of a section or group; on the line of a heading only if its label begins with the typed text."""
    filter_ = None
    if heading is not None:
        begun = _begun(label, heading["title"])
        if begun is None:
            return
        filter_ = f"{heading['signs']}{heading['gap'] or ' '}{begun}"
    span = line.span if heading is None else Span(line.span.start + heading.start("signs"), line.span.end)
    before, after = blank_lines(text, line.span.start, line.span.end) if not bare else ("", "")
    edit = make_edit(text, span, Skeleton(before + made.plain + after, before + made.snippet + after))
    yield CompletionItem(label, kind, edit, detail, key=key, filter=filter_)


def _begun(title: str, typed: str) -> str | None:
    """The filter text for a heading that is being typed; None if ``typed`` is not the beginning of the title.

    It lacks the last letter of the word that is being typed: whole words are a heading of the author's own, which
    <kbd>Enter</kbd> must leave as it is. It lacks the words after that one, because clients match loosely.
    """
    if not title.casefold().startswith(typed.casefold()):
        return None
    word = next((word for word in _WORD.finditer(title) if word.end() > len(typed)), None)
    if word is None or (typed and word.start() >= len(typed) and typed[-1:].isalnum()):
        return None
    return title[: word.end() - 1]
