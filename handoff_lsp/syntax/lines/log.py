"""Activity logs: lines of ``<ISO 8601 date-time>Z [TAG] text``, appended to by agents and their hooks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Literal, TypeVar, overload

from handoff_lsp.text import LineIndex, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.line_texts import LineTexts, line_texts
from handoff_lsp.text.named_tuple import NamedTuple

T = TypeVar("T")

_LONGEST_TAG = 40
LINES_TO_JUDGE = 20

_BOM = "\ufeff"
_LINE = lazy_pattern(r"([^\r\n]*+)(?:\r\n|\r|\n|\Z)")
_BLANKS = lazy_pattern(r"\s*+")
_TIME = lazy_pattern(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.[0-9]++)?(?:Z|[+-]00:00)(?![\w:.+-])"
)
# The usual entry: all of it is as it should be, except perhaps the day.
_USUAL = lazy_pattern(
    r"(([0-9]{4}-[0-9]{2}-[0-9]{2})T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)"
    r" \[([A-Za-z]{1,40})\] ([!-~]++(?> ++[!-~]++)*+)"
)
_TAG = lazy_pattern(r"\[([^\[\]]*+)\]")
_OPEN_TAG = lazy_pattern(r"\[[^\s\[\]]*+")
# The beginning of a line in the middle of a log: a whole date, or a time of day followed by a tag.
_DATE = lazy_pattern(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_OTHER_DATE = lazy_pattern(
    r"(?:[0-9]{4}([/.])[0-9]{1,2}\1[0-9]{1,2}|[0-9]{1,2}([-/.])[0-9]{1,2}\2[0-9]{4}|[0-9]{8}T[0-9]{4,6}Z?)(?=[ \tT,:])"
    r"|\[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?Z?\]?[ \t]+\[[A-Za-z]+\]"
)
# A command continues in the next line after an open quotation, a here-document or a backslash.
_OPENS = lazy_pattern(r"\\\Z|<<-?[ \t]*['\"]?\w|(?:^|(?<=[\s=]))'[^']*\Z")
# The most characters of a command that are logged; the hook counts 80 bytes.
_LONGEST_COMMAND = 100
_DATE_OR_TIME = lazy_pattern(r"[0-9]{1,4}[-/][0-9]{1,2}[-/][0-9]{1,4}|[0-9]{8}T|[0-9]{1,2}:[0-9]{2}")
# An intended timestamp in the notation of other logs: `2026-02-08 10:00:00,5 +0100`.
_MEANT_AS_TIME = lazy_pattern(
    r"[\w:.,+/-]++(?:\s++[0-9]{1,2}:[\w:.,+-]++)?(?:\s++(?:Z|UTC|GMT|[AP]M|[+-][0-9]{2}:?[0-9]{2})(?![\w:.+-]))?",
    re.IGNORECASE,
)
# The placeholder for a time, in a new log.
_NO_TIME_YET = lazy_pattern(r"<YYYY-[^<>\n]*>")
_DIGIT = lazy_pattern(r"[0-9]")
_DATE_SHAPE = "0000-00-00"


class LogEntry(NamedTuple):
    """One entry; all spans are offsets in code points of the whole text, ``line`` is zero-based.

    ``span`` is its whole first line without terminator and byte order mark, ``time`` the timestamp as written and a
    real date-time, ``tag`` the text between the brackets. ``text`` is trimmed; without text it is a zero-width place at
    the line's end. ``more`` are the whole lines after it up to the next entry: the rest of a command that was cut
    in the middle. ``groups`` has the parts of an entry of a contract's own shape by their names.
    """

    line: int
    span: Span
    time: Span
    tag: Span
    text: Span
    more: tuple[Span, ...]
    groups: tuple[tuple[str, Span], ...] = ()


class BrokenLine(NamedTuple):
    """A line that should be an entry and is not; ``span``, in code points, is the smallest wrong part.

    - ``timestamp``: it begins like a date or time, but with no real ISO 8601 date-time in UTC (``Z`` or ``+00:00``).
      ``span`` is the intended timestamp.
    - ``tag``: a good timestamp, but no ``[TAG]`` after it. ``span`` is the tag that is too long, the brackets with
      nothing in them, or the zero-width place where a bracket is missing.
    - ``text``: a line before the first entry that resembles no entry. ``span`` is the line, trimmed.
    - ``shape``: a line that has not the shape that its contract gives. ``span`` is the line, trimmed.
    """

    line: int
    span: Span
    kind: Literal["timestamp", "tag", "text", "shape"]


class UsualLine(NamedTuple):
    """The places in a line that is an entry by itself, whatever is around it: in code points of the line."""

    time: Span
    tag: Span
    text: Span


class LogEntries(Sequence[LogEntry]):
    """The entries of a log. A usual one is kept as its line, and made when it is asked for.

    ``lines``, ``index`` and ``read`` are all lines of the text, their places, and the entries in them, without places
    for the usual ones. ``more``: the lines that belong to an entry, by the number of its line. ``numbers``: the lines
    of the entries, from zero.
    """

    __slots__ = ("_index", "_lines", "_more", "_read", "numbers")

    def __init__(
        self,
        lines: LineTexts,
        index: LineIndex,
        read: Sequence[UsualLine | LogEntry | None],
        more: Mapping[int, Sequence[Span]],
    ) -> None:
        self.numbers: Sequence[int] = [number for number, one in enumerate(read) if one is not None]
        self._lines = lines
        self._index = index
        self._read = read
        self._more = more

    def each(self, make: Callable[[str], T]) -> list[T]:
        """The results of a function of a line for all lines of the log, as ``LineTexts.each`` keeps them."""
        return self._lines.each(make)

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, index: int) -> LogEntry: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[LogEntry, ...]: ...

    def __getitem__(self, index: int | slice) -> LogEntry | tuple[LogEntry, ...]:
        if isinstance(index, slice):
            return tuple(map(self._entry, self.numbers[index]))
        return self._entry(self.numbers[index])

    def _entry(self, number: int) -> LogEntry:
        read, more = self._read[number], tuple(self._more.get(number, ()))
        if isinstance(read, UsualLine):
            return _placed(read, number, self._index.line_start(number), self._lines.texts[number], more)
        assert read is not None, "it is a line with an entry"
        return read._replace(more=more) if more else read


class Log(NamedTuple):
    """The lines of a log, both kinds in order."""

    entries: Sequence[LogEntry]
    broken: tuple[BrokenLine, ...]


def read_log(text: str, index: LineIndex | None = None) -> Log:
    """The entries of a log, and the lines that should be some. ``index``: that of the text, if it is known.

    Blank lines are ignored. A line without a date at its beginning belongs to the entry or the broken line before
    it. Never raises; takes time linear in the length of the text.
    """
    kept = line_texts(text.replace("\r\n", "\n").replace("\r", "\n"), keep_short=True)
    lines, index = kept.texts, index or LineIndex(text)
    read: list[UsualLine | LogEntry | None] = list(kept.each(_usual))
    more: dict[int, list[Span]] = {}
    broken: list[BrokenLine] = []
    last, after_broken = -1, False  # the line of the last entry above, and whether a broken line follows it
    before = -1
    for number in [number for number, usual in enumerate(read) if usual is None]:
        if number > before + 1:
            last, after_broken = number - 1, False
        before, line, start = number, lines[number], index.line_start(number)
        if number == 0 and line.startswith(_BOM):
            line, start = line[1:], 1
        if not line or line.isspace():
            continue
        span, one = Span(start, start + len(line)), read[last] if last >= 0 and not after_broken else None
        above = _placed(one, last, index.line_start(last), lines[last], ()) if isinstance(one, UsualLine) else one
        found = _read_line(text, number, span, loose=last < 0, above=above)
        if isinstance(found, LogEntry):
            read[number], last, after_broken = found, number, False
        elif found is not None:
            broken.append(found)
            after_broken = True
        elif after_broken:
            pass  # the rest of a command with a first line that is already reported
        elif last >= 0:
            more.setdefault(last, []).append(span)
        else:
            broken.append(BrokenLine(number, _trimmed(text, *span), "text"))
    return Log(LogEntries(kept, index, read, more) or (), tuple(broken))


def read_usual(line: str) -> LogEntry | None:
    """The entry in a line that is one by itself, whatever is around it; in code points of the line."""
    usual = _usual(line)
    return None if usual is None else _placed(usual, 0, 0, line, ())


def looks_like_log(text: str) -> bool:
    """Whether a text is a log of this format, and not a different file at the same path.

    Of its first 20 lines that are not blank, one is an entry, or one whose time waits to be filled in, and at least
    half have a date or time and a ``[TAG]``.
    """
    seen = tagged = 0
    has_entry = False
    for number, span in log_lines(text):
        seen += 1
        found = _read_line(text, number, span, loose=True)
        if isinstance(found, LogEntry):
            has_entry = True
            tagged += 1
        elif found is not None and found.kind == "timestamp":
            at = _after_blanks(text, found.span.end, span.end)
            is_tagged = _tag(text, at, span.end) is not None
            tagged += is_tagged
            has_entry |= is_tagged and text.startswith("<", found.span.start)
        if seen == LINES_TO_JUDGE:
            break
    return has_entry and tagged * 2 >= seen


def log_lines(text: str) -> Iterator[tuple[int, Span]]:
    """The lines that are not blank, with their zero-based numbers, without terminators and byte order mark."""
    for number, match in enumerate(_LINE.finditer(text)):
        start, end = match.span(1)
        if number == 0 and text.startswith(_BOM):
            start += 1
        if start < end and not text[start:end].isspace():
            yield number, Span(start, end)


def _continues(text: str, entry: LogEntry, span: Span) -> bool:
    """Whether a line may be the rest of a command that an entry logs."""
    if span.start - entry.text.start > _LONGEST_COMMAND:
        return False
    command = text[entry.text.start : span.start].rstrip("\r\n")
    return command.count('"') % 2 == 1 or _OPENS.search(command) is not None


def _read_line(
    text: str, line: int, span: Span, *, loose: bool, above: LogEntry | None = None
) -> LogEntry | BrokenLine | None:
    """The entry in a line, without continuation, or its defect; None if it does not begin like an entry.

    With ``loose``, anything like a date or time is a beginning, else only a whole date or a time before a tag, as the
    middle of a command may begin with ``10:30`` or ``1/2/3``. If the command of the entry ``above`` continues, only
    ``YYYY-MM-DD`` is one.
    """
    start, end = span
    usual = _usual(text[start:end])
    if usual is not None:
        return _placed(usual, line, start, text[start:end], ())
    time = _TIME.match(text, start, end)
    if time and _is_real(time):
        stop = time.end()
        at = _after_blanks(text, stop, end)
        tag = _tag(text, at, end)
        if tag is None:
            return BrokenLine(line, _wrong_tag(text, stop, at, end), "tag")
        return LogEntry(line, span, Span(start, stop), tag, _trimmed(text, tag.end + 1, end), ())
    waiting = _NO_TIME_YET.match(text, start, end)
    if waiting:
        return BrokenLine(line, Span(start, waiting.end()), "timestamp")
    begins = (_DATE_OR_TIME if loose else _DATE).match(text, start, end) or (
        _OTHER_DATE.match(text, start, end) and not (above is not None and _continues(text, above, span))
    )
    if begins:
        meant = _MEANT_AS_TIME.match(text, start, end)
        return BrokenLine(line, Span(start, meant.end() if meant else end), "timestamp")
    if end == len(text) and end - start < len(_DATE_SHAPE):
        # This line has no terminator yet: the write of an entry was cut, or is in progress.
        if _DATE_SHAPE.startswith(_DIGIT.sub("0", text[start:end])):
            return BrokenLine(line, span, "timestamp")
    return None


def _usual(line: str) -> UsualLine | None:
    """The places in a line that is an entry, and all of it as it should be; None if it has to be looked at."""
    usual = _USUAL.fullmatch(line)
    if usual is None or not _is_day(usual[2]):
        return None
    return UsualLine(Span(*usual.span(1)), Span(*usual.span(3)), Span(*usual.span(4)))


def _placed(usual: UsualLine, number: int, start: int, line: str, more: tuple[Span, ...]) -> LogEntry:
    """The entry in a usual line, at its place in the text."""
    time, tag, text = usual
    span = Span(start, start + len(line))
    return LogEntry(number, span, time.shift(start), tag.shift(start), text.shift(start), more)


def _is_real(time: re.Match[str]) -> bool:
    """Whether all numbers of a timestamp are in range, the day in its month."""
    year, month, day, hour, minute, second = map(int, time.groups())
    try:
        datetime(year, month, day, hour, minute, second)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=1000)
def _is_day(day: str) -> bool:
    """Whether a text of the form ``2026-02-08`` is a day of the calendar."""
    try:
        date.fromisoformat(day)
    except ValueError:
        return False
    return True


def _tag(text: str, at: int, end: int) -> Span | None:
    """The tag with its opening bracket at an offset, without its brackets."""
    match = _TAG.match(text, at, end)
    if match is None or match.end(1) - match.start(1) > _LONGEST_TAG or not match.group(1).strip():
        return None
    return Span(*match.span(1))


def _wrong_tag(text: str, stop: int, at: int, end: int) -> Span:
    """The defect after a good timestamp that ends at ``stop``; ``at`` is where the next text begins."""
    closed = _TAG.match(text, at, end)
    if closed:
        return Span(*(closed.span(1) if closed.group(1).strip() else closed.span()))
    opened = _OPEN_TAG.match(text, at, end)
    if opened:
        return Span(opened.end(), opened.end())
    place = at if at < end else min(stop + 1, end)
    return Span(place, place)


def _after_blanks(text: str, start: int, end: int) -> int:
    """The offset of the first character in a stretch that is not blank, or its end."""
    match = _BLANKS.match(text, start, end)
    return match.end() if match else start


def _trimmed(text: str, start: int, end: int) -> Span:
    """A stretch without the blanks around it; a zero-width place at its end if it is blank."""
    start = _after_blanks(text, start, end)
    return Span(start, start + len(text[start:end].rstrip()))
