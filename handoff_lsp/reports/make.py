"""Makes the report of an analysis."""

from __future__ import annotations

from posixpath import dirname, normpath
from typing import Any, cast

from handoff_lsp import engine
from handoff_lsp.binding import handoff as bound
from handoff_lsp.binding.slot import Slot
from handoff_lsp.decide.routing import decision, doubts_of, reads_of, status_of
from handoff_lsp.decide.words import brief_of, mode_words
from handoff_lsp.reports.report import (
    Doubt,
    Edit,
    Finding,
    Fix,
    Handoff,
    Level,
    Position,
    Range,
    Related,
    Report,
    Routing,
)
from handoff_lsp.rules import rule
from handoff_lsp.text import Source, Span
from handoff_lsp.text.digest import sha256_of

# Values nested deeper than this are null: readers of JSON have limits of their own.
_DEEPEST = 100


def report_of(analysis: engine.Analysis, path: str, *, fixes: bool = True, decisions: bool = True) -> Report:
    """The report of a document; ``path`` is its name in the report.

    Without ``fixes`` none is computed, which takes less time: each safe one is tried on the whole document. Without
    ``decisions``, its handoffs have neither values nor decisions.
    """
    findings = [finding_of(analysis.source, finding, path, fixes=fixes) for finding in analysis.findings]
    of_handoff: dict[int, list[Finding]] = {}
    for internal, finding in zip(analysis.findings, findings, strict=True):
        of_handoff.setdefault(id(internal.handoff), []).append(finding)
    included = included_handoffs(analysis)
    make = handoff_of if decisions else _place_of
    handoffs = [make(analysis.source, each, path, tuple(of_handoff.get(id(each), ()))) for each in included]
    digest = sha256_of(analysis.source.text)
    return Report(path, tuple(handoffs), tuple(findings), len(analysis.handoffs) - len(handoffs), digest)


def included_handoffs(analysis: engine.Analysis) -> list[bound.Handoff]:
    """The handoffs of a document that count: examples only if the config includes them."""
    return [each for each in analysis.handoffs if each.mode != "example" or analysis.options.examples]


def handoff_of(source: Source, handoff: bound.Handoff, path: str, findings: tuple[Finding, ...] = ()) -> Handoff:
    """One handoff of a report."""
    routing = routing_in(handoff)
    return Handoff(
        path=path,
        contract=handoff.spec.name,
        profile=handoff.spec.profile,
        mode=handoff.mode,
        range=range_of(source, handoff.span),
        status=status_of(handoff),
        readable=handoff.readable,
        fields=fields_of(handoff),
        decision=f"{routing.action}: {routing.brief}" if routing is not None else mode_words(handoff),
        routing=routing,
        findings=findings,
    )


def _place_of(source: Source, handoff: bound.Handoff, path: str, findings: tuple[Finding, ...]) -> Handoff:
    """The same without what it says."""
    spec, span = handoff.spec, range_of(source, handoff.span)
    return Handoff(path, spec.name, spec.profile, handoff.mode, span, None, handoff.readable, {}, "", None, findings)


def routing_in(handoff: bound.Handoff) -> Routing | None:
    """The current decision about a handoff."""
    route = decision(handoff)
    if route is None:
        return None
    found = (Doubt(each.rule, each.message, range_of(handoff.source, each.span)) for each in doubts_of(handoff, route))
    return Routing(route.action, brief_of(handoff, route), route.reason, reads_of(handoff, route), tuple(found))


def finding_of(source: Source, finding: rule.Finding, path: str, *, fixes: bool = True) -> Finding:
    """One finding of a report."""
    handoff, proposed = finding.handoff, finding.untried
    fix = finding.fix if fixes else None
    return Finding(
        path=path,
        rule=finding.code,
        check=finding.check,
        severity=cast(Level, finding.severity),
        message=finding.message,
        note=finding.note,
        help=finding.help,
        contract=handoff.spec.name if handoff is not None else None,
        profile=handoff.spec.profile if handoff is not None else None,
        mode=handoff.mode if handoff is not None else None,
        field=finding.field,
        upstream=finding.upstream,
        range=range_of(source, finding.span),
        related=tuple(_related(source, each, path) for each in finding.related),
        fixable=None if proposed is None else "safe" if proposed.safe else "unsafe",
        fix=_fix(source, fix) if fix is not None else None,
        # Only the author can choose among these.
        choices=tuple(_fix(source, each) for each in finding.fixes if each.edits) if fixes and fix is None else (),
    )


def problem_of(path: str, rule: str, message: str, line: int | None, columns: tuple[int, int]) -> Finding:
    """A problem of a config or contract file as a finding; one of the whole file is at its beginning."""
    start, end = (Position(line or 1, column) for column in columns)
    return Finding(path, rule, None, "error", message, "", "", None, None, None, None, (), Range(start, end))


def _related(source: Source, related: rule.Related, path: str) -> Related:
    if related.source is None:
        return Related(path, range_of(source, related.span), related.message)
    name = normpath(f"{dirname(path)}/{related.name}" if dirname(path) else related.name)
    return Related(name, range_of(related.source, related.span), related.message)


def _fix(source: Source, fix: rule.Fix) -> Fix:
    return Fix(fix.title, fix.safe, tuple(Edit(range_of(source, edit.span), edit.text) for edit in fix.edits))


def range_of(source: Source, span: Span) -> Range:
    """A span as lines and columns."""
    return Range(position_of(source, span.start), position_of(source, span.end))


def position_of(source: Source, offset: int) -> Position:
    """Line and column of an offset, both from 1. A byte order mark has no column, as in every editor."""
    line, column = source.lines.position(offset)
    if line == 0 and column and source.text.startswith("\ufeff"):
        column -= 1
    return Position(line + 1, column + 1)


def fields_of(handoff: bound.Handoff) -> dict[str, Any]:
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
    if slot.parent is not None and slot.parent.field.kind.holds == "table rows" and isinstance(slot.data, dict):
        return {**_bounded(slot.data), **_children(slot)}
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
