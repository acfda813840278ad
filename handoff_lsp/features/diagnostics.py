"""Findings as an editor marks them. Called at every keystroke: no fix is made here."""

from __future__ import annotations

from typing import Any, Literal

from handoff_lsp.contracts.model import Severity
from handoff_lsp.engine import Analysis
from handoff_lsp.features.unfilled import just_created, unfilled
from handoff_lsp.rules.rule import Finding, Related
from handoff_lsp.text import Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

Tag = Literal["unnecessary", "deprecated"]


@lazy_dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. Spans are in code points; ``data`` is plain JSON, which clients send back with code actions.

    ``note`` is empty where nothing follows from it.
    """

    span: Span
    severity: Severity
    code: str
    message: str
    note: str
    related: tuple[Related, ...]
    tags: tuple[Tag, ...]
    data: dict[str, Any]


def diagnostics(analysis: Analysis) -> list[Diagnostic]:
    """All findings of a document, in the order of the text. Those about drafts and empty files are hints."""
    quiet = {id(finding) for finding in [*unfilled(analysis), *just_created(analysis)]}
    return [_diagnostic(finding, "hint" if id(finding) in quiet else finding.severity) for finding in analysis.findings]


def _diagnostic(finding: Finding, severity: Severity) -> Diagnostic:
    tags: list[Tag] = []
    if finding.unnecessary:
        tags.append("unnecessary")
    if finding.code.startswith("deprecated-"):
        tags.append("deprecated")
    data: dict[str, Any] = {"field": finding.field, "upstream": list(finding.upstream), "fixable": finding.fixable}
    if finding.handoff is not None:
        spec = finding.handoff.spec
        data |= {"contract": spec.name, "profile": spec.profile, "mode": finding.handoff.mode}
    return Diagnostic(
        finding.span,
        severity,
        finding.code,
        finding.message,
        finding.note,
        finding.related,
        tuple(tags),
        data,
    )
