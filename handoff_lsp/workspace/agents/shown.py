"""The handoffs that a prompt shows, in fences or between its prose, and the sentences around them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import bind_document
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.wording import sentences
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown
from handoff_lsp.syntax.markdown.node import Node
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple

# The most fences of a prompt that are looked into, and the tags of those that may show a handoff.
_MOST_FENCES = 60
_TAGS = frozenset({"", "md", "markdown", "text", "txt", "yaml", "yml", "json", "jsonc", "plaintext"})
# The lines of the paragraph before a block that count.
_LEAD = 4


class ShownBlock(NamedTuple):
    """A handoff that a prompt shows. ``profile`` is empty without evidence of one.

    ``lead`` is the paragraph before it, ``headings`` the titles above it, the nearest first.
    """

    contract: str
    profile: str
    start: int
    lead: str
    headings: list[str]


class PromptSentence(NamedTuple):
    """The sentence before and after a place, the titles above it, and the text of its section."""

    before: str
    after: str
    headings: list[str]
    section: str


class Prompt:
    """A prompt as Markdown."""

    def __init__(self, text: str, registry: Registry) -> None:
        self._source = Source(text)
        self._registry = registry
        self._tree: MarkdownTree = parse_markdown(self._source)
        self._view = PromptView(self._tree)
        self._fences: Sequence[Node] = self._view.fences[:_MOST_FENCES]

    @property
    def prose(self) -> str:
        """The text with blanks in place of its front matter, its fences and its comments."""
        return self._view.prose

    def blocks(self) -> Iterator[ShownBlock]:
        """The handoffs that it shows, in no order."""
        for handoff in self._bound(self._source):
            if handoff.form != "document":
                yield self._block(handoff, self._outside(handoff.span.start))
        for fence in self._fences:
            if fence.info.split(" ", 1)[0].lower() in _TAGS:
                fragment = fence.fragment()
                for handoff in self._bound(Source(fragment.text)):
                    if handoff.form == "document" or not fragment.text[: handoff.span.start].strip():
                        yield self._block(handoff, fence.span.start)

    def sentence(self, start: int, end: int) -> PromptSentence:
        """The sentence around a part of the prose."""
        text = self.prose
        low, high = text.rfind("\n", 0, start) + 1, text.find("\n", end)
        before = (["", *sentences(text[low:start])])[-1] if not text[low:start].endswith((". ", "。")) else ""
        after = (sentences(text[end : high if high >= 0 else len(text)]) or [""])[0]
        section = self._tree.section_at(start)
        return PromptSentence(
            before, after, self._view.headings(start), self.prose[slice(*section.body)] if section else ""
        )

    def _bound(self, source: Source) -> Sequence[Handoff]:
        return bind_document(source, "", self._registry, Options())

    def _outside(self, offset: int) -> int:
        """The start of the fence around an offset, else the offset."""
        return next((one.span.start for one in self._fences if one.span.holds(offset)), offset)

    def _block(self, handoff: Handoff, start: int) -> ShownBlock:
        spec = handoff.spec
        profile = spec.profile if handoff.evidence.get(spec.profile) else ""
        return ShownBlock(spec.name, profile, start, self._lead(start), self._view.headings(start))

    def _lead(self, start: int) -> str:
        """The paragraph before an offset; empty if a heading comes between, or begins there."""
        line = self._source.lines.line_of(start)
        if self._source.lines.line_text(line).lstrip().startswith("#"):
            return ""
        lines = [self._source.lines.line_text(number) for number in range(max(line - 3 * _LEAD, 0), line)]
        while lines and not lines[-1].strip():
            lines.pop()
        found: list[str] = []
        while lines and lines[-1].strip() and len(found) < _LEAD and not lines[-1].lstrip().startswith(("#", "```")):
            found.insert(0, lines.pop().strip())
        return " ".join(found)
