"""``--statistics``: how many findings each rule has, and how many of them a fix corrects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from handoff_lsp import __version__
from handoff_lsp.cli.output.format import Document, Format, Look
from handoff_lsp.cli.output.json import array, because, summary_data
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.text import SEVERITY_NOUNS, summary_lines
from handoff_lsp.cli.usage import SEVERITIES, UsageError
from handoff_lsp.language import say, translated
from handoff_lsp.reports.data import json_line
from handoff_lsp.reports.report import Finding
from handoff_lsp.text.named_tuple import NamedTuple


class FindingKind(NamedTuple):
    """What findings are counted by. ``fixable``: ``safe`` or ``unsafe``, None without a fix."""

    rule: str
    severity: str
    fixable: str | None


class RuleCount(NamedTuple):
    """The findings of a rule with one severity: how many, and how many of them have a safe or an unsafe fix."""

    rule: str
    severity: str
    number: int
    safe: int
    unsafe: int


def counts_format(name: str) -> type[Format]:
    """The class of an output format with counts in place of findings. Raises UsageError for one without."""
    if name not in ("text", "json"):
        raise UsageError("`--statistics` needs `--output-format text` or `json`", "check")
    return Text if name == "text" else Json


def kinds(findings: Iterable[Finding]) -> Counter[FindingKind]:
    """Findings, counted by rule, severity and kind of fix."""
    return Counter(FindingKind(finding.rule, finding.severity, finding.fixable) for finding in findings)


def top_rules(counts: Counter[FindingKind], most: int | None = None) -> list[RuleCount]:
    """The rules with most findings, those first; at most ``most`` of them."""
    pairs = {(kind.rule, kind.severity) for kind in counts}
    found = [
        RuleCount(
            rule,
            severity,
            sum(counts[FindingKind(rule, severity, fixable)] for fixable in ("safe", "unsafe", None)),
            counts[FindingKind(rule, severity, "safe")],
            counts[FindingKind(rule, severity, "unsafe")],
        )
        for rule, severity in pairs
    ]
    found.sort(key=lambda row: (-row.number, SEVERITIES.index(row.severity), row.rule))
    return found[:most]


def rule_lines(rows: list[RuleCount]) -> list[str]:
    """Rules with their counts as lines of text."""
    number = max((len(f"{row.number:,}") for row in rows), default=0)
    severity = max((len(translated(SEVERITY_NOUNS[row.severity])) for row in rows), default=0)
    rule = max((len(row.rule) for row in rows), default=0)
    return [
        f"{row.number:>{number},}  {translated(SEVERITY_NOUNS[row.severity]):<{severity}}  {row.rule:<{rule}}  "
        f"{_fixes(row)}".rstrip()
        for row in rows
    ]


def _fixes(row: RuleCount) -> str:
    parts = []
    if row.safe:
        parts.append(say("{number:,} fixable with `--fix`", number=row.safe))
    if row.unsafe:
        parts.append(say("{number:,} with `--unsafe-fixes`", number=row.unsafe))
    return ", ".join(parts)


class Text:
    """Prints the counts, and the summary."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._look = look
        self._counts: Counter[FindingKind] = Counter()

    def document(self, document: Document) -> None:
        """Count the findings of one document."""
        self._counts.update(kinds(document.report.findings))

    def finish(self, summary: Summary) -> None:
        """Print the counts, and the summary below them."""
        lines = rule_lines(top_rules(self._counts + kinds(summary.problems)))
        if not self._look.quiet:
            lines += ["", *summary_lines(summary)] if lines else summary_lines(summary)
        self._write("".join(f"{line}\n" for line in lines))


class Json:
    """Prints one object: as that of ``--output-format json``, with ``statistics`` in place of what was found."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._counts: Counter[FindingKind] = Counter()

    def document(self, document: Document) -> None:
        """Count the findings of one document."""
        self._counts.update(kinds(document.report.findings))

    def finish(self, summary: Summary) -> None:
        """Print the object, and the skipped files to standard error."""
        rows = [json_line(_row(row)) for row in top_rules(self._counts + kinds(summary.problems))]
        parts = [
            f'"version": {json_line(__version__)}',
            f'"failed": {array([because(each) for each in summary.failed])}',
            f'"skipped": {array([because(each) for each in summary.skipped])}',
            f'"summary": {json_line(summary_data(summary))}',
            f'"statistics": {array(rows)}',
        ]
        self._write("{\n " + ",\n ".join(parts) + "\n}\n")


def _row(row: RuleCount) -> dict[str, Any]:
    return {"rule": row.rule, "severity": row.severity, "count": row.number, "fixable": row.safe, "unsafe": row.unsafe}
