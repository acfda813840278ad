"""Completion in a log: a whole line with the current time, the tag of an entry, the values under a tag."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.field_types import TIME
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.completion.item import CompletionItem, make_edit
from handoff_lsp.features.completion.markdown.line import CursorLine
from handoff_lsp.features.completion.names import in_written
from handoff_lsp.features.completion.offers import text_offers
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import contract_key, field_key
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import Skeleton, Stops, around, escape_snippet, placeholder
from handoff_lsp.writing.skeleton_document import new_document

_TIME = r"[ \t]*[0-9][0-9:.,TZ+-]*[ \t]+"
_TAG = lazy_pattern(_TIME + r"\[(?P<typed>[^\[\]]*)")
_TEXT = lazy_pattern(_TIME + r"\[(?P<tag>[^\[\]]*)\][ \t]*(?P<typed>[\w-]*)")
_TO_BRACKET = lazy_pattern(r"(?P<rest>[^\[\]]*)\]|(?P<word>[\w-]*)")
_WORD = lazy_pattern(r"[\w-]*")
_LAST = lazy_pattern(r"[ \t]*")
# The beginning of a line: empty, or part of a time, or a whole time with a blank.
_BEGUN = lazy_pattern(r"(?P<time>\d[\dTZ:.+-]*)?(?P<gap>[ \t]*)")
_WHOLE_TIME = lazy_pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]00:00)")


def items(handoff: Handoff, line: CursorLine, context: Context) -> Iterator[CompletionItem]:
    """The items for the cursor: a whole line at the end, a tag after a time or a bracket, a value after its tag."""
    fields = handoff.spec.fields
    tags = _tags_of(handoff.spec)
    if tags is None:
        return
    path, field = tags
    form = handoff.spec.contract.file
    if form is not None and form.entry:
        yield from _tags_there(handoff, path, field, line)
        return
    tag = _TAG.fullmatch(line.before)
    if tag is not None:
        yield from _tags(handoff, path, field, line, tag)
        return
    begun = _BEGUN.fullmatch(line.before)
    if begun is not None and not line.after.strip():
        yield from _lines(handoff, path, field, line, begun, context)
        return
    text = _TEXT.fullmatch(line.before)
    if text is None:
        yield from in_written(handoff, line, context)
        return
    for name, logged in fields.items():
        if logged.tag and logged.tag.casefold() == text["tag"].strip().casefold() and (logged.values or logged.names):
            yield from _values(handoff, name, logged, line, text, context)
            return
    yield from in_written(handoff, line, context)


def _tags_there(handoff: Handoff, path: str, field: Field, line: CursorLine) -> Iterator[CompletionItem]:
    """The contract's tags in the place of the one at the cursor, in a log of the contract's own shape."""
    span = next((entry.tag for entry in handoff.body.entries if entry.tag.holds(line.offset)), None)
    for value in field.values if span is not None and span.end > span.start else ():
        made = Skeleton(value.value, escape_snippet(value.value))
        key = field_key(handoff.spec, path, value.value)
        edit = make_edit(handoff.source.text, span, made) if span is not None else None
        if edit is not None:
            yield CompletionItem(value.value, "value", edit, value.about, key=key)


def whole_log(spec: Spec, text: str, span: Span, context: Context) -> CompletionItem:
    """The item for the first lines of a new log, with the current time."""
    made = Skeleton(*(part.replace(placeholder(TIME.placeholder), context.timestamp()) for part in new_document(spec)))
    title = f"{spec.contract.title} from its beginning"
    edit = make_edit(text, span, made)
    return CompletionItem(
        title, "block", edit, "", key=contract_key(spec.name), preselect=True, filter=_typed(text, span)
    )


def _typed(text: str, span: Span) -> str | None:
    return text[span.start : span.end] or None


def _tags_of(spec: Spec) -> tuple[str, Field] | None:
    """The path and the field of the entries' tags; None if the entries have none."""
    for name, field in spec.fields.items():
        if field.holds_entries and field.items is not None and "tag" in field.items.fields:
            return f"{name}[].tag", field.items.fields["tag"]
    return None


def _lines(
    handoff: Handoff, path: str, field: Field, line: CursorLine, begun: re.Match[str], context: Context
) -> Iterator[CompletionItem]:
    """For each tag of the contract, a line with the current time, or the rest of a line that has a time."""
    text = handoff.source.text
    typed = begun["time"] or ""
    kept = bool(_WHOLE_TIME.fullmatch(typed))
    if kept:
        span = Span(line.offset, line.span.end)
        head = "" if begun["gap"] else " "
    elif (begun["gap"] and typed) or text[line.span.end :].strip():
        return  # not a time, or not the end of the log, which is append-only
    else:
        span, head = line.span, f"{context.timestamp()} "
    for value in field.values:
        made = around(f"{head}[{value.value}] ", _text_under(handoff.spec, value.value), "")
        label = value.value if kept else f"[{value.value}] now"
        # The typed part may belong to a different time.
        filter_ = f"{typed}{label}" if typed and not kept else label
        key = field_key(handoff.spec, path, value.value)
        yield CompletionItem(
            label, "value" if kept else "snippet", make_edit(text, span, made), value.about, key=key, filter=filter_
        )


def _text_under(spec: Spec, tag: str) -> Skeleton:
    """The skeleton of a tag's text: a choice of its values if it has any, else a placeholder."""
    stops = Stops()
    for field in spec.fields.values():
        if field.tag == tag and field.holds_last_text and field.values:
            return stops.choice([value.value for value in field.values])
    return stops.hole("what happened…")


def _tags(
    handoff: Handoff, path: str, field: Field, line: CursorLine, found: re.Match[str]
) -> Iterator[CompletionItem]:
    """The contract's tags, with the closing bracket if it is missing."""
    after = _TO_BRACKET.match(line.after)
    assert after is not None, "the pattern matches the empty text"
    closed = after["rest"] is not None
    end = line.offset + len(after["rest"] if closed else after["word"])
    for value in field.values:
        made = value.value if closed else f"{value.value}] "
        edit = make_edit(
            handoff.source.text, Span(line.span.start + found.start("typed"), end), Skeleton(made, escape_snippet(made))
        )
        key = field_key(handoff.spec, path, value.value)
        yield CompletionItem(value.value, "value", edit, value.about, key=key)


def _values(
    handoff: Handoff, path: str, field: Field, line: CursorLine, found: re.Match[str], context: Context
) -> Iterator[CompletionItem]:
    after = _WORD.match(line.after)
    assert after is not None, "the pattern matches the empty text"
    if not _LAST.fullmatch(line.after, after.end()):
        return
    gap = "" if found["typed"] or line.before[-1:] in " \t" else " "
    span = Span(line.span.start + found.start("typed"), line.offset + after.end())
    for offer in text_offers(handoff, path, field, context, line.offset):
        word = gap + offer.word
        edit = make_edit(handoff.source.text, span, Skeleton(word, escape_snippet(word)))
        yield CompletionItem(offer.word, offer.kind, edit, offer.detail, key=offer.key)
