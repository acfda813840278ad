"""The nodes of an outline: entries with values, which are texts, lists and maps. Offsets are code points."""

from __future__ import annotations

from typing import Literal, NamedTuple

from handoff_lsp.text import Span

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
    items: tuple[OutlineItem, ...] = ()
    entries: tuple[OutlineEntry, ...] = ()


class OutlineItem(NamedTuple):
    """One item of a list. ``marker`` is its bullet, in a flow list (``[a, b]``) the empty place before the item."""

    marker: Span
    value: OutlineValue
    span: Span


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
