"""The nodes of an outline: entries with values, which are texts, lists and maps. Offsets are code points."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, overload

from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

OutlineKind = Literal["empty", "scalar", "list", "map", "block"]


class OutlineValue(NamedTuple):
    """The value after a colon or a bullet.

    ``span`` is the smallest token that is the value: a scalar from its first to its last character, quotes and
    continuation lines included; a list, map or block from its first item, entry or line to the end of its last one;
    of an empty value the place after the colon and one blank, of a block without lines the place after its ``|``.
    ``text`` of a scalar is unquoted with its lines joined by one blank, of a block it is dedented (a folded one is
    not folded) with ``\\n`` between its lines, of a list or map it is its source.
    """

    kind: OutlineKind
    span: Span
    text: str
    items: Sequence[OutlineItem] = ()
    entries: tuple[OutlineEntry, ...] = ()


class OutlineItem(NamedTuple):
    """One item of a list. ``marker`` is its bullet, in a flow list (``[a, b]``) the empty place before the item."""

    marker: Span
    value: OutlineValue
    span: Span


class LongItems(Sequence[OutlineItem]):
    """The items of a long list, each moved to its place when it is asked for.

    ``read``: the items as they were read, ``data``: their values as plain data, ``lines``: the number of the line of
    each, or -1 for one that is at its place. ``start``: the offset where a line begins.
    """

    __slots__ = ("_lines", "_read", "_start", "data")

    def __init__(
        self, read: list[OutlineItem], data: list[Any], lines: Iterable[int], start: Callable[[int], int]
    ) -> None:
        self._read = read
        self.data: list[Any] = data
        self._lines = list(lines)
        self._start = start

    def add(self, items: LongItems | list[OutlineItem]) -> None:
        """Append items, which are at their places unless they are of a long list."""
        if isinstance(items, LongItems):
            self._read += items._read
            self.data += items.data
            self._lines.extend(items._lines)
        else:
            self._read += items
            self.data += [plain(item.value) for item in items]
            self._lines.extend([-1] * len(items))

    def __len__(self) -> int:
        return len(self._read)

    @overload
    def __getitem__(self, index: int) -> OutlineItem: ...

    @overload
    def __getitem__(self, index: slice) -> LongItems: ...

    def __getitem__(self, index: int | slice) -> OutlineItem | LongItems:
        if isinstance(index, slice):
            return LongItems(self._read[index], self.data[index], self._lines[index], self._start)
        item, line = self._read[index], self._lines[index]
        return item if line < 0 else _moved(item, self._start(line))


class OutlineEntry(NamedTuple):
    """One pair. ``key`` is without emphasis, backticks and quotes.

    ``line`` is the whole line it begins on, without terminator. ``span`` runs from that line's first character that
    is neither a blank nor a quote mark (after the bullet if the entry is the first of a list's item, from the key's
    first character in a flow map) to the end of the value.
    """

    key: Span
    key_text: str
    value: OutlineValue
    line: Span
    span: Span


class Outline(NamedTuple):
    """An outline. Repeated keys are kept.

    ``stray`` holds the trimmed lines that are neither a pair, nor part of a value, nor blank, a comment or a rule.
    ``end`` is the offset after the last line, without terminator, that has an entry or is stray; without any, it is
    where reading began.
    """

    entries: tuple[OutlineEntry, ...]
    stray: tuple[Span, ...]
    end: int


def plain(value: OutlineValue) -> Any:
    """An outline's value as plain data: texts, lists and dictionaries."""
    if value.kind == "list":
        return [plain(item.value) for item in value.items]
    if value.kind == "map":
        return {entry.key_text: plain(entry.value) for entry in value.entries}
    return value.text


def _moved(item: OutlineItem, by: int) -> OutlineItem:
    """An item at a later place."""
    if not by:
        return item
    return OutlineItem(item.marker.shift(by), _moved_value(item.value, by), item.span.shift(by))


def _moved_value(value: OutlineValue, by: int) -> OutlineValue:
    kind, span, text, items, entries = value
    moved = tuple(
        OutlineEntry(key.shift(by), name, _moved_value(inner, by), line.shift(by), whole.shift(by))
        for key, name, inner, line, whole in entries
    )
    return OutlineValue(kind, span.shift(by), text, tuple(_moved(item, by) for item in items), moved)
