"""An editor's side of a document: it keeps the text itself and sends changes in its own encoding."""

from __future__ import annotations

import re

from lsprotocol import types

from fuzz.mutations import Mutation

_TERMINATOR = re.compile(r"\r\n|\r|\n")
# The unit of an encoding's columns: this many bytes of Python's encoding of that name.
_UNITS = {"utf-8": ("utf-8", 1), "utf-16": ("utf-16-le", 2), "utf-32": ("utf-32-le", 4)}


class Client:
    """The text of one document as the editor has it."""

    def __init__(self, text: str, encoding: str) -> None:
        self.text = text
        self.encoding = encoding

    def change(self, made: Mutation, *, whole: bool) -> types.TextDocumentContentChangeEvent:
        """Make an edit, and return the change to send: the place and its new text, or the whole document."""
        start, end = (self._reachable(offset) for offset in made.span)
        where = types.Range(self._position(start), self._position(end))
        self.text = self.text[:start] + made.text + self.text[end:]
        if whole:
            return types.TextDocumentContentChangeWholeDocument(self.text)
        return types.TextDocumentContentChangePartial(where, made.text)

    def _reachable(self, offset: int) -> int:
        """An offset that a cursor can have: never between the two characters of one line end."""
        return offset - (self.text[offset - 1 : offset + 1] == "\r\n" and offset > 0)

    def _position(self, offset: int) -> types.Position:
        *above, line = _TERMINATOR.split(self.text[:offset])
        name, size = _UNITS[self.encoding]
        return types.Position(len(above), len(line.encode(name, "surrogatepass")) // size)
