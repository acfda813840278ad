"""A piece of a text, by offsets."""

from __future__ import annotations

from handoff_lsp.text.named_tuple import NamedTuple


class Span(NamedTuple):
    """A half-open range of offsets in code points: ``text[span.start:span.end]``."""

    start: int
    end: int

    def shift(self, by: int) -> Span:
        """The same span, moved."""
        return Span(self.start + by, self.end + by)

    def of(self, text: str) -> str:
        """The text that the span covers."""
        return text[self.start : self.end]

    def holds(self, offset: int) -> bool:
        """Whether a cursor at ``offset`` is in the span, both ends included."""
        return self.start <= offset <= self.end

    def covers(self, other: Span) -> bool:
        """Whether ``other`` lies wholly inside."""
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share a character, or one is an empty span inside the other."""
        return self.start <= other.end and other.start <= self.end
