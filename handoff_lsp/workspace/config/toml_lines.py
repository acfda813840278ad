"""The line of each key of a TOML text, which ``tomllib`` does not give."""

from __future__ import annotations

import re
from contextlib import suppress

from handoff_lsp.contracts.problems import KeyPath

_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*")
_KEY = re.compile(r"[ \t]*(?:(?P<bare>[A-Za-z0-9_-]+)|\"(?P<basic>(?:[^\"\\\n]|\\.)*)\"|'(?P<literal>[^'\n]*)')[ \t]*")
_STRING = re.compile(
    r'"""(?:[^\\]|\\.)*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'',
    re.DOTALL,
)
_BARE_VALUE = re.compile(r"[^,\]}\n#]*")


def key_lines(text: str) -> dict[KeyPath, int]:
    """The 1-based line of every key and array item, by its path from the root.

    ``text`` is valid TOML; any other text gives as many keys as can be read. A key written twice (as a table and
    the table above it) keeps the line that comes first. Never raises.
    """
    scan = _Scan(text)
    with suppress(_Lost, RecursionError):
        scan.document()
    return scan.lines


class _Lost(Exception):
    """The text is not valid TOML here."""


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}
        self._counted_to = 0
        self._line = 1

    def document(self) -> None:
        table: KeyPath = ()
        while True:
            self._blank()
            if self.at >= len(self.text):
                return
            if self._take("[["):
                table = self._header("]]", many=True)
            elif self._take("["):
                table = self._header("]", many=False)
            else:
                self._pair(table)

    def _header(self, close: str, *, many: bool) -> KeyPath:
        start = self.at
        parts = self._key()
        if not self._take(close):
            raise _Lost
        path: KeyPath = ()
        for index, part in enumerate(parts):
            path = (*path, part)
            self._note(path, start)
            last = index == len(parts) - 1
            if last and many:
                self.counts[path] = self.counts.get(path, 0) + 1
            if path in self.counts:
                path = (*path, self.counts[path] - 1)
                self._note(path, start)
        return path

    def _pair(self, table: KeyPath) -> None:
        start = self.at
        path = table
        for part in self._key():
            path = (*path, part)
            self._note(path, start)
        if not self._take("="):
            raise _Lost
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        self._inline_blank()
        string = _STRING.match(self.text, self.at)
        if string:
            self.at = string.end()
        elif self._take("["):
            index = 0
            while not self._closes("]"):
                item = (*path, index)
                self._note(item, self.at)
                self._value(item)
                index += 1
        elif self._take("{"):
            while not self._closes("}"):
                self._pair(path)
        else:
            bare = _BARE_VALUE.match(self.text, self.at)
            if bare is None or bare.end() == self.at:
                raise _Lost
            self.at = bare.end()

    def _closes(self, close: str) -> bool:
        """Whether the array or inline table ends here; passes over the comma where it does not."""
        self._blank()
        if self._take(","):
            self._blank()
        return self._take(close)

    def _key(self) -> list[str]:
        parts = []
        while True:
            key = _KEY.match(self.text, self.at)
            if key is None:
                raise _Lost
            self.at = key.end()
            parts.append(next(part for part in key.group("bare", "basic", "literal") if part is not None))
            if not self._take("."):
                return parts

    def _take(self, wanted: str) -> bool:
        if self.text.startswith(wanted, self.at):
            self.at += len(wanted)
            return True
        return False

    def _blank(self) -> None:
        found = _BLANK.match(self.text, self.at)
        assert found is not None, "the pattern matches the empty text"
        self.at = found.end()

    def _inline_blank(self) -> None:
        while self.at < len(self.text) and self.text[self.at] in " \t":
            self.at += 1

    def _note(self, path: KeyPath, at: int) -> None:
        self._line += self.text.count("\n", self._counted_to, at)
        self._counted_to = max(at, self._counted_to)
        self.lines.setdefault(path, self._line)
