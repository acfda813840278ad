"""A handoff that is a log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import groupby

from handoff_lsp.binding.bodies.body import Body, root_slot
from handoff_lsp.binding.bodies.part import Part, PartKind
from handoff_lsp.binding.log_fields import bind_log
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.log import Log, LogEntry
from handoff_lsp.text import Source, Span

# How long a date is.
_DATE = 10


class LogBody(Body):
    """The lines of a log, in offsets of the document."""

    syntax = "log"
    append_only = True
    log: Log

    def __init__(self, log: Log, text: str) -> None:
        self.log = log
        self._text = text

    def bind(self, spec: Spec, source: Source) -> Slot:
        root = root_slot(spec)
        bind_log(root, self.log, spec, source)
        root.data = with_empties(root)
        return root

    @property
    def parts(self) -> Sequence[Part]:
        days = groupby(self.log.entries, lambda entry: self._text[entry.time.start : entry.time.start + _DATE])
        return [DayPart(date, list(entries), self._text) for date, entries in days]


class DayPart(Part):
    """The entries of a day, one below the other; its key is the first time."""

    kind = "day"

    def __init__(self, date: str, entries: Sequence[LogEntry], text: str) -> None:
        self._date = date
        self._entries = entries
        self._text = text

    @property
    def span(self) -> Span:
        return Span(self._entries[0].span.start, _end_of(self._entries[-1]))

    @property
    def key(self) -> Span | None:
        return self._entries[0].time

    @property
    def name(self) -> str | None:
        return self._date

    @property
    def count(self) -> int | None:
        return len(self._entries)

    @cached_property
    def children(self) -> Sequence[Part]:
        return [EntryPart(entry, self._text) for entry in self._entries]


class EntryPart(Part):
    """An entry with the lines that its command goes on in; its value is its own line, its key its tag."""

    kind = "entry"

    def __init__(self, entry: LogEntry, text: str) -> None:
        self._entry = entry
        self._text = text
        self.tag = entry.tag.of(text)

    @property
    def span(self) -> Span:
        return Span(self._entry.span.start, _end_of(self._entry))

    @property
    def key(self) -> Span | None:
        return self._entry.tag

    @property
    def value(self) -> Span | None:
        return self._entry.span

    @property
    def name(self) -> str | None:
        return f"{self.tag} {self._entry.text.of(self._text)}"

    @property
    def text(self) -> str:
        return self._text[self._entry.time.start + _DATE + 1 : self._entry.time.end]

    @property
    def children(self) -> Sequence[Part]:
        entry = self._entry
        tag = Span(entry.tag.start - 1, entry.tag.end + 1)
        words = [WordPart("time", entry.time), WordPart("tag", tag, entry.tag)]
        return [*words, WordPart("words", entry.text)] if entry.text.end > entry.text.start else words


class WordPart(Part):
    """The time, the tag or the rest of an entry; ``value`` is a tag without its brackets."""

    def __init__(self, kind: PartKind, span: Span, value: Span | None = None) -> None:
        self.kind = kind
        self._span = span
        self._value = value or span

    @property
    def span(self) -> Span:
        return self._span

    @property
    def value(self) -> Span | None:
        return self._value


def _end_of(entry: LogEntry) -> int:
    return entry.more[-1].end if entry.more else entry.span.end
