"""An entry of the list of all handoffs: its author, its number of open questions, its time of change."""

from __future__ import annotations

import pytest
from case_files import read_cases
from features.documents import analysed, markdown

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin, schemas_folder
from handoff_lsp.features.decision.overview import ListedHandoff, overviews
from handoff_lsp.features.unfilled import unfilled
from handoff_lsp.samples.new_handoff import new_handoff

PATH = "handoffs/login-handoff.md"
STATUS_FILE = '{"agent_id": "dev-1", "agent_type": "dev", "status": "blocked", "blockers": ["one", "two"], %s}'


def only(text: str, path: str = PATH) -> ListedHandoff:
    """The one handoff of a document."""
    (found,) = overviews(analysed(text, path))
    return found


def counted(number: str) -> str:
    """A blocked handoff with the number of open questions in its Abstract."""
    return markdown("blocked", f"outcome: it waits\nverdict: n/a\nopen_questions: {number}")


def test_a_handoff_has_its_row() -> None:
    found = only(counted("3"))
    assert (found.contract, found.status, found.action) == ("status-block", "blocked", "ask")
    assert found.brief == "3 open questions go to the human"
    assert found.reason.startswith("Shows the Open Questions to a human.")
    assert found.errors > 0
    assert found.changed is None


def test_without_a_readable_status_it_is_missing() -> None:
    found = only(markdown("compleet"))
    assert (found.status, found.action) == (None, "stop")
    assert found.brief == "missing or unknown status: treated as failed"


def test_json_that_cannot_be_parsed_is_why_there_is_no_status() -> None:
    sound = '```agent_contract_handoff\n{"agent_status": {"plan_status": "COMPLETE"}}\n```\n'
    found = only(sound, "turn.md")
    assert (found.status, found.unread) == ("COMPLETE", None)
    found = only(sound.replace('"}}', '",}'), "turn.md")
    assert (found.status, found.unread) == (None, "the JSON cannot be parsed")


def test_templates_and_examples_are_left_out() -> None:
    entry = builtin()["status-block"]
    template = new_handoff(builtin(), entry, "developer", "template").text
    assert overviews(analysed(template, PATH)) == []
    assert overviews(analysed(markdown("complete"), "docs/concepts/handoff.md")) == []
    assert overviews(analysed("# Notes\n")) == []


@pytest.mark.parametrize(
    ("title", "path", "agent"),
    [
        ("# Login — Handoff from Backend Developer", PATH, "Backend Developer"),
        ("# Login — handoff from `Tester` (second run)", PATH, "Tester"),
        ("# Login — DoD Checker Handoff", PATH, "DoD Checker"),
        ("# Login — Handoff from {agent role}", "handoffs/login-reviewer-handoff.md", "Reviewer"),
        ("# Login", "handoffs/login-dod-checker-handoff.md", "DoD Checker"),
        ("# Login", PATH, None),
    ],
)
def test_the_title_names_the_agent_else_its_profile_does(title: str, path: str, agent: str | None) -> None:
    text = title + markdown("complete")[markdown("complete").index("\n") :]
    assert only(text, path).agent == agent


@pytest.mark.parametrize(
    ("section", "number", "told"),
    [
        ("## Open Questions\n- one?\n- two?\n", "0", 2),
        ("## Open Questions\nNone\n", "3", 0),
        ("## Open Questions\nOne thing, and then there is another one\nthat nobody can count.\n", "3", 3),
        ("", "2", 2),
        ("", "many", None),
    ],
)
def test_open_questions_are_counted_where_they_can_be(section: str, number: str, told: int | None) -> None:
    assert only(counted(number) + section).open_questions == told


@pytest.mark.parametrize(
    ("times", "changed"),
    [
        ('"started_at": "2026-02-08T09:00:00Z", "updated_at": "2026-02-08T10:30:15Z"', "2026-02-08T10:30:15Z"),
        ('"started_at": "2026-02-08T09:00:00Z", "updated_at": "soon"', None),
        ('"updated_at": "0001-01-01T00:00:00Z"', "0001-01-01T00:00:00Z"),
        ('"started_at": null', None),
    ],
)
def test_a_status_file_shows_its_time_and_what_it_waits_for(times: str, changed: str | None) -> None:
    found = only(STATUS_FILE % times, ".agent/status.json")
    assert (found.agent, found.open_questions, found.changed) == ("dev-1", 2, changed)
    assert found.title == builtin()["agent-status"].contract.title


def test_of_a_log_the_last_entry_shows_the_time() -> None:
    text = "2026-02-08T10:00:00Z [START] go\n2026-02-08T10:05:09Z [STATUS] running\n"
    found = only(text, ".agent/activity.log")
    assert (found.agent, found.changed) == (None, "2026-02-08T10:05:09Z")


@pytest.mark.parametrize(
    ("contract", "profile", "agent"),
    [
        ("phase-summary", "explore", "sdd-explore"),
        ("phase-summary", "verify-strict", "sdd-verify"),
        ("discovery-result", "discovery", "discovery-flow"),
        ("maintenance-result", "maintenance", "maintenance-flow"),
        ("verify-result", "v1", "sdd-verify"),
        ("analyst-handoff", "current", "analyst-intake"),
    ],
)
def test_the_profile_counts_as_the_agent(contract: str, profile: str, agent: str) -> None:
    assert builtin()[contract].spec(profile).contract.overview.agent == [f"'{agent}'"]


def test_the_heading_of_an_envelope_shows_the_phase() -> None:
    sections = {"Status": "success", "Summary": "made", "Artifacts": "- a.md", "Next Recommended": "tasks"}
    text = "## Design Complete\n" + "".join(f"\n### {title}\n{said}\n" for title, said in sections.items())
    assert only(f"{text}\n### Risks\nNone\n", "report.md").agent == "sdd-design"


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_every_handoff_of_the_cases_is_reported_in_order(case: object) -> None:
    analysis = case.analyze(case.text)  # type: ignore[attr-defined]
    found = overviews(analysis)
    assert [each.span for each in found] == [handoff.span for handoff in analysis.handoffs if handoff.mode == "handoff"]
    told = [item for item in analysis.findings if item.handoff is not None and item.handoff.mode == "handoff"]
    left = unfilled(analysis)
    assert sum(each.unfilled for each in found) == len(left)
    errors = [item for item in told if item.severity == "error" and item not in left]
    assert sum(each.errors for each in found) == len(errors)
    assert all(each.agent is None or each.agent.strip() for each in found)
    assert all((each.action is None) == (each.brief == "") for each in found)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("overview: {agent: [nobody]}", "`nobody` is not a field"),
        ("overview: {agent_in_title: ['from (.*)']}", "the pattern has no group `(?P<name>…)`"),
        ("overview: {open_questions: [abstract.outcome]}", "`abstract.outcome` cannot be counted"),
        ("overview: {open_questions: [nothing]}", "`nothing` is not a field"),
        ("overview: {changes: [status]}", "unknown key `changes`"),
    ],
)
def test_a_wrong_overview_is_reported(change: str, words: str) -> None:
    text = (schemas_folder() / "contracts" / "status-block.yaml").read_text(encoding="utf-8")
    start, end = text.index("\noverview:\n") + 1, text.index("\nfields:\n")
    _, problems = read_contract(f"{text[:start]}{change}\n{text[end:]}")
    assert any(words in problem.message for problem in problems), problems
