"""One handoff as a table for people."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from typing import Any

from handoff_lsp.cli.output.text import count
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import SEVERITIES
from handoff_lsp.text import widths

# The most cells of a value; the JSON has the whole value.
_VALUE_CELLS = 100


def table(data: dict[str, Any], *, decides: bool = True) -> list[str]:
    """One handoff for people: lines of names and values, the names in one column.

    ``decides``: its format has a status.
    """
    start = data["range"]["start"]
    routing = data["routing"]
    rows = [("contract", f"{data['contract']} · profile {data['profile']} · {data['mode']}")]
    unread = "unreadable" if data["readable"] else "none: the handoff is unreadable"
    if decides:
        rows.append(("status", unread if data["status"] is None else _short(data["status"])))
    if routing is not None:
        rows.append(("action", f"{routing['action']}: {routing['reason']}"))
        if routing["reads"]:
            rows.append(("reads", ", ".join(routing["reads"])))
    elif data["mode"] != "handoff":
        rows.append(("action", f"none: it is {'a template' if data['mode'] == 'template' else 'an example'}"))
    rows.append(("findings", _findings(data["findings"])))
    shown = [(name, _short(value)) for name, value in _flat(data["fields"])]
    width = max([len(name) for name, _ in rows] + [_cells(name) for name, _ in shown if _cells(name) <= 40])
    room = max(min(shutil.get_terminal_size((100, 24)).columns, 120), 60)
    lines = [printable(f"{data['path']}:{start['line']}:{start['column']}")]
    for name, text in rows:
        lines += _row(name, printable(text), width, room)
    heading = "fields" if data["readable"] else "fields, as far as readable; the reader accepts none"
    lines.append(f"  {heading}" if shown else "  fields: none")
    for name, text in shown:
        gap = " " * max(width - _cells(name), 0)
        lines.append(f"    {printable(name)}{gap}  {_cut(text, max(room - width - 6, 20))}")
    return lines


def _row(name: str, text: str, width: int, room: int) -> list[str]:
    parts = textwrap.wrap(text, max(room - width - 6, 20), break_long_words=False, break_on_hyphens=False) or [""]
    indent = " " * (width + 6)
    return [f"  {name.ljust(width + 4)}{parts[0]}", *(f"{indent}{part}" for part in parts[1:])]


def _findings(findings: list[dict[str, Any]]) -> str:
    counts = Counter(finding["severity"] for finding in findings)
    told = [
        count(counts[severity], severity, severity if severity == "information" else None)
        for severity in SEVERITIES
        if counts[severity]
    ]
    return ", ".join(told) if told else "none"


def _flat(fields: dict[str, Any], before: str = "") -> list[tuple[str, Any]]:
    """Fields by their dotted paths."""
    found: list[tuple[str, Any]] = []
    for name, value in fields.items():
        if isinstance(value, dict) and value:
            found += _flat(value, f"{before}{name}.")
        else:
            found.append((f"{before}{name}", value))
    return found


def _short(value: Any) -> str:
    """A value on one line."""
    if value is None:
        return "(unreadable)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in ("", [], {}):
        return "(empty)"
    if isinstance(value, list):
        if all(isinstance(item, str) for item in value) and sum(map(len, value)) <= _VALUE_CELLS:
            return ", ".join(" ".join(item.split()) for item in value)
        return count(len(value), "item")
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_short(item)}" for key, item in value.items())
    return " ".join(str(value).split())


def _cells(text: str) -> int:
    return sum(widths(printable(text)))


def _cut(text: str, cells: int) -> str:
    """A printable text of at most ``cells`` cells."""
    text = printable(text[: 4 * cells])
    taken = 0
    for index, width in enumerate(widths(text)):
        taken += width
        if taken > cells:
            return text[: max(index - 1, 0)] + "…"
    return text
