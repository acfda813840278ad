"""The messages to an agent about its handoffs: places, findings, consequences and corrections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from shlex import quote

from handoff_lsp.contracts.owed import Owed
from handoff_lsp.decide.routing import decision
from handoff_lsp.decide.words import marked_line_of, rest_of
from handoff_lsp.features.feedback.changes import FILL_IN
from handoff_lsp.features.feedback.checked_text import CheckedText as CheckedText
from handoff_lsp.features.feedback.correction import Correction, corrections, fenced
from handoff_lsp.features.feedback.owed_block import OwedBlock, filled_block
from handoff_lsp.language import number_of
from handoff_lsp.reports.make import position_of
from handoff_lsp.rules.returned import ReturnedText
from handoff_lsp.rules.rule import Finding
from handoff_lsp.rules.shared.absent import is_status
from handoff_lsp.text.printable import printable

# The longest message, in code points: agents cut off longer ones at 10,000 characters.
_CHARACTERS = 8_000
_FINDINGS = 8
_WARNINGS = 5

# Rules about blocks of which corrections alone are not enough: what is below an open fence is not even read.
_ANEW = frozenset({"invalid-json", "unclosed-block", "unknown-field"})
_AGAIN = "Send the whole message again"


def complaint(reports: Sequence[CheckedText], *, stopping: bool) -> str:
    """The message with the findings that an agent must correct, in one text or several."""
    return _bounded("\n\n".join(_complaint(report, stopping=stopping) for report in reports))


def advice(report: CheckedText) -> str:
    """The message with the findings that an agent may correct."""
    head = f"handoff-lsp: {report.name} is readable, with {number_of(len(report.doubtful), 'warning')}:"
    return _bounded("\n".join((head, *_doubtful(report))))


def withheld(report: CheckedText) -> str:
    """The message about a handoff without a reliable decision and without a listed finding."""
    head = f"handoff-lsp: {report.name} does not say enough to act on, or a finding about it is hidden."
    return _bounded("\n".join((head, *_decisions(report))))


def affirmation(report: CheckedText) -> str:
    """The message that a handoff is correct, with the orchestrator's next step."""
    return "\n".join((f"handoff-lsp: the handoff in {report.name} is correct.", *_decisions(report)))


def absence(report: CheckedText, block: OwedBlock | None) -> str:
    """The message that a text without a handoff needs one; ``block``: the one to fill in, None if none is known."""
    lines = [f"handoff-lsp: there is no handoff in {report.name}. {_emit(report, block)}"]
    return _bounded("\n".join([*lines, *_shown(block)]))


def let_go(reports: Sequence[CheckedText], *, notified: bool) -> str:
    """The message to the user about the mistakes that an agent leaves. ``notified``: the agent knew about them."""
    if notified:
        return _to_the_user(reports, "the agent did not correct {mistakes}. It is not notified again.")
    return _to_the_user(reports, "the agent ends with {mistakes}. It was not sent back.")


def unsent(reports: Sequence[CheckedText]) -> str:
    """The message to the user that an agent ends with mistakes of which it was perhaps never notified."""
    return _to_the_user(
        reports, "the agent ends with {mistakes}. It was not sent back: whether it already was is not known."
    )


def _to_the_user(reports: Sequence[CheckedText], sentence: str) -> str:
    mistakes = " and ".join(map(_mistakes, reports))
    paths = " ".join(quote(report.shown) for report in reports if report.shown and not report.is_absent)
    look = f" See `handoff-lsp check {paths}`." if paths else ""
    return printable(f"handoff-lsp: {sentence.format(mistakes=mistakes)}{look}")


def _mistakes(report: CheckedText) -> str:
    owed = next((finding for finding in report.wrong if finding.rule.of_return is not None), None)
    where = report.name if report.shown else "its final message"
    found = f"{number_of(len(report.wrong), 'finding')} in {where}"
    return f"{found} ({owed.message})" if owed is not None else found


def _complaint(report: CheckedText, *, stopping: bool) -> str:
    wrong = sorted(report.wrong, key=_urgency)
    owed = [finding for finding in wrong if finding.rule.of_return is not None]
    if owed:
        lines = list(_owed(report, owed))
        wrong = wrong[len(owed) :]
        lines += ["", "Correct this, too:"] if wrong else []
    else:
        lines = [_head(report, wrong, stopping=stopping), *_decisions(report), ""]
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
        rest = f"`handoff-lsp check {quote(report.shown)}` lists all." if report.shown else "Correct these first."
        lines.append(f"… and {len(wrong) - listed} more. {rest}")
    if placeholders:
        lines.append(FILL_IN)
    lines += _anew(report, wrong[:_FINDINGS]) if report.fixes else ()
    if report.doubtful:
        lines += ["", "Warnings:", *_doubtful(report)]
    return "\n".join(lines)


def _head(report: CheckedText, wrong: Sequence[Finding], *, stopping: bool) -> str:
    found = number_of(len(wrong), wrong[0].severity if len({finding.severity for finding in wrong}) == 1 else "finding")
    if not report.shown:
        do = f"{_AGAIN}, corrected: the orchestrator reads only what you return."
    elif stopping:
        do = "Correct the file before you finish."
    else:
        do = "The file is written; edit it to correct this now."
    prompts = all(finding.rule.of_prompt is not None for finding in wrong)
    return f"handoff-lsp: the {'prompt' if prompts else 'handoff in'} {report.name} has {found}. {do}"


def _owed(report: CheckedText, owed: Sequence[Finding]) -> Iterator[str]:
    """What is missing or misplaced of what the agent owes, and the block to emit for each debt that nothing pays."""
    for finding in owed:
        note = f". {finding.note}" if finding.note else ""
        hint = f". {finding.hint}" if finding.hint else ""
        yield _line(f"handoff-lsp: {report.name}: [{finding.code}] {finding.message}{note}{hint}.".replace("?.", "?"))
    for one in _returned(report).shortfalls:
        block = _block(report, one.owed)
        if one.reason == "not last" and one.found is not None:  # it is right, and in the wrong place
            block = block._replace(text=report.analysis.source.slice(one.found.span).strip("\n"))
        only = one.reason in {"several", "contradiction", "not last"}
        yield _emit(report, block, only=only, instead=one.found is not None)
        yield from _shown(block)


def _anew(report: CheckedText, wrong: Sequence[Finding]) -> Iterator[str]:
    """The whole block that an agent owes, if it returned one that cannot be read or has names of its own."""
    broken = {one.handoff.spec.name: one.handoff.spec for one in wrong if one.handoff is not None and one.code in _ANEW}
    for debt in _returned(report).debts if broken else ():
        if debt.contract in broken:
            yield "Or write it anew:"
            yield from _shown(_block(report, replace(debt, profiles=(broken[debt.contract].profile,))))


def _returned(report: CheckedText) -> ReturnedText:
    analysis = report.analysis
    return ReturnedText(
        analysis.source, analysis.path, analysis.tree, analysis.handoffs, analysis.registry, analysis.options
    )


def _block(report: CheckedText, debt: Owed) -> OwedBlock:
    analysis = report.analysis
    return filled_block(debt, analysis.registry, analysis.options, analysis.path, report.known)


def _emit(report: CheckedText, block: OwedBlock | None, *, only: bool = False, instead: bool = False) -> str:
    """What to do with the block of a handoff that is missing.

    ``only``: the text has others, or it elsewhere. ``instead``: the text has another one in its place.
    """
    if block is None:
        return f"Write one into {report.name}." if report.shown else f"{_AGAIN}, with one."
    if report.is_absent:
        return f"Write the file {report.name} before you finish:"
    if report.shown:
        return (
            "Write only this into the file:"
            if only or instead or block.form == "document"
            else "Write this into the file:"
        )
    if block.form in ("document", "file"):
        return f"{_AGAIN}, as this document:"
    if only:
        return f"{_AGAIN}, with only this block, at its end:"
    what = f"with this block at its end{', in place of that one' if instead else ''}:"
    return f"{_AGAIN}, {what}"


def _shown(block: OwedBlock | None) -> Iterator[str]:
    if block is not None:
        yield from fenced(list(map(_line, block.text.split("\n"))))
        if "<" in block.text:
            yield FILL_IN


def _urgency(finding: Finding) -> tuple[int, int]:
    """The sort key of a finding: what the agent owes, what makes a handoff unreadable, its status, the rest."""
    handoff, slot = finding.handoff, finding.slot
    decides = handoff is not None and slot is not None and is_status(handoff, slot)
    if finding.rule.of_return is not None:
        return 0, finding.span.start
    return 1 if finding.rule.group == "structure" else 2 if decides else 3, finding.span.start


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
    elif (
        correction is None
        and finding.code == "invalid-format"
        and finding.slot is not None
        and finding.slot.field.example
    ):
        yield _line(f"For example `{finding.slot.field.example}`")
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
