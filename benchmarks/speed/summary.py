"""The first table of the page: each figure that is wanted, before and now."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from benchmarks.speed.documents import ROWS
from benchmarks.speed.figures import Data, Row, Table
from benchmarks.speed.shown import milliseconds, times
from benchmarks.speed.tools import BARE, EARLIER, MARKDOWN_IT, OURS, PYTHON


class Line(NamedTuple):
    """A line of the table. `value` is one program's in words, from the row, and None if it was not measured."""

    title: str
    wanted: str
    row: Row
    value: Callable[[Row, str], str]


def _of(baseline: str) -> Callable[[Row, str], str]:
    def value(row: Row, name: str) -> str:
        ours = row[name]["median"]
        return f"{times(ours / row[baseline]['median'])} ({milliseconds(ours)})"

    return value


def _alone(row: Row, name: str) -> str:
    return milliseconds(row[name]["median"])


def _tail(row: Row, name: str) -> str:
    return times(row[name]["p95"] / row[name]["median"])


def _more_memory(row: Row, name: str) -> str:
    return f"{row[name]['median'] - row[BARE]['median']:+.0f} MB ({row[name]['median']:.0f} MB)"


def lines(data: Data) -> list[Line]:
    """The lines whose parts were measured."""
    tables: dict[str, Table] = {
        name: table for part in data["parts"].values() for name, table in part["tables"].items()
    }
    found: list[Line] = []

    def add(title: str, wanted: str, table: str, row: str, value: Callable[[Row, str], str]) -> None:
        if row in tables.get(table, {}):
            found.append(Line(title, wanted, tables[table][row], value))

    add("Start of the server: `initialize` answered", "60 ms", "start", "spawn to `initialize` answered", _alone)
    add("… first diagnostics", "1 × the bare server", "start", "spawn to first diagnostics", _of(BARE))
    for title, _, _, limit in ROWS:
        if limit is None:
            add(f"Keystroke: {title}", "10 ms", "keystroke", title, _alone)
        else:
            add(f"Keystroke: {title}", f"{limit:g} × the bare server", "keystroke", title, _of(BARE))
    for title in ("Markdown, 60 lines", "Markdown, 6,000 lines"):
        add(f"… its 95th percentile: {title}", "2 × the median", "keystroke", title, _tail)
    add("Memory of the server", "20 MB more than the bare one", "memory", "10 documents of 60 lines", _more_memory)
    add(
        "`check` of one file",
        "2 × importing markdown-it-py",
        "cold",
        "`check` of one handoff of 60 lines",
        _of(MARKDOWN_IT),
    )
    add(
        "Hook, a file that is no handoff",
        "1.3 × starting Python",
        "cold",
        "hook, an edited file that is no handoff",
        _of(PYTHON),
    )
    add("Hook, a clean handoff", "2.5 × importing markdown-it-py", "cold", "hook, a clean handoff", _of(MARKDOWN_IT))
    scans = tables.get("scan", {})
    for title in scans:
        if not title.startswith("10,000 files"):  # what is wanted, is wanted for so many
            continue
        if "unchanged" in title:
            cold = scans[title.replace(", unchanged", "")]
            add(f"`check` of {title}", "10 % of the first run", "scan", title, _share(cold))
        else:
            add(f"`check` of {title}", "7 s" if "one core" in title else "4 s", "scan", title, _alone)
    return found


def _share(cold: Row) -> Callable[[Row, str], str]:
    return lambda row, name: f"{row[name]['median'] / cold[name]['median']:.0%} ({milliseconds(row[name]['median'])})"


def summary(data: Data) -> str:
    """The table."""
    head = ["| | wanted, at most | before | now |", "| --- | --- | --: | --: |"]
    rows = [
        f"| {line.title} | {line.wanted} | "
        + " | ".join(line.value(line.row, name) if name in line.row else "–" for name in (EARLIER, OURS))
        + " |"
        for line in lines(data)
    ]
    return "\n".join([*head, *rows]) + "\n"
