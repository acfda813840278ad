"""No place in any document makes a feature fail."""

from __future__ import annotations

from functools import cache

import pytest
from features.documents import EMPTY, SAMPLES, analysed, context_of

from handoff_lsp.features.actions.offered import each, fix_all, quick_fixes
from handoff_lsp.features.completion.complete import complete, resolve
from handoff_lsp.features.diagnostics import diagnostics
from handoff_lsp.features.pages.hover import hover
from handoff_lsp.text import Source, Span

PATHS = ("report.md", "handoffs/login-developer-handoff.md")


@cache
def resolved(key: str) -> str:
    """The page of a completion, which is the same wherever it is offered."""
    return resolve(key, EMPTY)


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("name", SAMPLES)
def test_every_offset(name: str, eol: str) -> None:
    text = SAMPLES[name].replace("\n", eol)
    lines = Source(text).lines
    for path in PATHS:
        analysis = analysed(text, path)
        diagnostics(analysis)
        fix_all(analysis)
        for offset in range(-1, len(text) + 2):
            page = hover(context_of(analysis), offset)
            assert page is None or page.markdown
            quick_fixes(analysis, Span(offset, offset))
            for item in complete(context_of(analysis), offset):
                at = min(max(offset, 0), len(text))
                assert item.edit.span.holds(at) or text[at - 1 : at + 1] == "\r\n" or text.startswith("\ufeff")
                assert lines.line_of(item.edit.span.start) == lines.line_of(item.edit.span.end)
                assert item.label
                assert isinstance(resolved(item.key), str)


@pytest.mark.parametrize("name", [name for name in SAMPLES if len(SAMPLES[name]) < 500])
def test_every_prefix(name: str) -> None:
    text = SAMPLES[name]
    for end in range(len(text)):
        analysis = analysed(text[:end])
        complete(context_of(analysis), end)
        hover(context_of(analysis), end)
        fix_all(analysis)


def test_byte_order_mark() -> None:
    for text in SAMPLES.values():
        analysis = analysed("\ufeff" + text)
        for offset in range(0, len(text) + 1, 3):
            for item in complete(context_of(analysis), offset):
                # An insertion before the mark replaces the mark, too: the edit's range must hold the cursor.
                assert item.edit.span.start > 0 or (offset == 0 and item.edit.text.startswith("\ufeff"))
        for action in each(quick_fixes(analysis, Span(0, len(text)))):
            assert all(edit.span.start > 0 for edit in action.edits), action
