"""Completion in a Markdown handoff: sections, the fields of a section, values, marks, and whole groups of sections."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import LabelStyle, blank_lines, label_style, section_level
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.detect import choose_profile, evidence, read_modeline
from handoff_lsp.contracts.model import Contract, Field, Value
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import Entry, Registry
from handoff_lsp.contracts.skeleton import Skeleton, Stops, escape_snippet, fill_in, section
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion_item import CompletionItem, first_sentence, make_edit
from handoff_lsp.features.completion_json import correct
from handoff_lsp.features.pages import contract_key, field_key
from handoff_lsp.syntax.keyvalue import read_pairs
from handoff_lsp.syntax.markdown import Node
from handoff_lsp.text import Span

_HEADING = re.compile(r"(?P<indent> {0,3})(?P<signs>#{1,6})(?P<gap>[ \t]*)(?P<title>.*)")
_LIST_MARK = re.compile(r"(?P<lead>[ \t>]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]*)?)(?P<typed>.*)")
_LABEL = re.compile(r"(?P<lead>[ \t>]*(?:[-*+][ \t]+)?)(?P<mark>\*{0,3})(?P<word>(?:[^\W\d][\w ./-]*)?)")
_WORD_BEFORE = re.compile(r"[\w/.-]*\Z")
_WORD_AFTER = re.compile(r"[\w/.-]*")
_SECTIONS = {"section", "heading-inline"}


class _Line(NamedTuple):
    """The cursor's line: its content, and the cursor. Offsets are code points of the document."""

    span: Span
    text: str
    offset: int

    @property
    def blank(self) -> bool:
        return not self.text.strip()

    @property
    def before(self) -> str:
        return self.text[: self.offset - self.span.start]

    @property
    def after(self) -> str:
        return self.text[self.offset - self.span.start :]


def _line_at(analysis: Analysis, offset: int) -> _Line:
    lines = analysis.source.lines
    span = lines.line_span(lines.line_of(offset))
    if span.start == 0 and analysis.source.text.startswith("\ufeff"):
        span = Span(1, span.end)
    return _Line(span, analysis.source.slice(span), min(max(offset, span.start), span.end))


def items(analysis: Analysis, block: Block, offset: int) -> list[CompletionItem]:
    """What fits at ``offset`` in the handoff that the document is."""
    line = _line_at(analysis, offset)
    node = analysis.tree.block_at(offset)
    owner = _section_slot(block, line)
    if node is not None and node.kind in {"fence", "code", "front-matter"}:
        inside = (
            node.kind == "fence" and owner is not None and owner.value == node.span and _in_body(block, node, offset)
        )
        return list(_in_labels(block, owner, line, fenced=True)) if inside and owner is not None else []
    if node is not None and node.kind == "html":
        return []
    heading = _HEADING.fullmatch(line.text)
    if heading is not None and line.offset >= line.span.start + heading.end("signs"):
        return list(_in_heading(block, line, heading))
    found: list[CompletionItem] = []
    if owner is None:
        found = list(_in_root_label(block, line))
    elif owner.field.fields:
        found = list(_in_labels(block, owner, line, fenced=False))
    elif owner.field.type == "rows":
        found = list(_in_row(block, owner, line))
    elif owner.field.values:
        found = list(_in_value_section(block, owner, line))
    return [*found, *_sections(block, line, None)] if line.blank else found


def _in_body(block: Block, fence: Node, offset: int) -> bool:
    lines = block.source.lines
    return offset > fence.opening.end and (
        fence.closing is None or lines.line_of(offset) < lines.line_of(fence.closing.start)
    )


def _section_slot(block: Block, line: _Line) -> Slot | None:
    """The field in the body of whose section the line is; None before the first and on a heading."""
    found: Slot | None = None
    for slot in block.root.children.values():
        if slot.carrier not in _SECTIONS or slot.span is None or slot.key is None:
            continue
        if slot.key.end < line.span.start and line.offset <= slot.span.end:
            found = slot if found is None or found.span is None or slot.span.start > found.span.start else found
    return found


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _values(block: Block, path: str, field: Field, line: _Line, span: Span) -> Iterator[CompletionItem]:
    """A field's values in the place of ``span``, and the number that it must be where one can be told."""
    text = block.source.text
    gap = " " if text[span.start - 1 : span.start] in {":", "："} else ""
    typed = text[span.start : line.offset]
    right = correct(block, path)

    def item(word: str, detail: str, key: str) -> CompletionItem:
        edit = make_edit(text, span, Skeleton(gap + word, gap + escape_snippet(word)))
        # What is typed may be a placeholder, which no value would match.
        filter_ = None if not typed or word.casefold().startswith(typed.casefold()) or typed.isalnum() else typed + word
        return CompletionItem(
            word, "value", edit, detail, key=key, preselect=right is not None and str(right) == word, filter=filter_
        )

    if right is not None and str(right) not in {value.value for value in field.values}:
        yield item(str(right), "What the rest of the handoff asks for", field_key(block.spec, path))
    for value in field.values:
        yield item(value.value, _detail(value), field_key(block.spec, path, value.value))


def _detail(value: Value) -> str:
    return value.then or value.about


def _token(block: Block, slot: Slot | None, line: _Line, low: int) -> Span:
    """The value at the cursor as the contract reads it, or the word that is being typed; not before ``low``."""
    value = slot.value if slot is not None else None
    if value is not None and value.holds(line.offset) and value.start >= low and line.span.covers(value):
        return value
    before, after = _WORD_BEFORE.search(line.before), _WORD_AFTER.match(line.after)
    start = line.offset - len(before.group()) if before else line.offset
    return Span(max(start, low), line.offset + (len(after.group()) if after else 0))


def _in_value_section(block: Block, slot: Slot, line: _Line) -> Iterator[CompletionItem]:
    """Values in the body of a section that holds one."""
    if slot.value is not None and slot.raw and not slot.value.holds(line.offset):
        return
    yield from _values(block, slot.path, slot.field, line, _token(block, slot, line, line.span.start))


def _in_row(block: Block, slot: Slot, line: _Line) -> Iterator[CompletionItem]:
    """Marks behind a list marker."""
    found = _LIST_MARK.fullmatch(line.text)
    if found is None:
        return
    start = line.span.start + found.end("lead")
    mark = next((item.value for item in slot.items if item.value is not None and item.value.start == start), None)
    span = mark if mark is not None and mark.holds(line.offset) else Span(start, start)
    if not span.holds(line.offset):
        return
    text = block.source.text
    gap = "" if text[span.end : span.end + 1].isspace() and span.end < line.span.end else " "
    for value in slot.field.values:
        edit = make_edit(text, span, Skeleton(value.value + gap, escape_snippet(value.value) + gap))
        typed = text[span.start : line.offset]
        key = field_key(block.spec, slot.path, value.value)
        yield CompletionItem(
            value.value, "value", edit, _detail(value), key=key, filter=typed + value.value if typed else None
        )


# ── labels ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _in_root_label(block: Block, line: _Line) -> Iterator[CompletionItem]:
    """Values behind a label before the first section: ``**Status**: ``."""
    pair = next(iter(read_pairs(block.source.text, line.span)), None)
    if pair is None or (line.offset < pair.value.start and line.before.rstrip()[-1:] not in {":", "：", "*"}):
        return
    name = block.spec.names.folded.get(fold_name(pair.key_text))
    if (
        name is None
        or line.offset <= pair.key.end
        or not {"bold-label", "plain-label", "list-label"} & set(block.spec.fields[name].carriers)
    ):
        return
    slot = block.root.children[name]
    low = min(pair.value.start, line.offset)
    yield from _values(block, name, slot.field, line, _token(block, slot if slot.key == pair.key else None, line, low))


def _in_labels(block: Block, owner: Slot, line: _Line, *, fenced: bool) -> Iterator[CompletionItem]:
    """In a section made of labels: the value behind one, or the names that are not there yet."""
    text = block.source.text
    pair = next(iter(read_pairs(text, line.span, comments=fenced)), None)
    if pair is not None and line.offset > pair.key.end:
        name = block.spec.table(owner.path).folded.get(fold_name(pair.key_text))
        if name is not None and (pair.comment is None or line.offset < pair.comment.start):
            slot = owner.children[name]
            low = min(pair.value.start, line.offset)
            span = _token(block, slot if slot.key == pair.key else None, line, low)
            yield from _values(block, slot.path, slot.field, line, span)
        return
    found = _LABEL.fullmatch(line.before)
    if found is None or (line.after.strip() and pair is None and _LABEL.fullmatch(line.text) is None):
        return
    if not fenced:
        if owner.value is not None and any(
            node.kind == "fence" and node.span == owner.value for node in block.tree.fences()
        ):
            return
        if owner.value is None and line.blank:
            yield _label_body(block, owner, line)
    yield from _names(block, owner, line, found)


def _label_body(block: Block, owner: Slot, line: _Line) -> CompletionItem:
    """All that an empty section of labels must hold, as it is written first of all."""
    made = section(owner.name, owner.field, 2, Stops())
    plain, snippet = (part.partition("\n\n")[2] for part in made)
    before, after = blank_lines(block.source.text, line.span.start, line.span.end)
    edit = make_edit(block.source.text, line.span, Skeleton(before + plain + after, before + snippet + after))
    detail = "All required fields"
    return CompletionItem(
        f"{owner.title} fields", "snippet", edit, detail, key=field_key(block.spec, owner.path), preselect=True
    )


def _names(block: Block, owner: Slot, line: _Line, found: re.Match[str]) -> Iterator[CompletionItem]:
    here = [child for child in owner.children.values() if child.key is not None and line.span.covers(child.key)]
    near = next((child for child in owner.children.values() if child.key is not None and child not in here), None)
    style = label_style(block, near) if near is not None else LabelStyle()
    if found["mark"]:
        style = LabelStyle("", f"{found['mark']}: ")
    elif found["lead"] or found["word"]:
        style = style._replace(prefix="", separator=": " if found["word"] else style.separator)
    start = line.span.start + found.start("word")
    tail = _WORD_AFTER.match(line.after)
    value_typed = ":" in line.after or "：" in line.after
    end = line.offset + (len(tail.group()) if tail else 0)
    for name, field in owner.field.fields.items():
        child = owner.children.get(name)
        if child is not None and child.written and child not in here:
            continue
        path = f"{owner.path}.{name}"
        title = field.title or name
        head = title if value_typed else f"{style.prefix}{title}{style.separator}"
        plain, snippet = _value_of(block, path, name, field) if not value_typed else ("", "")
        edit = make_edit(block.source.text, Span(start, end), Skeleton(head + plain, escape_snippet(head) + snippet))
        yield CompletionItem(
            title,
            "field",
            edit,
            first_sentence(field.about),
            key=field_key(block.spec, path),
            preselect=bool(field.required),
        )


def _value_of(block: Block, path: str, name: str, field: Field) -> Skeleton:
    """What comes behind a new label: only in a snippet something that waits to be filled in."""
    stops = Stops()
    right = correct(block, path)
    if right is not None:
        return Skeleton(str(right), stops.text(str(right)))
    made = fill_in(name, field, stops)
    return Skeleton("" if made.plain.startswith("<") else made.plain, made.snippet)


# ── sections ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _in_heading(block: Block, line: _Line, heading: re.Match[str]) -> Iterator[CompletionItem]:
    """On the line of a heading: its value behind a colon, else the sections that are not there yet."""
    title = heading["title"]
    at = line.span.start + heading.start("title")
    for colon in (":", "："):
        head, sign, _ = title.partition(colon)
        if sign and line.offset > at + len(head):
            name = block.spec.names.folded.get(fold_name(head))
            field = block.spec.fields[name] if name is not None else None
            if name is not None and field is not None and "heading-inline" in field.carriers:
                low = at + len(head) + 1
                low += len(title[len(head) + 1 :]) - len(title[len(head) + 1 :].lstrip(" \t"))
                slot = block.root.children[name]
                mine = slot if slot.key is not None and line.span.covers(slot.key) else None
                yield from _values(block, name, field, line, _token(block, mine, line, min(low, line.offset)))
            return
    yield from _sections(block, line, heading)


def _sections(block: Block, line: _Line, heading: re.Match[str] | None) -> Iterator[CompletionItem]:
    """The groups and sections that are not there, the next one expected first."""

    def there(name: str) -> bool:
        slot = block.root.children.get(name)
        return slot is not None and slot.written and not (slot.key is not None and line.span.covers(slot.key))

    names = list(block.spec.fields)
    above = [
        index
        for index, name in enumerate(names)
        if there(name) and (span := block.root.children[name].span) is not None and span.start < line.span.start
    ]
    turn = max(above, default=-1) + 1
    order = [name for name in [*names[turn:], *names[:turn]] if not there(name)]
    order.sort(key=lambda name: not _expected(block, name))
    level = section_level(block)
    # Under a heading that has a body only the heading is completed.
    bare = heading is not None and _has_body(block, line)
    if not bare:
        yield from _groups(block.source.text, block.spec, line, heading, level, there)
    for name in order:
        field = block.spec.fields[name]
        if "section" not in field.carriers:
            continue
        made = section(name, field, level, Stops())
        if bare:
            title = f"{'#' * level} {field.title or name}"
            made = Skeleton(title, escape_snippet(title))
        needed = _expected(block, name)
        detail = (
            f"required · {first_sentence(field.about)}"
            if block.values.holds(field.required)
            else first_sentence(field.about)
        )
        yield _section_item(
            block.source.text,
            field.title or name,
            "section",
            made,
            line,
            heading,
            detail,
            field_key(block.spec, name),
            needed,
            bare,
        )


def _expected(block: Block, name: str) -> bool:
    """Whether a handoff of this kind usually has a section."""
    field = block.spec.fields[name]
    return bool(field.in_template) or block.values.holds(field.required)


def _has_body(block: Block, line: _Line) -> bool:
    found = block.tree.section_at(line.offset)
    return found is not None and line.span.covers(found.heading.content) and bool(found.blocks)


def _groups(
    text: str, spec: Spec, line: _Line, heading: re.Match[str] | None, level: int, there: Callable[[str], bool]
) -> Iterator[CompletionItem]:
    """The contract's groups whose first field is absent, each as one item."""
    for group in spec.contract.groups.values():
        names = [name for name in group.fields if name in spec.fields]
        if not names or there(names[0]):
            continue
        stops = Stops()
        parts = [section(name, spec.fields[name], level, stops) for name in names if not there(name)]
        made = Skeleton("\n\n".join(part.plain for part in parts), "\n\n".join(part.snippet for part in parts))
        detail = ", ".join(spec.fields[name].title or name for name in names if not there(name))
        yield _section_item(
            text, group.title, "block", made, line, heading, detail, contract_key(spec.name), True, False
        )


def _section_item(
    text: str,
    label: str,
    kind: Any,
    made: Skeleton,
    line: _Line,
    heading: re.Match[str] | None,
    detail: str,
    key: str,
    preselect: bool,
    bare: bool,
) -> CompletionItem:
    span = line.span if heading is None else Span(line.span.start + heading.start("signs"), line.span.end)
    before, after = blank_lines(text, line.span.start, line.span.end) if not bare else ("", "")
    edit = make_edit(text, span, Skeleton(before + made.plain + after, before + made.snippet + after))
    filter_ = f"{heading['signs']}{heading['gap'] or ' '}{label}" if heading is not None else None
    return CompletionItem(label, kind, edit, detail, key=key, preselect=preselect, filter=filter_)


# ── documents that are no handoff yet ────────────────────────────────────────────────────────────────────────────


def starting_items(analysis: Analysis, offset: int, registry: Registry, path: str) -> list[CompletionItem]:
    """What a document without a handoff begins with: nothing, unless its path is that of one or it is empty."""
    line = _line_at(analysis, offset)
    heading = _HEADING.fullmatch(line.text)
    node = analysis.tree.block_at(offset)
    if node is not None and node.kind not in {"heading", "paragraph"}:
        return []
    if not line.blank and (heading is None or line.offset < line.span.start + heading.end("signs")):
        return []
    modeline = read_modeline(analysis.tree)
    if modeline is not None and modeline.contract is None:
        return []
    text = analysis.source.text
    empty = not (text[: line.span.start] + text[line.span.end :]).strip("\ufeff \t\r\n")
    found: list[CompletionItem] = []
    for entry in registry:
        contract = entry.contract
        if contract.block != "markdown" or entry.name in analysis.options.disabled:
            continue
        if empty or _path_says(contract, path):
            spec = _spec_for(analysis, entry, path)
            found += _groups(text, spec, line, heading, 2, _headings(analysis, spec, line))
    return found


def _path_says(contract: Contract, path: str) -> bool:
    markers: Iterable[str] = (marker.path for marker in contract.detect.markers) if contract.detect is not None else ()
    return bool(path) and any(search(pattern, path) for pattern in markers if pattern)


def _spec_for(analysis: Analysis, entry: Entry, path: str) -> Spec:
    heads = analysis.tree.all_sections
    title = heads[0].title if heads and heads[0].level == 1 else ""
    seen = evidence(entry.contract, path, title, lambda name: False)
    return entry.spec(choose_profile(entry.contract, analysis.options.profiles.get(entry.name), seen))


def _headings(analysis: Analysis, spec: Spec, line: _Line) -> Callable[[str], bool]:
    names: NameTable = spec.names
    others = [item for item in analysis.tree.all_sections if not line.span.covers(item.heading.content)]
    there = {names.folded.get(fold_name(item.title)) for item in others}
    return lambda name: name in there
