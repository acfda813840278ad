"""A handoff in ``key: value`` lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from handoff_lsp.binding.bodies.body import Body, root_slot
from handoff_lsp.binding.bodies.part import BodyPart
from handoff_lsp.binding.outline_fields import OutlineBinder
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.outline import Outline, OutlineEntry, OutlineItem
from handoff_lsp.text import Fragment, Source

# The beginning of a line that replaces an omitted part.
_DOTS = re.compile(r"(?:#|//|\(|\[)?[ \t]*(?:\.{3}|…|中略|省略)")


class OutlineBody(Body):
    """``key: value`` lines, in offsets of ``fragment``.

    ``exact``: the reader compares names letter by letter. ``is_json``: the content is JSON instead of lines.
    """

    syntax = "outline"
    only_keys = True
    flat = True
    fragment: Fragment

    def __init__(self, fragment: Fragment, lines: Outline, *, exact: bool = False, is_json: bool = False) -> None:
        self.fragment = fragment
        self.lines = lines
        self.exact = exact
        self.is_json = is_json

    def bind(self, spec: Spec, source: Source) -> Slot:
        root = root_slot(spec)
        binder = OutlineBinder(self.fragment, source.text, spec.empty_words, exact=self.exact)
        binder.bind(root, self.lines.entries, self.lines.stray)
        root.data = with_empties(root)
        return root

    @property
    def parts(self) -> Sequence[BodyPart]:
        return [_part(self.fragment, entry) for entry in self.lines.entries]

    @property
    def elides(self) -> bool:
        return any(_DOTS.match(self.fragment.text, line.start) for line in self.lines.stray)

    def end(self) -> tuple[int, bool]:
        return self.lines.end, not self.fragment.text[self.lines.end :].strip()


def _part(fragment: Fragment, part: OutlineEntry | OutlineItem) -> BodyPart:
    """A pair, or an item of a list."""
    value, pair = part.value, part if isinstance(part, OutlineEntry) else None
    span = fragment.outer_span(part.span.start, max(part.span.end, value.span.end))
    return BodyPart(
        value.kind,
        span,
        fragment.outer_span(*pair.key) if pair is not None else None,
        fragment.outer_span(*value.span),
        pair.key_text if pair is not None else None,
        value.text if value.kind != "map" else "",
        len(value.items) if value.kind == "list" else None,
        folded=span,
        below=lambda: [_part(fragment, one) for one in value.entries or value.items],
    )
