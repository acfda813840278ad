"""The context of a feature: a document, the contracts in force, the documents around it, the time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from handoff_lsp.contracts.field_types import timestamp_of
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis
from handoff_lsp.text import Source
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.project import Project

# How long (in seconds) one answer may read documents. They are cached for the next answer.
LOOKING_FOR = 0.3
# How long (in seconds) the list of files on disk is reused.
LISTED_FOR = 30.0


def _now() -> datetime:
    return datetime.now(UTC)


@lazy_dataclass(frozen=True, kw_only=True, eq=False)
class Context:
    """A document and its surroundings. A feature that needs only its analysis takes just that.

    ``full`` is its absolute path; empty for a document without a file.
    """

    analysis: Analysis
    registry: Registry
    project: Project
    full: str = ""
    clock: Callable[[], datetime] = _now

    @property
    def source(self) -> Source:
        """The text of the document."""
        return self.analysis.source

    @property
    def assumed_path(self) -> str:
        """The path of the document; without a file, a path in the first of the open folders."""
        folders = self.project.resolver.workspaces
        return self.full or (os.path.join(folders[-1], "untitled") if folders else "")

    def shares_root(self, full: str) -> bool:
        """Whether a file has the same root as the document: the definitions in files apply within a root."""
        root = self.project.resolver.root
        return not self.assumed_path or root(Path(full)) == root(Path(self.assumed_path))

    def timestamp(self) -> str:
        """The time now as handoffs write it: ISO 8601 in UTC."""
        return timestamp_of(self.clock().astimezone(UTC))

    def display_path(self, full: str) -> str:
        """The path of a file as documents write it: from the root."""
        root = self.project.resolver.root(Path(self.full)) if self.full else None
        return os.path.relpath(full, root).replace(os.sep, "/") if root is not None else os.path.basename(full)

    def documents(self) -> Iterator[str | None]:
        """The absolute paths of the workspace's documents, the nearest first; None at the end if time has run out."""
        folder = os.path.dirname(self.full) + os.sep
        until = time.monotonic() + LOOKING_FOR
        paths = self.project.paths(listed_for=LISTED_FOR)
        for full in sorted(paths, key=lambda full: (full != self.full, not full.startswith(folder))):
            if time.monotonic() > until:
                yield None
                return
            yield full
