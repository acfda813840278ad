"""The titles of lenses for the routes of all contracts, and their fallbacks."""

from __future__ import annotations

import pytest
from features.documents import analysed, markdown

from handoff_lsp.contracts.conditions import Conditions
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import Route
from handoff_lsp.contracts.registry import builtin, schemas_folder
from handoff_lsp.decide.words import MAX_LINE, ORDER
from handoff_lsp.features.decision.lens import lenses, title_of

ROUTES = {
    f"{entry.name}: {route.reason}": route
    for entry in builtin()
    for profile in entry.contract.profiles
    for route in entry.spec(profile).contract.routing
}
BLOCK = analysed(markdown("blocked"), "handoffs/login-developer-handoff.md").handoffs[0]


@pytest.mark.parametrize("name", ROUTES)
def test_the_reason_of_every_route_fits_in_a_line(name: str) -> None:
    route = ROUTES[name]
    # The numbers in a brief reason are unknown here.
    brief = "" if "{" in route.brief else route.brief
    title = title_of(BLOCK, Route(action=route.action, reason=route.reason, brief=brief))
    assert len(title) <= MAX_LINE
    assert title.startswith(f"{route.action}: ")
    assert route.action in ORDER
    assert "`" not in title
    assert not title.endswith(("…", ":", ",", ";", "."))


def told(route: Route) -> str:
    """The title of a route of a blocked handoff without a count."""
    return title_of(BLOCK, route)


def test_a_brief_reason_without_all_of_its_values_is_not_told() -> None:
    reason = "The work goes on."
    assert told(Route(action="stop", reason=reason, brief="it is {status}")) == "stop: it is blocked"
    assert told(Route(action="stop", reason=reason, brief="{abstract.open_questions} open")) == "stop: the work goes on"
    assert told(Route(action="stop", reason=reason, brief="it is {status_reason}")) == "stop: the work goes on"


def test_a_verb_is_not_told_twice_and_names_stay_as_they_are() -> None:
    assert told(Route(action="stop", reason="Stops for a `human`.")) == "stop: for a human"
    assert told(Route(action="stop", reason="Stops and reports it.")) == "stop: reports it"
    assert told(Route(action="ask", reason="Status reason says it.")) == "ask: Status reason says it"
    assert told(Route(action="retry", reason="STATUS is gone.")) == "retry: STATUS is gone"


def test_a_long_reason_ends_at_a_clause_and_not_within_code() -> None:
    long = "reads what `a. b` says, although it is not there yet " + "and does so again " * 5
    assert told(Route(action="stop", reason=f"One {long}")).endswith("and does so again")
    assert told(Route(action="stop", reason=f"A `b. c` {'d' * 70} e")).endswith("…")


def test_a_brief_reason_is_checked_with_its_contract() -> None:
    text = (schemas_folder() / "contracts" / "status-block.yaml").read_text(encoding="utf-8")
    assert "{abstract.next_phase}" in text
    _, problems = read_contract(text.replace("{abstract.next_phase}", "{abstract.nobody}"))
    assert "`abstract.nobody` is not a field" in problems[0].message


def test_names_of_conditions() -> None:
    kinds = {"status": "string", "rows": "list", "last": "object"}
    line = "status == 'a.b' && size(rows.filter(x, x.mark == \"c\")) > 0 || !has(last.index)"
    assert Conditions(kinds).paths(line) == ("status", "rows", "last.index")


def test_a_lens_of_a_document_with_every_line_ending() -> None:
    text = markdown("failed")
    for eol in ("\n", "\r\n", "\r"):
        analysis = analysed(text.replace("\n", eol), "handoffs/login-developer-handoff.md")
        found = lenses(analysis, analysis.findings)
        assert found[0].title == "stop: reports the failure to a human"
        assert found[0].target.of(text.replace("\n", eol)) == "failed"
