"""Findings as an editor marks them."""

from __future__ import annotations

import json

import pytest
from features.documents import SAMPLES, analysed, block, markdown

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
        "contract": "status-block",
        "profile": "developer",
        "mode": "handoff",
    }


def test_upstream_tokens() -> None:
    found = diagnostics(analysed(block('{"agent_status": {"plan_status": "DONE", "agent_id": "ab12345"}}')))
    assert ["PLAN_STATUS:DONE"] in [item.data["upstream"] for item in found]


def test_unused_comments_are_unnecessary() -> None:
    found = diagnostics(analysed("<!-- handoff-ignore-file: missing-table -->\n\n" + markdown()))
    assert ("unused-suppression", ("unnecessary",)) in [(item.code, item.tags) for item in found]


def test_deprecated_values() -> None:
    analysis = analysed(markdown())
    assert isinstance(analysis.findings, tuple)
    assert all(isinstance(item, Finding) for item in analysis.findings)
    assert all("deprecated" not in item.tags for item in diagnostics(analysis))
