"""The memory of an agent's session between two calls of a hook: a small file to which lines are only appended.

Hooks of one agent may run at the same time. Each line is one write, so that no process loses another's line; what only
one of them may say is claimed under a lock.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

# Older files are removed (seconds); at most this many are examined.
_KEPT_FOR = 7 * 24 * 3600
_LOOKED_AT = 500
# Bounds: files per session, characters of an agent's words, and bytes of the last lines.
_FILES = 500
_BYTES = 1_000_000
_CHARACTERS = 200_000
# How long to wait for a lock (seconds). A process holds it for less than a thousandth of that.
_PATIENCE = 1.0
_LONGEST_NAME = 120


class Memory:
    """The memory of one agent in one session. If nothing can be kept, it is empty and not ``usable``."""

    def __init__(self, agent: str, session: str, subagent: str) -> None:
        self._about = (agent, session, subagent)
        self._is_session = bool(session)

    @property
    def mark(self) -> str:
        """A hash of the agent and its session: 16 hexadecimal digits."""
        import zlib  # loads less than what hashlib does, and nothing depends on it

        about = "\0".join(self._about).encode("utf-8", "replace")
        return f"{zlib.crc32(about):08x}{zlib.crc32(about[::-1]):08x}"

    @property
    def usable(self) -> bool:
        """Whether the memory can be written."""
        return self._folder is not None

    def files(self) -> list[str]:
        """The files that the agent wrote, in the order of their first edits."""
        return list(dict.fromkeys(file for line in self._lines if isinstance(file := line.get("file"), str)))

    def wrote(self, file: str) -> None:
        """Remember a file."""
        known = self.files()
        if file not in known and len(known) < _FILES:
            self._add({"file": file})

    def began(self, time: float) -> None:
        """Remember the time at which the agent got a prompt, until it ends: some get several on their way."""
        if self.beginning is None:
            self._add({"began": time})

    def ended(self) -> None:
        """Remember that the agent may end."""
        if self.beginning is not None:
            self._add({"began": None})

    @property
    def beginning(self) -> float | None:
        """The time at which the agent began; None if that is not known."""
        for line in reversed(self._lines):
            if "began" in line:
                began = line["began"]
                return began if isinstance(began, int | float) else None
        return None

    @cached_property
    def of_session(self) -> Memory:
        """The memory of the session's main agent."""
        agent, session, subagent = self._about
        return Memory(agent, session, "") if subagent else self

    def others_wrote(self, file: str) -> None:
        """Remember a file of a subagent."""
        if file not in self.others_files():
            self._add({"other": file})

    def others_files(self) -> set[str]:
        """The files of the subagents."""
        return {file for line in self._lines if isinstance(file := line.get("other"), str)}

    def claim(self, about: str, what: str, most: int) -> int:
        """How often a report was made since the text was last correct; it is recorded unless that is ``most`` or more.

        Of several processes at the same time, each gets another number.
        """
        with self._locked():
            self.__dict__.pop("_lines", None)
            times = self.times(about, what)
            if times < most:
                self.reported(about, what)
            return times

    def is_first(self, event: str, *, within: float | None = None) -> bool:
        """Whether no other process has an event, or had it within a time (seconds); it is then this process's."""
        from handoff_lsp.text.digest import text_digest

        mark, now = text_digest(event), time.time()
        with self._locked():
            self.__dict__.pop("_lines", None)
            for line in self._lines:
                at = line.get("at")
                if line.get("event") == mark and isinstance(at, int | float):
                    if within is None or abs(now - at) < within:
                        return False
            self._add({"event": mark, "at": now})
            return True

    def times(self, about: str, what: str) -> int:
        """The number of reports about a text since it was last correct."""
        count = 0
        for line in self._lines:
            if line.get("right") == about:
                count = 0
            elif line.get("said") == [about, what]:
                count += 1
        return count

    def reported(self, about: str, what: str) -> None:
        """Record a report about a text."""
        self._add({"said": [about, what]})

    def right(self, about: str) -> None:
        """Record that a text is correct, if it was reported before."""
        for line in reversed(self._lines):
            reported = line.get("said")
            if line.get("right") == about:
                return
            if isinstance(reported, list) and reported[:1] == [about]:
                self._add({"right": about})
                return

    def handoffs(self) -> int:
        """How many times in a row the agent was kept from ending."""
        count = 0
        for line in self._lines:
            if "blocks" in line:
                count = count + 1 if line["blocks"] is True else 0
        return count

    def blocked(self, yes: bool) -> None:
        """Remember whether the agent was kept from ending."""
        if yes or self.handoffs():
            self._add({"blocks": yes})

    def keep_message(self, text: str) -> None:
        """Remember the agent's last words, in place of the earlier ones."""
        if self._folder is None or len(text) > _CHARACTERS:
            return
        import tempfile  # slow to load, and rarely needed

        with suppress(OSError):
            number, made = tempfile.mkstemp(dir=self._folder)  # readable by its owner only
            with os.fdopen(number, "w", encoding="utf-8", errors="replace", newline="") as file:
                file.write(text)
            os.replace(made, self._folder / f"{self._name}.txt")

    def take_message(self) -> str:
        """The agent's last words, which are then forgotten."""
        if self._folder is None:
            return ""
        path = self._folder / f"{self._name}.txt"
        with suppress(OSError):
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
            os.remove(path)
            return text
        return ""

    @cached_property
    def _name(self) -> str:
        """The name of its files, without their suffix: what it is about, or a hash of that if it may be no name."""
        if all(part.isascii() and part.replace("-", "a").isalnum() for part in self._about if part):
            name = ".".join(self._about)
            if len(name) <= _LONGEST_NAME:
                return name
        from handoff_lsp.text.digest import text_digest  # most names need none

        return text_digest("\0".join(self._about))

    @cached_property
    def _folder(self) -> Path | None:
        """The folder of the memory, found or created on first use; None if nothing can be kept."""
        return own_folder() if self._is_session else None

    @cached_property
    def _lines(self) -> list[dict[str, Any]]:
        if self._folder is None:
            return []
        try:
            with open(self._folder / f"{self._name}.jsonl", "rb") as file:
                file.seek(max(os.fstat(file.fileno()).st_size - _BYTES, 0))
                data = file.read()
        except OSError:
            return []
        lines = []
        for line in data.splitlines():
            with suppress(ValueError, RecursionError):
                if isinstance(entry := json.loads(line), dict):
                    lines.append(entry)
        return lines

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock on this memory. Without one after a while, go on: a report made twice is better than none."""
        try:
            number = self._opened(os.O_RDWR)
        except OSError:
            yield
            return
        try:
            until = time.monotonic() + _PATIENCE
            while not _lock(number) and time.monotonic() < until:
                time.sleep(0.005)
            yield
        finally:
            os.close(number)  # which frees the lock

    def _opened(self, flags: int) -> int:
        """The file of the memory, opened; created if it does not exist. Raises OSError."""
        if self._folder is None:
            raise FileNotFoundError("nothing can be kept")
        path = self._folder / f"{self._name}.jsonl"
        if not path.exists():
            _clean(self._folder)
        return os.open(path, flags | os.O_APPEND | os.O_CREAT, 0o600)

    def _add(self, line: dict[str, Any]) -> None:
        if self._folder is None:
            return
        lines = self._lines  # read before it is written
        try:
            number = self._opened(os.O_WRONLY)
            try:
                os.write(number, json.dumps(line).encode("ascii") + b"\n")
            finally:
                os.close(number)
        except OSError:
            self._folder = None  # a full disk: nothing is kept from now on
        lines.append(line)


def _lock(number: int) -> bool:
    """Try to lock a file."""
    try:
        if sys.platform == "win32":
            import msvcrt

            os.lseek(number, 1 << 40, os.SEEK_SET)  # a byte that nobody reads: here, a lock keeps others from reading
            msvcrt.locking(number, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def own_folder() -> Path | None:
    """The first possible folder that only this user can write to, created if it does not exist; None without one."""
    for folder in _candidates():
        with suppress(OSError):
            folder.parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                folder.mkdir(mode=0o700)
            about = folder.lstat()
            if not stat.S_ISDIR(about.st_mode):
                continue
            if os.name == "posix" and (about.st_uid != os.getuid() or about.st_mode & 0o022):
                continue  # another user's, or writable by others
            if os.access(folder, os.W_OK):
                return folder
    return None


def _candidates() -> Iterator[Path]:
    home = os.path.expanduser("~")
    if os.name == "nt":
        caches = os.environ.get("LOCALAPPDATA") or os.path.join(home, "AppData", "Local")
    elif sys.platform == "darwin":
        caches = os.path.join(home, "Library", "Caches")
    else:
        caches = os.environ.get("XDG_CACHE_HOME") or os.path.join(home, ".cache")
    user = os.getuid() if os.name == "posix" else "user"
    if os.path.isabs(caches):
        yield Path(caches, "handoff-lsp", "hooks")
    import tempfile

    with suppress(OSError):  # a machine may have no temporary folder
        yield Path(tempfile.gettempdir(), f"handoff-lsp-hooks-{user}")


def _clean(folder: Path) -> None:
    """Remove outdated files."""
    limit = time.time() - _KEPT_FOR
    with suppress(OSError), os.scandir(folder) as entries:
        for _, entry in zip(range(_LOOKED_AT), entries, strict=False):
            with suppress(OSError):
                if entry.stat(follow_symlinks=False).st_mtime < limit:
                    os.remove(entry.path)
