"""The reaction to an agent's work after an edit and at its end; no complaint is repeated without limit.

The engine is imported only for a text that may be a handoff.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from handoff_lsp.cli.hooks.event import HookEvent, Reaction
from handoff_lsp.cli.hooks.memory import Memory
from handoff_lsp.cli.hooks.transcript import Told, read_transcript

if TYPE_CHECKING:
    from handoff_lsp.cli.hooks.glance import Glance
    from handoff_lsp.features.feedback.checked_text import CheckedText

# The most times that one complaint is made, and that an agent is kept from ending in a row.
_COMPLAINTS = 2
_BLOCKS = 4
# The most files of an agent that are checked at its end; the last ones count.
_FILES = 40

# Files with other suffixes hold no handoff, so the engine is not imported for them.
_SUFFIXES = (".md", ".markdown", ".json", ".jsonc", ".jsonl", ".yaml", ".yml", ".log")
_DRIVE = re.compile(r"/[A-Za-z]:[/\\]")


class Wanted(NamedTuple):
    """The settings of the hook: the command's options."""

    config: Path | None = None
    fail_on: str = "error"
    affirm: bool = False
    main_message: bool = False


def judge(event: HookEvent, memory: Memory, wanted: Wanted) -> Reaction:
    """The reaction to an event. The working folder must be the agent's."""
    if event.kind == "edit":
        return _after_edit(event, memory, wanted)
    if event.kind == "stop":
        return _at_end(event, memory, wanted)
    if event.kind == "noted":
        for file in _candidates(event.files):
            memory.wrote(file)
        if event.message and wanted.main_message:
            memory.keep_message(event.message)
    return Reaction()


def _after_edit(event: HookEvent, memory: Memory, wanted: Wanted) -> Reaction:
    files = _candidates(event.files)
    for file in files:
        memory.wrote(file)
    if not files:
        return Reaction()
    checking = _checking(wanted)
    reports = [report for file in files if (report := checking.file(file)) is not None]
    return _with_failure(_of_edit(reports, memory, wanted), checking, memory, partly=bool(reports))


def _of_edit(reports: Sequence[CheckedText], memory: Memory, wanted: Wanted) -> Reaction:
    wrong = _wrong(memory, reports)
    if not (wrong or wanted.affirm or any(report.doubtful for report in reports)):
        return Reaction()
    from handoff_lsp.features.feedback import complaint

    if wrong:
        fresh, _ = _sorted(memory, "edit", wrong)
        return Reaction(complaint=complaint.complaint(fresh, stopping=False) if fresh else "")
    for report in reports:
        if report.doubtful:
            mark = f"advice {report.mark(report.doubtful)}"
            if memory.times("", mark):
                return Reaction()
            memory.reported("", mark)
            return Reaction(advice=complaint.advice(report))
    if reports and wanted.affirm:
        return Reaction(advice=complaint.affirmation(reports[0]))
    return Reaction()


def _at_end(event: HookEvent, memory: Memory, wanted: Wanted) -> Reaction:
    told = read_transcript(event.transcript) if event.transcript else Told()
    files = [file for file in _candidates((*memory.files(), *told.files)) if os.path.isfile(file)][-_FILES:]
    message = _last_words(event, memory, told) if event.subagent or wanted.main_message else ""
    if not files and not message.strip():
        return Reaction()
    checking = _checking(wanted)
    found = [checking.file(file) for file in files] + (
        [checking.message(message, event.agent)] if message.strip() else []
    )
    reports = [report for report in found if report is not None]
    return _with_failure(_of_end(reports, event, memory), checking, memory, partly=bool(reports))


def _of_end(reports: Sequence[CheckedText], event: HookEvent, memory: Memory) -> Reaction:
    wrong = _wrong(memory, reports)
    if not wrong:
        memory.blocked(False)
        return Reaction()
    from handoff_lsp.features.feedback import complaint

    if not memory.usable and event.again is not False:
        return Reaction(note=complaint.let_go(wrong))  # without a memory, earlier complaints cannot be counted
    if memory.handoffs() >= _BLOCKS:
        memory.blocked(False)
        return Reaction(note=complaint.let_go(wrong))
    fresh, spent = _sorted(memory, "end", wrong)
    memory.blocked(bool(fresh))
    if fresh and event.repeats:
        memory.keep_message(event.message)
    return Reaction(
        complaint=complaint.complaint(fresh, stopping=True) if fresh else "",
        note=complaint.let_go(spent) if spent else "",
    )


def _last_words(event: HookEvent, memory: Memory, told: Told) -> str:
    """The agent's final message, without the earlier one that it had to correct."""
    before = memory.take_message()
    if event.repeats and len(event.message) > len(before):
        return event.message.removeprefix(before)
    return event.message or before or told.message


def _wrong(memory: Memory, reports: Sequence[CheckedText]) -> list[CheckedText]:
    """The reports with something wrong; the other texts are remembered as correct."""
    for report in reports:
        if not report.wrong:
            memory.right(report.name)
    return [report for report in reports if report.wrong]


def _sorted(memory: Memory, when: str, reports: Sequence[CheckedText]) -> tuple[list[CheckedText], list[CheckedText]]:
    """The reports for the agent, and those that it already got often enough, which go to the user once."""
    fresh, spent = [], []
    for report in reports:
        mark = f"{when} {report.mark(report.wrong)}"
        times = memory.times(report.name, mark)
        if times < _COMPLAINTS:
            fresh.append(report)
        elif times == _COMPLAINTS:
            spent.append(report)
        else:
            continue
        memory.reported(report.name, mark)
    return fresh, spent


def _with_failure(reaction: Reaction, checking: Glance, memory: Memory, *, partly: bool) -> Reaction:
    """The reaction, with a note to the user if a handoff could not be checked, for example with a broken config."""
    if not checking.failed:
        return reaction
    notes = (not_checked(memory, partly=partly).note, reaction.note)
    return reaction._replace(note="\n".join(note for note in notes if note))


def not_checked(memory: Memory, *, partly: bool = False) -> Reaction:
    """The note to the user, once a session, that a handoff was not, or not fully, checked."""
    if memory.times("", "failed"):
        return Reaction()
    memory.reported("", "failed")
    what = "some of what the agent wrote" if partly else "what the agent wrote"
    return Reaction(note=f"handoff-lsp: {what} was not checked; `handoff-lsp check` gives the reason.")


def _checking(wanted: Wanted) -> Glance:
    from handoff_lsp.cli.hooks.glance import Glance

    return Glance(wanted.config, wanted.fail_on)


def _candidates(paths: Iterable[str]) -> list[str]:
    """The absolute paths of files that may hold a handoff, each once, in the order of their last mention."""
    found: dict[str, None] = {}
    for path in paths:
        if path.lower().endswith(_SUFFIXES) and "\0" not in path:
            full = os.path.abspath(path[1:] if os.name == "nt" and _DRIVE.match(path) else path)
            found.pop(full, None)
            found[full] = None
    return list(found)
