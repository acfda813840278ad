"""A text that is changed several times, and the combined change."""

from __future__ import annotations

from collections.abc import Iterable

from handoff_lsp.text.edit import Edit, apply_edits
from handoff_lsp.text.span import Span


class Draft:
    """Applies edits in rounds, each round to the result of the one before, and returns them as edits of the first text.

    Unchanged text never moves, so the combined edits are as small as those of each round.
    """

    def __init__(self, text: str) -> None:
        self.text: str = text
        self._length = len(text)
        # The pieces of the current text: spans of the first text, and inserted strings.
        self._pieces: list[Span | str] = [Span(0, len(text))]

    def apply(self, edits: Iterable[Edit]) -> None:
        """Apply one round of edits. Raises EditConflict where two replaced spans overlap."""
        ordered = sorted(edits, key=lambda edit: edit.span.start)
        self.text = apply_edits(self.text, ordered)
        made: list[Span | str] = []
        at = 0
        for edit in ordered:
            made += self._between(at, edit.span.start)
            made.append(edit.text)
            at = edit.span.end
        self._pieces = [*made, *self._between(at, sum(map(_length, self._pieces)))]

    def _between(self, start: int, end: int) -> list[Span | str]:
        """The parts of the pieces between two offsets of the current text."""
        found: list[Span | str] = []
        at = 0
        for piece in self._pieces:
            low, high = max(start - at, 0), min(end - at, _length(piece))
            if low < high:
                found.append(piece[low:high] if isinstance(piece, str) else Span(piece.start + low, piece.start + high))
            at += _length(piece)
        return found

    def edits(self) -> tuple[Edit, ...]:
        """All rounds as edits of the first text, in order."""
        made: list[Edit] = []
        at, put = 0, ""
        for piece in [*self._pieces, Span(self._length, self._length)]:
            if isinstance(piece, str):
                put += piece
                continue
            if put or piece.start > at:
                made.append(Edit(Span(at, piece.start), put))
            at, put = piece.end, ""
        return tuple(made)


def _length(piece: Span | str) -> int:
    return len(piece) if isinstance(piece, str) else piece.end - piece.start
