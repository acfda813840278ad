"""The folders whose files the tools may read, and the paths in them."""

from __future__ import annotations

import os
from pathlib import Path

from handoff_lsp.mcp.errors import ToolError

# The most characters of a path.
_LONGEST = 4_096


class Folders:
    """The root of the workspace, perhaps with others, and the config that ``--config`` names.

    Without a root no file is read, only texts. A relative path begins in the first root that has it.
    """

    def __init__(self, roots: tuple[Path, ...], config: Path | None = None) -> None:
        self.roots: tuple[Path, ...] = roots
        self.config: Path | None = config

    def enter(self) -> None:
        """Make the first root the working folder, so that a tool answers as the command does there.

        Raises ToolError if the folder is gone.
        """
        if self.roots:
            try:
                os.chdir(self.roots[0])
            except OSError as error:
                raise ToolError(f"the workspace folder {self.roots[0]} cannot be entered: {error.strerror}") from error

    def file(self, given: str) -> Path:
        """The absolute path of a file, which need not exist. Raises ToolError for one outside the roots.

        A link counts as the file that it leads to.
        """
        if len(given) > _LONGEST:
            raise ToolError(f"the `path` has {len(given):,} characters; send a text as `text`")
        if "\0" in given:
            raise ToolError(f"`{given[:200]}` is not a path: it has a NUL character")
        if given.lower().startswith("file://"):
            raise ToolError(f"`{given[:200]}` is a URI; give the path")
        if not self.roots:
            raise ToolError("there is no workspace folder; start the server with `--root FOLDER`, or send the `text`")
        found = [path for root in self.roots if (path := _inside(root, given)) is not None]
        if not found:
            roots = " or ".join(map(str, self.roots))
            raise ToolError(f"`{given[:200]}` is outside the workspace {roots}; send its content as `text`")
        return next((path for path in found if os.path.lexists(path)), found[0])

    def shown(self, path: Path) -> str:
        """A path from the root it is in, with ``/``."""
        root = next((root for root in self.roots if path.is_relative_to(root)), None)
        return path.relative_to(root).as_posix() if root is not None else str(path)


def _inside(root: Path, given: str) -> Path | None:
    """The absolute path of a file in a root; None if it is outside, or no path."""
    try:
        full = Path(os.path.abspath(root / given))
        real, real_root = Path(os.path.realpath(full)), Path(os.path.realpath(root))
    except (OSError, ValueError):  # a NUL character, a name that is too long
        return None
    if not real.is_relative_to(real_root):
        return None
    # A folder above the root may have two names.
    return full if full.is_relative_to(root) else root / real.relative_to(real_root)
