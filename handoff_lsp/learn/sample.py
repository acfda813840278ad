"""A document that a contract is learned from, or that it must not recognise."""

from __future__ import annotations

from functools import cached_property

from handoff_lsp.syntax.json.parse import JsonTree, parse_json
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown
from handoff_lsp.text import Source

_JSON_SUFFIXES = (".json", ".jsonc")


class Sample:
    """One document. ``path`` (with ``/``) is the one that it will be checked under."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.source = Source(text)

    @property
    def name(self) -> str:
        """The file's name without its folders."""
        return self.path.rpartition("/")[2]

    @cached_property
    def tree(self) -> MarkdownTree:
        """The text as Markdown."""
        return parse_markdown(self.source)

    @cached_property
    def json(self) -> JsonTree | None:
        """The text as JSON, if its name says that it is."""
        text = self.source.text.removeprefix("\ufeff")
        return parse_json(text) if self.path.lower().endswith(_JSON_SUFFIXES) else None

    def parse(self, source: Source) -> MarkdownTree:
        """``parse_markdown`` with the result kept."""
        return self.tree if source is self.source else parse_markdown(source)
