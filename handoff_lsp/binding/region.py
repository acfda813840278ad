"""The part of a document that is one handoff in Markdown."""

from __future__ import annotations

from typing import NamedTuple

from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Section


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


def region_of(tree: MarkdownTree, number: int) -> Region:
    """A section with its subsections; its title is its heading."""
    return Region(
        tree.all_sections[number],
        range(number + 1, tree.number_after(number)),
        range(tree.headings[number] + 1, tree.heading_index(number + 1)),
    )
