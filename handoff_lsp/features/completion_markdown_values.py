"""Completion of values in a Markdown handoff: behind a label, in a section that holds one, marks of a list."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.skeleton import Skeleton, escape_snippet
from handoff_lsp.features.completion_item import CompletionItem, first_sentence, make_edit
from handoff_lsp.features.completion_json import correct
from handoff_lsp.features.completion_markdown_line import WORD_AFTER, Line
from handoff_lsp.features.pages import field_key
from handoff_lsp.text import Span

_LIST_MARK = re.compile(r"(?P<lead>[ \t>]*(?:[-*+]|\d+[.)])[ \t]+(?:\[[ xX]\][ \t]*)?)(?P<typed>.*)")
_WORD_BEFORE = re.compile(r"[\w/.-]*\Z")


def value_items(block: Block, path: str, field: Field, line: Line, span: Span) -> Iterator[CompletionItem]:
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
    if field.type == "boolean" and not field.values and block.syntax == "outline":
        for word in ("true", "false"):
            yield item(word, first_sentence(field.about), field_key(block.spec, path))


def _detail(value: Value) -> str:
    return value.then or value.about


def value_span(block: Block, slot: Slot | None, line: Line, low: int) -> Span:
    """The value at the cursor as the contract reads it, or the word that is being typed; not before ``low``."""
    value = slot.value if slot is not None else None
    if value is not None and value.holds(line.offset) and value.start >= low and line.span.covers(value):
        return value
    before, after = _WORD_BEFORE.search(line.before), WORD_AFTER.match(line.after)
    start = line.offset - len(before.group()) if before else line.offset
    return Span(max(start, low), line.offset + (len(after.group()) if after else 0))


def in_value_section(block: Block, slot: Slot, line: Line) -> Iterator[CompletionItem]:
    """Values in the body of a section that holds one."""
    if slot.value is not None and slot.raw and not slot.value.holds(line.offset):
        return
    yield from value_items(block, slot.path, slot.field, line, value_span(block, slot, line, line.span.start))


def in_row(block: Block, slot: Slot, line: Line) -> Iterator[CompletionItem]:
    """Marks behind a list marker."""
    found = _LIST_MARK.fullmatch(line.text)
    if found is None:
        return
    start = line.span.start + found.end("lead")
    mark = next(
        (item.value for item in slot.items if item.data and item.value is not None and item.value.start == start), None
    )
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
