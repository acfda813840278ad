"""The places of config files, for those who only ask whether there may be one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

OWN_NAME = ".handoff-lsp.toml"
SHARED_NAME = "pyproject.toml"


def absolute(path: Path) -> str:
    """The same as ``os.path.abspath``, sooner: most paths are absolute, and a ``Path`` has no ``.`` or ``//``."""
    full = str(path)
    return full if ".." not in full and path.is_absolute() else os.path.abspath(full)


def folders_upward(folder: str) -> Iterator[str]:
    """An absolute folder and its parents, in the order of the search for a config."""
    while True:
        yield folder
        above = os.path.dirname(folder)
        if above == folder:
            return
        folder = above


def may_have_config(folder: str) -> bool:
    """Whether an absolute folder or one above it may have a config, broken or not; a fast test."""
    return any(_may_be_config(each) for each in folders_upward(folder))


def _may_be_config(folder: str) -> bool:
    if os.path.lexists(os.path.join(folder, OWN_NAME)):
        return True
    shared = Path(folder, SHARED_NAME)
    try:
        return shared.exists() and "handoff-lsp" in read_text(shared)
    except (OSError, UnreadableFile):
        return True  # that may be a problem to report
