"""Checks an agent's handoffs as ``handoff-lsp check`` does: with the config and the files around them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.run import Input, Run
from handoff_lsp.cli.usage import SEVERITIES
from handoff_lsp.contracts.owed import Owed, Returned, agent_name
from handoff_lsp.engine import Analysis, analyze
from handoff_lsp.features.feedback.checked_text import NOTHING, AgentFacts, CheckedText
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.rules import internal_error, too_large
from handoff_lsp.text import Source
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import NoText, UnreadableFile, read_text
from handoff_lsp.workspace.disk.walking import why_passed_over

# The least severity that an agent sees: less would only distract it from its work.
_LEAST_SHOWN = "warning"
# The end of a text: blanks, rules and the ends of fences.
_NOTHING_MORE = lazy_pattern(r"[\s`~*_-]*")
# The rules with findings that mean that a text was not, or not fully, checked.
_LEFT_OUT = (too_large.RULE.code, internal_error.RULE.code)


class Checking:
    """Checks texts from the working folder, one after another. ``fail_on`` is the least severity that is wrong."""

    def __init__(self, resolver: Resolver, fail_on: str) -> None:
        self._resolver = resolver
        self._run = Run(self._resolver)
        self._severity = fail_on
        self._unread = False
        self.known: AgentFacts = NOTHING  # about the agent, for the handoffs that it owes

    @property
    def failed(self) -> bool:
        """Whether something could not be checked: a broken config, no text, too long a text; `check` has the reason."""
        return self._run.summary.broken or self._unread

    def file(self, path: str) -> CheckedText | None:
        """The handoffs of a file; None if it holds none, the config excludes it, or it cannot be checked."""
        full = Path(path)
        if self._resolver.excluded(full) or (is_data_file(path) and not self._resolver.is_data_file(full)):
            return None
        try:
            text = read_text(full)
        except UnreadableFile as error:
            self._unread |= isinstance(error, NoText) or isinstance(error.__cause__, PermissionError)
            print(f"handoff-lsp hook: {printable(str(error))}", file=sys.stderr)
            return None
        return self._check(Input(full, named=True, text=text))

    def message(self, text: str, returned: Returned | None) -> CheckedText | None:
        """The handoffs of an agent's final message; None if it holds none and owes none.

        Of an agent that owes nothing, only a handoff at the end counts: one with more text below is most likely quoted.
        """
        self._run.returned = returned
        report = self._check(Input(None, named=True, text=text))
        if report is None or returned is not None:
            return report
        last = set(map(id, _at_the_end(report.analysis)))
        wrong, doubtful = (
            [one for one in findings if one.handoff is None or id(one.handoff) in last]
            for findings in (report.wrong, report.doubtful)
        )
        return replace(report, wrong=wrong, doubtful=doubtful)

    def missing(self, place: str, owed: Owed) -> CheckedText | None:
        """The finding that an agent did not write a file that it owes, at a path from the root; None if it is off."""
        path = self.root / place
        options = replace(self._resolver.options(path), returned=Returned(owed.agent, (replace(owed, where="file"),)))
        analysis = analyze(Source(""), place, self._resolver.registry(path), options)
        report = self._report(self._run.shown(Input(path, named=True)), analysis)
        return replace(report, is_absent=True) if report.wrong else None

    def owed(self, agent: str) -> tuple[Owed, ...]:
        """What an agent owes; nothing with a broken config, which is reported."""
        return self._resolver.agents.owed_by(agent) if self._run.config_is_usable(None) else ()

    def is_configured(self, agent: str) -> bool:
        """Whether the config says what an agent owes."""
        return agent_name(agent) in self._resolver.config(None).agents

    @cached_property
    def root(self) -> Path:
        """The root of the workspace around the working folder."""
        return self._resolver.root(Path.cwd() / "_") or Path.cwd()

    def is_ignored(self, path: str) -> bool:
        """Whether a walk of the workspace passes over a file, for its name or for git."""
        return bool(why_passed_over(self.root, Path(path)))

    def _check(self, target: Input) -> CheckedText | None:
        analysis = self._run.analyze(target)
        report = self._report(self._run.shown(target), analysis) if analysis is not None else None
        return report if report is not None and (report.handoffs or report.wrong) else None

    def _report(self, shown: str, analysis: Analysis) -> CheckedText:
        """The findings of one text, sorted by their consequences for the agent."""
        wrong = SEVERITIES[: SEVERITIES.index(self._severity) + 1]
        seen = SEVERITIES[: SEVERITIES.index(_LEAST_SHOWN) + 1]
        for finding in analysis.findings:
            if finding.code in _LEFT_OUT and finding.severity in seen:
                self._unread = True
                if not analysis.handoffs:  # else the agent sees the finding
                    print(f"handoff-lsp hook: {printable(f'{shown}: {finding.message}')}", file=sys.stderr)
        return CheckedText(
            shown,
            analysis,
            [finding for finding in analysis.findings if finding.severity in wrong],
            [finding for finding in analysis.findings if finding.severity in seen and finding.severity not in wrong],
            known=self.known,
        )


def _at_the_end(analysis: Analysis) -> Iterator[Handoff]:
    """The handoffs of a text with nothing but blanks, rules and fences between them and its end."""
    for handoff in reversed(analysis.handoffs):
        if _NOTHING_MORE.fullmatch(analysis.source.text, handoff.span.end):
            before: Handoff | None = handoff
            while before is not None:
                yield before
                before = before.preceding
