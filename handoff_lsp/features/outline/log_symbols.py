"""A log in an outline: its days, and in each the entries that the contract has a field for.

A log may have many thousands of lines. What its reader looks for are the entries that decide something, such as the
changes of the status; all others are counted in their day.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.features.outline.symbol import Symbol, shortened
from handoff_lsp.rules.rule import counted
from handoff_lsp.syntax.lines.log import Log, LogEntry
from handoff_lsp.text import Span

# Of more entries than this the last ones are shown: the newest.
_MOST = 1_000
_DATE = 10


def log_symbols(handoff: Handoff, log: Log) -> Iterator[Symbol]:
    """The days of a log with the entries that count."""
    text = handoff.source.text
    for day in days(log, text):
        first, last = day[0], day[-1]
        name = text[first.time.start : first.time.start + _DATE]
        count = counted(len(day), "entry", "entries")
        yield Symbol(name, "day", Span(first.span.start, end_of(last)), first.time, count)
    tags = {slot.field.tag.casefold() for slot in handoff.root.children.values() if slot.field.tag}
    counting = [entry for entry in log.entries if entry.tag.of(text).casefold() in tags]
    for entry in counting[-_MOST:]:
        name = shortened(f"{entry.tag.of(text)} {entry.text.of(text)}")
        when = text[entry.time.start + _DATE + 1 : entry.time.end]
        yield Symbol(name, "event", Span(entry.span.start, end_of(entry)), entry.tag, when)


def days(log: Log, text: str) -> Iterator[list[LogEntry]]:
    """The entries of a log in runs of the same day."""
    run: list[LogEntry] = []
    date = ""
    for entry in log.entries:
        found = text[entry.time.start : entry.time.start + _DATE]
        if run and found != date:
            yield run
            run = []
        date = found
        run.append(entry)
    if run:
        yield run


def end_of(entry: LogEntry) -> int:
    """Where an entry ends, with the lines that its command goes on in."""
    return entry.more[-1].end if entry.more else entry.span.end
