"""A handoff that is a log."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby

from handoff_lsp.binding.bodies.body import Body, root_slot
from handoff_lsp.binding.bodies.part import BodyPart
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

    syntax = "log"
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
        days = groupby(self.log.entries, lambda entry: self._text[entry.time.start : entry.time.start + _DATE])
        return [_day(date, list(entries), self._text) for date, entries in days]


def _day(date: str, entries: Sequence[LogEntry], text: str) -> BodyPart:
    """The entries of a day, one below the other; its key is the first time."""
    span = Span(entries[0].span.start, _end_of(entries[-1]))
    return BodyPart(
        "day",
        span,
        entries[0].time,
        name=date,
        length=len(entries),
        folded=span,
        below=lambda: [_entry(text, one) for one in entries],
    )


def _entry(text: str, entry: LogEntry) -> BodyPart:
    """An entry with the continuation lines of its command; its value is its own line, its key its tag."""
    tag, when = entry.tag.of(text), text[entry.time.start + _DATE + 1 : entry.time.end]
    span, name = Span(entry.span.start, _end_of(entry)), f"{tag} {entry.text.of(text)}"
    return BodyPart(
        "entry", span, entry.tag, entry.span, name, when, tag=tag, folded=span, below=partial(_words, entry)
    )


def _words(entry: LogEntry) -> list[BodyPart]:
    """The time, the tag and the rest of an entry."""
    tag = Span(entry.tag.start - 1, entry.tag.end + 1)
    words = [BodyPart("time", entry.time, value=entry.time), BodyPart("tag", tag, value=entry.tag)]
    return [*words, BodyPart("words", entry.text)] if entry.text.end > entry.text.start else words


def _end_of(entry: LogEntry) -> int:
    return entry.more[-1].end if entry.more else entry.span.end
