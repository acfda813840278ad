"""The settings by file of a workspace: a ``Resolver`` takes them from configs; or they are the same for all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Protocol

from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.workspace.config.config_file import relative_to


class FileSettings(Protocol):
    """Gives the settings of each file; a ``Resolver`` is one."""

    def root_of(self, full: str) -> str | None:
        """The root of the workspace that a file is in, by its absolute path."""

    def name(self, path: Path | None) -> str:
        """A file's path from there."""

    def options(self, path: Path | None) -> Options:
        """The settings of the config for a file."""

    def registry(self, path: Path | None) -> Registry:
        """The contracts known for a file."""


class Fixed:
    """Settings without a config: one root, the same contracts for every file."""

    def __init__(self, root: Path, registry: Registry, options: Options) -> None:
        self._root = os.path.abspath(root)
        self._registry = registry
        self._options = options

    def path(self, name: str) -> Path:
        """The file of a path from the root."""
        return Path(self._root, name)

    def root_of(self, full: str) -> str | None:
        """The root, for the files in it."""
        return self._root if relative_to(full, self._root) is not None else None

    def name(self, path: Path | None) -> str:
        """A file's path from the root."""
        return (relative_to(os.path.abspath(path), self._root) or "") if path is not None else ""

    def options(self, path: Path | None) -> Options:
        """The same for all."""
        return self._options

    def registry(self, path: Path | None) -> Registry:
        """The same for all."""
        return self._registry
