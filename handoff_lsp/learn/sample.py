"""A document that a contract is learned from, or that it must not recognize."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Literal

from handoff_lsp.syntax.json.parse import parse_json
from handoff_lsp.syntax.lines.outline import read_outline
from handoff_lsp.syntax.lines.outline_tree import plain
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown
from handoff_lsp.text import Source

DataSyntax = Literal["json", "jsonl", "yaml"]
_SYNTAXES: dict[str, DataSyntax] = {
    "json": "json",
    "jsonc": "json",
    "jsonl": "jsonl",
    "yaml": "yaml",
    "yml": "yaml",
}


def plain_entries(text: str) -> dict[str, Any]:
    """The keys of an outline with their values as plain data; of keys that come again the first counts."""
    entries = read_outline(text, comments=True).entries
    found: dict[str, Any] = {}
    for entry in entries:
        found.setdefault(entry.key_text, plain(entry.value))
    return found


class Sample:
    """One document. ``path`` (with ``/``): its path for the check."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.source: Source = Source(text)

    @property
    def name(self) -> str:
        """The file's name without its folders."""
        return self.path.rpartition("/")[2]

    @cached_property
    def tree(self) -> MarkdownTree:
        """The text as Markdown."""
        return parse_markdown(self.source)

    @property
    def syntax(self) -> DataSyntax | None:
        """The syntax of a data file, by its suffix; None for Markdown."""
        return _SYNTAXES.get(self.path.lower().rpartition(".")[2])

    @cached_property
    def objects(self) -> list[dict[str, Any]]:
        """The objects of a data file: one, or one a line; empty if it has none."""
        text = self.source.text.removeprefix("\ufeff")
        if self.syntax == "yaml":
            return [found] if (found := plain_entries(text)) else []
        parts = text.splitlines() if self.syntax == "jsonl" else [text] if self.syntax == "json" else []
        found_ones = [parse_json(part).to_python() for part in parts if part.strip()]
        return [one for one in found_ones if isinstance(one, dict)]

    def parse(self, source: Source) -> MarkdownTree:
        """``parse_markdown`` with the result kept."""
        return self.tree if source is self.source else parse_markdown(source)
