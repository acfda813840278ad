"""A safe fix is offered only if it keeps the handoffs and their statements."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.actions.fix_all import fixed
from handoff_lsp.features.actions.offered import fix_all
from handoff_lsp.rules.shared import promises
from handoff_lsp.text import Source, apply_edits
from handoff_lsp.workspace.config.contract_files import read_contracts

STATUS = {
    "agent_type": "worker",
    "status": "running",
    "progress": "Starting...",
    "last_checkpoint": None,
    "started_at": "2026-03-02T08:00:00Z",
    "updated_at": "2026-03-02T08:00:00Z",
}
# The status of an agent, which is a template until one of two fields is filled in.
WAITING = """
contract: waiting-status
extends: agent-status
title: Waiting status
about: The state of an agent that has yet to get its task.
file: {path: '(^|/)\\.waiting/status\\.json$'}
unfilled: [agent_id, task]
"""
WAITS = ".waiting/status.json"
LINES = "AGENT_RESULT: developer\nSTATUS: success\nPHASE: 2\n"


@cache
def registry() -> Registry:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "waiting-status.yaml"
        path.write_text(WAITING, encoding="utf-8")
        read = read_contracts([path])
    assert not read.problems
    return builtin().with_entries(read.entries)


def analysed(text: str, path: str = "report.md") -> Analysis:
    return analyze(Source(text), path, registry(), Options())


def titles(analysis: Analysis, *, safe: bool) -> set[str]:
    return {fix.title for finding in analysis.findings for fix in finding.fixes if fix.safe is safe}


def test_what_would_make_a_template_is_not_offered() -> None:
    both = analysed(json.dumps(STATUS, indent=2), WAITS)
    assert titles(both, safe=False) == {"Insert field `agent_id`", "Insert field `task`"}
    waits = analysed(json.dumps({"agent_id": "<the id…>", **STATUS}, indent=2), WAITS)
    assert titles(waits, safe=True) == titles(waits, safe=False) == set()
    filled = analysed(json.dumps({"agent_id": "worker-1", **STATUS}, indent=2), WAITS)
    assert titles(filled, safe=False) == {"Insert field `task`"}


def test_what_would_swallow_another_value_is_not_offered() -> None:
    # The lines are a handoff, and a part of the text of the one around them.
    inside = analysed(
        f"# Operations Result: Crawler\n\n> Operations Plan: Light\n\n## Artifacts\n{LINES}", "docs/OPS_RESULT.md"
    )
    assert [handoff.spec.name for handoff in inside.handoffs] == ["ops-result", "agent-result"]
    assert "Insert field `NEXT`" not in titles(inside, safe=True)
    assert "Insert field `NEXT`" in titles(analysed(LINES), safe=True)


def test_a_repair_that_changes_what_is_said_is_not_safe() -> None:
    text = '```agent_contract_handoff\n{\n## Summary\nIt sells.\n  "agent_status": {"plan_status": "BLOCKED"}\n}\n```\n'
    analysis = analysed(text)
    assert "Insert the colon" in titles(analysis, safe=False) - titles(analysis, safe=True)


def test_what_cannot_be_proved_does_not_count_as_safe(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(promises, "_MOST_READ", 0)
    analysis = analysed(LINES)
    assert "Insert field `NEXT`" in titles(analysis, safe=False)
    # All at once is proved separately.
    assert fix_all(analysis) is not None


def test_one_that_breaks_a_promise_does_not_keep_others_from_being_made() -> None:
    status = json.dumps(STATUS, indent=2).replace('"Starting..."', '"Starting...",')
    after = fixed(analysed(status, WAITS), lambda finding: True, unsafe=True).analysis
    made = json.loads(after.source.text)
    assert len({"agent_id", "task"} & made.keys()) == 1
    assert [handoff.mode for handoff in after.handoffs] == ["handoff"]
    assert fix_all(after) is None
    done = fixed(analysed(json.dumps(STATUS), WAITS), lambda finding: True, unsafe=True)
    assert done.findings == 1  # of two missing keys, one is inserted


def test_after_many_rounds_that_break_a_promise_nothing_is_fixed(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """With only some of the fixes, fixing again would change more."""
    waits = analysed(json.dumps(STATUS), WAITS)
    for most, found in ((64, 1), (0, 0)):
        monkeypatch.setattr("handoff_lsp.features.actions.fix_all._MOST_FAILED", most)
        assert fixed(waits, lambda finding: True, unsafe=True).findings == found


def test_a_word_for_nothing_is_no_item() -> None:
    for said, title, safe in (
        ("none", "Change `warnings` to `[]`", False),
        ("N/A", "Change `warnings` to `[]`", False),
        ("the key", "Wrap the value of `warnings` in a list", True),
    ):
        analysis = analysed(
            json.dumps({"task": "t", "agent_id": "a1", **STATUS, "warnings": said}), ".agent/status.json"
        )
        finding = next(item for item in analysis.findings if item.code == "invalid-type")
        assert [(fix.title, fix.safe) for fix in finding.fixes] == [(title, safe)]
        made = json.loads(apply_edits(analysis.source.text, finding.fixes[0].edits))
        assert made["warnings"] == ([said] if safe else [])


def test_a_placeholder_is_no_safe_fix_of_what_is_less_than_an_error() -> None:
    text = "## Implementation Progress\n\n**Change**: add-dark-mode\n\n### Completed Tasks\n- [x] 1.1\n"
    analysis = analysed(text, "openspec/changes/add-dark-mode/apply-progress.md")
    assert {"Insert section `Files Changed`", "Insert section `Status`"} <= titles(analysis, safe=False)
    assert fixed(analysis, lambda finding: True).findings == 0
