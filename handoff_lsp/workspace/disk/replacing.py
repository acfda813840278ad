"""Writing a file again: whole or not at all, and never over a change that somebody else made meanwhile."""

from __future__ import annotations

import os
import stat
import tempfile
from contextlib import suppress
from pathlib import Path

from handoff_lsp.workspace.disk.files import UnreadableFile, read_bytes, reason_of

CHANGED = "changed meanwhile"


class NotReplaced(Exception):
    """A file that was not written, with the reason in words; it is as it was."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


def replace_text(path: Path, before: str, after: str) -> None:
    """Write ``after`` to a file that holds ``before``; a link stays, and its target is written.

    A new file beside it takes its place, so that it is the old one or the new one at any moment. Raises NotReplaced.
    """
    real = Path(os.path.realpath(path))
    about = _writable(path, real)
    new = ""
    try:
        number, new = tempfile.mkstemp(prefix=f".{real.name[:40]}.", suffix=".tmp", dir=real.parent)
        with os.fdopen(number, "wb") as file:
            file.write(after.encode("utf-8"))
            file.flush()
            _keep_owner(new, number, about, real)
            os.fsync(number)
        _unchanged(path, real, before)
        os.replace(new, real)
        new = ""
    except OSError as error:
        raise NotReplaced(path, f"cannot be written: {reason_of(error)}") from error
    finally:
        if new:
            with suppress(OSError):
                os.unlink(new)
    _sync_folder(real.parent)


def _writable(path: Path, real: Path) -> os.stat_result:
    try:
        about = os.stat(path)
    except OSError as error:
        raise NotReplaced(path, reason_of(error)) from error
    if not stat.S_ISREG(about.st_mode):
        raise NotReplaced(path, "not a regular file")
    # The folder would allow it, but the file is read-only on purpose.
    if not about.st_mode & 0o222 or not os.access(real, os.W_OK):
        raise NotReplaced(path, "read-only")
    if about.st_nlink > 1:  # under its other names it would keep the old text
        raise NotReplaced(path, f"a file with {about.st_nlink} names (hard links)")
    return about


def _unchanged(path: Path, real: Path, before: str) -> None:
    data = before.encode("utf-8")
    try:
        same = read_bytes(real, limit=len(data)) == data
    except UnreadableFile:  # such as too large now
        same = False
    if not same:
        raise NotReplaced(path, CHANGED)


def _keep_owner(new: str, number: int, about: os.stat_result, real: Path) -> None:
    """Give a new file the owner, the mode and the attributes of the old one, as far as the system lets us."""
    if hasattr(os, "fchown"):
        made = os.fstat(number)
        if (made.st_uid, made.st_gid) != (about.st_uid, about.st_gid):
            with suppress(OSError):
                os.fchown(number, about.st_uid, about.st_gid)
    if hasattr(os, "listxattr"):  # access control lists are among them
        with suppress(OSError):
            for name in os.listxattr(real):
                with suppress(OSError):
                    os.setxattr(number, name, os.getxattr(real, name))
    os.chmod(new, stat.S_IMODE(about.st_mode))


def _sync_folder(folder: Path) -> None:
    """Have the new name on disk, too, where folders can be opened."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)
