"""What an agent leaves at its end: the files that it wrote, its final message, and what it owes there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from handoff_lsp.cli.hooks.event import HookEvent
from handoff_lsp.cli.hooks.memory import Memory
from handoff_lsp.cli.hooks.transcript import Told, read_transcript
from handoff_lsp.cli.hooks.written import beginning_of, candidates, changed_below, shown_from, written_by

if TYPE_CHECKING:
    from handoff_lsp.cli.hooks.glance import Glance
    from handoff_lsp.contracts.owed import Owed
    from handoff_lsp.features.feedback.checked_text import AgentFacts, CheckedText

# The most files of an agent that are checked at its end; the last ones count.
_FILES = 40


class End:
    """The end of an agent. ``message``: its last words, None if they are not known or not for an orchestrator.

    ``unknown``: what cannot be checked, and why, as a sentence; empty if everything can.
    """

    def __init__(self, told: Told, files: list[str], message: str | None, checking: Glance) -> None:
        self.told = told
        self.files = files
        self.message = message
        self.unknown: str = ""
        self.owed: tuple[Owed, ...] = ()
        self._checking = checking
        self._missing: list[Owed] = []
        self._places: dict[int, str] = {}

    def owes(self, event: HookEvent, memory: Memory, written: list[str]) -> None:
        """Find out which debts are left to the final message, and which files are missing."""
        from handoff_lsp.cli.hooks.owed_files import found, place_of

        engine = self._checking.checking
        paths = tuple(shown_from(str(engine.root), written))
        engine.known = self._known(event, paths)
        began = beginning_of(memory, self.told)
        in_message = []
        for owed in self.owed:
            there = found(owed, str(engine.root), paths, began) if owed.where != "message" else "unknown"
            if owed.in_file and there == "no" and not owed.if_written:
                self._missing.append(owed)
                self._places[id(owed)] = place_of(owed, str(engine.root), paths)
            elif owed.where == "either" and there == "no":
                owed = _in_message(owed)
            if owed.in_message and self.message is None:
                self.unknown = f"what `{owed.agent}` returned was not checked: the hook's input has no final message."
            in_message.append(owed)
        self.owed = tuple(in_message)

    def reports(self) -> list[CheckedText]:
        """The texts with handoffs, and those that lack one: what an agent has to correct first comes first."""
        return [report for report in self._reports() if report is not None]

    def _reports(self) -> Iterator[CheckedText | None]:
        if self.message is not None and (self.owed or self.message.strip()):
            if self.owed:
                from handoff_lsp.contracts.owed import Returned

                told = self.told
                yield self._checking.message(
                    self.message, Returned(self.owed[0].agent, self.owed, told.earlier, told.cut_off)
                )
            else:
                yield self._checking.message(self.message, None)
        for owed in self._missing:
            yield self._checking.checking.missing(self._places[id(owed)], owed)
        yield from map(self._checking.file, self.files)

    def _known(self, event: HookEvent, paths: tuple[str, ...]) -> AgentFacts:
        from datetime import UTC, datetime

        from handoff_lsp.contracts.field_types import timestamp_of
        from handoff_lsp.features.feedback.checked_text import AgentFacts

        now = timestamp_of(datetime.now(UTC))
        return AgentFacts(event.agent, event.ids, paths, paths if self.told.whole else (), now)


def read_end(event: HookEvent, memory: Memory, checking: Glance, *, main_message: bool) -> End:
    """The end of an agent. The main agent's final message counts on request, or if the config has what it owes."""
    told = read_transcript(event.transcript) if event.transcript else Told()
    returns = bool(event.subagent) or main_message or (bool(event.agent) and checking.is_configured(event.agent))
    message = _last_words(event, memory, told) if returns else None
    written = written_by(event, memory, told)
    if not event.subagent:
        written += _changed(memory, told, set(written), checking)
    files = [file for file in candidates(written) if os.path.isfile(file)][-_FILES:]
    if memory.of_session is not memory:
        for file in files:
            memory.of_session.others_wrote(file)
    end = End(told, files, message, checking)
    if returns and event.agent:
        end.owed = checking.owed(event.agent)
        if end.owed:
            end.owes(event, memory, written)
    return end


def _changed(memory: Memory, told: Told, known: set[str], checking: Glance) -> list[str]:
    """What changed since the main agent began, except for files of its subagents; nothing if no command was run."""
    began = beginning_of(memory, told)
    if began is None or told.commands == ():
        return []
    others = memory.others_files()
    found = [file for file in changed_below(os.getcwd(), began) if file not in known and file not in others]
    return [file for file in found if not checking.checking.is_ignored(file)]


def _in_message(owed: Owed) -> Owed:
    from dataclasses import replace

    return replace(owed, where="message")


def _last_words(event: HookEvent, memory: Memory, told: Told) -> str | None:
    """The agent's final message, without the earlier one that it had to correct; None if nothing is known about it."""
    before = memory.take_message()
    said = event.message
    if said is not None:
        if event.repeats and len(said) > len(before):
            return said.removeprefix(before)
        return said
    if before or told.message:
        return before or told.message
    return "" if told.spoke else None
