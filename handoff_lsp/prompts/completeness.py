"""Whether a list of fields, or a handoff that a prompt shows, is meant to be complete, wrong on purpose, or concrete."""

from __future__ import annotations

import re

from handoff_lsp.prompts.view import PromptView
from handoff_lsp.text import Span

# The characters before a list or fence that introduce it.
_LEAD = 300
# Words that introduce a part of the fields: those of one agent, or those to change.
_PARTIAL = re.compile(
    r"(?i)\b(?:such as|e\.g\.|for example|for instance|additional(?:ly)?|extra|optional(?:ly)?|specific|further|other|"
    r"only|update[sd]?|updating|chang(?:e|ed|es|ing)|new|some|any of|one of|including|excerpt|snippet|partial(?:ly)?|"
    r"fragment|abbreviated|truncated|shortened|always read|reads?|plus|besides|in addition|also|when|if)\b"
    r"|固有|追加|任意|抜粋|一部|など|のみ|場合"
)
# Words that promise all of them.
_COMPLETE = re.compile(
    r"(?i)\b(?:required|mandatory|must|always (?:has|have|contains?|includes?)|exactly|all (?:of )?(?:these|the|its)|"
    r"return(?:s|ed)?|emit(?:s|ted)?|schema|envelope|with (?:these|the following) (?:fields|keys))\b|必須|必ず"
)
_LEFT_OUT = re.compile(r"\.{3}|…")
# A part to fill in: `<name>`, `{name}`, `[name]`, `$NAME`, `YYYY`, or a choice of words.
_OPEN = re.compile(
    r"<[^\W\d_][^<>\n]{0,120}>|\{\{?[ \t]*[^\W\d_][^{}\n\":]{0,120}\}|\[(?![xX ]\])[^\W\d_][^\[\]\n\"']{0,120}\](?!\()"
    r"|\$\{?[A-Z_]{2,}|\b(?:YYYY|XXXX?|TODO|TBD)\b|\b[\w-]+[ \t]*\|[ \t]*[\w-]+(?![^\n]*\|[ \t]*$)"
)


def lead_of(view: PromptView, span: Span) -> str:
    """The words that introduce a part of a prompt: those of its line before it, and the paragraph above a list."""
    block = view.block(span.start)
    before = view.prose[block.start : span.start]
    if before.strip(" \t\n*-+|#>`\"'{"):
        return before
    return view.prose[max(block.start - _LEAD, 0) : block.start].rstrip().rpartition("\n\n")[2]


def is_partial(lead: str) -> bool:
    """Whether words introduce a part of the fields."""
    return _PARTIAL.search(lead) is not None


def is_complete(lead: str) -> bool:
    """Whether words promise all fields."""
    return _COMPLETE.search(lead) is not None


def leaves_out(text: str) -> bool:
    """Whether a shown handoff leaves a part out."""
    return _LEFT_OUT.search(text) is not None


def is_concrete(text: str) -> bool:
    """Whether a shown handoff has nothing to fill in, so that its readers could take it as it is."""
    return not leaves_out(text) and _OPEN.search(text) is None
