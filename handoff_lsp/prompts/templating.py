"""Expressions of templates in prompts: what they become is unknown, so nothing is said about it."""

from __future__ import annotations

from collections.abc import Mapping

from handoff_lsp.contracts.patterns import occurs
from handoff_lsp.prompts.statement import Enumeration, PromptStatement
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_EXPRESSION = lazy_pattern(
    r"\{\{|\}\}|\{%|%\}|<%|%>|\$\{|\$[A-Z][A-Z0-9_]*\b|\$[0-9@*]|\{file:|(?<![\w.])@(?:include\b|import\b|[\w~./-]+\.md\b)"
)
_MARKS = r"\{\{|\}\}|\{%|%\}|<%|%>|[$@]|\{file:"
# A line that is nothing but an expression may become several lines.
_WHOLE_LINE = lazy_pattern(
    r"(?m)^[ \t>|*+-]*(?:\{\{[^\r\n]*\}\}|\{%[^\r\n]*%\}|<%[^\r\n]*%>|\{file:[^\r\n]*|@[^\r\n]*)[ \t|]*\r?$"
)


def has_expression(text: str) -> bool:
    """Whether a text has an expression."""
    return _EXPRESSION.search(text) is not None


def may_have_expression(text: bytes) -> bool:
    """Whether a text in UTF-8 has a mark that all expressions have; a fast test."""
    return occurs(_MARKS, text)


def without_expressions(text: str, kept: Mapping[Span, PromptStatement]) -> dict[Span, PromptStatement]:
    """The statements whose words are not parts of expressions."""
    return {span: one for span, one in kept.items() if not _touches(text, span)}


def is_open(text: str, one: Enumeration) -> bool:
    """Whether an expression among the items of an enumeration may add others."""
    start, end = text.rfind("\n", 0, one.span.start) + 1, text.find("\n", one.span.end)
    lines = text[start : end if end >= 0 else len(text)]
    if one.path and one.notation != "skeleton":
        after = text[end + 1 : (text.find("\n", end + 1) + 1 or len(text) + 1) - 1] if end >= 0 else ""
        return _EXPRESSION.search(lines) is not None or _WHOLE_LINE.search(after) is not None
    return _WHOLE_LINE.search(lines) is not None


def _touches(text: str, span: Span) -> bool:
    """Whether a word is in an expression, or has one in it or directly beside it."""
    if _EXPRESSION.search(text, max(span.start - 2, 0), min(span.end + 2, len(text))) is not None:
        return True
    start = text.rfind("\n", 0, span.start) + 1
    before = text[start : span.start]
    return any(
        before.rfind(opening) > before.rfind(closing) for opening, closing in (("{{", "}}"), ("{%", "%}"), ("<%", "%>"))
    )
