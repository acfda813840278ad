"""Findings as JSON, for programs: one array, one finding a line."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING, Any

from handoff_lsp.cli.place import place
from handoff_lsp.text import Source, Span

if TYPE_CHECKING:
    from handoff_lsp.cli.check import Summary
    from handoff_lsp.engine import Analysis
    from handoff_lsp.rules.rule import Finding, Fix

# What is escaped beyond what JSON wants: it is no text (lone surrogates), or it could steer a terminal.
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


class JsonOutput:
    """Prints an array of findings to standard output, in UTF-8 whatever the locale."""

    def __init__(self) -> None:
        self._lines: list[str] = []

    def report(self, shown: str, analysis: Analysis) -> None:
        """Take in the findings of one document."""
        for finding in analysis.findings:
            line = json.dumps(finding_data(shown, analysis.source, finding), ensure_ascii=False)
            self._lines.append(_ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", line))

    def finish(self, summary: Summary) -> None:
        """Print the array."""
        text = "[\n " + ",\n ".join(self._lines) + "\n]\n" if self._lines else "[]\n"
        buffer = getattr(sys.stdout, "buffer", None)
        if buffer is None:
            sys.stdout.write(text)
        else:
            sys.stdout.flush()
            buffer.write(text.encode("utf-8"))


def finding_data(shown: str, source: Source, finding: Finding) -> dict[str, Any]:
    """One finding as the object that others build on (lines and columns from 1, columns in code points)."""
    block = finding.block
    fix = finding.fixes[0] if finding.fixes else None
    return {
        "path": shown,
        "rule": finding.code,
        "severity": finding.severity,
        "message": finding.message,
        "contract": block.spec.name if block is not None else None,
        "profile": block.spec.profile if block is not None else None,
        "mode": block.mode if block is not None else None,
        "field": finding.field,
        "upstream": list(finding.upstream),
        "range": _range(source, finding.span),
        "fix": _fix(source, fix) if fix is not None else None,
    }


def _fix(source: Source, fix: Fix) -> dict[str, Any]:
    edits = [{"range": _range(source, edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def _range(source: Source, span: Span) -> dict[str, Any]:
    start, end = place(source, span.start), place(source, span.end)
    return {"start": {"line": start[0], "column": start[1]}, "end": {"line": end[0], "column": end[1]}}
