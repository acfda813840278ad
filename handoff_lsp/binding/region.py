"""The part of a document that is one handoff in Markdown."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping
from typing import Protocol

from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import NameTable
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Section
from handoff_lsp.text.named_tuple import NamedTuple


class Scope(Protocol):
    """The fields that are looked for in a part of a document: those of a contract, or those of an object in it."""

    @property
    def fields(self) -> Mapping[str, Field]:
        """The fields by name."""

    @property
    def names(self) -> NameTable:
        """The fields by their folded titles and aliases."""

    @property
    def empty_words(self) -> frozenset[str]:
        """The words that mean an empty value."""

    @property
    def status(self) -> str:
        """The path of the status; empty without one."""


class Inside(NamedTuple):
    """The fields in a section that is an object or an item."""

    fields: Mapping[str, Field]
    names: NameTable
    empty_words: frozenset[str]
    status: str = ""


class Region(NamedTuple):
    """The part of a document that is one handoff: its title, the numbers of its sections, and its own blocks.

    ``blocks``: the numbers of the top-level blocks before the first section, which may hold labels.
    """

    title: Section | None
    sections: range
    blocks: range


def whole(tree: MarkdownTree) -> Region:
    """A whole document: its title is the level 1 heading that begins it."""
    titled = bool(tree.headings) and tree.heading_levels[0] == 1
    return Region(
        tree.all_sections[0] if titled else None, range(len(tree.headings)), range(tree.heading_index(int(titled)))
    )


def region_of(tree: MarkdownTree, number: int, end: int | None = None) -> Region:
    """A section with its subsections; its title is its heading. ``end``: where it ends, if that is further down."""
    return Region(
        tree.all_sections[number],
        range(number + 1, tree.number_after(number) if end is None else bisect_left(tree.heading_starts, end)),
        range(tree.headings[number] + 1, tree.heading_index(number + 1)),
    )
