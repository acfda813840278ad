"""Runs of ``key: value`` lines, as people and agents write them in Markdown: bare, in lists, with bold keys."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache

from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.line_texts import line_texts
from handoff_lsp.text.named_tuple import NamedTuple

_LONGEST_KEY = 60

_LINE = lazy_pattern(r"[^\r\n]++")
# Blanks, quote and list markers in any order, then the marks allowed around a key.
_HEAD = lazy_pattern(r"[ \t]*+(?>(?:>|[-*+](?=[ \t]))[ \t]*+)*+(\*{0,3}+)(`?)")
_KEY = lazy_pattern(rf"[^:：*`\r\n]{{1,{_LONGEST_KEY + 1}}}")
_PLAIN_KEY = lazy_pattern(r"[^\W\d][\w \t./-]*+")
_COLONS = ":："
# A key that needs no blank after its colon. `file.py:12` and `C:dir` are no pairs.
_WORDS = lazy_pattern(r"[^\W\d_]{2,}(?:[ _][^\W\d_]+){0,2}")
# Joiners are format characters, but part of words in Persian and the scripts of India.
_KEY_SIGNS = frozenset(" \t_-./\u200c\u200d")
# A backslash at the end of a line of Markdown breaks the line.
_HARD_BREAK = lazy_pattern(r"(?<!\\)\\\Z")
_NEXT_LINE = lazy_pattern(r"(?:\r\n|\n|\r)[ \t>]*+[^\s>]")
_COMMENT_STEP = lazy_pattern(r"""\\.|["'#]""")
_DOUBLE_END = lazy_pattern(r'(?>[^"\\]|\\.)*+"')


class Pair(NamedTuple):
    """One ``key: value`` line; all spans are offsets in code points of the whole text.

    ``key`` is without emphasis and backticks, ``key_text`` is also without the backslash of ``\\_``. ``value`` is
    trimmed; an empty one is a zero-width place after the colon and one blank. ``line`` is the line without its
    terminator. ``comment`` begins with its ``#``.
    """

    key: Span
    value: Span
    line: Span
    key_text: str
    value_text: str
    comment: Span | None

    def moved(self, by: int) -> Pair:
        """The same at a later place."""
        key, value, line, key_text, value_text, comment = self
        comment = comment and comment.shift(by)
        return Pair(key.shift(by), value.shift(by), line.shift(by), key_text, value_text, comment)


def read_pairs(text: str, span: Span, *, comments: bool = False) -> list[Pair]:
    """The pairs in the lines of a span, at most one a line, in order.

    With ``comments``, a `` #`` outside quotes ends the value. Without, and after a bold key, which is Markdown, a
    backslash that breaks the line is no part of it. Lines that are no pair are left out. Never raises; takes time
    linear in the length of the span.
    """
    pairs: list[Pair] = []
    for match in _LINE.finditer(text, max(span.start, 0), max(span.end, 0)):
        pair = _pair_of(match[0], comments)
        if pair is not None:
            pair = pair.moved(match.start())
            is_markdown = not comments or text.startswith("*", pair.key.start - 1)
            pairs.append(_without_break(pair, text) if is_markdown and match[0].endswith("\\") else pair)
    return pairs


def _without_break(pair: Pair, text: str) -> Pair:
    """A pair without the backslash that breaks its line. Without a next line, the backslash is text."""
    if not _HARD_BREAK.search(pair.value_text) or not _NEXT_LINE.match(text, pair.line.end):
        return pair
    value = pair.value_text[:-1].rstrip()
    return pair._replace(value=Span(pair.value.start, pair.value.start + len(value)), value_text=value)


def key_names(text: str) -> tuple[str, ...]:
    """The keys of the pairs on lines without indentation, as written, in order."""
    return tuple(filter(None, line_texts(text.replace("\r", "\n")).each(_key_of)))


def _key_of(line: str) -> str:
    """The key of a line without indentation; empty if it has none."""
    pair = _pair_of(line, comments=False) if line and not line[0].isspace() else None
    return pair.key_text if pair is not None else ""


# The asterisks of a bold key end before or after its colon.
_NEXT_KEY = lazy_pattern(
    r"(?:(?<![ \t])[ \t]++)?[/／|,、;][ \t]*(\*{0,2})([^\W\d][\w .-]{0,40}?)(?:\1[ \t]*[:：]|[ \t]*[:：]\1)[ \t]*"
)


def inner_pairs(pair: Pair, is_key: Callable[[str], bool]) -> Iterator[Pair]:
    """The pairs of a line that holds several, such as ``Total: 3 / Pass: 2``, with one of the given keys."""
    text, start = pair.value_text, pair.value.start
    if pair.value.end - start != len(text):
        yield pair  # unquoted: its places are not known
        return
    rest, begin = pair, 0
    for found in _NEXT_KEY.finditer(text):
        if is_key(found.group(2)):
            head = text[begin : found.start()].rstrip()
            yield rest._replace(value=Span(start + begin, start + begin + len(head)), value_text=head)
            key = Span(start + found.start(2), start + found.end(2))
            rest, begin = rest._replace(key=key, key_text=found.group(2)), found.end()
    yield rest._replace(value=Span(start + begin, pair.value.end), value_text=text[begin:])


def _pair_of(line: str, comments: bool) -> Pair | None:
    """The pair of a line without its terminator, if it has one, in offsets of the line."""
    if ":" not in line and "：" not in line:
        return None
    return _known_pair(line, comments) if len(line) <= _LONGEST_KNOWN else _read_line(line, comments)


def _read_line(text: str, comments: bool) -> Pair | None:
    end = len(text)
    head = _HEAD.match(text)
    found = _KEY.match(text, head.end()) if head else None
    if head is None or found is None:
        return None
    raw = found.group()
    if len(raw) > _LONGEST_KEY or not _is_key(raw):
        return None
    line = Span(0, end)
    after = _after_colon(text, raw, found.end(), end, head.group(1), head.group(2))
    if after < 0 and head.group(2) and not head.group(1):
        # The whole pair may be in backticks.
        last = text.find("`", found.end(), end)
        if last >= 0 and not text[last + 1 : end].strip():
            end = last
            after = _after_colon(text, raw, found.end(), end, "", "")
    if after < 0:
        return None
    key = Span(found.start(), found.start() + len(raw.rstrip()))
    stop, comment = split_comment(text, after, end) if comments and not head.group(1) else (end, None)
    value = text[after:stop].strip()
    low = min(after + 1, end) if after < end and text[after] in " \t" else after
    if value:
        low = stop - len(text[after:stop].lstrip())
    return Pair(key, Span(low, low + len(value)), line, key.of(text).replace("\\_", "_"), value, comment)


# A keystroke changes one line; the others are read again, often by several readers.
_known_pair = lru_cache(maxsize=8_192)(_read_line)
_LONGEST_KNOWN = 200


def _is_key(raw: str) -> bool:
    """Whether a text of at most 60 characters begins with a letter or ``_`` and has only characters of a key."""
    raw = raw.replace("\\_", "_")
    if _PLAIN_KEY.fullmatch(raw):
        return True
    # Marks make letters in many scripts, but regular expressions do not count them as such.
    return (raw[0].isalpha() or raw[0] == "_") and all(
        char in _KEY_SIGNS or unicodedata.category(char)[0] in "LMN" for char in raw
    )


def _after_colon(text: str, key: str, at: int, end: int, stars: str, tick: str) -> int:
    """The offset after a key's colon and closing marks, which follow in any order; -1 without a colon."""
    colon, is_bold = "", bool(stars)
    while at < end:
        char = text[at]
        if char in _COLONS and not colon:
            colon = char
            at += 1
        elif tick and char == tick:
            tick = ""
            at += 1
        elif stars and text.startswith(stars, at, end):
            at += len(stars)
            stars = ""
        else:
            break
    if not colon or tick or stars:
        return -1
    # A full-width colon has its blank inside.
    if at == end or text[at] in " \t" or colon != ":" or is_bold:
        return at
    words = key.rstrip()
    begins = text[at].isalpha() or (text[at].isdigit() and not words.isalpha())
    return at if begins and _WORDS.fullmatch(words) else -1


def split_comment(text: str, start: int, end: int) -> tuple[int, Span | None]:
    """The end of the value, and the comment after it."""
    at = start
    open_ended = ""
    while step := _COMMENT_STEP.search(text, at, end):
        at = step.end()
        sign = step.group()
        if sign == "#":
            if text[step.start() - 1] in " \t":
                return step.start(), Span(step.start(), step.start() + len(text[step.start() : end].rstrip()))
        elif sign in open_ended:
            continue
        elif sign == '"':
            closing = _DOUBLE_END.match(text, at, end)
            if closing:
                at = closing.end()
            else:
                open_ended += sign
        elif sign == "'" and not text[step.start() - 1].isalnum():  # else an apostrophe
            closer = text.find("'", at, end)
            if closer < 0:
                open_ended += sign
            else:
                at = closer + 1
    return end, None
