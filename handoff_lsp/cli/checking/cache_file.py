"""The file of the cache: a row for each checked file. Whatever is wrong with it is as if there were none."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Collection
from contextlib import closing, suppress
from pathlib import Path

from handoff_lsp.text.digest import digest
from handoff_lsp.text.named_tuple import NamedTuple

# Seconds to wait for another run that writes.
_PATIENCE = 1.0
# Rows that are written at once.
_AT_ONCE = 500
# The form of the table and of the questions in it. A file of another form is dropped.
_FORM = 2

_TABLE = "CREATE TABLE IF NOT EXISTS reports (path BLOB PRIMARY KEY, key TEXT, body BLOB, digest BLOB)"


class CacheRow(NamedTuple):
    """A row: the file's absolute path, what its result depends on besides the files around it, and the result."""

    path: str
    key: str
    body: bytes


class CacheFile:
    """The rows of one file, read and written without ever raising. Several runs may use it at the same time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._waiting: list[CacheRow] = []
        self._wrote = False
        self._rows = _open(path)

    def get(self, path: str) -> CacheRow | None:
        """The row of a file."""
        if self._rows is None:
            return None
        try:
            found = self._rows.execute("SELECT key, body, digest FROM reports WHERE path = ?", (os.fsencode(path),))
            key, body, digest = found.fetchone() or (None, None, None)
        except sqlite3.Error as error:
            self._failed(error)
            return None
        if not (isinstance(key, str) and isinstance(body, bytes)):
            return None
        row = CacheRow(path, key, body)
        return row if digest == _digest(row) else None

    def put(self, row: CacheRow) -> None:
        """Have a row written, now or at the end."""
        self._waiting.append(row)
        if len(self._waiting) >= _AT_ONCE:
            self._write()

    def close(self, seen: Collection[str]) -> None:
        """Write what is left, and drop the rows of files that are gone; those ``seen`` are there."""
        self._write()
        if self._rows is None:
            return
        with closing(self._rows), suppress(sqlite3.Error):
            if self._wrote:
                known = [os.fsdecode(path) for (path,) in self._rows.execute("SELECT path FROM reports")]
                gone = [(os.fsencode(path),) for path in known if path not in seen and not os.path.lexists(path)]
                with self._rows:
                    self._rows.executemany("DELETE FROM reports WHERE path = ?", gone)
        self._rows = None

    def _write(self) -> None:
        rows, self._waiting = self._waiting, []
        if self._rows is None or not rows:
            return
        data = [(os.fsencode(row.path), row.key, row.body, _digest(row)) for row in rows]
        try:
            with self._rows:
                self._rows.executemany("REPLACE INTO reports VALUES (?, ?, ?, ?)", data)
            self._wrote = True
        except sqlite3.Error as error:
            self._failed(error)

    def _failed(self, error: sqlite3.Error) -> None:
        """Give up on a broken file; go on where another run writes, the disk is full or the file is read-only."""
        if self._rows is not None and not isinstance(error, sqlite3.OperationalError):
            self._rows.close()
            self._rows = None
            _drop(self._path)


class _OtherForm(sqlite3.DatabaseError):
    """The file has another form of the table."""


def _open(path: Path, *, again: bool = False) -> sqlite3.Connection | None:
    """The rows of a file, a new one if it is missing or broken; None where that is impossible."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        rows = sqlite3.connect(path, timeout=_PATIENCE, isolation_level="IMMEDIATE")
    except (OSError, ValueError, sqlite3.Error):
        return None
    try:
        # A row can be computed again, and the digest of one that was half written is wrong.
        rows.execute("PRAGMA synchronous = OFF")
        (form,) = rows.execute("PRAGMA user_version").fetchone()
        if form == 0:
            with rows:
                rows.execute(_TABLE)
                rows.execute(f"PRAGMA user_version = {_FORM}")
        elif form != _FORM:
            raise _OtherForm
    except sqlite3.Error as error:
        rows.close()
        if isinstance(error, sqlite3.OperationalError) or again:
            return None
        _drop(path)
        return _open(path, again=True)
    return rows


def _drop(path: Path) -> None:
    for end in ("", "-journal"):
        with suppress(OSError):
            os.unlink(f"{path}{end}")


def _digest(row: CacheRow) -> bytes:
    return digest(b"\0".join((os.fsencode(row.path), row.key.encode(), row.body)))
