"""Documents that lead to handoffs without being handoffs: agents' definitions, commands of an orchestrator."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.contracts.model import Contract, Prose
from handoff_lsp.contracts.names import says
from handoff_lsp.contracts.patterns import search
from handoff_lsp.recognition.signs import weigh
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple


class Unsaid(NamedTuple):
    """A name that a section, or the whole document, must mention but does not. ``span`` is that part's heading."""

    prose: Prose
    name: str
    section: str
    span: Span


def find_unsaid(tree: MarkdownTree, path: str, contract: Contract) -> Iterator[Unsaid]:
    """The names that a document must mention for a contract but does not. ``path`` may be empty."""
    for prose in contract.prose.values():
        if weigh(tree, path, contract, prose.detect):
            for section, heading, text in _parts(tree, prose):
                yield from (Unsaid(prose, name, section, heading) for name in prose.mentions if not says(text, name))


def _parts(tree: MarkdownTree, prose: Prose) -> Iterator[tuple[str, Span, str]]:
    """The parts of a document that are searched: title, the place for a finding, and text."""
    if not prose.section:
        first = tree.source.lines.first_line_of(Span(0, len(tree.source)))
        yield "", tree.heading_spans(0)[0] if len(tree.titles) else first, tree.source.text
        return
    for number, title in enumerate(tree.titles):
        if search(prose.section, title):
            section = tree.all_sections[number]
            yield title, tree.heading_spans(number)[0], tree.source.slice(section.span)
