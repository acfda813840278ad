"""A decision never contradicts a finding: over the cases, and over real files where these are at hand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from case_files import Case, read_cases
from conftest import SHARED
from features.documents import analysed, markdown

from handoff_lsp.cli.output.table import table
from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import decision, is_made, routing_of, status_of
from handoff_lsp.decide.words import brief_of, isolated, line_of
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.decision.hints import hints
from handoff_lsp.features.decision.lens import lenses
from handoff_lsp.features.decision.overview import overviews
from handoff_lsp.features.pages.contract_pages import routing as routing_page
from handoff_lsp.features.pages.decision_page import decision_page
from handoff_lsp.reports.data import data_of
from handoff_lsp.reports.make import handoff_of
from handoff_lsp.rules.registry import rules_of_handoffs
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
            denied = finding.severity == "error" or (finding.rule == "contradiction" and finding.severity == "warning")
            if finding.handoff is handoff and (denied or HELD_UP.search(finding.message)):
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


def test_a_rule_that_fails_withholds_the_handoff(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> Iterator[object]:
        raise RuntimeError("no memory")

    case = next(one for one in CASES if one.name == "across-files: Listed files that exist, and ones that do not")
    (before,) = case.analyze().handoffs
    monkeypatch.setitem(
        rules_of_handoffs(), "invalid-value", replace(rules_of_handoffs()["invalid-value"], check=broken)
    )
    (after,) = case.analyze().handoffs
    found = [routing for handoff in (before, after) if (routing := routing_of(handoff)) is not None]
    assert [routing.action for routing in found] == ["advance", "ask"]
    assert found[1].reason.startswith("The rule `invalid-value` failed on this handoff")


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


def test_a_decision_has_one_word_and_one_reason_in_every_place() -> None:
    decided = 0
    for case in CASES:
        analysis = case.analyze()
        rows = iter(overviews(analysis))
        titles = [lens.title for lens in lenses(analysis, analysis.findings)]
        for handoff in analysis.handoffs:
            row = next(rows) if handoff.mode == "handoff" else None
            route = decision(handoff)
            if route is None or row is None:
                continue
            decided += 1
            line = isolated(line_of(handoff, route))
            action, brief = route.action, brief_of(handoff, route)
            assert line == f"{action}: {brief}" or not line.isascii(), case.name
            assert len(line.strip("\u2068\u2069")) <= 80
            assert any(title.startswith(line) for title in titles), (case.name, titles)
            assert (row.action, row.brief) == (action, brief)
            assert row.needs_person == (action in {"stop", "ask"})
            data = data_of(handoff_of(analysis.source, handoff, "x"))
            assert (data["routing"]["action"], data["routing"]["brief"]) == (action, brief)
            printed = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"\1", "\n".join(table(data, handoff)))
            assert f"decision {line.strip()}"[:30] in " ".join(printed.split()), case.name
            for page in (row.markdown, routing_page(handoff)):
                assert UNMARKED.sub("", f"{action}: {brief}".rstrip("…")) in UNMARKED.sub("", page), case.name
    assert decided > 1000


# Signs that Markdown escapes, blanks, and marks of code.
UNMARKED = re.compile(r"[\\`\s]")


def test_a_reason_repeats_no_verb_and_every_hint_fits() -> None:
    repeated = re.compile(r"^(?:stop: stop|ask: ask|retry: retr|continue: continue|advance: advance)")
    for case in CASES:
        analysis = case.analyze()
        assert [lens.title for lens in lenses(analysis, ()) if repeated.search(lens.title)] == [], case.name
        for hint in hints(analysis, Span(0, len(case.text)), datetime(2026, 3, 2, tzinfo=UTC)):
            assert len(hint.label) <= 30, (case.name, hint)
            assert not hint.label.endswith("…")


def test_errors_beside_a_decision_are_shown_with_it() -> None:
    beside = 0
    for case in CASES:
        for handoff in case.analyze().handoffs:
            route = decision(handoff)
            errors = [fault for fault in handoff.faults if fault.is_error]
            if route is None or not errors:
                continue
            assert route.action not in GOES_ON, case.name
            if status_of(handoff) is not None and not is_made(handoff, route):
                beside += 1
                number = f"{len(errors)} error{'s' * (len(errors) > 1)}"
                assert number in decision_page(handoff), case.name
    assert beside > 10


def test_a_status_is_shown_as_what_it_is() -> None:
    listed = {row.status_text for case in CASES for row in overviews(case.analyze())}
    assert {"blocked", "no valid Status", "PRODUCT_TYPE: service", "the JSON cannot be parsed"} <= listed
    assert any(re.fullmatch(r".+: \d+ items", text) for text in listed)
    assert not any(text.startswith(("[", "{")) or "object" in text for text in listed)


def test_right_to_left_text_and_long_names_leave_the_row_readable() -> None:
    long = "x" * 300
    path = f"handoffs/{long}/login-developer-handoff.md"
    (row,) = overviews(analysed(markdown("complete", SOUND, title=f"{long} — Handoff from {long}"), path))
    assert len(row.label) <= 90
    assert len(row.title) <= 80
    rtl = "\u05e9\u05dc\u05d5\u05dd"
    (row,) = overviews(analysed(markdown("complete", SOUND, title="Tester"), f"handoffs/{rtl}/login-tester-handoff.md"))
    assert row.label.startswith(f"\u2068{rtl}\u2069 · ")
    assert isolated("a\u202eb") == "ab"


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
