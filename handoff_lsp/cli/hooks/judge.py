"""What is said to an agent after an edit and at its end, and when it is let go: nothing is said for ever.

The engine is imported only where there is something that may be a handoff.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.hooks.event import HookEvent, Verdict
from handoff_lsp.cli.hooks.memory import Memory
from handoff_lsp.cli.hooks.transcript import Told, read_transcript

if TYPE_CHECKING:
    from handoff_lsp.cli.hooks.checking import Checking
    from handoff_lsp.cli.hooks.complaint import CheckedText

# The same complaint is made so often; and an agent is not let go so often in a row, whatever is wrong.
_TELLINGS = 2
_BLOCKS = 4
# At its end so many of the files that an agent wrote are looked at, the last ones.
_FILES = 40

# Files of other kinds hold no handoff: nothing is imported for them.
_SUFFIXES = (".md", ".markdown", ".json", ".jsonc", ".jsonl", ".log")
_DRIVE = re.compile(r"/[A-Za-z]:[/\\]")


@dataclass(frozen=True)
class Wanted:
    """What the person who switched the hook on wants."""

    config: Path | None = None
    fail_on: str = "error"
    affirm: bool = False
    main_message: bool = False


def judge(event: HookEvent, memory: Memory, wanted: Wanted) -> Verdict:
    """What is to be said; the working folder is that of the agent."""
    if event.kind == "edit":
        return _after_edit(event, memory, wanted)
    if event.kind == "stop":
        return _at_end(event, memory, wanted)
    if event.kind == "noted":
        for file in _candidates(event.files):
            memory.wrote(file)
        if event.message and wanted.main_message:
            memory.keep_message(event.message)
    return Verdict()


def _after_edit(event: HookEvent, memory: Memory, wanted: Wanted) -> Verdict:
    files = _candidates(event.files)
    for file in files:
        memory.wrote(file)
    if not files:
        return Verdict()
    checking = _checking(wanted)
    reports = [report for file in files if (report := checking.file(file)) is not None]
    return _with_failure(_of_edit(reports, memory, wanted), checking, memory, partly=bool(reports))


def _of_edit(reports: Sequence[CheckedText], memory: Memory, wanted: Wanted) -> Verdict:
    from handoff_lsp.cli.hooks import complaint

    wrong = _wrong(memory, reports)
    if wrong:
        fresh, _ = _sorted(memory, "edit", wrong)
        return Verdict(complaint=complaint.complaint(fresh, stopping=False) if fresh else "")
    for report in reports:
        if report.doubtful:
            mark = f"advice {report.mark(report.doubtful)}"
            if memory.times("", mark):
                return Verdict()
            memory.said("", mark)
            return Verdict(advice=complaint.advice(report))
    if reports and wanted.affirm:
        return Verdict(advice=complaint.affirmation(reports[0]))
    return Verdict()


def _at_end(event: HookEvent, memory: Memory, wanted: Wanted) -> Verdict:
    told = read_transcript(event.transcript) if event.transcript else Told()
    files = [file for file in _candidates((*memory.files(), *told.files)) if os.path.isfile(file)][-_FILES:]
    message = _last_words(event, memory, told) if event.subagent or wanted.main_message else ""
    if not files and not message.strip():
        return Verdict()
    checking = _checking(wanted)
    found = [checking.file(file) for file in files] + ([checking.message(message)] if message.strip() else [])
    reports = [report for report in found if report is not None]
    return _with_failure(_of_end(reports, event, memory), checking, memory, partly=bool(reports))


def _of_end(reports: Sequence[CheckedText], event: HookEvent, memory: Memory) -> Verdict:
    from handoff_lsp.cli.hooks import complaint

    wrong = _wrong(memory, reports)
    if not wrong:
        memory.blocked(False)
        return Verdict()
    if not memory.usable and event.again is not False:
        return Verdict(note=complaint.let_go(wrong))  # it may have been told any number of times
    if memory.handoffs() >= _BLOCKS:
        memory.blocked(False)
        return Verdict(note=complaint.let_go(wrong))
    fresh, spent = _sorted(memory, "end", wrong)
    memory.blocked(bool(fresh))
    if fresh and event.repeats:
        memory.keep_message(event.message)
    return Verdict(
        complaint=complaint.complaint(fresh, stopping=True) if fresh else "",
        note=complaint.let_go(spent) if spent else "",
    )


def _last_words(event: HookEvent, memory: Memory, told: Told) -> str:
    """What the agent said at last, without what it was told to correct in it."""
    before = memory.take_message()
    if event.repeats and len(event.message) > len(before):
        return event.message.removeprefix(before)
    return event.message or before or told.message


def _wrong(memory: Memory, reports: Sequence[CheckedText]) -> list[CheckedText]:
    """The reports of texts in which something is wrong; of the others it is remembered that nothing is."""
    for report in reports:
        if not report.wrong:
            memory.right(report.name)
    return [report for report in reports if report.wrong]


def _sorted(memory: Memory, when: str, reports: Sequence[CheckedText]) -> tuple[list[CheckedText], list[CheckedText]]:
    """The reports that the agent is told of, and those that it was told of often enough and a person is, once."""
    fresh, spent = [], []
    for report in reports:
        mark = f"{when} {report.mark(report.wrong)}"
        times = memory.times(report.name, mark)
        if times < _TELLINGS:
            fresh.append(report)
        elif times == _TELLINGS:
            spent.append(report)
        else:
            continue
        memory.said(report.name, mark)
    return fresh, spent


def _with_failure(verdict: Verdict, checking: Checking, memory: Memory, *, partly: bool) -> Verdict:
    """The verdict, and to the person that a handoff could not be checked, as where the config is broken."""
    if not checking.failed:
        return verdict
    notes = (not_checked(memory, partly=partly).note, verdict.note)
    return replace(verdict, note="\n".join(note for note in notes if note))


def not_checked(memory: Memory, *, partly: bool = False) -> Verdict:
    """What the person is told, once, where a handoff was not checked, or not all of it."""
    if memory.times("", "failed"):
        return Verdict()
    memory.said("", "failed")
    what = "some of what the agent wrote" if partly else "what the agent wrote"
    return Verdict(note=f"handoff-lsp: {what} is not checked; `handoff-lsp check` tells why.")


def _checking(wanted: Wanted) -> Checking:
    from handoff_lsp.cli.hooks.checking import Checking

    return Checking(wanted.config, wanted.fail_on)


def _candidates(paths: Iterable[str]) -> list[str]:
    """The absolute paths of what may hold a handoff, each once, in the order of their last mention."""
    found: dict[str, None] = {}
    for path in paths:
        if path.lower().endswith(_SUFFIXES) and "\0" not in path:
            full = os.path.abspath(path[1:] if os.name == "nt" and _DRIVE.match(path) else path)
            found.pop(full, None)
            found[full] = None
    return list(found)
