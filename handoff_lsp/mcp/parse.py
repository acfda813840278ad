"""The tool ``parse``: the fields of handoffs, and the decisions about them."""

from __future__ import annotations

from handoff_lsp.mcp.arguments import DocumentArguments
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.mcp.judging import Judge, NotJudged
from handoff_lsp.mcp.results import ParseResult, fitting
from handoff_lsp.mcp.tool import ToolAnswer
from handoff_lsp.reports.data import data_of, json_line
from handoff_lsp.reports.report import Handoff
from handoff_lsp.reports.verdict import not_checked
from handoff_lsp.text.printable import printable

# The most characters of a handoff's fields in words.
_FIELDS = 3_000


def parse(folders: Folders, asked: DocumentArguments) -> ToolAnswer:
    """Parse a text or a file. Raises ToolError."""
    judge = Judge(folders, asked)
    try:
        report = judge.judged().report
    except NotJudged as error:
        verdict = not_checked(str(error))
        return ToolAnswer(ParseResult(verdict, ()), printable(verdict.line))
    count = fitting(report.handoffs)
    if report.handoffs and not count:
        raise ToolError("the handoff is too large for a message; run `handoff-lsp parse FILE --output-format json`")
    handoffs = report.handoffs[:count]
    left_out = len(report.handoffs) - count
    lines = [printable(report.verdict.line), *map(_words, handoffs)]
    lines += [f"… and {left_out} more handoffs"] if left_out else []
    return ToolAnswer(ParseResult(report.verdict, handoffs, left_out), "\n".join(lines))


def _words(handoff: Handoff) -> str:
    head = f"Line {handoff.range.start.line}: {handoff.contract}@{handoff.profile} ({handoff.mode})"
    fields = json_line(data_of(handoff.fields))
    cut = fields if len(fields) <= _FIELDS else f"{fields[:_FIELDS]}…"
    return f"{printable(f'{head}, decision now: {handoff.decision}')}\n{cut}"
