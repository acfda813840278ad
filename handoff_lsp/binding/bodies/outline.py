"""A handoff in ``key: value`` lines."""

from __future__ import annotations

import re

from handoff_lsp.binding.bodies.body import Body, root_slot
from handoff_lsp.binding.outline_fields import OutlineBinder
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.outline import Outline
from handoff_lsp.text import Fragment, Source

# The beginning of a line that replaces what is not shown.
_DOTS = re.compile(r"(?:#|//|\(|\[)?[ \t]*(?:\.{3}|…|中略|省略)")


class OutlineBody(Body):
    """``key: value`` lines, in offsets of ``fragment``.

    ``exact``: the reader compares names letter by letter. ``is_json``: there is JSON instead of lines.
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
        self.outline = self

    def bind(self, spec: Spec, source: Source) -> Slot:
        root = root_slot(spec)
        binder = OutlineBinder(self.fragment, source.text, spec.empty_words, exact=self.exact)
        binder.bind(root, self.lines.entries, self.lines.stray)
        root.data = with_empties(root)
        return root

    @property
    def elides(self) -> bool:
        return any(_DOTS.match(self.fragment.text, line.start) for line in self.lines.stray)

    def end(self) -> tuple[int, bool]:
        return self.lines.end, not self.fragment.text[self.lines.end :].strip()
