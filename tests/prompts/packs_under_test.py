"""Packs of prompts that agree with their contracts, and what is found in them after a change.

The folders in ``packs`` are small packs in five dresses; each one is checked as a workspace in which an editor has all
prompts open, by the same code as in the server.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.store import OpenDocument, TextChange, Workspace

PACKS = Path(__file__).parent / "packs"
# By pack: the contract that its prompts are about.
CONTRACTS = {
    "bakery": "status-block",
    "ferry": "agent-result",
    "clinic": "visit-note",
    "orchard": "result-envelope",
    "harbor": "shift-note",
}


class Found(NamedTuple):
    """A finding in a document of a pack. ``path`` is from the root."""

    path: str
    source: Source
    finding: Finding

    @property
    def line(self) -> int:
        """The zero-based line on which it begins."""
        return self.source.lines.line_of(self.finding.span.start)

    def __str__(self) -> str:
        return f"{self.path}:{self.line + 1} {self.finding.code}: {self.finding.message}"


class OpenPack:
    """A copy of a pack in a folder, all its prompts open."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.contract = CONTRACTS[name]
        self.root: Path = folder / name
        shutil.copytree(PACKS / name, self.root)
        (self.root / ".git").mkdir()
        self.workspace = Workspace(Resolver())
        self.workspace.set_folders([self.root])
        self._documents: dict[str, OpenDocument] = {}
        for path in sorted(self.root.rglob("*.md")):
            text = path.read_text(encoding="utf-8")
            self._documents[path.relative_to(self.root).as_posix()] = self.workspace.open(path.as_uri(), path, 1, text)

    @property
    def texts(self) -> dict[str, str]:
        """The texts of its prompts by their paths from the root."""
        return {name: document.source.text for name, document in self._documents.items()}

    def found(self, first: str = "") -> Iterator[Found]:
        """All findings, those in the document at a path first."""
        for name in sorted(self._documents, key=lambda name: (name != first, name)):
            document = self._documents[name]
            analysis = document.analysis(self.workspace.resolver, self.workspace.files)
            for finding in analysis.findings:
                yield Found(name, document.source, finding)

    @contextmanager
    def changed(self, name: str, text: str) -> Iterator[None]:
        """Another text of a prompt, typed into its editor, or of a contract, written to the disk."""
        if name in self._documents:
            before = self._documents[name].source.text
            self._type(name, text)
            yield
            self._type(name, before)
            return
        path = self.root / name
        before = path.read_text(encoding="utf-8")
        path.write_text(text, encoding="utf-8")
        self.workspace.disk_changed()
        yield
        path.write_text(before, encoding="utf-8")
        self.workspace.disk_changed()

    def _type(self, name: str, text: str) -> None:
        document = self._documents[name]
        document.change((document.version or 0) + 1, [TextChange(None, text)])
        self.workspace.changed(document)
