"""A handoff in Markdown: sections, and labels in them."""

from __future__ import annotations

from handoff_lsp.binding.bodies.body import Body
from handoff_lsp.binding.markdown_fields import bind_region
from handoff_lsp.binding.region import Region
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Source


class MarkdownBody(Body):
    """The part of a Markdown document that is one handoff."""

    syntax = "markdown"
    prose = True

    def __init__(self, tree: MarkdownTree, region: Region) -> None:
        self._tree = tree
        self._region = region

    def bind(self, spec: Spec, source: Source) -> Slot:
        return bind_region(self._tree, spec, self._region)
