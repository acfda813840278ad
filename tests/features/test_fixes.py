"""Every fix of every finding: one use removes the finding and keeps line ends, and leaves nothing more to fix."""

from __future__ import annotations

import json
import re
from itertools import islice
from pathlib import Path

import pytest
from features.documents import SAMPLES, analysed

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.offered import fix_all
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.text import apply_edits

TRAILING = re.compile(r"[ \t]+(?=[\r\n]|\Z)")
CONFORMANCE = Path(__file__).parent.parent / "conformance"


def conformance_documents() -> dict[str, str]:
    """A sample of the documents that the original validators have checked, of both generations."""
    found = {}
    for path in sorted(CONFORMANCE.glob("agent-contract-*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            for line in islice(lines, 0, 400, 13):
                entry = json.loads(line)
                found[entry["name"]] = entry["text"]
    return found


DOCUMENTS = {**SAMPLES, **conformance_documents()}


def line_ends(text: str) -> set[str]:
    return set(re.findall(r"\r\n|\n|\r", text))


def count(analysis: Analysis, finding: Finding) -> int:
    """The number of findings like this one. Edits move its subject, so places cannot identify it."""
    return sum(1 for item in analysis.findings if likeness(item) == likeness(finding))


def likeness(finding: Finding) -> tuple[str, str | None, str]:
    """The parts of a finding that stay until it is fixed.

    A list that must hold something is there after it was inserted, and empty until it is filled in. All defects of a
    block's JSON have one code and one field.
    """
    told = finding.message if finding.code == "invalid-json" else "empty" if "is empty" in finding.message else ""
    return finding.code, finding.field, told


def broken(analysis: Analysis) -> int:
    return sum(1 for item in analysis.findings if item.code in {"invalid-json", "internal-error"})


def check_fix(text: str, path: str, analysis: Analysis, finding: Finding, fix: Fix) -> None:
    once = apply_edits(text, fix.edits)
    where = f"{finding.code} {finding.field}: {fix.title}\n{once}"
    assert once != text, where
    assert line_ends(once) <= (line_ends(text) or {"\n"}), where
    if not TRAILING.search(text):
        assert not TRAILING.search(once), where
    after = analysed(once, path)
    assert count(after, finding) < count(analysis, finding), where
    if fix.inserts:
        assert broken(after) <= broken(analysis), where
        assert len(after.handoffs) == len(analysis.handoffs), where


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_fix(name: str, eol: str) -> None:
    text = DOCUMENTS[name].replace("\n", eol)
    for path in ("report.md", "handoffs/login-developer-handoff.md"):
        analysis = analysed(text, path)
        for finding in analysis.findings:
            check_fixes(text, path, analysis, finding)


def check_fixes(text: str, path: str, analysis: Analysis, finding: Finding) -> None:
    for fix in finding.fixes:
        check_fix(text, path, analysis, finding, fix)
        for edit in fix.edits:
            assert edit.snippet is None or "\r" not in edit.snippet


@pytest.mark.parametrize("eol", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_fixing_all_comes_to_rest(name: str, eol: str) -> None:
    text = DOCUMENTS[name].replace("\n", eol)
    kinds = line_ends(text) or {"\n"}
    seen = 0
    while True:
        analysis = analysed(text)
        action = fix_all(analysis)
        if action is None:
            break
        seen += 1
        assert seen <= 4, text
        fixed = apply_edits(text, action.edits)
        assert fixed != text
        assert line_ends(fixed) <= kinds
        text = fixed
    assert not [item for item in analysed(text).findings if any(fix.safe and fix.preferred for fix in item.fixes)]


def test_a_fix_in_one_handoff_that_shows_what_is_missing_there_holds_up_no_other() -> None:
    """Renaming the first status makes its evidence missing; that of the second handoff is fixed in the same round."""
    handoff = '```agent_contract_handoff\n{"agent_status": {"%s": "COMPLETE"}}\n```\n'
    text = handoff % "planStatus" + "\nText.\n\n" + handoff % "plan_status"
    action = fix_all(analysed(text))
    assert action is not None
    fixed = apply_edits(text, action.edits)
    assert fixed.count('"evidence_report"') == 2
    assert fix_all(analysed(fixed)) is None


def test_what_finds_no_place_beside_something_else_is_mended_in_the_next_round() -> None:
    """At the end of a document with a final blank, fields cannot be inserted together with the sections after them."""
    text = "# Login — Handoff from Developer\n\n## Status\n\ncomplete\n\n## Abstract\n\noutcome: it "
    action = fix_all(analysed(text))
    assert action is not None
    fixed = apply_edits(text, action.edits)
    assert "files: <" in fixed
    assert "verdict: n/a" not in fixed, "it would state something, and no placeholder would be left"
    assert "## DoD coverage" in fixed
    assert fix_all(analysed(fixed)) is None
