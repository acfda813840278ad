"""Reading files: every reason why one cannot be read has its words here."""

from __future__ import annotations

import os
import re
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

# A file beyond this is not a handoff (bytes).
MAX_BYTES = 5_000_000

_BINARY_WITHIN = 8192
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class UnreadableFile(Exception):
    """A file that cannot be read as text. ``line`` is 1-based, or None where no place in it is to blame."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.line = line

    def __reduce__(self) -> tuple[type[UnreadableFile], tuple[Path, str, int | None]]:
        return type(self), (self.path, self.reason, self.line)

    @property
    def brief(self) -> str:
        """The reason in two words."""
        return re.split(r",| \(", self.reason, maxsplit=1)[0]


class NoText(UnreadableFile):
    """A file whose content is no text, or too long for a handoff."""


def read_text(path: Path, *, limit: int = MAX_BYTES) -> str:
    """The text of a file, with its line endings and its byte order mark (as U+FEFF) as they are.

    ``limit`` is in bytes. Raises UnreadableFile, never anything else. Reads regular files only, so that it never waits.
    """
    return decode_text(path, read_bytes(path, limit=limit), limit=limit)


def read_bytes(path: Path, *, limit: int) -> bytes:
    """What a file holds, and one byte more than ``limit`` where it grows meanwhile. Raises UnreadableFile."""
    try:
        # O_NONBLOCK: opening a pipe without a writer would wait for ever.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(number, "rb") as file:
            about = os.fstat(number)
            if stat.S_ISDIR(about.st_mode):
                raise IsADirectoryError
            if not stat.S_ISREG(about.st_mode):
                raise UnreadableFile(path, "not a regular file")
            if about.st_size > limit:
                raise NoText(path, too_large(about.st_size, limit))
            data = file.read(about.st_size + 1)  # room for the limit would cost more than the reading
            return data + file.read(limit + 1 - len(data)) if len(data) > about.st_size else data
    except (OSError, ValueError) as error:
        raise UnreadableFile(path, reason_of(error)) from error


def decode_text(path: Path, data: bytes, *, limit: int = MAX_BYTES) -> str:
    """The text of a file's bytes. Raises UnreadableFile where they are too many or not text in UTF-8."""
    if len(data) > limit:
        raise NoText(path, too_large(len(data), limit))
    if data.startswith(_UTF16_MARKS):
        raise NoText(path, "UTF-16, but handoffs are UTF-8")
    if b"\0" in data[:_BINARY_WITHIN]:
        raise NoText(path, f"binary (a NUL byte at offset {data.index(0)})")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 (byte 0x{data[error.start]:02x} at offset {error.start})"
        raise NoText(path, reason, data.count(b"\n", 0, error.start) + 1) from error


def too_large(size: int, limit: int) -> str:
    """The reason for a file of ``size`` bytes."""
    return f"too large ({size:,} bytes; the limit is {limit:,})"


def reason_of(error: OSError | ValueError) -> str:
    """Why a file or folder cannot be read, in words."""
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "a folder, not a file"
    if isinstance(error, PermissionError):
        return "permission denied"
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__
