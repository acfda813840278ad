"""A handoff in ``key: value`` lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from handoff_lsp.binding.bodies.body import Body, Lookups, Syntax, root_slot
from handoff_lsp.binding.bodies.part import BodyPart, PartKind
from handoff_lsp.binding.outline_fields import OutlineBinder
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.outline import Outline, OutlineEntry, OutlineItem
from handoff_lsp.syntax.lines.yaml import YamlError, yaml_error
from handoff_lsp.text import Fragment, Source, Span
from handoff_lsp.text.lazy import lazy_pattern

# The beginning of a line that replaces an omitted part.
_DOTS = lazy_pattern(r"(?:#|//|\(|\[)?[ \t]*(?:\.{3}|…|中略|省略)")


class OutlineBody(Body):
    """``key: value`` lines, in offsets of ``fragment``.

    ``exact``: the reader compares names letter by letter. ``is_json``: the content is JSON instead of lines.
    ``strict``: the reader is a YAML parser, which reads all of it or nothing. ``markdown``: the lines are labels in
    Markdown; ``fenced``: they are in a fence.
    """

    syntax: ClassVar[Syntax] = "outline"
    only_keys = True
    flat = True
    fragment: Fragment

    def __init__(
        self,
        fragment: Fragment,
        lines: Outline,
        *,
        exact: bool = False,
        is_json: bool = False,
        strict: bool = False,
        markdown: bool = False,
        fenced: bool = False,
    ) -> None:
        self.fragment = fragment
        self.lines = lines
        self.exact = exact
        self.is_json = is_json
        self.strict = strict
        self.markdown = markdown
        self.fenced = fenced

    def lookups(self, entry: ContractEntry) -> Lookups:
        texts: dict[str, str] = {}
        for item in self.lines.entries:
            name = entry.names.folded.get(fold_name(item.key_text))
            if name is not None:
                texts.setdefault(name, item.value.text)
        return Lookups(texts.__contains__, texts.get)

    def bind(self, spec: Spec, source: Source) -> Slot:
        root = root_slot(spec)
        binder = OutlineBinder(
            self.fragment,
            source.text,
            spec.empty_words,
            exact=self.exact,
            nulls=self.strict,
            markdown=self.markdown,
            fenced=self.fenced,
        )
        binder.bind(root, self.lines.entries, self.lines.stray)
        root.data = with_empties(root)
        return root

    @property
    def parts(self) -> Sequence[BodyPart]:
        return [OutlinePart(self.fragment, entry) for entry in self.lines.entries]

    @property
    def error(self) -> YamlError | None:
        """The first place that its reader refuses, if that is a YAML parser."""
        return yaml_error(self.fragment.text) if self.strict else None

    @property
    def readable(self) -> bool:
        return self.error is None

    def shows_absence(self, *, cut: bool) -> bool:
        return self.readable and not cut

    @property
    def elides(self) -> bool:
        return any(_DOTS.match(self.fragment.text, line.start) for line in self.lines.stray)

    def end(self) -> tuple[int, bool]:
        return self.lines.end, not self.fragment.text[self.lines.end :].strip()


class OutlinePart(BodyPart):
    """A pair, or an item of a list."""

    __slots__ = ("_fragment", "_part", "kind")

    def __init__(self, fragment: Fragment, part: OutlineEntry | OutlineItem) -> None:
        self._fragment = fragment
        self._part = part
        self.kind: PartKind = part.value.kind

    @property
    def span(self) -> Span:
        part = self._part
        return self._fragment.outer_span(part.span.start, max(part.span.end, part.value.span.end))

    @property
    def key(self) -> Span | None:
        return self._fragment.outer_span(*self._part.key) if isinstance(self._part, OutlineEntry) else None

    @property
    def value(self) -> Span | None:
        return self._fragment.outer_span(*self._part.value.span)

    @property
    def name(self) -> str | None:
        return self._part.key_text if isinstance(self._part, OutlineEntry) else None

    @property
    def text(self) -> str:
        return self._part.value.text if self.kind != "map" else ""

    @property
    def length(self) -> int | None:
        return len(self._part.value.items) if self.kind == "list" else None

    @property
    def folded(self) -> Span | None:
        return self.span

    @property
    def below(self) -> Sequence[BodyPart]:
        value = self._part.value
        return [OutlinePart(self._fragment, one) for one in value.entries or value.items]
