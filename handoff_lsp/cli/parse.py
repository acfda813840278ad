"""``handoff-lsp parse``: what a handoff says and what is done with it, the same for every format."""

from __future__ import annotations

import argparse
import shutil
import sys
import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Any

from handoff_lsp.cli.check import Output, Summary, run_over
from handoff_lsp.cli.main import CLEAN, FAILED, FINDINGS, SEVERITIES
from handoff_lsp.cli.output_json import finding_data, json_line, range_data, write_utf8
from handoff_lsp.cli.output_text import count
from handoff_lsp.cli.place import place
from handoff_lsp.cli.printable import printable, widths
from handoff_lsp.features.reading import fields_of
from handoff_lsp.features.routing import routing_of, status_of

if TYPE_CHECKING:
    from handoff_lsp.binding.block import Block
    from handoff_lsp.engine import Analysis
    from handoff_lsp.rules.rule import Finding

# A value is shown in no more cells than this; the whole of it is in the JSON.
_VALUE_CELLS = 100


def parse(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    output = ParseOutput(as_json=arguments.output_format == "json")
    run = run_over(arguments, arguments.paths, output)
    if run.summary.broken:
        return FAILED
    return FINDINGS if output.held_up else CLEAN


class ParseOutput(Output):
    """Prints each handoff to standard output, and to standard error what belongs to none.

    ``held_up`` tells afterwards whether something that was asked for cannot be acted on: a document that was named
    holds no handoff, a handoff has no status that can be read, or has an error.
    """

    def __init__(self, *, as_json: bool) -> None:
        self.held_up = False
        self._as_json = as_json
        self._first = True

    def report(self, shown: str, analysis: Analysis, *, named: bool) -> None:
        """Print the handoffs of one document."""
        blocks = [block for block in analysis.blocks if block.mode != "example" or analysis.options.examples]
        findings: dict[int, list[Finding]] = {}
        for finding in analysis.findings:
            findings.setdefault(id(finding.block), []).append(finding)
        for block in blocks:
            data = block_data(shown, analysis, block, findings.get(id(block), []))
            if self._as_json:
                write_utf8(json_line(data) + "\n")
            else:
                sys.stdout.write(("" if self._first else "\n") + "\n".join(table(data)) + "\n")
            self._first = False
            self.held_up |= block.mode == "handoff" and data["status"] is None
            self.held_up |= any(finding["severity"] == "error" for finding in data["findings"])
        if named and not any(block.mode == "handoff" for block in blocks):
            self.held_up = True
            self._note(shown, _no_handoff(analysis, blocks))
        for finding in analysis.findings:
            if finding.block is None:
                self.held_up |= finding.severity == "error"
                self._note(_where(shown, analysis, finding), f"{finding.severity}[{finding.code}] {finding.message}")

    def finish(self, summary: Summary) -> None:
        """Nothing is left to say: what could not be read has been told."""

    def _note(self, where: str, what: str) -> None:
        sys.stdout.flush()  # what was printed so far comes before it
        print(f"handoff-lsp: {printable(where)}: {printable(what)}", file=sys.stderr, flush=True)


def block_data(shown: str, analysis: Analysis, block: Block, findings: list[Finding]) -> dict[str, Any]:
    """One handoff as the object that others build on."""
    routing = routing_of(block)
    return {
        "path": shown,
        "contract": block.spec.name,
        "profile": block.spec.profile,
        "mode": block.mode,
        "range": range_data(analysis.source, block.span),
        "status": status_of(block),
        "fields": fields_of(block),
        "routing": (
            {"action": routing.action, "reason": routing.reason, "reads": list(routing.reads)}
            if routing is not None
            else None
        ),
        "findings": [finding_data(shown, analysis.source, finding) for finding in findings],
    }


def _no_handoff(analysis: Analysis, blocks: list[Block]) -> str:
    if blocks:
        return "holds no handoff to act on, only what is to be filled in or shows the format"
    if analysis.blocks:
        return "holds only examples of a handoff; `--examples` shows them"
    return (
        "holds no handoff that handoff-lsp knows; `handoff-lsp explain CONTRACT` tells how one is recognised, and a "
        "comment `<!-- handoff: CONTRACT -->` says it"
    )


def _where(shown: str, analysis: Analysis, finding: Finding) -> str:
    line, column = place(analysis.source, finding.span.start)
    return f"{shown}:{line}:{column}"


def table(data: dict[str, Any]) -> list[str]:
    """One handoff for people: lines of names and values, the names in one column."""
    start = data["range"]["start"]
    routing = data["routing"]
    rows = [("contract", f"{data['contract']} · profile {data['profile']} · {data['mode']}")]
    rows.append(("status", "none that can be read" if data["status"] is None else _short(data["status"])))
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
    lines.append("  fields" if shown else "  fields: none")
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
        return "(nothing that can be taken)"
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
    """A printable text in no more than so many cells."""
    text = printable(text[: 4 * cells])
    taken = 0
    for index, width in enumerate(widths(text)):
        taken += width
        if taken > cells:
            return text[: max(index - 1, 0)] + "…"
    return text
