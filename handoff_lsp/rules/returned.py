"""A text that an agent returned, with what it owes there, as the rules about absence see it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.owed import Owed
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Source, Span


class ReturnedText(NamedTuple):
    """A final message, or a file with a path (with ``/``, from the root), and the handoffs found in it."""

    source: Source
    path: str
    tree: MarkdownTree
    handoffs: tuple[Handoff, ...]
    registry: Registry
    options: Options

    @property
    def debts(self) -> Iterator[Owed]:
        """What the agent owes in this text: in its file, or in its final message."""
        returned = self.options.returned
        for owed in returned.owed if returned is not None else ():
            if (owed.in_file if self.path else owed.in_message) and owed.contract in self.registry:
                yield owed

    def paid(self, owed: Owed) -> list[Handoff]:
        """The handoffs that pay a debt, complete or not; examples and templates pay none."""
        return [one for one in self.handoffs if one.mode == "handoff" and one.spec.name in owed.contracts]

    @property
    def first_line(self) -> Span:
        """The line where a finding about the text as a whole is shown: the first one that is not blank."""
        text = self.source.text
        start = len(text) - len(text.lstrip())
        line = self.source.lines.line_of(start if start < len(text) else 0)
        return Span(*self.source.lines.line_span(line))
