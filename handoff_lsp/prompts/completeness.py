"""Whether a list of fields, or a handoff that a prompt shows, is meant to be complete and has nothing to fill in."""

from __future__ import annotations

from handoff_lsp.prompts.view import PromptView
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

# The characters before a list or fence that introduce it.
_LEAD = 300
# Words that introduce a part of the fields: those of one agent, or those to change.
_PARTIAL = lazy_pattern(
    r"(?i)\b(?:such as|e\.g\.|for example|for instance|additional(?:ly)?|extra|optional(?:ly)?|specific|further|other|"
    r"only|update[sd]?|updating|chang(?:e|ed|es|ing)|adapt(?:s|ed)?|adjust(?:s|ed)?|overrid(?:e|es|ing)|customi[sz]e[sd]?|"
    r"new|some|any of|one of|including|always read|reads?|plus|besides|"
    r"in addition|also|when|if)\b|固有|追加|任意|など|のみ|場合"
)
# Words that introduce a part of a handoff.
_EXCERPT = lazy_pattern(
    r"(?i)\b(?:excerpt|snippet|partial(?:ly)?|fragment|abbreviated|truncated|shortened|short|brief|minimal|only|additional|extra|optional|"
    r"such as|including|plus|specific)\b|抜粋|一部|固有|追加|のみ"
)
# Words that promise all of them.
_COMPLETE = lazy_pattern(
    r"(?i)\b(?:required|mandatory|must|always (?:has|have|contains?|includes?)|exactly|all (?:of )?(?:these|the|its)|"
    r"return(?:s|ed)?|emit(?:s|ted)?|schema|envelope|with (?:these|the following) (?:fields|keys))\b|必須|必ず"
)
_LEFT_OUT = lazy_pattern(r"(?<![\w'’)])(?:\.{3}|…)")
_SENTENCE = lazy_pattern(r"[.;!?。；](?=\s|$)")
# A part to fill in: `<name>`, `{name}`, `[name]`, `$NAME`, `YYYY`, or a choice of words.
_OPEN = lazy_pattern(
    r"<[^\W\d_][^<>\n]{0,120}>|\{\{?[ \t]*[^\W\d_][^{}\n\":]{0,120}\}|\[(?![xX ]\])[^\W\d_][^\[\]\n\"']{0,120}\](?!\()"
    r"|\$\{?[A-Z_]{2,}|\b(?:YYYY|XXXX?|TODO|TBD)\b|\b[\w-]+[ \t]*\|[ \t]*[\w-]+(?![^\n]*\|[ \t]*$)"
)


def introduction_of(view: PromptView, span: Span) -> str:
    """The sentence that introduces a part of a prompt: on its line before it, else the end of the paragraph above."""
    block = view.block(span.start)
    before = view.prose[block.start : span.start]
    if not before.strip(" \t\n*-+|#>`\"'{"):
        before = view.prose[max(block.start - _LEAD, 0) : block.start].rstrip().rpartition("\n\n")[2]
    return _SENTENCE.split(before)[-1]


def is_partial(lead: str, *, shown: bool = False) -> bool:
    """Whether words introduce a part of the fields, or of the handoff that is ``shown``."""
    return (_EXCERPT if shown else _PARTIAL).search(lead) is not None


def is_complete(lead: str) -> bool:
    """Whether words promise all fields."""
    return _COMPLETE.search(lead) is not None


def leaves_out(text: str) -> bool:
    """Whether a shown handoff leaves a part out."""
    return _LEFT_OUT.search(text) is not None


def is_concrete(text: str) -> bool:
    """Whether a shown handoff has nothing to fill in, so that its readers could copy it."""
    return not leaves_out(text) and _OPEN.search(text) is None
