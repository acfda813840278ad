"""Logs of a contract's own shape: a pattern says what an entry is."""

from __future__ import annotations

from handoff_lsp.contracts.model import FileForm
from handoff_lsp.contracts.patterns import Match, match_whole, search
from handoff_lsp.syntax.lines.log import LINES_TO_JUDGE, BrokenLine, Log, LogEntry, log_lines
from handoff_lsp.text import Span


def read_shaped_log(text: str, form: FileForm) -> Log:
    """The entries of a log, and the lines that are neither entries nor belong to one."""
    entries: list[LogEntry] = []
    broken: list[BrokenLine] = []
    more: list[list[Span]] = []  # beside ``entries``
    after_broken = False
    for number, span in log_lines(text):
        line = span.of(text)
        match = match_whole(form.entry, line)
        if match is not None:
            entries.append(_entry(number, span, match))
            more.append([])
            after_broken = False
        elif (entries or broken) and _continues(line, form):
            if entries and not after_broken:
                more[-1].append(span)
        else:
            start = span.start + len(line) - len(line.lstrip())
            broken.append(BrokenLine(number, Span(start, start + len(line.strip())), "shape"))
            after_broken = True
    whole = (entry._replace(more=tuple(rest)) for entry, rest in zip(entries, more, strict=True))
    return Log(tuple(whole), tuple(broken))


def looks_shaped(text: str, form: FileForm) -> bool:
    """Whether at least half of the first lines are entries, or wait to be filled in."""
    seen = entries = 0
    for _, span in log_lines(text):
        line = span.of(text)
        waiting = line.startswith("<") and line.endswith(">") and match_whole(form.entry, line[1:-1]) is not None
        if waiting or match_whole(form.entry, line) is not None:
            entries += 1
        elif seen and _continues(line, form):
            continue
        seen += 1
        if seen == LINES_TO_JUDGE:
            break
    return entries > 0 and entries * 2 >= seen


def _continues(line: str, form: FileForm) -> bool:
    return search(form.continues, line) is not None if form.continues else line[:1] in {" ", "\t"}


def _entry(number: int, span: Span, match: Match) -> LogEntry:
    groups = {name: Span(*place).shift(span.start) for name, place in match.groups.items()}
    nothing = Span(span.end, span.end)
    text = groups.setdefault("text", span)
    return LogEntry(
        number, span, groups.get("time", nothing), groups.get("tag", nothing), text, (), tuple(groups.items())
    )
