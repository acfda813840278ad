"""Judges a text or a file as ``handoff-lsp check`` does: by the config, its contracts and the files around it."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from handoff_lsp.binding.handoff import NOWHERE
from handoff_lsp.contracts.options import Options
from handoff_lsp.engine import Analysis, analyze
from handoff_lsp.library.checking import made_report
from handoff_lsp.library.names import UnknownNameError, entry_of, profiles_of
from handoff_lsp.mcp.arguments import DocumentArguments
from handoff_lsp.mcp.errors import ToolError
from handoff_lsp.mcp.folders import Folders
from handoff_lsp.reports.report import Report
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile, decode_text, read_text
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.surroundings import surroundings_of


class NotJudged(Exception):
    """A text that could not be judged; the message is the reason."""


@dataclass(frozen=True)
class Judged:
    """A text that was judged; ``shown`` is its path from the root, empty without one."""

    shown: str
    analysis: Analysis

    @cached_property
    def report(self) -> Report:
        """The report, with the feedback for the author."""
        return made_report(self.analysis, self.shown, fixes=True)


class Judge:
    """Judges one document with what the disk has now. ``shown`` and ``problems`` count whatever the result is.

    Raises ToolError for arguments that do not fit together, or a path outside the workspace.
    """

    def __init__(self, folders: Folders, asked: DocumentArguments) -> None:
        if asked.text is None and not asked.path:
            raise ToolError("give the `text` or the `path` of a handoff")
        self._path = folders.file(asked.path) if asked.path else None
        self._text = asked.text
        self._folders = folders
        self._resolver = Resolver(explicit=folders.config)
        self.shown: str = folders.shown(self._path) if self._path is not None else ""

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """The problems of the config and its contract files, each with its place."""
        return tuple(map(self._words, self._resolver.problems(self._path)))

    def judged(self, contract: str | None = None, profile: str | None = None, agent: str | None = None) -> Judged:
        """The judged text; ``agent``: it is the final message of this one.

        Raises NotJudged, and ToolError for an unknown contract or profile.
        """
        if agent is not None and self._path is not None:
            raise ToolError("`agent` needs its final message as `text`, without a `path`")
        broken = [each for each in self._resolver.problems(self._path) if each.rule == "invalid-config"]
        if broken:
            raise NotJudged(f"the config is broken: {self._words(broken[0])}")
        options = self._options(contract, profile)
        if agent is not None:
            options = replace(options, returned=self._resolver.agents.returned(agent))
        try:
            source = Source(self._read())
        except UnreadableFile as error:
            raise NotJudged(error.reason) from error
        resolver, path = self._resolver, self._path
        around = surroundings_of(Files(resolver), path) or NOWHERE
        analysis = analyze(source, resolver.name(path), resolver.registry(path), options, around=around)
        return Judged(self.shown, analysis)

    def _read(self) -> str:
        if self._text is None:
            assert self._path is not None, "a text or a path is there"
            return read_text(self._path)
        return decode_text(self._path or Path("<text>"), self._text.encode("utf-8", "surrogatepass"))

    def _options(self, contract: str | None, profile: str | None) -> Options:
        """The settings of the document, with a contract and a profile that the caller names."""
        options, registry = self._resolver.options(self._path), self._resolver.registry(self._path)
        try:
            if contract is not None:
                entry_of(registry, contract)
                options = replace(options, contract=contract)
            if profile is not None:
                profiles = profiles_of(registry, options.contract, profile)
                options = replace(options, profiles={**options.profiles, **profiles})
        except UnknownNameError as error:
            raise ToolError(str(error)) from error
        return options

    def _words(self, problem: ConfigError) -> str:
        line = f":{problem.line}" if problem.line is not None else ""
        return f"{self._folders.shown(Path(os.path.abspath(problem.path)))}{line}: {problem.message}"
