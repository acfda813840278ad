"""The messages to an agent about its handoffs: places, findings, consequences and corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.decide.routing import decision
from handoff_lsp.decide.words import marked_line_of, rest_of
from handoff_lsp.features.feedback.changes import FILL_IN
from handoff_lsp.features.feedback.checked_text import CheckedText as CheckedText
from handoff_lsp.features.feedback.correction import Correction, corrections, fenced
from handoff_lsp.reports.make import position_of
from handoff_lsp.rules.rule import Finding, counted
from handoff_lsp.rules.shared.absent import is_status
from handoff_lsp.text.printable import printable

# The longest message, in code points: agents cut off longer ones at 10,000 characters.
_CHARACTERS = 8_000
_FINDINGS = 8
_WARNINGS = 5


def complaint(reports: Sequence[CheckedText], *, stopping: bool) -> str:
    """The message with the findings that an agent must correct, in one text or several."""
    return _bounded("\n\n".join(_complaint(report, stopping=stopping) for report in reports))


def advice(report: CheckedText) -> str:
    """The message with the findings that an agent may correct."""
    head = f"handoff-lsp: {report.name} is readable, with {counted(len(report.doubtful), 'warning')}:"
    return _bounded("\n".join((head, *_doubtful(report))))


def affirmation(report: CheckedText) -> str:
    """The message that a handoff is correct, with the orchestrator's next step."""
    return "\n".join((f"handoff-lsp: the handoff in {report.name} is correct.", *_decisions(report)))


def absence(report: CheckedText, skeleton: str) -> str:
    """The message that a text without a handoff needs one; ``skeleton``: the one to fill in, empty if none is known."""
    do = "Write one into the file" if report.shown else "Send the whole message again, with one"
    lines = [f"handoff-lsp: there is no handoff in {report.name}. {do}{':' if skeleton else '.'}"]
    if skeleton:
        lines += [*fenced(list(map(_line, skeleton.rstrip().split("\n")))), FILL_IN]
    return _bounded("\n".join(lines))


def let_go(reports: Sequence[CheckedText]) -> str:
    """The message to the user that the agent was notified of its mistakes and did not correct them."""
    mistakes = " and ".join(
        f"{counted(len(report.wrong), 'finding')} in {report.name if report.shown else 'its final message'}"
        for report in reports
    )
    paths = " ".join(report.shown for report in reports if report.shown)
    look = f" See `handoff-lsp check {paths}`." if paths else ""
    return printable(f"handoff-lsp: the agent did not correct {mistakes}. It is not notified again.{look}")


def _complaint(report: CheckedText, *, stopping: bool) -> str:
    wrong = sorted(report.wrong, key=_urgency)
    found = counted(len(wrong), wrong[0].severity if len({finding.severity for finding in wrong}) == 1 else "finding")
    if not report.shown:
        do = "Send the whole message again, corrected: the orchestrator reads only what you return."
    elif stopping:
        do = "Correct the file before you finish."
    else:
        do = "The file is written; edit it to correct this now."
    lines = [f"handoff-lsp: the handoff in {report.name} has {found}. {do}", *_decisions(report), ""]
    fixes = corrections(report.analysis, wrong[:_FINDINGS]) if report.fixes else {}
    placeholders = False
    listed = 0
    for number, finding in enumerate(wrong[:_FINDINGS], 1):
        part = list(_finding(report, finding, number, fixes.get(number)))
        if listed and sum(map(len, lines)) + sum(map(len, part)) > _CHARACTERS * 3 // 4:
            break
        lines += part
        listed = number
        placeholders |= number in fixes and any("<" in line for line in fixes[number].lines)
    if listed < len(wrong):
        rest = f"`handoff-lsp check {report.shown}` lists all." if report.shown else "Correct these first."
        lines.append(f"… and {len(wrong) - listed} more. {rest}")
    if placeholders:
        lines.append(FILL_IN)
    if report.doubtful:
        lines += ["", "Warnings:", *_doubtful(report)]
    return "\n".join(lines)


def _urgency(finding: Finding) -> tuple[int, int]:
    """The sort key of a finding: first those that make a handoff unreadable, then those of its status."""
    handoff, slot = finding.handoff, finding.slot
    decides = handoff is not None and slot is not None and is_status(handoff, slot)
    return 0 if finding.rule.group == "structure" else 1 if decides else 2, finding.span.start


def _decisions(report: CheckedText) -> Iterator[str]:
    """The orchestrator's next step for each handoff as it is now."""
    for handoff in report.analysis.handoffs:
        route = decision(handoff)
        if route is not None:
            line, rest = marked_line_of(handoff, route), rest_of(handoff, route)
            yield _line(f"As it is, the orchestrator's next step is {line}.{f' {rest}' if rest else ''}")


def _finding(report: CheckedText, finding: Finding, number: int, correction: Correction | None) -> Iterator[str]:
    yield _line(f"{number}. {_where(report, finding)} [{finding.code}] {finding.message}")
    if finding.note:
        yield _line(f"Note: {finding.note}")
    if correction is None and finding.hint:
        yield _line(finding.hint)
    for related in finding.related:
        if related.source is not None:
            line = position_of(related.source, related.span.start).line
            yield _line(f"See {related.name}:{line}: {related.message}")
    if correction is not None:
        under = f". It is part of fix {correction.under}." if correction.under else ""
        yield _line(f"{'Fix' if correction.safe else 'Possible fix'}: {correction.title}{under}")
        yield from map(_line, correction.lines)


def _doubtful(report: CheckedText) -> Iterator[str]:
    for finding in report.doubtful[:_WARNINGS]:
        fix = f" (fix: {finding.fix.title})" if report.fixes and finding.fix is not None else ""
        yield _line(f"- {_where(report, finding)} [{finding.code}] {finding.message}{fix}")
    if len(report.doubtful) > _WARNINGS:
        yield f"- … and {len(report.doubtful) - _WARNINGS} more"


def _where(report: CheckedText, finding: Finding) -> str:
    at = position_of(report.analysis.source, finding.span.start)
    return f"{report.shown}:{at.line}:{at.column}" if report.shown else f"line {at.line} of the message"


def _line(text: str) -> str:
    """One line without a terminal's control characters, except for tabs, which are part of a correction."""
    return "\t".join(printable(part) for part in text.split("\t"))


def _bounded(text: str) -> str:
    if len(text) <= _CHARACTERS:
        return text
    return text[: text.rindex("\n", 0, _CHARACTERS)] + "\n… `handoff-lsp check` lists the rest."
