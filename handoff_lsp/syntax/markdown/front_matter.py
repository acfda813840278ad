"""The YAML front matter of a Markdown document: its keys with their values and places."""

from __future__ import annotations

from handoff_lsp.syntax.lines.outline import Outline, OutlineEntry, read_outline
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.syntax.markdown.tree import MarkdownTree
from handoff_lsp.text import Fragment, Span
from handoff_lsp.text.named_tuple import NamedTuple


class FrontMatter(NamedTuple):
    """The front matter that a document begins with. The offsets of ``lines`` are those of ``fragment``."""

    node: Node
    fragment: Fragment
    lines: Outline

    @property
    def opening(self) -> Span:
        """Its opening line."""
        lines = self.node.source.lines
        return lines.line_span(lines.line_of(self.node.span.start))

    def entry(self, key: str) -> OutlineEntry | None:
        """The first root entry with a key, as written; None without one."""
        return next((entry for entry in self.lines.entries if entry.key_text == key), None)


def front_matter(tree: MarkdownTree) -> FrontMatter | None:
    """The front matter of a document; None without one. Its keys are read once for each text of it."""
    node = tree.front_matter
    return None if node is None else FrontMatter(node, node.fragment(), node.once(_read))


def _read(node: Node) -> Outline:
    return read_outline(node.fragment().text, comments=True)
