"""What was found in the documents of the open folders that no editor has open.

Only what was made of a check is kept, not the text, its tree or its handoffs, and for as long as the file, its config
and the files that it was judged by are as they were.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from handoff_lsp.engine import Analysis
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.known_files import State
from handoff_lsp.workspace.store import OpenDocument
from handoff_lsp.workspace.surroundings import Around

if TYPE_CHECKING:
    from handoff_lsp.workspace.store import Workspace

log = logging.getLogger(__name__)

T = TypeVar("T")


class Checked(Generic[T]):
    """The results of files. One for a session; ``make`` makes of a check what is kept of it, which should be small.

    Once looked at, a file is taken for unchanged until it is said that the disk may be another (``doubt``) or that a
    text which it was judged by is another (``touch``): after an edit no other file is looked at, nor the disk.
    """

    def __init__(self, workspace: Workspace, make: Callable[[OpenDocument, Analysis], T]) -> None:
        self._workspace = workspace
        self._make = make
        self._known: dict[str, _CachedResult[T]] = {}
        self._judged_by: dict[str, set[str]] = {}  # by a file: those whose result came from its text
        self._doubts = 0
        self.checks = 0  # how many there have been

    def of(self, full: str) -> T | None:
        """The result of a file as it is now; None where it cannot be read."""
        known = self._known.get(full)
        if known is not None and known.sure == self._doubts:
            return known.result
        state = self._workspace.files.state(full)
        if known is None or known.state != state or not known.holds():
            self.forget(full)
            if state is None:
                return None
            known = self._known[full] = self._check(full, state)
        known.sure = self._doubts
        return known.result

    def suspect(self, full: str) -> None:
        """Look at a file, and at what is around it, when it is next asked for."""
        known = self._known.get(full)
        if known is not None:
            known.sure = -1

    def doubt(self) -> None:
        """Look at each file, and at what is around it, when it is next asked for."""
        self._doubts += 1

    def touch(self, full: str) -> bool:
        """The text of a document is another: look again at the files judged by it. Whether there are any."""
        found = self._judged_by.get(self._workspace.files.real(full), ())
        for dependent in found:
            self._known[dependent].sure = -1
        return bool(found)

    def forget(self, full: str) -> None:
        """Keep nothing of a file."""
        known = self._known.pop(full, None)
        for other in known.judged_by if known is not None else ():
            dependents = self._judged_by[other]
            dependents.discard(full)
            if not dependents:
                del self._judged_by[other]

    def keep_only(self, wanted: Collection[str]) -> None:
        """Keep nothing of files but those, such as of what was deleted."""
        for full in self._known.keys() - set(wanted):
            self.forget(full)

    def forget_all(self) -> None:
        """Keep nothing."""
        self._known.clear()
        self._judged_by.clear()

    def _check(self, full: str, state: State) -> _CachedResult[T]:
        self.checks += 1
        path, files = Path(full), self._workspace.files
        try:
            document = OpenDocument(full, path, None, read_text(path))
        except UnreadableFile as error:
            log.info("%s", error)
            return _CachedResult(state, None, frozenset(), None)
        analysis = document.analysis(self._workspace.resolver, files)
        result = self._make(document, analysis)
        around = document.around
        judged_by = frozenset(files.real(other) for other in around.settle()) if around is not None else frozenset()
        for other in judged_by:
            self._judged_by.setdefault(other, set()).add(full)
        return _CachedResult(state, around, judged_by, result)


class _CachedResult(Generic[T]):
    """The result of a file in a state, and the files whose texts it came from. ``sure``: until which doubt."""

    __slots__ = ("around", "judged_by", "result", "state", "sure")

    def __init__(self, state: State, around: Around | None, judged_by: frozenset[str], result: T | None) -> None:
        self.state = state
        self.around = around
        self.judged_by = judged_by
        self.result = result
        self.sure = -1

    def holds(self) -> bool:
        """Whether the files around are as they were."""
        return self.around is None or self.around.still_true()
