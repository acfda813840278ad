"""A handoff that is a log."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import ClassVar

from handoff_lsp.binding.bodies.body import Body, Syntax, root_slot
from handoff_lsp.binding.bodies.part import BodyPart, PartKind
from handoff_lsp.binding.log_fields import bind_log
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.log import Log, LogEntry
from handoff_lsp.text import Source, Span

# The length of a date in code points.
_DATE = 10


class LogBody(Body):
    """The lines of a log, in offsets of the document."""

    syntax: ClassVar[Syntax] = "log"
    append_only = True

    def __init__(self, log: Log, text: str) -> None:
        self.log = log
        self._text = text

    def bind(self, spec: Spec, source: Source) -> Slot:
        root = root_slot(spec)
        bind_log(root, self.log, spec, source)
        root.data = with_empties(root)
        return root

    @property
    def entries(self) -> Sequence[LogEntry]:
        return self.log.entries

    @property
    def parts(self) -> Sequence[BodyPart]:
        if any(entry.time.end == entry.time.start for entry in self.log.entries):
            return [EntryPart(self._text, one) for one in self.log.entries]
        days = groupby(self.log.entries, lambda entry: _date_of(entry, self._text))
        return [DayPart(self._text, list(entries)) for _, entries in days]


class DayPart(BodyPart):
    """The entries of a day, one below the other; its key is the first time."""

    __slots__ = ("_entries", "_text", "kind")

    def __init__(self, text: str, entries: Sequence[LogEntry]) -> None:
        self._text = text
        self._entries = entries
        self.kind: PartKind = "day"

    @property
    def span(self) -> Span:
        return Span(self._entries[0].span.start, _end_of(self._entries[-1]))

    @property
    def key(self) -> Span | None:
        return self._entries[0].time

    @property
    def name(self) -> str | None:
        return _date_of(self._entries[0], self._text)

    @property
    def length(self) -> int | None:
        return len(self._entries)

    @property
    def folded(self) -> Span | None:
        return self.span

    @property
    def below(self) -> Sequence[BodyPart]:
        return [EntryPart(self._text, one) for one in self._entries]


class EntryPart(BodyPart):
    """An entry with the continuation lines of its command; its value is its own line, its key its tag."""

    __slots__ = ("_entry", "_text", "kind")

    def __init__(self, text: str, entry: LogEntry) -> None:
        self._text = text
        self._entry = entry
        self.kind: PartKind = "entry"

    @property
    def span(self) -> Span:
        return Span(self._entry.span.start, _end_of(self._entry))

    @property
    def key(self) -> Span | None:
        return self._entry.tag if self._entry.tag.end > self._entry.tag.start else self._entry.span

    @property
    def value(self) -> Span | None:
        return self._entry.span

    @property
    def name(self) -> str | None:
        return f"{self.tag} {self._entry.text.of(self._text)}".strip() or self._entry.span.of(self._text)

    @property
    def text(self) -> str:
        time = self._entry.time
        return self._text[time.start + _DATE + 1 : time.end] or time.of(self._text)

    @property
    def tag(self) -> str:
        return self._entry.tag.of(self._text)

    @property
    def folded(self) -> Span | None:
        return self.span if self._entry.more else None

    @property
    def below(self) -> Sequence[BodyPart]:
        time, tag, rest = self._entry.time, self._entry.tag, self._entry.text
        if self._entry.groups:
            kinds: dict[str, PartKind] = {"time": "time", "tag": "tag"}
            parts = sorted(self._entry.groups, key=lambda part: part[1])
            return [
                WordPart(kinds.get(name, "words"), span, span if name in kinds else None)
                for name, span in parts
                if name in {"time", "tag"} and span.end > span.start
            ]
        words = [WordPart("time", time, time), WordPart("tag", Span(tag.start - 1, tag.end + 1), tag)]
        return [*words, WordPart("words", rest, None)] if rest.end > rest.start else words


class WordPart(BodyPart):
    """The time, the tag or the rest of an entry. ``value`` is that of a time or tag."""

    __slots__ = ("_span", "_value", "kind")

    def __init__(self, kind: PartKind, span: Span, value: Span | None) -> None:
        self.kind: PartKind = kind
        self._span = span
        self._value = value

    @property
    def span(self) -> Span:
        return self._span

    @property
    def value(self) -> Span | None:
        return self._value


def _date_of(entry: LogEntry, text: str) -> str:
    return text[entry.time.start : min(entry.time.start + _DATE, entry.time.end)]


def _end_of(entry: LogEntry) -> int:
    return entry.more[-1].end if entry.more else entry.span.end
