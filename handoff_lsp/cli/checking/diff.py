"""The change of a file as a unified diff."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable, Iterator

from handoff_lsp.cli.printable import printable

# Characters that a quoted name keeps; all other bytes are octal.
_PLAIN = frozenset(map(chr, range(32, 127))) - frozenset('"\\')
_ADDED, _REMOVED, _PLACE, _NAME = "32", "31", "36", "1"


def diff_of(name: str, before: str, after: str) -> Iterator[str]:
    """The change of a file as a unified diff that `patch` and `git apply -p0` take, in lines with their ends."""
    shown = _quoted(name)
    for line in difflib.unified_diff(_lines(before), _lines(after), shown, shown):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _quoted(name: str) -> str:
    """The name of a file as git writes it in a diff."""
    if name == printable(name) and not name.startswith('"'):
        return name + ("\t" if " " in name else "")  # else `patch` ends the name at its blank
    quoted = "".join(chr(byte) if chr(byte) in _PLAIN else f"\\{byte:03o}" for byte in os.fsencode(name))
    return f'"{quoted}"'


def _lines(text: str) -> list[str]:
    """The lines as `diff` has them: they end at a line feed only."""
    parts = text.split("\n")
    return [f"{part}\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def colored(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a diff for a terminal: in colors, and without characters that control it."""
    for line in lines:
        code = _NAME if line.startswith(("--- ", "+++ ")) else {"+": _ADDED, "-": _REMOVED, "@": _PLACE}.get(line[0])
        shown = printable(line.rstrip("\r\n").replace("\t", "    "))
        yield f"\x1b[{code}m{shown}\x1b[0m\n" if code else f"{shown}\n"
