"""Completion in a log: the tag of an entry, and what is logged under a tag that takes one of a few words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.skeleton import Skeleton, escape_snippet
from handoff_lsp.features.completion_item import CompletionItem, make_edit
from handoff_lsp.features.completion_markdown_line import Line
from handoff_lsp.features.pages import field_key
from handoff_lsp.text import Span

_TIME = r"[ \t]*[0-9][0-9:.,TZ+-]*[ \t]+"
_TAG = re.compile(_TIME + r"\[(?P<typed>[^\[\]]*)")
_TEXT = re.compile(_TIME + r"\[(?P<tag>[^\[\]]*)\][ \t]*(?P<typed>[\w-]*)")
_TO_BRACKET = re.compile(r"(?P<rest>[^\[\]]*)\]|(?P<word>[\w-]*)")
_WORD = re.compile(r"[\w-]*")
_LAST = re.compile(r"[ \t]*")


def items(block: Block, line: Line) -> Iterator[CompletionItem]:
    """What fits at the cursor: a tag behind an opening bracket, a value behind its tag."""
    fields = block.spec.fields
    tag = _TAG.fullmatch(line.before)
    if tag is not None:
        for name, field in fields.items():
            if field.type == "list" and not field.tag and field.items is not None and "tag" in field.items.fields:
                yield from _tags(block, f"{name}[].tag", field.items.fields["tag"], line, tag)
        return
    text = _TEXT.fullmatch(line.before)
    if text is None:
        return
    for name, field in fields.items():
        if field.tag and field.tag.casefold() == text["tag"].strip().casefold() and field.values:
            yield from _values(block, name, field, line, text)
            return


def _tags(block: Block, path: str, field: Field, line: Line, found: re.Match[str]) -> Iterator[CompletionItem]:
    """The tags that the contract names, with the bracket behind them where it is not there yet."""
    after = _TO_BRACKET.match(line.after)
    assert after is not None, "the pattern matches the empty text"
    closed = after["rest"] is not None
    end = line.offset + len(after["rest"] if closed else after["word"])
    for value in field.values:
        made = value.value if closed else f"{value.value}] "
        edit = make_edit(
            block.source.text, Span(line.span.start + found.start("typed"), end), Skeleton(made, escape_snippet(made))
        )
        key = field_key(block.spec, path, value.value)
        yield CompletionItem(value.value, "value", edit, value.about, key=key)


def _values(block: Block, path: str, field: Field, line: Line, found: re.Match[str]) -> Iterator[CompletionItem]:
    after = _WORD.match(line.after)
    assert after is not None, "the pattern matches the empty text"
    if not _LAST.fullmatch(line.after, after.end()):
        return
    gap = "" if found["typed"] or line.before[-1:] in " \t" else " "
    span = Span(line.span.start + found.start("typed"), line.offset + after.end())
    for value in field.values:
        edit = make_edit(block.source.text, span, Skeleton(gap + value.value, escape_snippet(gap + value.value)))
        key = field_key(block.spec, path, value.value)
        yield CompletionItem(value.value, "value", edit, value.then or value.about, key=key)
