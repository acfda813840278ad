"""A folder with its config, its own contracts and its files, checked as ``handoff-lsp check`` does."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import RLock
from typing import Any, Literal

from handoff_lsp.binding.handoff import NOWHERE
from handoff_lsp.contracts.model import Mode
from handoff_lsp.engine import analyze
from handoff_lsp.features.packs.gathering import PackGatherer
from handoff_lsp.library.checking import AnyPath, acted_on, made_report
from handoff_lsp.library.making import made_new, made_schema
from handoff_lsp.reports.pack import PackReport
from handoff_lsp.reports.report import Handoff, Report
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.walking import walk
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.surroundings import surroundings_of


class Project:
    """A folder, with the configs in and above it, the project's own contracts, and the files around each handoff.

    ``root`` is where a relative path begins, whatever the working folder is, and reports spell paths from there, with
    ``/``. Nothing is written, and nothing outdated is used: each call looks at the disk again. Threads can share a
    project, but its checks run one at a time. Pickled, it is its folder, to be read anew.

    Raises UnreadableFile for a root that is no folder. This and each method raise ConfigError if the config that
    applies, or one of its contracts, is broken, and ValueError for a path outside the root.
    """

    def __init__(self, root: AnyPath) -> None:
        self.root: Path = Path(os.path.abspath(root))
        if not self.root.is_dir():
            raise UnreadableFile(self.root, "not a folder" if self.root.exists() else "no such file or folder")
        self._lock = RLock()
        self._resolver = Resolver()
        self._resolver.workspaces = (str(self.root),)
        self._files = Files(self._resolver, memo=self._resolver.memo)
        self._require(self.root / "_")

    def __repr__(self) -> str:
        return f"Project({str(self.root)!r})"

    def __reduce__(self) -> tuple[type[Project], tuple[str]]:
        return type(self), (str(self.root),)

    def check(self, path: AnyPath, *, fixes: bool = True) -> Report:
        """Check one file, even one that the config excludes. Raises UnreadableFile and ConfigError."""
        with self._fresh():
            return self._check(self._full(path), None, fixes=fixes)

    def check_text(self, text: str, path: AnyPath, *, fixes: bool = True) -> Report:
        """Check a text as if it were in a file, which need not exist, such as one that an agent is about to write.

        Raises ConfigError.
        """
        with self._fresh():
            return self._check(self._full(path), text, fixes=fixes)

    def check_return(self, text: str, agent: str, *, earlier: Sequence[str] = (), fixes: bool = True) -> Report:
        """Check the final message of an agent, with what it owes by the config, its definition and the contracts.

        ``earlier`` are its earlier messages, the oldest first: a handoff there is misplaced. Raises ConfigError.
        """
        with self._fresh():
            inside = self.root / "_"
            self._require(inside)
            returned = self._resolver.agents.returned(agent, inside, earlier=tuple(earlier))
            options = replace(self._resolver.options(inside), returned=returned)
            analysis = analyze(Source(text), "", self._resolver.registry(inside), options)
            return made_report(analysis, "", fixes=fixes)

    def parse(self, path: AnyPath) -> tuple[Handoff, ...]:
        """The handoffs of a file that an orchestrator acts on, as ``parse_text`` has them.

        Raises UnreadableFile and ConfigError.
        """
        return acted_on(self.check(path, fixes=False))

    def walk(self, on_error: Callable[[UnreadableFile], None] | None = None) -> Iterator[Path]:
        """The absolute paths of the files that may hold handoffs, in the order of their names.

        Left out, as by ``handoff-lsp check``: what the config excludes, what git ignores, and third-party folders.
        Links are not followed. ``on_error`` gets the error for each folder that cannot be read; without it, the error
        is raised.
        """
        with self._fresh():
            self._require(self.root / "_")
        yield from walk(self.root, self._resolver.excluded, on_error or _raise, self._resolver.is_data_file)

    def check_all(
        self, *, fixes: bool = True, on_error: Callable[[UnreadableFile], None] | None = None
    ) -> Iterator[Report]:
        """The reports of all files of ``walk``, one after another, those without a handoff included.

        ``on_error`` gets the error for each file or folder that cannot be read; without it, the error is raised.
        Raises ConfigError.
        """
        for path in self.walk(on_error):
            try:
                with self._lock:
                    report = self._check(path, None, fixes=fixes)
            except UnreadableFile as error:
                (on_error or _raise)(error)
                continue
            yield report

    def packs(self, *, on_error: Callable[[UnreadableFile], None] | None = None) -> tuple[PackReport, ...]:
        """What the project's prompts say about contracts, as ``handoff-lsp graph`` has it: for each workspace in it.

        There is one for each repository with prompts about a contract. ``on_error`` as of ``check_all``. Raises
        ConfigError.
        """
        gatherer = PackGatherer(self._resolver, self._files, self._name)
        for report in self.check_all(fixes=False, on_error=on_error):
            gatherer.add(self.root / report.path, report)
        with self._lock:
            return gatherer.packs()

    def new(self, contract: str, profile: str | None = None, *, mode: Mode = "handoff", path: AnyPath = "") -> str:
        """A new handoff to fill in, as the function ``new`` has it, also of one of the project's own contracts.

        Raises UnknownNameError and ConfigError.
        """
        with self._fresh():
            full = self._full(path) if path else self.root / "_"
            self._require(full)
            name = self._resolver.name(full) if path else ""
            return made_new(self._resolver.registry(full), self._resolver.options(full), contract, profile, mode, name)

    def schema(
        self,
        contract: str,
        profile: str | None = None,
        *,
        of: Literal["fields", "handoff"] = "fields",
        maker: Literal["openai", "anthropic"] | None = None,
    ) -> dict[str, Any]:
        """The JSON Schema of a contract, as the function ``schema`` has it, also of one of the project's own.

        Raises UnknownNameError, ConfigError and ValueError.
        """
        with self._fresh():
            self._require(self.root / "_")
            return made_schema(self._resolver.registry(self.root / "_"), contract, profile, of, maker)

    def _fresh(self) -> RLock:
        """The lock, with what the disk has now."""
        with self._lock:
            self._resolver.disk_changed()
        return self._lock

    def _full(self, path: AnyPath) -> Path:
        full = Path(os.path.abspath(self.root / path))
        if full.is_relative_to(self.root):
            return full
        real, real_root = (Path(os.path.realpath(each)) for each in (full, self.root))  # its root may have two names
        if not real.is_relative_to(real_root):
            raise ValueError(f"{os.fspath(path)} is outside the project {self.root}")
        return self.root / real.relative_to(real_root)

    def _require(self, full: Path) -> None:
        for problem in self._resolver.problems(full):
            raise problem

    def _check(self, full: Path, text: str | None, *, fixes: bool) -> Report:
        self._require(full)
        source = Source(read_text(full) if text is None else text)
        resolver = self._resolver
        around = surroundings_of(self._files, full) or NOWHERE
        analysis = analyze(source, resolver.name(full), resolver.registry(full), resolver.options(full), around=around)
        return made_report(analysis, self._name(full), fixes=fixes)

    def _name(self, full: Path) -> str:
        """A path as reports spell it; one outside the root as it is."""
        return full.relative_to(self.root).as_posix() if full.is_relative_to(self.root) else str(full)


def _raise(error: UnreadableFile) -> None:
    raise error
