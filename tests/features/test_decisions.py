"""A decision never contradicts a finding: over the cases, and over real files where these are at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from case_files import Case, read_cases
from conftest import SHARED
from features.documents import analysed, markdown

from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import routing_of, status_of
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.decision.hints import hints
from handoff_lsp.features.decision.lens import lenses
from handoff_lsp.features.decision.overview import overviews
from handoff_lsp.rules.suppression import read_suppressions
from handoff_lsp.text import Source, Span

CASES = read_cases()
# A consequence that stops the pipeline.
HELD_UP = re.compile(
    r"\b(?:fails|stops|refuses|rejects|aborts|cannot tell|nobody can tell|does not (?:advance|go on|start the next))\b",
    re.IGNORECASE,
)
SUFFIXES = {".md", ".json", ".log", ".txt"}


def contradictions(analysis: Analysis) -> Iterator[str]:
    """Findings of a document that contradict the decision on their handoff."""
    for handoff in analysis.handoffs:
        routing = routing_of(handoff)
        if routing is None or routing.action not in GOES_ON:
            continue
        if status_of(handoff) is None:
            yield f"{routing.action} without a status"
        if routing.doubts:
            yield f"{routing.action} in spite of doubts"
        for finding in analysis.findings:
            if finding.handoff is handoff and (finding.severity == "error" or HELD_UP.search(finding.message)):
                yield f"{routing.action} beside {finding!r}"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_decision_goes_on_over_a_finding_of_a_case(case: Case) -> None:
    assert list(contradictions(case.analyze())) == []


@pytest.mark.parametrize("name", ["wild", "corpus"])
def test_no_decision_goes_on_over_a_finding_of_a_real_file(name: str) -> None:
    root = SHARED / name
    if not root.is_dir():
        pytest.skip(f"{root} is not here")
    decided = 0
    for path in sorted(root.rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            analysis = analyze(Source(_text(path)), _name(path, root), builtin(), Options())
            assert list(contradictions(analysis)) == [], path
            decided += sum(routing_of(handoff) is not None for handoff in analysis.handoffs)
    assert decided > 10


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _name(path: Path, root: Path) -> str:
    """A file's path in its repository."""
    return "/".join(path.relative_to(root).parts[1:])


def test_every_view_of_a_case_says_what_is_decided() -> None:
    goes_on = re.compile(r"→ (?:advance|continue)\b|^(?:advance|continue): ")
    for case in CASES:
        analysis = case.analyze()
        routings = [routing for handoff in analysis.handoffs if (routing := routing_of(handoff)) is not None]
        actions = {routing.action for routing in routings}
        if not actions & GOES_ON:
            titles = [lens.title for lens in lenses(analysis, analysis.findings)]
            labels = [hint.label for hint in hints(analysis, Span(0, len(case.text)), datetime(2026, 3, 2, tzinfo=UTC))]
            assert [text for text in (*titles, *labels) if goes_on.search(text)] == [], case.name
        shown = [each for each in overviews(analysis) if each.action is not None]
        assert [(each.action, each.reason) for each in shown] == [(one.action, one.reason) for one in routings]


PATH = "handoffs/login-tester-handoff.md"
SOUND = "outcome: x\nverdict: n/a\nfiles: 0 created, 0 modified, 0 deleted\nnext_phase: n/a\nopen_questions: 0"
UNSOUND = SOUND.replace("outcome: x\n", "")


def test_an_error_that_a_comment_silences_still_holds_up() -> None:
    text = markdown("complete", UNSOUND, title="Tester")
    told = analysed(text, PATH)
    assert [finding.code for finding in told.findings if finding.severity == "error"]
    silenced = analysed(f"<!-- handoff-ignore-file -->\n\n{text}", PATH)
    assert read_suppressions(silenced.tree, silenced.handoffs)
    assert [finding.code for finding in silenced.findings] == []
    for analysis in (told, silenced):
        routing = routing_of(analysis.handoffs[0])
        assert routing is not None
        assert routing.action == "stop"
        assert "outcome" in routing.reason
        assert [fault.rule for fault in routing.doubts] == ["missing-field"]


def test_a_severity_of_the_config_counts() -> None:
    text = markdown("complete", UNSOUND, title="Tester")
    options = Options(severities={"missing-field": "warning"})
    routing = routing_of(analyze(Source(text), PATH, builtin(), options).handoffs[0])
    assert routing is not None
    assert (routing.action, routing.doubts) == ("advance", ())
    options = Options(severities={"contradiction": "off"})
    text = markdown("complete, mostly", SOUND, title="Tester")
    routing = routing_of(analyze(Source(text), PATH, builtin(), options).handoffs[0])
    assert routing is not None
    assert routing.action == "advance"


BROKEN = """```agent_contract_handoff
{"agent_status": {"plan_status": "COMPLETE", "agent_id": "ab7e4d2", "pending_steps": [], "next_action": "done",},
 "evidence_report": null,}
```
"""


def test_json_that_cannot_be_parsed_is_the_reason() -> None:
    analysis = analyze(Source(BROKEN), "turn.md", builtin(), Options())
    routing = routing_of(analysis.handoffs[0])
    assert routing is not None
    assert (routing.action, routing.reason) == ("retry", "The JSON cannot be parsed (2 errors).")
    assert [fault.rule for fault in routing.doubts[:2]] == ["invalid-json", "invalid-json"]
    assert status_of(analysis.handoffs[0]) is None


TWICE = (
    BROKEN.replace('"done",}', '"done"}')
    .replace("null,}", "null}")
    .replace('{"plan_status": "COMPLETE"', '{"plan_status": "BLOCKED", "plan_status": "COMPLETE"')
)


def test_a_status_that_json_holds_twice_holds_up() -> None:
    analysis = analyze(Source(TWICE), "turn.md", builtin(), Options())
    routing = routing_of(analysis.handoffs[0])
    assert routing is not None
    assert routing.action == "retry"
    assert "duplicate-field" in {fault.rule for fault in routing.doubts}
