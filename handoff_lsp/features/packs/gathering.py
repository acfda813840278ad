"""Gathers the packs of a run: the prompts of each workspace, with what the checked files hold and what was found."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from handoff_lsp.contracts.kinds import kinds_of
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.reports.matrix import ReadPrompt, SeenIn, is_about_prompts, pack_report
from handoff_lsp.reports.pack import PackReport
from handoff_lsp.reports.report import Finding, Report
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.packs import pack_of


class PackGatherer:
    """The packs of the workspaces around some files. ``shown`` spells a path as reports do."""

    def __init__(self, resolver: Resolver, files: Files, shown: Callable[[Path], str]) -> None:
        self._resolver = resolver
        self._files = files
        self._shown = shown
        self._seen: dict[Path, SeenIn] = {}
        self._findings: dict[Path, list[Finding]] = {}

    def about(self, path: Path) -> Path | None:
        """Note the workspace around a file, which need not exist; returns its root, None outside any."""
        root = self._resolver.root(path)
        if root is not None and root not in self._seen:
            self._seen[root], self._findings[root] = SeenIn(), []
        return root

    def add(self, path: Path, report: Report) -> None:
        """Add the report of a file."""
        root = self.about(path)
        if root is not None:
            self._seen[root].add(report.handoffs)
            self._findings[root] += (finding for finding in report.findings if is_about_prompts(finding.rule))

    def packs(self) -> tuple[PackReport, ...]:
        """The packs with a prompt, in the order of their roots. Prompts that are gone are left out."""
        made = (self._pack(root) for root in sorted(self._seen))
        return tuple(pack for pack in made if pack.prompts or pack.unread)

    def _pack(self, root: Path) -> PackReport:
        pack = pack_of(self._files, str(root))
        shown = self._shown(root)
        if pack is None:
            return PackReport(shown, (), (), (), tuple(self._findings[root]), "too many prompts")
        prompts: list[ReadPrompt] = []
        contracts: dict[str, ContractEntry] = {}
        for document in pack.documents:
            full = root.joinpath(*document.path.split("/"))
            # Read again, for equal statements may have moved in their documents.
            read = self._files.read(str(full))
            if read.source is None or read.said is None:
                continue
            prompts.append(ReadPrompt(read.said, read.source, self._shown(full)))
            registry = self._resolver.registry(full)
            contracts |= {name: registry[name] for name in read.said.contracts if name not in contracts}
        kinds = kinds_of(self._resolver.registry(root / "_"))
        return pack_report(shown, prompts, contracts.get, self._seen[root], self._findings[root], kinds)


def inside(path: Path) -> Path:
    """A path that is in a folder, if it is one, for questions about the workspace of a file."""
    return path / "_" if os.path.isdir(path) else path
