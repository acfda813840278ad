"""The tool ``check``: the verdict on a text, its findings, and how to correct them."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.engine import Analysis
from handoff_lsp.mcp.arguments import CheckArguments
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.judging import Judge, NotJudged
from handoff_lsp.mcp.results import CheckResult, DecidedHandoff, FoundDefect, fitting
from handoff_lsp.mcp.tool import ToolAnswer
from handoff_lsp.reports.report import Report
from handoff_lsp.reports.verdict import not_checked
from handoff_lsp.rules import rule
from handoff_lsp.text.printable import printable

# Findings without a correction have one line each; no more of them are listed in words.
_LISTED = 10
# The most characters of a received text.
_RECEIVED = 200


def check(folders: Folders, asked: CheckArguments) -> ToolAnswer:
    """Check a text or a file. Raises ToolError."""
    judge = Judge(folders, asked)
    try:
        judged = judge.judged(asked.contract, asked.profile, asked.agent)
    except NotJudged as error:
        verdict = not_checked(str(error))
        return ToolAnswer(CheckResult(verdict, judge.shown, problems=judge.problems), _about(judge.shown, verdict.line))
    report = judged.report
    pairs = zip(report.findings, judged.analysis.findings, strict=True)
    found = tuple(FoundDefect.of(finding, _received(judged.analysis, internal)) for finding, internal in pairs)
    count = fitting(found)
    decided = tuple(map(DecidedHandoff.of, report.handoffs))
    # Some clients show a model only the structured result, others only the text: each has all that the author needs.
    feedback = "" if found else report.feedback()
    left_out = len(found) - count
    result = CheckResult(report.verdict, report.path, decided, found[:count], left_out, feedback, judge.problems)
    return ToolAnswer(result, "\n".join(_words(report, judge.problems)))


def _received(analysis: Analysis, finding: rule.Finding) -> str:
    """The text of a present field that a finding is about, if it is short."""
    if finding.slot is None or not finding.slot.present:
        return ""
    text = analysis.source.text[finding.span.start : finding.span.end]
    return text if len(text) <= _RECEIVED else f"{text[:_RECEIVED]}…"


def _words(report: Report, problems: tuple[str, ...]) -> Iterator[str]:
    """The verdict, then the message to the author; each finding only if that message has none."""
    yield _about(report.path, report.verdict.line)
    yield from (printable(f"Problem: {problem}") for problem in problems)
    feedback = report.feedback()
    if feedback:
        yield feedback
        return
    for handoff in report.handoffs:
        where = f"Line {handoff.range.start.line}: {handoff.contract}@{handoff.profile}"
        yield printable(f"{where}, decision now: {handoff.decision}")
    for finding in report.findings[:_LISTED]:
        yield printable(f"{finding.line}:{finding.column} {finding.severity}[{finding.rule}] {finding.message}")
    if len(report.findings) > _LISTED:
        yield f"… and {len(report.findings) - _LISTED} more"


def _about(path: str, verdict: str) -> str:
    return printable(f"{path}: {verdict}" if path else verdict)
