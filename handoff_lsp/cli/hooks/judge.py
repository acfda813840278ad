"""The reaction to an agent's work after an edit and at its end; no complaint is repeated without limit.

The engine is imported only for a text that may be a handoff.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.hooks.ending import read_end
from handoff_lsp.cli.hooks.event import HookEvent, Reaction
from handoff_lsp.cli.hooks.memory import Memory
from handoff_lsp.cli.hooks.written import candidates
from handoff_lsp.text.named_tuple import NamedTuple

if TYPE_CHECKING:
    from handoff_lsp.cli.hooks.glance import Glance
    from handoff_lsp.features.feedback.checked_text import CheckedText

# The most times that one complaint is made after edits.
_COMPLAINTS = 2
# Within this time (seconds), the same event comes from the same hook, set up twice: no model answers as fast.
_AT_ONCE = 2.0
# The usual reason why something was not checked.
UNREADABLE = "a broken config or contract, or a text that cannot be read"


class Wanted(NamedTuple):
    """The settings of the hook: the command's options."""

    config: Path | None = None
    fail_on: str = "error"
    affirm: bool = False
    main_message: bool = False
    retries: int = 1


def judge(event: HookEvent, memory: Memory, wanted: Wanted) -> Reaction:
    """The reaction to an event. The working folder must be the agent's."""
    if event.kind == "edit":
        return _after_edit(event, memory, wanted)
    if event.kind == "stop":
        return _at_end(event, memory, wanted)
    if event.kind == "began":
        memory.began(time.time())
    if event.kind == "noted":
        _remember(candidates(event.files), memory)
        if event.message and wanted.main_message:
            memory.keep_message(event.message)
    return Reaction()


def _after_edit(event: HookEvent, memory: Memory, wanted: Wanted) -> Reaction:
    files = candidates(event.files)
    if not files:
        return Reaction()
    memory.began(time.time())
    _remember(files, memory)
    checking = _checking(wanted)
    reports = [report for file in files if (report := checking.file(file)) is not None]
    return _with_checks(_of_edit(reports, memory, wanted), reports, checking, memory)


def _remember(files: Iterable[str], memory: Memory) -> None:
    for file in files:
        memory.wrote(file)
        if memory.of_session is not memory:
            memory.of_session.others_wrote(file)


def _of_edit(reports: Sequence[CheckedText], memory: Memory, wanted: Wanted) -> Reaction:
    wrong = _wrong(memory, reports)
    if not (wrong or wanted.affirm or any(report.doubtful for report in reports)):
        return Reaction()
    from handoff_lsp.features.feedback import complaint

    if wrong:
        fresh = [report for report in wrong if _is_new(report, memory)]
        return Reaction(complaint=complaint.complaint(fresh, stopping=False) if fresh else "")
    for report in reports:
        if report.doubtful:
            if memory.claim("", f"advice {report.mark(report.doubtful)}", 1):
                return Reaction()
            return Reaction(advice=complaint.advice(report))
    if reports and wanted.affirm:
        return Reaction(advice=complaint.affirmation(reports[0]))
    return Reaction()


def _is_new(report: CheckedText, memory: Memory) -> bool:
    """Whether a complaint about an edit was not made often enough, and not about this very edit by another process."""
    mark = f"edit {report.mark(report.wrong)}"
    try:
        about = os.stat(report.shown)
        if not memory.of_session.is_first(f"{mark} {about.st_mtime_ns} {about.st_size}"):
            return False
    except OSError:
        pass  # it is gone by now
    return memory.claim(report.name, mark, _COMPLAINTS) < _COMPLAINTS


def _at_end(event: HookEvent, memory: Memory, wanted: Wanted) -> Reaction:
    checking = _checking(wanted)
    end = read_end(event, memory, checking, main_message=wanted.main_message)
    reports = end.reports()
    reaction = _of_end(reports, event, memory, wanted.retries)
    if not reaction.complaint:
        memory.ended()
    reaction = _with_checks(reaction, reports, checking, memory)
    if end.unknown:
        reaction = reaction._replace(unchecked=reaction.unchecked or end.unknown.partition(": ")[2])
        if not memory.claim("", "unknown", 1):
            note = f"handoff-lsp: {end.unknown}"
            reaction = reaction._replace(note="\n".join(filter(None, (reaction.note, note))))
    return reaction


def _of_end(reports: Sequence[CheckedText], event: HookEvent, memory: Memory, retries: int) -> Reaction:
    wrong = _wrong(memory, reports)
    if not wrong:
        memory.blocked(False)
        return Reaction()
    from handoff_lsp.features.feedback import complaint

    if not memory.usable:  # earlier complaints cannot be counted
        once = event.again is False and retries > 0
        return Reaction(complaint.complaint(wrong, stopping=True)) if once else Reaction(note=complaint.unsent(wrong))
    marks = {id(report): report.mark(report.wrong) for report in wrong}
    if not memory.is_first(f"stop {event!r} {sorted(marks.values())}", within=_AT_ONCE):
        return Reaction(is_repeated=True)
    fresh = [report for report in wrong if not memory.times(report.name, f"let go {marks[id(report)]}")]
    if fresh and memory.handoffs() < retries:
        memory.blocked(True)
        if event.repeats:
            memory.keep_message(event.message or "")
        return Reaction(complaint.complaint(fresh, stopping=True))
    notified = memory.handoffs() > 0
    memory.blocked(False)
    for report in fresh:
        memory.reported(report.name, f"let go {marks[id(report)]}")
    return Reaction(note=complaint.let_go(fresh, notified=notified) if fresh else "")


def _wrong(memory: Memory, reports: Sequence[CheckedText]) -> list[CheckedText]:
    """The reports with something wrong; the other texts are remembered as correct."""
    for report in reports:
        if not report.wrong:
            memory.right(report.name)
    return [report for report in reports if report.wrong]


def _with_checks(reaction: Reaction, reports: Sequence[CheckedText], checking: Glance, memory: Memory) -> Reaction:
    """The reaction with what was checked; a note to the user if something could not be, for example a broken config."""
    rules = tuple(dict.fromkeys(finding.code for report in reports for finding in report.wrong))
    reaction = reaction._replace(judged=bool(reports), rules=rules)
    if not checking.failed:
        return reaction
    failure = not_checked(memory, partly=bool(reports))
    notes = (failure.note, reaction.note)
    return reaction._replace(note="\n".join(note for note in notes if note), unchecked=failure.unchecked)


def not_checked(memory: Memory, *, partly: bool = False, because: str = UNREADABLE) -> Reaction:
    """The note to the user, once a session, that a handoff was not, or not fully, checked."""
    if memory.times("", "failed"):
        return Reaction(unchecked=because)
    memory.reported("", "failed")
    what = "some of what the agent wrote" if partly else "what the agent wrote"
    note = f"handoff-lsp: {what} was not checked; `handoff-lsp check` gives the reason."
    return Reaction(note=note, unchecked=because)


def _checking(wanted: Wanted) -> Glance:
    from handoff_lsp.cli.hooks.glance import Glance

    return Glance(wanted.config, wanted.fail_on)
