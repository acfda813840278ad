"""Findings as an editor marks them."""

from __future__ import annotations

import json

import pytest
from features.documents import SAMPLES, analysed, handoff, markdown

from handoff_lsp.features.diagnostics import diagnostics
from handoff_lsp.rules.rule import Finding


@pytest.mark.parametrize("name", SAMPLES)
def test_one_for_each_finding(name: str) -> None:
    analysis = analysed(SAMPLES[name])
    found = diagnostics(analysis)
    assert [(item.code, item.span, item.message) for item in found] == [
        (item.code, item.span, item.message) for item in analysis.findings
    ]
    for item in found:
        assert json.loads(json.dumps(item.data)) == item.data
        assert item.severity in {"error", "warning", "information", "hint"}


def test_no_fix_is_made() -> None:
    analysis = analysed(SAMPLES["json: many defects"])
    diagnostics(analysis)
    assert not [item for item in analysis.findings if "fixes" in item.__dict__]


def test_related_and_data() -> None:
    abstract = "outcome: x\nverdict: n/a\nfiles: 2 created, 0 modified\nnext_phase: x\nopen_questions: 0"
    text = markdown("complete", abstract, "## Files Created\n\n- a\n")
    item = next(item for item in diagnostics(analysed(text)) if item.code == "count-mismatch")
    assert item.span.of(text) == "2"
    assert [related.span.of(text) for related in item.related] == ["a"]
    assert item.data == {
        "field": "abstract.files.created",
        "upstream": [],
        "fixable": True,
        "contract": "status-block",
        "profile": "developer",
        "mode": "handoff",
    }


def test_upstream_tokens() -> None:
    found = diagnostics(analysed(handoff('{"agent_status": {"plan_status": "DONE", "agent_id": "ab12345"}}')))
    assert ["PLAN_STATUS:DONE"] in [item.data["upstream"] for item in found]


def test_unused_comments_are_unnecessary() -> None:
    found = diagnostics(analysed("<!-- handoff-ignore-file: missing-table -->\n\n" + markdown()))
    assert ("unused-suppression", ("unnecessary",)) in [(item.code, item.tags) for item in found]


def test_deprecated_values() -> None:
    analysis = analysed(markdown())
    assert isinstance(analysis.findings, tuple)
    assert all(isinstance(item, Finding) for item in analysis.findings)
    assert all("deprecated" not in item.tags for item in diagnostics(analysis))


def _tags(text: str) -> list[tuple[str, tuple[str, ...], str]]:
    return [(item.code, item.tags, item.span.of(text)) for item in diagnostics(analysed(text)) if item.tags]


def test_what_nobody_reads_is_unnecessary() -> None:
    twice = markdown() + "\n## Abstract\n\noutcome: y\n"
    assert ("duplicate-section", ("unnecessary",), "Abstract") in _tags(twice)
    # Of two equal keys the last one counts, so neither can be removed without a decision.
    json_twice = handoff('{"agent_status": {"plan_status": "COMPLETE", "plan_status": "BLOCKED"}}')
    found = {item.code: item.tags for item in diagnostics(analysed(json_twice))}
    assert found["duplicate-field"] == ()


def test_every_tag_is_of_a_rule_that_has_it() -> None:
    tagged = {(item.code, item.tags) for text in SAMPLES.values() for item in diagnostics(analysed(text)) if item.tags}
    unnecessary = {"duplicate-field", "duplicate-section", "legacy-duplicate", "unused-suppression"}
    for code, tags in tagged:
        assert tags == (("deprecated",) if code.startswith("deprecated-") else ("unnecessary",))
        assert code.startswith("deprecated-") or code in unnecessary


def test_whether_a_fix_may_be_offered() -> None:
    for text in SAMPLES.values():
        analysis = analysed(text)
        for finding, item in zip(analysis.findings, diagnostics(analysis), strict=True):
            # A client that gets no sign of a fix need not ask for one; a client that gets the sign must ask.
            assert item.data["fixable"] or not finding.fixes
            assert not (item.data["fixable"] and finding.rule.fixable == "never")
