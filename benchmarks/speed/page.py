"""The tables of `docs/speed.md` and of the README, made from `docs/speed.json`. The text between them is ours."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchmarks.server_process import ROOT
from benchmarks.speed.figures import Data, Row, Table
from benchmarks.speed.shown import megabytes, milliseconds, times
from benchmarks.speed.summary import summary
from benchmarks.speed.tools import BARE, EARLIER, MARKDOWN_IT, OURS, REMARK, RUMDL

PAGES, DATA = (ROOT / "docs" / "speed.md", ROOT / "README.md"), ROOT / "docs" / "speed.json"
_BLOCK = re.compile(r"(?P<begin><!-- speed: begin (?P<name>\w+) -->\n).*?(?P<end><!-- speed: end -->)", re.DOTALL)


def page(text: str, data: Data) -> str:
    """The page with its blocks made anew."""
    return _BLOCK.sub(lambda block: f"{block['begin']}\n{BLOCKS[block['name']](data)}\n{block['end']}", text)


def table(rows: Table, shown: Callable[[float], str] = milliseconds) -> str:
    """A column for each program: its median, and handoff-lsp's as a multiple of it."""
    names = _names(rows)
    lines = [f"| | {' | '.join(names)} |", f"| --- |{' --: |' * len(names)}"]
    for title, row in rows.items():
        lines.append(f"| {title} | {' | '.join(_cell(row, name, shown) for name in names)} |")
    return "\n".join(lines) + "\n"


def _cell(row: Row, name: str, shown: Callable[[float], str]) -> str:
    if name not in row:
        return "–"
    if name == OURS:
        return f"**{shown(row[name]['median'])}**"
    return f"{shown(row[name]['median'])} ({times(row[OURS]['median'] / row[name]['median'])})"


def _names(rows: Table) -> list[str]:
    found: dict[str, None] = {OURS: None}
    for row in rows.values():
        found |= dict.fromkeys(row)
    return [name for name in found if name != EARLIER]


def _part(name: str, kind: str, shown: Callable[[float], str] = milliseconds) -> Callable[[Data], str]:
    def made(data: Data) -> str:
        if (part := data["parts"].get(name)) is None:
            return "Not measured.\n"
        measured = f"{part['date']}, {part['commit']}, load {part['load']} before the run."
        return f"{table(part['tables'][kind], shown)}\n{measured}\n"

    return made


def _short(data: Data) -> str:
    """Some rows for the README, with the programs that most of them have."""
    wanted = (
        ("keystroke", "keystroke", "Markdown, 60 lines", "Keystroke to diagnostics, 60 lines", BARE),
        ("keystroke", "keystroke", "Markdown, 6,000 lines", "… 6,000 lines", BARE),
        ("cold", "cold", "`check` of one handoff of 60 lines", "`check` of one file, cold", MARKDOWN_IT),
        ("scan", "scan", "10,000 files, one core", "`check` of 10,000 files, one core", ""),
    )
    lines = [f"| | handoff-lsp | baseline | {RUMDL} | {REMARK} |", "| --- | --: | --: | --: | --: |"]
    for part, kind, title, shown, baseline in wanted:
        if row := data["parts"].get(part, {"tables": {}})["tables"].get(kind, {}).get(title):
            base = f"{baseline}: {_cell(row, baseline, milliseconds)}" if baseline else "–"
            cells = [
                _cell(row, OURS, milliseconds),
                base,
                *(_cell(row, name, milliseconds) for name in (RUMDL, REMARK)),
            ]
            lines.append(f"| {shown} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _machine(data: Data) -> str:
    machine = ", ".join(f"{name}: {value}" for name, value in data["machine"].items())
    lines = [f"The machine: {machine}.", "", "| program | version |", "| --- | --- |"]
    lines += [f"| {name} | {version} |" for name, version in data["versions"].items()]
    ran: dict[str, dict[str, None]] = {}
    for part in data["parts"].values():
        for name, commands in part["commands"].items():
            ran.setdefault(name, {}).update(dict.fromkeys(commands))
    lines += ["", "The commands:", "", "```sh"]
    for name, shown in ran.items():
        lines += [f"# {name}", *shown] if name != EARLIER else []
    return "\n".join([*lines, "```"]) + "\n"


BLOCKS: dict[str, Callable[[Data], str]] = {
    "summary": summary,
    "short": _short,
    "start": _part("start", "start"),
    "keystroke": _part("keystroke", "keystroke"),
    "memory": _part("keystroke", "memory", megabytes),
    "cold": _part("cold", "cold"),
    "scan": _part("scan", "scan"),
    "formats": _part("formats", "formats"),
    "machine": _machine,
}
