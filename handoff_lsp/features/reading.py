"""Handoffs as plain data for programs: one object for each, with the same keys for every format."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.decide.routing import decision, routing_of, status_of
from handoff_lsp.decide.words import brief_of
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.text import Source, Span

# Values nested deeper than this are null: readers of JSON have limits of their own.
_DEEPEST = 100

# Escaped in addition to JSON's own rules: lone surrogates, and characters that control a terminal.
_ESCAPED = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def handoffs_of(analysis: Analysis, path: str) -> Iterator[tuple[Handoff, dict[str, Any]]]:
    """The handoffs of a document, each with its object; examples only if the config includes them.

    ``path`` is the name of the document in the objects.
    """
    findings: dict[int, list[Finding]] = {}
    for finding in analysis.findings:
        findings.setdefault(id(finding.handoff), []).append(finding)
    for handoff in analysis.handoffs:
        if handoff.mode != "example" or analysis.options.examples:
            yield handoff, handoff_data(path, analysis, handoff, findings.get(id(handoff), []))


def handoff_data(path: str, analysis: Analysis, handoff: Handoff, findings: list[Finding]) -> dict[str, Any]:
    """One handoff as a public object, on which other programs rely."""
    return {
        "path": path,
        "contract": handoff.spec.name,
        "profile": handoff.spec.profile,
        "mode": handoff.mode,
        "range": range_data(analysis.source, handoff.span),
        "status": status_of(handoff),
        "readable": handoff.readable,
        "fields": fields_of(handoff),
        "routing": routing_data(handoff),
        "findings": [finding_data(path, analysis.source, finding) for finding in findings],
    }


def routing_data(handoff: Handoff) -> dict[str, Any] | None:
    """The current decision about a handoff; ``doubts`` are the findings that withhold it."""
    routing, route = routing_of(handoff), decision(handoff)
    if routing is None or route is None:
        return None
    doubts = [
        {"rule": fault.rule, "message": fault.message, "range": range_data(handoff.source, fault.span)}
        for fault in routing.doubts
    ]
    return {
        "action": routing.action,
        "brief": brief_of(handoff, route),
        "reason": routing.reason,
        "reads": list(routing.reads),
        "doubts": doubts,
    }


def finding_data(path: str, source: Source, finding: Finding) -> dict[str, Any]:
    """One finding as a public object, on which other programs rely (lines and columns from 1, in code points)."""
    handoff = finding.handoff
    fix = finding.fix
    return {
        "path": path,
        "rule": finding.code,
        "check": finding.check,
        "severity": finding.severity,
        "message": finding.message,
        "note": finding.note,
        "help": finding.help,
        "contract": handoff.spec.name if handoff is not None else None,
        "profile": handoff.spec.profile if handoff is not None else None,
        "mode": handoff.mode if handoff is not None else None,
        "field": finding.field,
        "upstream": list(finding.upstream),
        "range": range_data(source, finding.span),
        "fix": _fix(source, fix) if fix is not None else None,
        # Only the author can choose among these.
        "choices": [_fix(source, choice) for choice in finding.fixes if choice.edits] if fix is None else [],
    }


def problem_data(path: str, rule: str, message: str, line: int | None, columns: tuple[int, int]) -> dict[str, Any]:
    """A problem of a config or contract file, in the shape of a finding; one of the whole file is at its beginning."""
    start, end = ({"line": line or 1, "column": column} for column in columns)
    none = dict.fromkeys(("contract", "profile", "mode", "field"))
    head = {"path": path, "rule": rule, "check": None, "severity": "error", "message": message, "note": "", "help": ""}
    return {**head, **none, "upstream": [], "range": {"start": start, "end": end}, "fix": None, "choices": []}


def _fix(source: Source, fix: Fix) -> dict[str, Any]:
    edits = [{"range": range_data(source, edit.span), "text": edit.text} for edit in fix.edits]
    return {"title": fix.title, "safe": fix.safe, "edits": edits}


def range_data(source: Source, span: Span) -> dict[str, Any]:
    """A span in public objects: lines and columns from 1, the end after the last character."""
    start, end = place(source, span.start), place(source, span.end)
    return {"start": {"line": start[0], "column": start[1]}, "end": {"line": end[0], "column": end[1]}}


def place(source: Source, offset: int) -> tuple[int, int]:
    """Line and column of an offset, both 1-based. A byte order mark has no column, as in every editor."""
    line, column = source.lines.position(offset)
    if line == 0 and column and source.text.startswith("\ufeff"):
        column -= 1
    return line + 1, column + 1


def json_line(data: dict[str, Any]) -> str:
    """An object as JSON on one line, without characters that control a terminal. ``NaN`` and the like are null."""
    try:
        line = json.dumps(data, ensure_ascii=False, allow_nan=False)
    except ValueError:
        line = json.dumps(finite(data), ensure_ascii=False, allow_nan=False)
    return _ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", line)


def finite(value: Any) -> Any:
    """Data with None in place of numbers that JSON lacks: NaN and infinities."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def fields_of(handoff: Handoff) -> dict[str, Any]:
    """The values of the present fields, by name and nested as in the contract.

    An absent field is left out. A present one without a valid value (not filled in, outside its enum, of a wrong type
    or form, empty) is None, so that no program reads a wrong value as a right one. Enums have the contract's spelling.
    A list in prose, without distinct items, is one item: the text.
    """
    return _children(handoff.root)


def _children(slot: Slot) -> dict[str, Any]:
    return {name: _value(child) for name, child in slot.children.items() if child.present}


def _value(slot: Slot) -> Any:
    if slot.problem is not None:
        return None
    field = slot.field
    if slot.children and field.kind.holds in {"fields", "pairs"}:
        return _children(slot)
    if field.kind.holds_items and slot.data is None:
        return [slot.raw] if slot.raw.strip() else None
    if slot.items and field.items is not None and not field.items.kind.untyped and _one_each(slot):
        return [_value(item) for item in slot.items]
    return _bounded(slot.data)


def _one_each(slot: Slot) -> bool:
    return isinstance(slot.data, list) and len(slot.data) == len(slot.items)


def _bounded(value: Any, depth: int = 0) -> Any:
    if not isinstance(value, (dict, list)):
        return value
    if depth > _DEEPEST:
        return None
    if isinstance(value, dict):
        return {str(key): _bounded(item, depth + 1) for key, item in value.items()}
    return [_bounded(item, depth + 1) for item in value]
