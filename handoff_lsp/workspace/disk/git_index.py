"""Which files git tracks: its index, as "git help format-index" describes it. Reading it never raises."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from struct import error as StructError
from struct import unpack_from

from handoff_lsp.workspace.disk.files import UnreadableFile, read_bytes, read_text

# An index beyond this size (bytes) or number of entries is not read: the tracked files are then unknown.
MAX_BYTES = 200_000_000
MAX_ENTRIES = 1_000_000

_SMALL = 4_000
_STAT = 40  # bytes of an entry before its hash
_HASHES = (20, 32)  # of SHA-1 and SHA-256; the index does not say which
_LENGTH, _EXTENDED = 0x0FFF, 0x4000


def git_folder(root: str) -> str | None:
    """The folder that holds the index of a work tree; None where its ``.git`` leads to none."""
    place = os.path.join(root, ".git")
    if os.path.isdir(place):
        return place
    return _led_to(root, place, "gitdir: ")


def common_folder(folder: str) -> str:
    """The folder that work trees of one repository share."""
    return _led_to(folder, os.path.join(folder, "commondir")) or folder


def _led_to(base: str, file: str, prefix: str = "") -> str | None:
    try:
        told = read_text(Path(file), limit=_SMALL)
    except UnreadableFile:
        return None
    name = told.strip().removeprefix(prefix)
    return os.path.normpath(os.path.join(base, name)) if told.startswith(prefix) and name else None


class Tracked:
    """The files of an index, by their paths from the root of the work tree."""

    def __init__(self, names: Sequence[bytes]) -> None:
        self._names = names  # in the order of their bytes, as git keeps them

    def file(self, name: str) -> bool:
        """Whether a file is tracked."""
        wanted = os.fsencode(name)
        at = bisect_left(self._names, wanted)
        return at < len(self._names) and self._names[at] == wanted

    def below(self, name: str) -> bool:
        """Whether a file in a folder is tracked."""
        wanted = os.fsencode(f"{name}/")
        at = bisect_left(self._names, wanted)
        return at < len(self._names) and self._names[at].startswith(wanted)


def tracked(folder: str) -> Tracked:
    """The entries of the index in a folder; empty if it cannot be read."""
    path = os.path.join(folder, "index")
    try:
        about = os.stat(path)
    except (OSError, ValueError):
        return Tracked(())
    return _tracked(path, (about.st_mtime_ns, about.st_size, about.st_ino))


@lru_cache(maxsize=8)
def _tracked(path: str, _stamp: tuple[int, int, int]) -> Tracked:
    try:
        data = read_bytes(Path(path), limit=MAX_BYTES)
    except UnreadableFile:
        return Tracked(())
    found = next((names for size in _HASHES if (names := index_names(data, size)) is not None), [])
    return Tracked(found)


def index_names(data: bytes, hash_size: int) -> list[bytes] | None:
    """The paths in an index of version 2, 3 or 4; None where it is none, or has hashes of another size."""
    try:
        return _names(data, hash_size)
    except (StructError, ValueError, IndexError):
        return None


def _names(data: bytes, hash_size: int) -> list[bytes] | None:
    signature, version, count = unpack_from(">4sII", data)
    if signature != b"DIRC" or not 2 <= version <= 4 or count > MAX_ENTRIES:
        return None
    names: list[bytes] = []
    at, name = 12, b""
    for _ in range(count):
        (flags,) = unpack_from(">H", data, at + _STAT + hash_size)
        start = at + _STAT + hash_size + (4 if version > 2 and flags & _EXTENDED else 2)
        kept = b""
        if version == 4:  # the number of bytes to drop from the end of the name before it
            drop, start = _number(data, start)
            kept = name[: len(name) - drop]
        end = data.index(b"\0", start)
        name = kept + data[start:end]
        if flags & _LENGTH != min(len(name), _LENGTH):
            return None
        names.append(name)
        # Before version 4 an entry is filled up with 1 to 8 NUL.
        at = end + 1 if version == 4 else at + (end - at + 8) // 8 * 8
    return names


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable length, and where it ends."""
    value = data[at] & 0x7F
    while data[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (data[at] & 0x7F)
    return value, at + 1
