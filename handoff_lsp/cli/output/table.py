"""One handoff as a table for people."""

from __future__ import annotations

import shutil
import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Any

from handoff_lsp.cli.output.text import SEVERITY_NOUNS
from handoff_lsp.cli.printable import printable
from handoff_lsp.decide.routing import decision
from handoff_lsp.decide.words import marked_line_of, mode_words, rest_of, status_words
from handoff_lsp.language import counted
from handoff_lsp.text import widths

if TYPE_CHECKING:
    from handoff_lsp.binding.handoff import Handoff

# The most cells of a value; the JSON has the whole value.
_VALUE_CELLS = 100
# A narrower terminal breaks the lines itself.
_NARROWEST = 20


def table(data: dict[str, Any], handoff: Handoff) -> list[str]:
    """One handoff and its data for people: lines of names and values, the names in one column."""
    start = data["range"]["start"]
    routing = data["routing"]
    rows = [("contract", f"{data['contract']} · profile {data['profile']} · {data['mode']}")]
    if handoff.spec.contract.status:
        rows.append(("status", status_words(handoff)))
    route = decision(handoff)
    if route is not None:
        rows.append(("decision", marked_line_of(handoff, route)))
        if rest := rest_of(handoff, route):
            rows.append(("reason", rest))
        if routing["reads"]:
            rows.append(("reads", ", ".join(routing["reads"])))
    elif data["mode"] != "handoff":
        rows.append(("decision", mode_words(handoff)))
    rows.append(("findings", _findings(data["findings"])))
    shown = [(name, _short(value)) for name, value in _flat(data["fields"])]
    width = max([len(name) for name, _ in rows] + [cells(name) for name, _ in shown if cells(name) <= 40])
    room = max(min(shutil.get_terminal_size((100, 24)).columns, 120), _NARROWEST)
    # Values begin below their names where both do not fit.
    width = width if room - width - 6 >= _NARROWEST else 0
    lines = [printable(f"{data['path']}:{start['line']}:{start['column']}")]
    for name, text in rows:
        lines += _row(name, printable(text), width, room)
    heading = "fields" if data["readable"] else "fields, recovered; the reader gets none of them"
    lines.append(f"  {heading}" if shown else "  fields: none")
    for name, text in shown:
        if not width:
            lines += [f"    {printable(name)}", f"      {cut(text, room - 6)}"]
            continue
        gap = " " * max(width - cells(name), 0)
        lines.append(f"    {printable(name)}{gap}  {cut(text, room - width - 6)}")
    return lines


def _row(name: str, text: str, width: int, room: int) -> list[str]:
    parts = textwrap.wrap(text, room - (width or -2) - 6, break_long_words=False, break_on_hyphens=False) or [""]
    if not width:
        return [f"  {name}", *(f"    {part}" for part in parts)]
    indent = " " * (width + 6)
    return [f"  {name.ljust(width + 4)}{parts[0]}", *(f"{indent}{part}" for part in parts[1:])]


def _findings(findings: list[dict[str, Any]]) -> str:
    counts = Counter(finding["severity"] for finding in findings)
    told = [counted(counts[severity], noun) for severity, noun in SEVERITY_NOUNS.items() if counts[severity]]
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
        return "(invalid or not filled in)"
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in ("", [], {}):
        return "(empty)"
    if isinstance(value, list):
        if all(isinstance(item, str) for item in value) and sum(map(len, value)) <= _VALUE_CELLS:
            return ", ".join(" ".join(item.split()) for item in value)
        return counted(len(value), "item")
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_short(item)}" for key, item in value.items())
    return " ".join(str(value).split())


def cells(text: str) -> int:
    """The number of terminal cells of a text, as `printable` shows it."""
    return sum(widths(printable(text)))


def cut(text: str, cells: int) -> str:
    """A printable text of at most ``cells`` cells."""
    text = printable(text[: 4 * cells])
    taken = 0
    for index, width in enumerate(widths(text)):
        taken += width
        if taken > cells:
            return text[: max(index - 1, 0)] + "…"
    return text
