"""Paths as a CI system shows them: from the root of its checkout, where it names one."""

from __future__ import annotations

import os
from pathlib import PurePath
from urllib.parse import quote

from handoff_lsp.reports.report import NO_FILE

# The variables with the folder of the checkout: GitHub, GitLab, Azure Pipelines.
_ROOTS = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY")

# Characters of a path that a URI has as they are. A colon would end a scheme.
_PLAIN = "/!$&'()*+,;=@"


class Checkout:
    """The checkout around the working folder; without one the working folder itself."""

    def __init__(self) -> None:
        self._here = os.path.realpath(os.getcwd())
        named = (os.path.realpath(folder) for name in _ROOTS if (folder := os.environ.get(name)))
        self._root = next((root for root in named if PurePath(self._here).is_relative_to(root)), self._here)

    def path(self, path: str) -> str:
        """A path of a report as seen from the root, with ``/``; an absolute one if it is outside."""
        if path in NO_FILE:
            return path
        full = PurePath(os.path.normpath(os.path.join(self._here, path)))
        for root in (self._root, os.getcwd()):
            if full.is_relative_to(root):
                return full.relative_to(root).as_posix()
        return full.as_posix()

    def uri(self, path: str) -> str:
        """The same as a relative reference, percent-encoded; an absolute ``file`` URI if it is outside."""
        shown = self.path(path)
        return PurePath(shown).as_uri() if os.path.isabs(shown) else quote(os.fsencode(shown), safe=_PLAIN)
