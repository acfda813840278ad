"""The first fix of every finding in ``tests/cases``: it removes its finding and breaks nothing."""

from __future__ import annotations

from collections import Counter

import pytest
from case_files import Case, read_cases

from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import apply_edits


def keys(analysis: Analysis) -> Counter[tuple[str, str]]:
    return Counter((finding.code, finding.message) for finding in analysis.findings)


def defects(analysis: Analysis) -> set[tuple[str, str]]:
    """A text without the placeholders of a fix."""
    return {key for key in keys(analysis) if key[0] != "placeholder-left"}


def check_first(case: Case, text: str, analysis: Analysis, finding: Finding) -> None:
    if not finding.fixes:
        return
    fix = finding.fixes[0]
    made = apply_edits(text, fix.edits)
    after = case.analyze(made)
    key = (finding.code, finding.message)
    where = f"{fix.title}: {finding.message}\n{made}"
    assert keys(after)[key] < keys(analysis)[key], where
    # A finding without a handoff may be the reason for its absence.
    assert len(after.handoffs) == len(analysis.handoffs) or finding.handoff is None, where
    if "\r" in text:
        assert "\n" not in made.replace("\r\n", ""), where
    # The next finding of that kind is a different one: the same fix is not applied twice.
    again = next((item for item in after.findings if (item.code, item.message) == key), None)
    if again is not None and again.fixes:
        edits = again.fixes[0].edits
        twice = case.analyze(apply_edits(made, edits))
        assert len(defects(twice)) <= len(defects(after)), where
        # It may only add findings about its own placeholders.
        for code, message in keys(twice) - keys(after):
            if code == "placeholder-left":
                left = message.split('"')[1].partition("…")[0]  # a long one is shown shortened
                assert any(left in edit.text for edit in edits), f"{message}: {where}"


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_first_fix(case: Case) -> None:
    for eol in ("\n", "\r\n"):
        text = case.text.replace("\n", eol)
        analysis = case.analyze(text)
        for finding in analysis.findings:
            check_first(case, text, analysis, finding)
