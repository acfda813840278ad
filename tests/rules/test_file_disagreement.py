"""Disagreements between a status file and its log, reported in the outdated one, with a view of the other."""

from __future__ import annotations

import pytest
from case_files import Beside

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source

STATUS = """{
  "agent_id": "a", "agent_type": "worker", "task": "t", "progress": "p", "last_checkpoint": null,
  "status": "%s", "notes": "n", "blockers": ["b"],
  "started_at": "2026-03-02T08:00:00Z", "updated_at": "2026-03-02T%sZ"
}
"""
LOG = "2026-03-02T08:10:00Z [STATUS] running\n2026-03-02T08:20:00Z [TEST] make test -- FAIL\n"
PATHS = (".agent/status.json", ".agent/activity.log")


def told(status: str, log: str, *, at: int) -> list[Finding]:
    """The findings in the status file (``at`` 0) or in the log (1)."""
    around = Beside(PATHS[at], dict(zip(PATHS, (status, log), strict=True)))
    text = (status, log)[at]
    return list(analyze(Source(text), PATHS[at], builtin(), Options(), around=around).findings)


@pytest.mark.parametrize("status", ["running", "blocked", "failed", "completed"])
@pytest.mark.parametrize("logged", ["running", "blocked", "failed", "completed", "asleep", ""])
@pytest.mark.parametrize("time", ["08:25:00", "08:30:00", "08:35:00"])
def test_one_status_that_is_behind_the_other_is_reported_once(status: str, logged: str, time: str) -> None:
    log = LOG.replace("FAIL", "PASS") + f"2026-03-02T08:30:00Z [STATUS] {logged}\n"
    found = [told(STATUS % (status, time), log, at=at) for at in (0, 1)]
    places = [[finding.code for finding in part if finding.code == "file-disagreement"] for part in found]
    unknown = logged not in {"running", "blocked", "failed", "completed"}
    if unknown or logged == status:
        assert places == [[], []]
    elif time == "08:35:00":
        assert places == [[], ["file-disagreement"]]
    else:
        assert places == [["file-disagreement"], []]
    assert [finding.code for finding in found[1] if finding.code == "invalid-value"] == ["invalid-value"] * unknown


def test_the_line_of_the_log_is_shown() -> None:
    log = LOG + "2026-03-02T08:30:00Z [STATUS] blocked\n"
    (finding,) = told(STATUS % ("running", "08:25:00"), log, at=0)
    (related,) = finding.related
    assert related.source is not None
    assert related.span.of(related.source.text) == "2026-03-02T08:30:00Z [STATUS] blocked"
    assert related.name == "activity.log"
    assert finding.span.of(STATUS % ("running", "08:25:00")) == '"running"'


def test_the_status_is_shown_in_the_log() -> None:
    log = LOG + "2026-03-02T08:30:00Z [STATUS] blocked\n"
    (finding,) = told(STATUS % ("running", "08:35:00"), log, at=1)
    (related,) = finding.related
    assert related.source is not None
    assert related.span.of(related.source.text) == '"running"'
    assert finding.span.of(log) == "blocked"


@pytest.mark.parametrize(
    ("line", "failed"),
    [
        ("make test -- FAIL", True),
        ("make test -- FAILED (3 of 40)", True),
        ("make test: 3 failed", True),
        ("make test → FAIL tests/a.py:12", True),
        ("FAIL", True),
        ("make test -- PASS", False),
        ("make test ARGS='it fails' -- PASS", False),
        ("3 failed, 37 passed", True),
        ("40 passed, 0 failed", False),
        ("make test-failover", False),
        ("", False),
    ],
)
def test_which_tests_have_failed(line: str, failed: bool) -> None:
    log = LOG + f"2026-03-02T08:30:00Z [TEST] {line}\n"
    found = told(STATUS % ("completed", "08:35:00"), log, at=0)
    assert sum("[TEST]" in finding.message for finding in found if finding.severity == "warning") == failed
    log += "2026-03-02T08:30:00Z [STATUS] completed\n"
    found = told(STATUS % ("completed", "08:35:00"), log, at=1)
    assert sum("[TEST]" in finding.message for finding in found if finding.severity == "warning") == failed


@pytest.mark.parametrize("log", ["", "\n", "# notes\n", "2026-03-02T09:00:00Z | bot | STATUS | done\n"])
def test_a_log_without_entries_agrees_with_everything(log: str) -> None:
    assert told(STATUS % ("running", "08:25:00"), log, at=0) == []


@pytest.mark.parametrize(
    "status", ["", "[]", "{", '{"agent_id": "a", "agent_type": "w", "status": "zz"}', '{"turn": 1}']
)
def test_a_status_file_that_cannot_be_read_agrees_with_everything(status: str) -> None:
    assert told(status, LOG, at=1) == []
