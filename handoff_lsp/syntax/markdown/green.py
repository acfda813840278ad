"""The immutable half of a Markdown tree: nodes that know their shape but not their place.

Every number in a green node is relative: offsets count code points from the start of the line on which the node's
unit begins, lines count from that line. A unit is a top-level block, or an item of a top-level list. So a unit that
an edit only moved keeps its green node, and the values that consumers put into the node's cache stay valid.
"""

from __future__ import annotations

from typing import Literal

from handoff_lsp.text.named_tuple import NamedTuple

BlockKind = Literal[
    "heading",
    "paragraph",
    "list",
    "item",
    "fence",
    "code",
    "quote",
    "table",
    "row",
    "html",
    "rule",
    "front-matter",
]


class FenceData(NamedTuple):
    """The data of a fence besides span and body; offsets are relative to the unit.

    ``pieces`` are the body's parts without container prefixes and indentation, or None where the body is one piece.
    """

    marker_end: int
    info_start: int
    info_end: int
    opening_end: int
    closing: tuple[int, int] | None
    pieces: tuple[tuple[int, int], ...] | None


class ItemData(NamedTuple):
    """The data of a list item besides span and text; ``box`` is the offset of its ``[`` or -1."""

    ordered: bool
    marker_end: int
    box: int


class ListData(NamedTuple):
    """The data of a top-level list: the sign that ends its markers, and the start of each item's line.

    ``offsets`` count code points from the start of the list's first line, ``lines`` from that line.
    """

    sign: str
    offsets: list[int]
    lines: list[int]


GreenData = FenceData | ItemData | ListData | bool | None


class Green:
    """One block, relative to its unit, shared between the versions of a document.

    ``start``/``end`` are its span, ``low``/``high`` its content, ``line``/``last`` its first and last line.
    ``level`` is a heading's level or a list's depth, so that a top-level block is a heading just when it is not 0.
    ``fenced`` is True if a fence is in it, ``far`` (only for units, and lists of them) if its shape may depend on
    lines well beyond its end.
    ``cache`` is for consumers, which must store only relative values; nothing here reads or clears it.
    """

    __slots__ = (
        "cache",
        "children",
        "data",
        "end",
        "far",
        "fenced",
        "high",
        "kind",
        "last",
        "level",
        "line",
        "low",
        "start",
    )

    def __init__(
        self,
        kind: BlockKind,
        start: int,
        end: int,
        low: int,
        high: int,
        line: int,
        last: int,
        level: int = 0,
        children: tuple[Green, ...] = (),
        data: GreenData = None,
    ) -> None:
        self.kind = kind
        self.start: int = start
        self.end: int = end
        self.low: int = low
        self.high: int = high
        self.line: int = line
        self.last: int = last
        self.level: int = level
        self.children: tuple[Green, ...] = children
        self.data: GreenData = data
        self.fenced: bool = kind == "fence" or (bool(children) and True in [child.fenced for child in children])
        self.far: bool = False
        self.cache: dict[object, object] | None = None

    def moved(self, by: int) -> Green:
        """This node and all in it, moved to a later place in the same unit. For the code that builds trees only."""
        data = self.data
        if isinstance(data, ItemData):
            data = ItemData(data.ordered, data.marker_end + by, data.box + by if data.box >= 0 else -1)
        elif isinstance(data, FenceData):
            data = FenceData(
                data.marker_end + by,
                data.info_start + by,
                data.info_end + by,
                data.opening_end + by,
                data.closing and (data.closing[0] + by, data.closing[1] + by),
                data.pieces and tuple((start + by, end + by) for start, end in data.pieces),
            )
        return Green(
            self.kind,
            self.start + by,
            self.end + by,
            self.low + by,
            self.high + by,
            self.line,
            self.last,
            self.level,
            tuple([child.moved(by) for child in self.children]),
            data,
        )

    def grown(self, at: int, by: int, was: int, trimmed: int) -> Green:
        """This node after the first line of one of its paragraphs grew by ``by`` characters at ``at``.

        Nodes that end before ``at`` stay, nodes that begin after it move, nodes around it grow. ``was`` and
        ``trimmed`` are the old and new end of the line's content, without trailing blanks.
        """
        children = tuple(
            [
                child if child.end < at else child.moved(by) if child.start > at else child.grown(at, by, was, trimmed)
                for child in self.children
            ]
        )
        high = self.high
        if self.kind in ("list", "quote") or high > was:
            high += by
        elif high == was:
            high = trimmed
        return Green(
            self.kind, self.start, self.end + by, self.low, high, self.line, self.last, self.level, children, self.data
        )
