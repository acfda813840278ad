"""The fix that several rules about prompts share."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.language import say
from handoff_lsp.rules.rule import Fix
from handoff_lsp.text import Edit, Span


def change(span: Span, found: str, right: str) -> Iterator[Fix]:
    """Writes the right word in place of another, which the title has as ``found``."""
    yield Fix(say("Change {found} to `{right}`", found=f"`{found}`", right=right), (Edit(span, right),), safe=False)
