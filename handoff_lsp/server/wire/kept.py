"""What a server keeps for its next start: its answers to ``initialize``.

They are one file beside the modules that Python has compiled, where only those who may change this package can write.
It counts only for the installed packages that it was made with. Without it, or if it is broken, a start only takes
longer.
"""

from __future__ import annotations

import json
import os
import sys
from binascii import crc32
from contextlib import suppress

from handoff_lsp.workspace.disk.installed import installed

# Answers to different clients; the oldest is dropped first.
_MOST_ANSWERS = 16
# The first line of the file, with a checksum of the rest.
_HEAD = "handoff-lsp keeps 2, {:08x}\n"


class Kept:
    """``answers``: by the part of the request that they depend on."""

    def __init__(self, path: str | None) -> None:
        """Read the file at ``path``; None: keep nothing."""
        self.path = path
        self.answers: dict[str, str] = {}
        self._is_changed = False
        self._installed = installed()
        with suppress(OSError, ValueError, LookupError, TypeError):
            self._read()

    def answer(self, key: str, text: str) -> None:
        """Keep an answer."""
        if self.answers.pop(key, None) != text:
            self._is_changed = True
        self.answers[key] = text
        while len(self.answers) > _MOST_ANSWERS:
            del self.answers[next(iter(self.answers))]

    def write(self) -> None:
        """Write what is new, in place of the old file. Does nothing where Python may not keep compiled modules."""
        if self.path is None or not self._is_changed or sys.dont_write_bytecode:
            return
        self._is_changed = False
        data = json.dumps([self._installed, self.answers]).encode()
        new = f"{self.path}.{os.getpid()}"
        with suppress(OSError, ValueError):
            try:
                with open(new, "wb") as file:
                    file.write(_head(data) + data)
                os.replace(new, self.path)
            except OSError:
                os.unlink(new)
                raise

    def _read(self) -> None:
        if self.path is None:
            return
        with open(self.path, "rb") as file:
            head, data = file.readline(), file.read()
        if head == _head(data):
            same, answers = json.loads(data)
            self.answers = answers if same == self._installed else {}


def kept_path() -> str | None:
    """The path of the file, as Python chooses it for the compiled form of this module; None: there is no such place."""
    cached = __spec__.cached if __spec__ is not None else None
    return f"{cached}.start" if cached else None


def _head(data: bytes) -> bytes:
    return _HEAD.format(crc32(data)).encode()
