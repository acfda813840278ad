"""What completion, hovers and quick fixes offer as a status or as the next agent is what no check refuses."""

from __future__ import annotations

import re

import pytest
from features.documents import context_of

from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.completion.complete import complete
from handoff_lsp.features.pages.hover import hover
from handoff_lsp.rules.shared.vocabulary import own_values
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.text import Source, apply_edits

PROFILES = [
    (entry.name, profile)
    for entry in builtin()
    for profile in entry.contract.profiles
    if (field := entry.spec(profile).field(entry.contract.status)) is not None
    and field.kind.is_choice
    and field.required
    and (entry.contract.file is None or entry.contract.file.syntax != "log")  # the status of a log is its last entry
]
# Agents of the profiles that no name of an agent is the name of.
_NAMED = {"any": "my-agent", "doc-author": "hld-author", "flow": "discovery-flow", "review": "code-reviewer"}
_WORDS = {"user", "human", "standalone"}  # of the definition: they are no agents
AGENTS = {profile: _NAMED.get(profile, profile) for profile in builtin()["agent-result"].contract.profiles}


def look(text: str, path: str = "notes/run.md", options: Options | None = None) -> Analysis:
    return analyze(Source(text), path, builtin(), options or Options())


def block(agent: str, status: str, following: str = "done") -> Analysis:
    return look(f"AGENT_RESULT: {agent}\nSTATUS: {status}\nNEXT: {following}\n")


def texts_with_offers(analysis: Analysis, slot: Slot) -> dict[str, str]:
    """For each value that completion offers for a slot, the text with it."""
    assert slot.value is not None
    items = complete(context_of(analysis), slot.value.start)
    return {item.label: apply_edits(analysis.source.text, (item.edit,)) for item in items}


def offered(analysis: Analysis, field: str) -> list[str]:
    (handoff,) = analysis.handoffs
    return [value for value in texts_with_offers(analysis, handoff.root.children[field]) if value not in _WORDS]


def refused(analysis: Analysis, field: str) -> bool:
    """Whether a check of what the agent may say, or the rule about values, is about a field."""
    of_agent = {f"agent-result/{field}-of-agent"}
    return any(
        one.slot is not None and one.slot.path == field and (one.code == "invalid-value" or one.check in of_agent)
        for one in analysis.findings
    )


@pytest.mark.parametrize(("name", "profile"), PROFILES, ids=[f"{name}@{profile}" for name, profile in PROFILES])
def test_an_offered_status_is_one_of_the_profile(name: str, profile: str) -> None:
    entry = builtin()[name]
    path = next(iter(entry.contract.locations), "" if entry.contract.file is None else "input.json")
    options = Options(profiles={name: profile})
    analysis = look(new_handoff(builtin(), entry, profile, "handoff").text, path, options)
    status = next(one.status for one in analysis.handoffs if one.spec.name == name)
    assert status is not None
    found = texts_with_offers(analysis, status)
    assert found
    for value, text in found.items():
        after = look(text, path, options)
        codes = {one.code for one in after.findings if one.slot is not None and one.slot.path == status.path}
        assert "invalid-value" not in codes, value
        (handoff,) = (one for one in after.handoffs if one.spec.name == name)
        assert value in {one.value for one in own_values(handoff)}
    assert [value.value for value in own_values(analysis.handoffs[0])] == [
        value.value for value in status.field.offered if not value.deprecated
    ], "a hover lists what some check refuses"


@pytest.mark.parametrize("profile", AGENTS)
class TestAgents:
    """Blocks of each profile of AGENT_RESULT."""

    def test_the_profile(self, profile: str) -> None:
        (handoff,) = block(AGENTS[profile], "success").handoffs
        assert handoff.spec.profile == profile

    def test_a_status_is_offered_where_it_is_not_refused(self, profile: str) -> None:
        agent = AGENTS[profile]
        statuses = [value.value for value in builtin()["agent-result"].contract.fields["status"].values]
        found = {status for status in statuses if not refused(block(agent, status), "status")}
        assert set(offered(block(agent, "success"), "status")) == found

    def test_a_next_agent_is_offered_where_it_is_not_refused(self, profile: str) -> None:
        agent = AGENTS[profile]
        status = "approved" if profile == "reviewer" else "success"
        known = [value.value for value in builtin()["agent-result"].contract.fields["next"].values]
        found = {one for one in known if not refused(block(agent, status, one), "next")}
        assert set(offered(block(agent, status), "next")) == found
        assert not refused(block(agent, status, "an-agent-of-our-own"), "next")

    @pytest.mark.parametrize("field", ["status", "next"])
    def test_a_hover_names_the_same(self, profile: str, field: str) -> None:
        analysis = block(AGENTS[profile], "success")
        page = hover(context_of(analysis), analysis.source.text.index(field.upper()))
        assert page is not None
        words = offered(analysis, field)
        assert re.findall(r"^- `([^`]+)`", page.markdown, re.MULTILINE) == words[:12]
        assert (f"- and {len(words) - 12} more" in page.markdown) is (len(words) > 12)

    def test_quick_fixes_set_the_same(self, profile: str) -> None:
        analysis = block(AGENTS[profile], "whatever", "")
        for field, code in {"status": "invalid-value", "next": "empty-value"}.items():
            (finding,) = (one for one in analysis.findings if one.code == code and one.field == field)
            assert [fix.sets for fix in finding.fixes] == offered(analysis, field)
