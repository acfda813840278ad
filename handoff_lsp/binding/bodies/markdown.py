"""A handoff in Markdown: sections, and labels in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from handoff_lsp.binding.bodies.body import Body, Lookups, Syntax
from handoff_lsp.binding.markdown_fields import bind_region
from handoff_lsp.binding.region import Region, region_of, whole
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.recognition.front_matter import front_entry, front_text
from handoff_lsp.recognition.sections import section_labels
from handoff_lsp.recognition.signs import has_heading, has_item, heading_names
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Source


class MarkdownBody(Body):
    """A Markdown document, or a section of it, that is one handoff.

    ``number`` is that of the section; it ends at the offset ``end``, which may be that of a later round beside it.
    """

    syntax: ClassVar[Syntax] = "markdown"
    prose = True

    def __init__(self, tree: MarkdownTree, number: int | None = None, end: int | None = None) -> None:
        self._tree = tree
        self._number = number
        self._region = whole(tree) if number is None else region_of(tree, number, end)

    def lookups(self, entry: ContractEntry) -> Lookups:
        tree, number, region, contract = self._tree, self._number, self._region, entry.contract
        front = number is None and tree.front_matter is not None
        if number is None:
            labels: set[str] = set()
            headings = heading_names(tree)
        else:
            labels = section_labels(tree, number, entry.names)
            headings = {fold_name(tree.titles[below]) for below in region.sections}
        return Lookups(
            lambda name: (
                name in labels
                or _has_section(contract, name, headings, (tree.titles[below] for below in region.sections))
                or (front and front_entry(tree, name, contract) is not None)
            ),
            lambda name: (
                (front_text(tree, name, contract) if front else None) or _label_text(tree, region, entry, name)
            ),
        )

    def bind(self, spec: Spec, source: Source) -> Slot:
        return bind_region(self._tree, spec, self._region)


def _label_text(tree: MarkdownTree, region: Region, entry: ContractEntry, name: str) -> str | None:
    for index, _ in tree.labels:
        if index in region.blocks:
            for pair in read_pairs(tree.source.text, tree.block(index).span):
                if entry.names.folded.get(fold_name(pair.key_text)) == name:
                    return pair.value_text
    return None


def _has_section(contract: Contract, name: str, headings: set[str], titles: Iterable[str]) -> bool:
    field = contract.fields.get(name)
    return field is not None and (has_heading(field, headings) or has_item(field, titles))
