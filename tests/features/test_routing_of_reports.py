"""Decisions about verification reports with the verdict in unusual places, twice, or only at the top."""

from __future__ import annotations

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import routing_of, status_of
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source

HEAD = "# Verification Report: night-mode\n\n**Change**: night-mode\n\n## Completeness\n3 of 3\n\n"
RESULT = """```yaml
schema: gentle-ai.verify-result/v1
evidence_revision: sha256:{a}
verdict: {verdict}
blockers: 0
critical_findings: 0
requirements: 2/2
scenarios: {met}/3
test_command: make test
test_exit_code: 0
test_output_hash: sha256:{a}
build_command: make
build_exit_code: 0
build_output_hash: sha256:{a}
```

"""


def _routed(text: str) -> list[tuple[str, object, str]]:
    analysis = analyze(Source(text), "openspec/changes/night-mode/verify-report.md", builtin(), Options())
    found = []
    for handoff in analysis.handoffs:
        routing = routing_of(handoff)
        if routing is not None:
            found.append((handoff.spec.name, status_of(handoff), routing.action))
    return found


@pytest.mark.parametrize(
    ("body", "status", "action"),
    [
        ("## Verdict\n\n| Field | Value |\n| --- | --- |\n| Verdict | PASS |\n", "PASS", "advance"),
        ("## Verdict\n\n### ✅ PASS WITH WARNINGS\n", "PASS WITH WARNINGS", "advance"),
        ("## Verdict\n✅ **APPROVED — PASS**\n", "PASS", "advance"),
        ("## Verdict\n**Verdict of the machine: FAIL** — a reason\n", "FAIL", "retry"),
        ("## Veredicto\n**PASS**\n", "PASS", "advance"),
        ("## Summary\n**PASS** — all of it\n", "PASS", "advance"),
        ("## Verdict\nPASS\n\n## Final Verdict\nPASS\n", "PASS", "advance"),
        ("## Verdict\nPASS\n\n## Final Verdict\nFAIL\n", "PASS", "ask"),
        ("## Verdict\nFAIL\n\n## Verdict (re-verification)\nPASS\n", "PASS", "advance"),
        ("## Verdict\nReady, says PASS or FAIL\n", None, "stop"),
    ],
)
def test_the_decision_is_what_the_report_says(body: str, status: str | None, action: str) -> None:
    assert _routed(HEAD + body) == [("phase-summary", status, action)]


def test_the_result_at_the_top_decides_for_a_report_without_a_verdict() -> None:
    top = RESULT.format(a="a" * 64, verdict="pass", met=3)
    assert [name for name, _, _ in _routed(top + HEAD)] == ["verify-result"]


def test_nothing_advances_over_a_result_that_says_the_opposite() -> None:
    top = RESULT.format(a="a" * 64, verdict="fail", met=2)
    assert ("phase-summary", "PASS", "ask") in _routed(top + HEAD + "## Verdict\nPASS\n")
