"""Putting sections, JSON members and `key: value` lines into the contract's order, without changing a byte of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, Change, makes_nothing_wrong
from handoff_lsp.language import say
from handoff_lsp.reports.make import fields_of
from handoff_lsp.syntax.markdown.incremental import Section
from handoff_lsp.text import Draft, Edit, Span, apply_edits
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.removal import LEAD
from handoff_lsp.writing.section_placement import heading_start

# One round for each section or object whose parts are out of order.
_MOST_ROUNDS = 40

_IGNORE = lazy_pattern(r"<!--\s*handoff-ignore\s*[:-]")


class Disorder(NamedTuple):
    """Parts of a handoff in the wrong order, and the edits that put them in the contract's.

    ``at`` identifies them whenever the document is analyzed again.
    """

    at: tuple[int, str]
    edits: list[Edit]


def organize(analysis: Analysis) -> Action | None:
    """The change that puts all handoffs of a document in their contracts' order; None if they already are."""
    edits = organized(analysis, analysis.handoffs)
    if not edits:
        return None
    title = say("Sort everything in contract order")
    return Action(title, "source.organize.handoff", lambda: Change(edits), key="all")


def organized(analysis: Analysis, handoffs: Iterable[Handoff]) -> tuple[Edit, ...]:
    """The edits that put some handoffs in order, without any that would change the document's meaning.

    Examples keep the order their author chose.
    """
    wanted = {index for index, handoff in enumerate(analysis.handoffs) if any(handoff is one for one in handoffs)}
    draft = Draft(analysis.source.text)
    given_up: set[tuple[int, str]] = set()
    now = analysis
    for _ in range(_MOST_ROUNDS):
        disorders = (item for index in wanted for item in _disorders(now.handoffs[index], index))
        disorder = next((item for item in disorders if item.at not in given_up), None)
        if disorder is None:
            break
        then = analysis.again(apply_edits(draft.text, disorder.edits))
        if _says_the_same(now, then):
            draft.apply(disorder.edits)
            now = then
        else:
            given_up.add(disorder.at)
    return draft.edits()


def _says_the_same(before: Analysis, after: Analysis) -> bool:
    """Whether a document keeps its headings and the content of its handoffs, and has no new finding."""
    return _contents(before) == _contents(after) and makes_nothing_wrong(before, after)


def _contents(analysis: Analysis) -> tuple[list[tuple[int, str]], list[str]]:
    tree = analysis.tree
    handoffs = [
        json.dumps(
            [handoff.spec.name, handoff.spec.profile, handoff.mode, handoff.form, fields_of(handoff)], sort_keys=True
        )
        for handoff in analysis.handoffs
    ]
    return sorted(zip(tree.heading_levels, tree.titles, strict=True)), sorted(handoffs)


def _disorders(handoff: Handoff, index: int) -> Iterator[Disorder]:
    make: dict[str, Callable[[Handoff], Iterator[tuple[str, list[Edit]]]]] = {
        "markdown": _sections,
        "json": _members,
        "outline": _entries,
    }
    disorders = make.get(handoff.syntax)
    if disorders is not None and not handoff.unclosed and handoff.mode != "example":
        for name, edits in disorders(handoff):
            if edits:
                yield Disorder((index, name), edits)


class Part(NamedTuple):
    """A part with everything that moves with it, and its position in the contract."""

    span: Span
    rank: int


def _sorted(text: str, parts: Sequence[Part]) -> list[Edit]:
    """The edits that put parts in order. Text between two parts stays in place."""
    wanted = sorted(parts, key=lambda part: part.rank)  # stable: parts of equal rank keep their order
    return [
        Edit(here.span, part.span.of(text)) for here, part in zip(parts, wanted, strict=True) if here.span != part.span
    ]


# Sections


def _sections(handoff: Handoff) -> Iterator[tuple[str, list[Edit]]]:
    """For each parent section, and for the top level: its name, and the edits that order the sections in it."""
    names = list(handoff.root.children)
    by_title = {slot.title: name for name, slot in handoff.root.children.items()}
    ranks: dict[Span, int] = {}
    for name, slot in handoff.root.children.items():
        if slot.headed and slot.key is not None:
            # A field marked `first` comes first, wherever the contract lists it.
            ranks[slot.key] = -1 if slot.field.first else names.index(name)
    for twice in handoff.root.duplicates:
        if twice.name in by_title:
            slot = handoff.root.children[by_title[twice.name]]
            ranks.setdefault(twice.key, -1 if slot.field.first else names.index(slot.name))
    groups: dict[int, Section | None] = {}
    for section in handoff.tree.all_sections:
        if section.heading.content in ranks:
            parent = section.parent
            groups[parent.number if parent is not None else -1] = parent
    for number, parent in groups.items():
        yield f"section {number}", _sorted(handoff.source.text, _section_parts(handoff, parent, ranks))


def _section_parts(handoff: Handoff, parent: Section | None, ranks: dict[Span, int]) -> list[Part]:
    """The known sections in ``parent``, each with the unknown ones after it and the comments above it."""
    inside = parent.subsections if parent is not None else handoff.tree.sections
    highest = min(section.level for section in inside)
    # Deeper ones occur only before the first of these, and no part may move before them.
    known = [section for section in inside if section.level == highest and section.heading.content in ranks]
    if len(known) < 2:
        return []
    starts = [_start_of(handoff, section) for section in known]
    end = parent.span.end if parent is not None else len(handoff.source.text)
    if handoff.source.text[end:].strip():
        end = _with_comments(handoff, heading_start(handoff, end))
    return [
        Part(_without_blank_lines(handoff, start, after), ranks[section.heading.content])
        for section, start, after in zip(known, starts, [*starts[1:], end], strict=True)
    ]


def _start_of(handoff: Handoff, section: Section) -> int:
    return _with_comments(handoff, heading_start(handoff, section.heading.span.start))


def _with_comments(handoff: Handoff, start: int) -> int:
    """The start of the suppression comments above a place; ``start`` itself without any."""
    lines = handoff.source.lines
    while True:
        line = lines.line_of(start) - 1
        while line >= 0 and not lines.line_text(line).strip():
            line -= 1
        node = handoff.tree.block_at(lines.line_span(line).start) if line >= 0 else None
        if node is None or node.kind != "html" or _IGNORE.match(handoff.source.slice(node.span).lstrip()) is None:
            return start
        start = lines.line_start(node.first_line) or int(handoff.source.text.startswith("\ufeff"))


def _without_blank_lines(handoff: Handoff, start: int, end: int) -> Span:
    """A span up to the end of its last non-blank line, without the line break."""
    lines, text = handoff.source.lines, handoff.source.text
    last = start + len(text[start:end].rstrip())
    return Span(start, lines.line_end(lines.line_of(last)))


# JSON


def _members(handoff: Handoff) -> Iterator[tuple[str, list[Edit]]]:
    body = handoff.json
    if body is None or body.is_yaml or body.tree.defects:
        return
    for slot in handoff.slots:
        if slot.children and slot.field.kind.holds == "fields":
            yield f"object {slot.path}", _sorted(handoff.source.text, _member_parts(body, slot))


def _member_parts(body: JsonBody, slot: Slot) -> list[Part]:
    """The known members of an object, each with the unknown ones after it."""
    node = body.node(slot)
    if node is None or node.kind != "object":
        return []
    ranks: dict[str, int] = {}
    for position, child in enumerate(slot.children.values()):
        for key in (child.title, *child.field.aliases):
            ranks.setdefault(key, position)
    parts: list[Part] = []
    for member in node.members:
        span = body.fragment.outer_span(member.start, member.end)
        rank = ranks.get(str(member.key.value))
        if rank is not None:
            parts.append(Part(span, rank))
        elif parts:
            parts[-1] = Part(Span(parts[-1].span.start, span.end), parts[-1].rank)
    return parts


# `key: value` lines


def _entries(handoff: Handoff) -> Iterator[tuple[str, list[Edit]]]:
    if not handoff.root.duplicates and not (handoff.open_comment or handoff.open_fence or handoff.open_lines):
        yield "lines", _sorted(handoff.source.text, _entry_parts(handoff))


def _entry_parts(handoff: Handoff) -> list[Part]:
    """The known keys of an outline with their values, each with the unknown keys and other lines after it."""
    body, run = handoff.outline, handoff.run_form
    if body is None:
        return []
    names = list(handoff.root.children)
    if run is not None:
        names.sort(key=lambda name: (name != run.opening_field, bool(run.closing_field) and name == run.closing_field))
    ranks = {slot.key.start: names.index(name) for name, slot in handoff.root.children.items() if slot.key is not None}
    text, lines = handoff.source.text, handoff.source.lines
    starts: list[tuple[int, int | None]] = []
    leads: set[str] = set()
    for entry in body.lines.entries:
        key = body.fragment.outer(entry.key.start)
        start = lines.line_start(lines.line_of(key))
        leads.add(text[start:key])
        starts.append((start, ranks.get(key)))
    if len({start for start, _ in starts}) < len(starts) or len(leads) > 1 or any(map(_is_more, leads)):
        return []
    end = body.fragment.outer(body.lines.end)
    known = [(_with_remarks(handoff, start), rank) for start, rank in starts if rank is not None]
    if len(known) < 2:
        return []
    ends = [*(start for start, _ in known[1:]), end]
    return [
        Part(_without_blank_lines(handoff, start, after), rank)
        for (start, rank), after in zip(known, ends, strict=True)
        if start < after
    ]


def _is_more(lead: str) -> bool:
    return LEAD.fullmatch(lead) is None


def _with_remarks(handoff: Handoff, start: int) -> int:
    """The start of a line, or of the remarks (`# …`) right above it."""
    lines = handoff.source.lines
    line = lines.line_of(start)
    first = lines.line_of(handoff.span.start)
    while line - 1 > first and lines.line_text(line - 1).lstrip(" \t>").startswith("#"):
        line -= 1
    return lines.line_start(line)
