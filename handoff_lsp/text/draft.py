"""A text that is changed several times over, and the change as a whole."""

from __future__ import annotations

from collections.abc import Iterable

from handoff_lsp.text.edit import Edit, apply_edits
from handoff_lsp.text.span import Span


class Draft:
    """Applies edits in rounds, each to what the one before has made, and tells them as edits of the first text.

    What stays is never moved, so that the edits of all rounds together are as small as those of each.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._length = len(text)
        # What the text is made of now: spans of the first text, and what was put in.
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
        """The parts of the pieces that stand between two offsets of the text as it is."""
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
