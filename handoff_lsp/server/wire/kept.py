"""What a server keeps for its next start: its answers to ``initialize``, and the code that libraries generate.

It is one file beside the modules that Python has compiled, where only those who may change this package can write. It
counts only for the installed packages that it was made with. Without it, or if it is broken, a start only takes longer.
"""

from __future__ import annotations

import marshal
import os
import sys
from binascii import crc32
from contextlib import suppress
from types import CodeType

from handoff_lsp import __version__

# Answers to different clients; the oldest is dropped first.
_MOST_ANSWERS = 16
# Generated scripts. A server has about 800 of them.
_MOST_CODE = 4_000
_MAGIC = b"handoff-lsp keeps 1\n"
_BROKEN = (OSError, ValueError, EOFError, TypeError, LookupError)


class Kept:
    """``answers``: by the part of the request that they depend on. ``code``: by the file name and text of a script."""

    def __init__(self, path: str | None) -> None:
        """Read the file at ``path``; None: keep nothing."""
        self.path = path
        self.answers: dict[str, str] = {}
        self.code: dict[str, CodeType] = {}
        self.is_changed: bool = False
        self._installed = installed()
        self._code = b""
        with suppress(*_BROKEN):
            self._read()

    def answer(self, key: str, text: str) -> None:
        """Keep an answer."""
        if self.answers.pop(key, None) != text:
            self.is_changed = True
        self.answers[key] = text
        while len(self.answers) > _MOST_ANSWERS:
            del self.answers[next(iter(self.answers))]

    def load_code(self) -> None:
        """Fill ``code``, which takes longer than all the rest."""
        with suppress(*_BROKEN):
            self.code = marshal.loads(_checked(self._code)[0])
        self._code = b""

    def write(self) -> None:
        """Write what is new, in place of the old file. Does nothing where Python may not keep compiled modules."""
        if self.path is None or not self.is_changed or sys.dont_write_bytecode or len(self.code) > _MOST_CODE:
            return
        self.is_changed = False
        head = marshal.dumps((self._installed, self.answers))
        new = f"{self.path}.{os.getpid()}"
        with suppress(OSError, ValueError):
            try:
                with open(new, "wb") as file:
                    file.write(_MAGIC + _section(head) + _section(marshal.dumps(self.code)))
                os.replace(new, self.path)
            except OSError:
                os.unlink(new)
                raise

    def _read(self) -> None:
        if self.path is None:
            return
        with open(self.path, "rb") as file:
            if file.read(len(_MAGIC)) != _MAGIC:
                return
            head, code = _checked(file.read())
        same, answers = marshal.loads(head)
        if same == self._installed:
            self.answers, self._code = answers, code


def kept_path() -> str | None:
    """The path of the file, as Python chooses it for the compiled form of this module; None: there is no such place."""
    cached = __spec__.cached if __spec__ is not None else None
    return f"{cached}.start" if cached else None


def installed() -> list[object]:
    """Python, this package and the packages beside it, by names, sizes and times: what answers and code depend on."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found: list[object] = [__version__, sys.version, package]
    for folder in sys.path:
        with suppress(OSError):
            found += sorted(name for name in os.listdir(folder or ".") if name.endswith((".dist-info", ".egg-info")))
    folders = [package]
    for folder in folders:
        with os.scandir(folder) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.name.endswith(".py"):
                    about = entry.stat()
                    found.append((entry.name, about.st_size, about.st_mtime_ns))
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append(entry.path)
    return found


def _section(data: bytes) -> bytes:
    return len(data).to_bytes(8, "big") + crc32(data).to_bytes(4, "big") + data


def _checked(data: bytes) -> tuple[bytes, bytes]:
    """The first section and the rest. Raises ValueError for a damaged one: Python may crash on such code."""
    end = 12 + int.from_bytes(data[:8], "big")
    section = data[12:end]
    if len(section) != end - 12 or crc32(section) != int.from_bytes(data[8:12], "big"):
        raise ValueError("a damaged section")
    return section, data[end:]
