"""Checks for a hook that load the engine only for a text that may concern it: most edits are of other files.

A glance answers only what the engine would answer, too: with a config, or for an agent that may owe something, all is
left to the engine.
"""

from __future__ import annotations

import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.contracts.schemas import needs_of_contracts
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.recognition.prescan import possible_contracts
from handoff_lsp.workspace.config.search import may_have_config
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

if TYPE_CHECKING:
    from handoff_lsp.cli.hooks.checking import Checking
    from handoff_lsp.contracts.owed import Owed, Returned
    from handoff_lsp.features.feedback.checked_text import CheckedText
    from handoff_lsp.workspace.config.resolver import Resolver


class Glance:
    """The checks of ``Checking``, with the same arguments and results; the engine is loaded at the first need."""

    def __init__(self, config: Path | None, fail_on: str) -> None:
        self._config = config
        self._fail_on = fail_on
        self._plain: dict[str, bool] = {}

    @property
    def failed(self) -> bool:
        """As of ``Checking``."""
        return "_checking" in vars(self) and self._checking.failed

    def file(self, path: str) -> CheckedText | None:
        """As of ``Checking``."""
        return None if self.rules_out_file(path) else self._checking.file(path)

    def message(self, text: str, returned: Returned | None) -> CheckedText | None:
        """As of ``Checking``."""
        agent = returned.agent if returned is not None else ""
        return None if self.rules_out_message(text, agent) else self._checking.message(text, returned)

    def owed(self, agent: str) -> tuple[Owed, ...]:
        """As of ``Checking``."""
        if not agent:
            return ()
        if not self._is_plain(os.getcwd()):
            return self._checking.owed(agent)
        return self._resolver.agents.owed_by(agent)

    def is_configured(self, agent: str) -> bool:
        """As of ``Checking``."""
        return not self._is_plain(os.getcwd()) and self._checking.is_configured(agent)

    @property
    def checking(self) -> Checking:
        """The checks with the engine."""
        return self._checking

    @cached_property
    def _checking(self) -> Checking:
        from handoff_lsp.cli.hooks.checking import Checking

        return Checking(self._resolver, self._fail_on)

    @cached_property
    def _resolver(self) -> Resolver:
        from handoff_lsp.workspace.config.resolver import Resolver

        return Resolver(explicit=self._config)

    def rules_out_message(self, text: str, agent: str) -> bool:
        """Whether an agent's final message has no handoff, and need not have one; an agent with a name may owe one."""
        return not agent and self._is_plain(os.getcwd()) and self._rules_out(text, "", data_file=False)

    def rules_out_file(self, path: str) -> bool:
        """Whether a file has no handoff and no finding, and reading it is no problem."""
        if not self._is_plain(os.path.dirname(path)):
            return False
        data_file = is_data_file(path)
        if data_file and self._rules_out(None, path, data_file=True):
            return True  # it is not even read
        try:
            return self._rules_out(read_text(Path(path)), path, data_file=data_file)
        except UnreadableFile:
            return False  # the reason is reported

    def _rules_out(self, text: str | None, path: str, *, data_file: bool) -> bool:
        return possible_contracts(text, path, data_file=data_file, needs=needs_of_contracts()) == []

    def _is_plain(self, folder: str) -> bool:
        """Whether no config counts in an absolute folder, so that the built-in contracts do, as they are."""
        if folder not in self._plain:
            self._plain[folder] = self._config is None and not may_have_config(folder)
        return self._plain[folder]
