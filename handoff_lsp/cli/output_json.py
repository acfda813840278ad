"""Findings as JSON, for programs: one array, one finding a line."""

from __future__ import annotations

import json
import math
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

    def report(self, shown: str, analysis: Analysis, *, named: bool) -> None:
        """Take in the findings of one document."""
        for finding in analysis.findings:
            self._lines.append(json_line(finding_data(shown, analysis.source, finding)))

    def finish(self, summary: Summary) -> None:
        """Print the array."""
        write_utf8("[\n " + ",\n ".join(self._lines) + "\n]\n" if self._lines else "[]\n")


def json_line(data: dict[str, Any]) -> str:
    """An object as JSON on one line, with nothing in it that could steer a terminal. ``NaN`` and the like are null."""
    try:
        line = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except ValueError:
        line = json.dumps(_finite(data), ensure_ascii=False, allow_nan=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", line)


def _finite(value: Any) -> Any:
    """Data with null in the place of what JSON has no number for."""
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def write_utf8(text: str) -> None:
    """Print to standard output in UTF-8, whatever the locale."""
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
        "range": range_data(source, finding.span),
        "fix": _fix(source, fix) if fix is not None else None,
    }


def _fix(source: Source, fix: Fix) -> dict[str, Any]:
    edits = [{"range": range_data(source, edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def range_data(source: Source, span: Span) -> dict[str, Any]:
    """A span as others are told it: lines and columns from 1, the end behind the last character."""
    start, end = place(source, span.start), place(source, span.end)
    return {"start": {"line": start[0], "column": start[1]}, "end": {"line": end[0], "column": end[1]}}
