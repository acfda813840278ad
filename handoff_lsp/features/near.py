"""What a feature may ask beyond the document it is about: the documents of the workspace, the time."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from handoff_lsp.workspace.project import Project

# How long (in seconds) one answer may look through the documents. What was looked at is known the next time.
LOOKING_FOR = 0.3
# How long (in seconds) the files that there are on disk are taken for the same.
LISTED_FOR = 30.0


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Near:
    """The workspace, the document's own absolute path, and the time. Without a workspace nothing is known."""

    project: Project | None = None
    full: str = ""
    clock: Callable[[], datetime] = _now

    def time(self) -> str:
        """The time now as handoffs write it: ISO 8601 in UTC."""
        return self.clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    def called(self, full: str) -> str:
        """A file as documents call it: its path from the root."""
        root = self.project.resolver.root(Path(self.full)) if self.project is not None else None
        return os.path.relpath(full, root).replace(os.sep, "/") if root is not None else os.path.basename(full)

    def documents(self) -> Iterator[str | None]:
        """The absolute paths of the workspace's documents, the nearest first; None at the end if time has run out."""
        if self.project is None:
            return
        folder = os.path.dirname(self.full) + os.sep
        until = time.monotonic() + LOOKING_FOR
        paths = self.project.paths(listed_for=LISTED_FOR)
        for full in sorted(paths, key=lambda full: (full != self.full, not full.startswith(folder))):
            if time.monotonic() > until:
                yield None
                return
            yield full


NOWHERE = Near()
