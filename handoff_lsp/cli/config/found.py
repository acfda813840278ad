"""What ``init`` finds in a folder: contracts, profiles, places, archives."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from handoff_lsp.cli.run import Input, Run
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.reports.make import report_of
from handoff_lsp.reports.report import Finding, Report

Settings = Mapping[str, Any]
# The fewest handoffs of a contract that show which profile is used.
_FEWEST = 3
# The names of folders whose documents are most likely not written any more, or not here.
_ARCHIVES = frozenset({"archive", "archived", "archives", "old", "legacy", "vendor", "third_party", "third-party"})


class FoundHandoffs:
    """The handoffs below a folder. ``files``: the number of checked files.

    ``places`` and ``profiles`` are by contract: the files of its handoffs, relative to the folder, and the number of
    handoffs of each profile. ``archives``: the number of handoffs in each folder that is named like an archive.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files: int = 0
        self.places: defaultdict[str, list[str]] = defaultdict(list)
        self.profiles: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self.archives: Counter[str] = Counter()
        self.findings: list[Finding] = []
        self._reports: dict[Path, Report] = {}

    def add(self, path: Path, report: Report) -> None:
        """Add the report of a file in the folder."""
        self.files += 1
        self.findings += report.findings
        if not report.handoffs:
            return
        self._reports[path] = report
        name = path.relative_to(self.folder).as_posix()
        for handoff in report.handoffs:
            self.places[handoff.contract].append(name)
            self.profiles[handoff.contract][handoff.profile] += 1
        archive = _archive_of(name)
        if archive:
            self.archives[archive] += len(report.handoffs)

    def patterns(self, contract: str) -> Counter[str]:
        """The folders of a contract's handoffs as patterns, with the number of handoffs in each."""
        return Counter(_pattern(name) for name in self.places[contract])

    def profiles_that_change_nothing(self, run: Run, with_settings: Callable[[Settings], Run]) -> dict[str, str]:
        """For each contract of which all handoffs (a few at least) have one profile, of several, that one.

        Each is tried, in a run with more settings: where the profile would change any report, it is left out.
        """
        registry = run.resolver.registry(self.folder / "_")
        wanted = {name: next(iter(counts)) for name, counts in self.profiles.items() if len(counts) == 1}
        enough = {name for name, counts in self.profiles.items() if counts.total() >= _FEWEST}
        wanted = {name: each for name, each in wanted.items() if name in enough and _has_several(registry, name)}
        if not wanted:
            return {}
        tried = with_settings({"contracts": {name: {"profile": profile} for name, profile in wanted.items()}})
        for path, report in self._reports.items():
            touched = {handoff.contract for handoff in report.handoffs}.intersection(wanted)
            target = Input(path, named=False)
            analysis = tried.analyze(target) if touched else None
            if analysis is not None and report_of(analysis, run.shown(target), fixes=False) != report:
                for name in touched:
                    wanted.pop(name, None)
        return wanted


def _has_several(registry: Registry, contract: str) -> bool:
    return contract in registry and len(registry[contract].contract.profiles) > 1


def _archive_of(name: str) -> str:
    """The outermost folder of a path that is named like an archive; empty without one."""
    parents = [each for each in reversed(PurePosixPath(name).parents) if each.name.lower() in _ARCHIVES]
    return str(parents[0]) if parents else ""


def _pattern(name: str) -> str:
    """The pattern of a file's folder."""
    path = PurePosixPath(name)
    return str(path.parent / f"*{path.suffix}")
