"""No place in a document of an own contract makes a feature fail, and what is fixed stays fixed."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_files import Case
from features.documents import context_of
from own.test_own_cases import CASES, _analysis, _ids

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.fix_all import fix_all
from handoff_lsp.features.actions.quick_fixes import quick_fixes
from handoff_lsp.features.completion.complete import complete
from handoff_lsp.features.formatting.format import Layout, format_document
from handoff_lsp.features.outline.document_symbols import symbols
from handoff_lsp.features.outline.semantic_tokens import tokens
from handoff_lsp.features.pages.hover import hover
from handoff_lsp.text import Span, apply_edits

HANDOFFS = [(path, case) for path, case in CASES if "Silence" not in case.name]


def _everything(analysis: Analysis, offset: int) -> None:
    assert "internal-error" not in [finding.code for finding in analysis.findings]
    context = context_of(analysis)
    hover(context, offset)
    complete(context, offset)
    quick_fixes(analysis, Span(offset, offset))


@pytest.mark.parametrize(("path", "case"), HANDOFFS, ids=_ids)
def test_every_third_offset_and_prefix(path: Path, case: Case) -> None:
    analysis = _analysis(path, case)
    symbols(analysis)
    tokens(analysis)
    for offset in range(0, len(case.text) + 1, 3):
        _everything(analysis, offset)
        _everything(analysis.again(case.text[:offset]), offset)


@pytest.mark.parametrize(("path", "case"), HANDOFFS, ids=_ids)
def test_a_fix_removes_its_finding_and_brings_no_error(path: Path, case: Case) -> None:
    analysis = _analysis(path, case)
    before = [finding.code for finding in analysis.findings]
    for finding in analysis.findings:
        for fix in finding.fixes[:1]:
            after = analysis.again(apply_edits(case.text, fix.edits))
            codes = [other.code for other in after.findings]
            assert codes.count(finding.code) < before.count(finding.code) or len(codes) < len(before), fix.title
            modes, old = ([one.mode for one in made.handoffs] for made in (after, analysis))
            if finding.rule.group == "prompts":  # with its markers, what a prompt shows becomes an example
                old += ["example"] * (len(modes) - len(old))
            assert sorted(modes) == sorted(old)


@pytest.mark.parametrize(("path", "case"), HANDOFFS, ids=_ids)
def test_a_safe_fix_keeps_what_is_said(path: Path, case: Case) -> None:
    analysis = _analysis(path, case)
    action = fix_all(analysis)
    after = analysis.again(apply_edits(case.text, action.make().edits if action is not None else ()))
    for old, new in zip(analysis.handoffs, after.handoffs, strict=True):
        said = {slot.path: slot.data for slot in old.slots if slot.path and _is_said(slot.data)}
        now = {slot.path: slot.data for slot in new.slots}
        assert {path: now.get(path) for path in said} == said


def _is_said(data: object) -> bool:
    """Whether a value says something itself; objects, and lists of them, do in what they hold."""
    holds_objects = isinstance(data, list) and any(isinstance(item, dict) for item in data)
    return data not in (None, "", [], {}) and not isinstance(data, dict) and not holds_objects


@pytest.mark.parametrize(("path", "case"), HANDOFFS, ids=_ids)
def test_formatting_changes_no_value(path: Path, case: Case) -> None:
    analysis = _analysis(path, case)
    after = analysis.again(apply_edits(case.text, format_document(analysis, Layout()) or []))
    assert [handoff.root.data for handoff in after.handoffs] == [handoff.root.data for handoff in analysis.handoffs]
