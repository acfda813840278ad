"""Completion of values in a Markdown handoff: after a label, in a section of one value, marks and boxes of lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.markdown_lists import row_mark
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.arguments import fixed_start
from handoff_lsp.contracts.model import Field
from handoff_lsp.features.completion.item import CompletionItem, Offer, first_sentence, make_edit
from handoff_lsp.features.completion.markdown.line import WORD_AFTER, CursorLine
from handoff_lsp.features.completion.offers import correct, gives_way, text_offers, words_in
from handoff_lsp.features.completion.paths import begins_path, path_items
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import field_key
from handoff_lsp.language import later, say, translated
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import Skeleton, around, escape_snippet

_ITEM = lazy_pattern(r"(?P<lead>[ \t>]*(?:[-*+]|\d+[.)])[ \t]+)(?P<box>\[[ xX]?\]?[ \t]*)?")
_WORD_BEFORE = lazy_pattern(r"[\w/.-]*\Z")
_WORD_START = lazy_pattern(r"(?<![\w/.-])(?=\w)")
_MARK = lazy_pattern(r"[^\w\s|]{0,3}\Z|\w{1,20}\Z")
# The marks around a word.
_MARKS = "`\"'*_“”‘’"
# Typed words, not a placeholder.
_OWN_WORDS = lazy_pattern(r"[^\W_][\w ,.-]*")
# The two boxes of a checklist, each with its meaning.
_BOXES = {"[ ]": later("Not done"), "[x]": later("Done")}


def value_items(
    handoff: Handoff, path: str, field: Field, line: CursorLine, span: Span, context: Context
) -> Iterator[CompletionItem]:
    """Items that replace ``span`` with a value of the field, or the number that other values determine."""
    text = handoff.source.text
    if span.start == span.end and _is_beside_code(line):
        return
    offers = list(_offers(handoff, path, field, context, line.offset))
    span = _with_first_words(span, text, line.span.start, line.offset, offers)
    gap = " " if text[span.start - 1 : span.start] in {":", "："} else ""
    yield from word_items(field, text, span, line.offset, offers, gap)
    if field.paths and begins_path(text, span.start, line.offset):
        low = span.start
        if gap and line.offset == low:
            return  # no blank after the colon yet: the editor asks again after the next key
        yield from path_items(text, low, line.offset, context)


def _is_beside_code(line: CursorLine) -> bool:
    """Whether the cursor is right behind a closed code span, or before one."""
    closed = line.before.count("`") % 2 == 0
    return closed and (line.before.endswith("`") or line.after.lstrip(" \t").startswith("`"))


def word_items(
    field: Field, text: str, span: Span, offset: int, offers: Iterable[Offer], gap: str = "", tail: str = ""
) -> Iterator[CompletionItem]:
    """Items that replace a span with a value of the field, with the blanks to add before and after it.

    In a sentence or a list of alternatives, they replace only the word at ``offset``.
    """
    offers = list(offers)
    if not gives_way(field, text, span, offset, offers):
        yield from _part_items(field, text, span, offset, offers)
        return
    typed = text[span.start : offset]
    word = typed.strip(_MARKS)
    lead = typed[: len(typed) - len(typed.lstrip(_MARKS))]
    # The typed text may be a placeholder, which no value would match.
    stays = not _OWN_WORDS.fullmatch(word) and not any(_begins(offer.word, word) for offer in offers)
    for offer in offers:
        filter_ = typed + offer.word if stays else lead + offer.word if lead else None
        yield _word_item(text, span, offer, gap, tail, filter_)


def _part_items(field: Field, text: str, span: Span, offset: int, offers: list[Offer]) -> Iterator[CompletionItem]:
    """Items for the half-typed word in a sentence or a list of alternatives: the values that the text does not have."""
    before, after = _WORD_BEFORE.search(text, span.start, offset), WORD_AFTER.match(text, offset, span.end)
    start, end = before.start() if before else offset, after.end() if after else offset
    first, slash, _ = text[start:offset].rpartition("/")
    if any(offer.word.casefold() == first.rpartition("/")[2].casefold() for offer in offers):
        start += len(first + slash)  # `pass/fa`
    start = _with_first_words(Span(start, end), text, span.start, offset, offers).start
    typed, lead = text[start:offset], text[span.start : start]
    sign = lead.rstrip("`\"' \t")[-1:]
    if not typed and sign != "|":
        return
    others = f"{lead} {text[end : span.end]}".casefold()
    if sign not in {"|", "/"} and not field.names and any(_is_in(value.value, others) for value in field.values):
        return  # a sentence about one value, which a second one would contradict
    tail = "`" if lead.count("`") % 2 and not text.count("`", end, span.end) % 2 else ""
    for offer in offers:
        if not _is_in(offer.word, others) and _begins(offer.word, typed) and offer.word != text[start:end]:
            whole = Span(start, _end_of_words(text, Span(start, end), span.end, offer.word))
            yield _word_item(text, whole, offer, tail=tail)


def _is_in(word: str, folded: str) -> bool:
    """Whether a case-folded text has a word of its own."""
    return re.search(rf"(?<![\w-]){re.escape(word.casefold())}(?![\w-])", folded) is not None


def _end_of_words(text: str, span: Span, stop: int, word: str) -> int:
    """The end of the words of a value that begin in a span and go on behind it: `security auditor`."""
    rest = words_in(word)[len(words_in(text[span.start : span.end])) :]
    found = re.compile("".join(rf"[ \t_-]+{re.escape(one)}" for one in rest) + r"(?!\w)", re.IGNORECASE)
    match = found.match(text, span.end, stop)
    return match.end() if match is not None else span.end


def _word_item(
    text: str, span: Span, offer: Offer, gap: str = "", tail: str = "", filter_: str | None = None
) -> CompletionItem:
    plain = gap + offer.word + tail
    made = around(gap, offer.made, tail) if offer.made is not None else Skeleton(plain, escape_snippet(plain))
    edit = make_edit(text, span, made)
    kind = "snippet" if offer.made is not None else offer.kind
    return CompletionItem(offer.word, kind, edit, offer.detail, key=offer.key, preselect=offer.right, filter=filter_)


def _with_first_words(span: Span, text: str, low: int, offset: int, offers: list[Offer]) -> Span:
    """The span with the first words of a value that are right before the cursor: `In ` of `In Review`."""
    words = [offer.word for offer in offers if " " in offer.word]
    longest = max(map(len, words), default=0)
    for found in _WORD_START.finditer(text, max(offset - longest, low), offset):
        start = found.start()
        if start < span.start and any(_begins(word, text[start:offset]) for word in words):
            return Span(start, span.end)
    return span


def _begins(word: str, typed: str) -> bool:
    return word.casefold().startswith(typed.casefold())


def _offers(handoff: Handoff, path: str, field: Field, context: Context, offset: int) -> Iterator[Offer]:
    right = correct(handoff, path)
    if right is not None and not isinstance(right, str):
        yield Offer(str(right), say("What the rest of the handoff asks for"), field_key(handoff.spec, path), right=True)
    yield from text_offers(handoff, path, field, context, offset)
    if not field.values and (handoff.body.flat or "front-matter" in field.carriers):
        for word in field.kind.words:
            yield Offer(word, first_sentence(field.about), field_key(handoff.spec, path))


def value_span(slot: Slot | None, line: CursorLine, low: int) -> Span:
    """The span of the value at the cursor, or of the word that is being typed; not before ``low``."""
    value = slot.value if slot is not None else None
    if value is not None and value.holds(line.offset) and value.start >= low and line.span.covers(value):
        return value
    before, after = _WORD_BEFORE.search(line.before), WORD_AFTER.match(line.after)
    start = line.offset - len(before.group()) if before else line.offset
    return Span(max(start, low), line.offset + (len(after.group()) if after else 0))


def _is_begun_value(slot: Slot, value: Span, line: CursorLine) -> bool:
    """Whether the first words of a value are right before the cursor: `superseded by `."""
    written = line.before[value.start - line.span.start :].casefold() if line.span.covers(value) else ""
    return bool(written) and any(fixed_start(one.value).casefold().startswith(written) for one in slot.field.values)


def in_value_section(handoff: Handoff, slot: Slot, line: CursorLine, context: Context) -> Iterator[CompletionItem]:
    """The items for the body of a section of one value."""
    value = slot.value
    if value is not None and slot.raw and not value.holds(line.offset) and not _is_begun_value(slot, value, line):
        # Marks without a value between them are read as an empty value behind them.
        if value.end > value.start or value.end < line.offset or not line.span.covers(value):
            return
    yield from value_items(handoff, slot.path, slot.field, line, value_span(slot, line, line.span.start), context)


def in_item(handoff: Handoff, slot: Slot, line: CursorLine, context: Context) -> Iterator[CompletionItem]:
    """The items for the beginning of a list item: a mark, a box, a path."""
    found = _ITEM.match(line.text)
    if found is None:
        return
    text, field = handoff.source.text, slot.field
    start, box = line.span.start + found.end("lead"), line.span.start + found.end()
    if line.offset < start:
        return
    if field.kind.has_boxes:
        yield from _boxes(text, Span(start, box), line)
    elif field.kind.has_marks:
        yield from _marks(handoff, slot, line, start, box)
    elif field.paths and line.offset >= box and begins_path(text, box, line.offset):
        yield from path_items(text, box, line.offset, context)


def _boxes(text: str, span: Span, line: CursorLine) -> Iterator[CompletionItem]:
    typed = text[span.start : span.end].rstrip(" \t")
    span = Span(span.start, span.start + len(typed))
    if not span.holds(line.offset):
        return
    tail = "" if text[span.end : span.end + 1].isspace() and span.end < line.span.end else " "
    for box, about in _BOXES.items():
        before = text[span.start : line.offset]
        filter_ = before + box if before else None
        yield _word_item(text, span, Offer(box, translated(about), ""), tail=tail, filter_=filter_)


def _marks(handoff: Handoff, slot: Slot, line: CursorLine, start: int, box: int) -> Iterator[CompletionItem]:
    """Marks that replace an existing one, the typed beginning of one, or a box written instead of one.

    The list item begins at ``start``, its text after a box at ``box``.
    """
    text, offset = handoff.source.text, line.offset
    there = (item.value for item in slot.items if item.data and item.value is not None)
    marks = (mark for mark in there if mark.start in {start, box} and _is_mark(slot.field, text[mark.start : mark.end]))
    span = next((mark for mark in marks if mark.holds(offset)), None)
    if span is None:
        boxed = any(spelling.startswith("[") for value in slot.field.values for spelling in value.instead_of)
        low = start if boxed or text[start:box].strip() == "[" else box
        if low < box and offset <= box:
            span = Span(low, low + len(text[low:box].rstrip(" \t")))
        elif low <= offset and _MARK.fullmatch(text, low, offset) and _is_begun(slot.field, text[low:offset]):
            span = Span(low, offset)
        else:
            span = Span(low, low)
    if span.holds(offset):
        yield from mark_items(handoff, slot, line, span)


def _is_mark(field: Field, text: str) -> bool:
    """Whether a text is a mark, right or wrong, and not the text of a row."""
    return len(text.split()) <= 1 or row_mark(field, text)[1:] == (0, len(text))


def _is_begun(field: Field, typed: str) -> bool:
    """Whether the typed text may become a mark: it is no word, or the beginning of a mark's word."""
    words: Iterable[str] = (word for value in field.values for word in (value.value, *value.instead_of))
    return not typed[:1].isalpha() or any(word.casefold().startswith(typed.casefold()) for word in words)


def mark_items(handoff: Handoff, slot: Slot, line: CursorLine, span: Span, gap: str = "") -> Iterator[CompletionItem]:
    """Items that replace a span with a mark of a row."""
    text = handoff.source.text
    tail = "" if text[span.end : span.end + 1].isspace() and span.end < line.span.end else " "
    typed = text[span.start : line.offset]
    for value in slot.field.values:
        plain = gap + value.value + tail
        edit = make_edit(text, span, Skeleton(plain, escape_snippet(plain)))
        key = field_key(handoff.spec, slot.path, value.value)
        filter_ = typed + value.value if typed else None
        yield CompletionItem(value.value, "value", edit, value.then or value.about, key=key, filter=filter_)
