"""``handoff-lsp hook report``: what became of the returns of agents, from the log of the hook."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from handoff_lsp.cli.arguments.values import beginning
from handoff_lsp.cli.hooks.journal import Entry, log_folder, read_log
from handoff_lsp.cli.output.table import cells
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN
from handoff_lsp.language import number_of

_SINCE = "7d"
# With one of these, the handoff is not where its reader looks; all else is a handoff with mistakes.
_MISSING = frozenset({"missing-handoff", "misplaced-handoff", "empty-return"})
# Seconds within which no agent returns twice.
_AT_ONCE = 2.0
_GAP = "  "


@dataclass
class AgentRow:
    """The returns of one agent, without those that answer a complaint.

    ``bounced`` was sent back, ``would_bounce`` only observed; ``missing`` and ``wrong`` are the parts of both. A return
    after a complaint was clean (``helped``) or not. ``let_go``: wrong, but not sent back any more.
    """

    agent: str
    returns: int = 0
    clean: int = 0
    bounced: int = 0
    would_bounce: int = 0
    missing: int = 0
    wrong: int = 0
    helped: int = 0
    did_not_help: int = 0
    let_go: int = 0
    not_checked: int = 0
    owes_nothing: int = 0
    rules: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)


def report(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    since = beginning(_SINCE) if arguments.since is None else arguments.since
    entries = list(read_log(log_folder(), since))
    rows, edits = rows_of(entries), _edits(entries)
    if arguments.output_format == "json":
        data = {"since": _moment(since), "agents": [vars(row) for row in rows], "edits": edits}
        sys.stdout.write(json.dumps(data, indent=2, ensure_ascii=False) + "\n")
        return CLEAN
    for line in lines_of(rows, edits, since):
        print(printable(line))
    return CLEAN


def rows_of(entries: Iterable[Entry]) -> list[AgentRow]:
    """The returns by agent, the most bounced ones first."""
    rows: dict[str, AgentRow] = {}
    bounced: set[tuple[str, str]] = set()  # runs whose last return was sent back
    ended: dict[tuple[str, str], float] = {}  # the times of the last clean returns
    for entry in entries:
        if entry.event != "return":
            continue
        run = (entry.session, entry.agent)
        if entry.outcome == "clean":
            last, ended[run] = ended.get(run), entry.time
            if last is not None and entry.time - last <= _AT_ONCE:
                continue  # the same return, by a hook that is set up twice
        row = rows.setdefault(entry.agent, AgentRow(entry.agent))
        if run in bounced:
            row.helped += entry.outcome in {"clean", "owes nothing"}
            row.did_not_help += entry.outcome in {"bounced", "let go"}
        else:
            _count(row, entry)
        if entry.outcome == "bounced" and not entry.observed:
            bounced.add(run)
        else:
            bounced.discard(run)
    return sorted(rows.values(), key=lambda row: (-row.bounced - row.would_bounce, -row.returns, row.agent))


def lines_of(rows: Sequence[AgentRow], edits: dict[str, int], since: float) -> Iterator[str]:
    """The report as text."""
    owing = [row for row in rows if row.returns > row.owes_nothing]
    others = [row for row in rows if row.returns == row.owes_nothing]
    if not rows and not any(edits.values()):
        yield f"The hook logged nothing since {_moment(since)}."
        yield "Run it in an agent: `handoff-lsp hook AGENT --print-config` prints the setup."
        yield "With `--observe` the setup only logs, and keeps no agent from ending."
        return
    yield f"Returns since {_moment(since)}"
    yield ""
    if owing:
        yield from _table(owing)
        yield ""
    for row in owing:
        for what, numbers in (("", row.rules), ("not checked: ", row.reasons)):
            if numbers:
                yield f"{row.agent}: {what}{', '.join(f'{word} {number:,}' for word, number in numbers.most_common())}"
    if others:
        names = ", ".join(row.agent for row in others)
        yield f"Owing nothing: {names} ({number_of(sum(row.returns for row in others), 'return')})"
    if edits["checked"]:
        yield f"Edits: {edits['checked']:,} of handoffs, {edits['bounced']:,} with a complaint"
    if any(row.would_bounce for row in rows):
        yield "Nothing was sent back while observing. To block, remove `--observe` or `HANDOFF_LSP_OBSERVE`."


def _count(row: AgentRow, entry: Entry) -> None:
    row.returns += 1
    row.clean += entry.outcome == "clean"
    row.not_checked += entry.outcome == "not checked"
    row.owes_nothing += entry.outcome == "owes nothing"
    row.let_go += entry.outcome == "let go"
    if entry.outcome == "bounced":
        row.bounced += not entry.observed
        row.would_bounce += entry.observed
        is_missing = not _MISSING.isdisjoint(entry.rules)
        row.missing += is_missing
        row.wrong += not is_missing
        row.rules.update(entry.rules)
    if entry.reason:
        row.reasons[entry.reason] += 1


def _edits(entries: Iterable[Entry]) -> dict[str, int]:
    edits = [entry.outcome for entry in entries if entry.event == "edit"]
    return {"checked": len(edits), "bounced": edits.count("bounced")}


def _table(rows: Sequence[AgentRow]) -> Iterator[str]:
    heads = ["agent", "returns", "clean", "bounced", "missing", "wrong", "retry helped", "not checked"]
    lines = [[row.agent, *map(str, (row.returns, row.clean)), *_bounced(row), str(row.not_checked)] for row in rows]
    if any(row.would_bounce for row in rows):
        heads.insert(4, "would bounce")
    else:
        lines = [[*line[:4], *line[5:]] for line in lines]
    widths = [max(cells(line[at]) for line in (heads, *lines)) for at in range(len(heads))]
    for first, *others in (heads, *lines):
        numbers = [" " * (width - cells(text)) + text for text, width in zip(others, widths[1:], strict=True)]
        yield _GAP.join((first + " " * (widths[0] - cells(first)), *numbers))


def _bounced(row: AgentRow) -> list[str]:
    retries = row.helped + row.did_not_help
    helped = f"{row.helped} of {retries}" if retries else "-"
    return [*map(str, (row.bounced, row.would_bounce, row.missing, row.wrong)), helped]


def _moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
