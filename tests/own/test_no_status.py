"""A contract without `status`, `unread` and `profiles`: nothing is decided, everything else works."""

from __future__ import annotations

import pytest
from own.conftest import Own

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.decision.overview import overviews
from handoff_lsp.text import Source

SHORTEST = """\
contract: proposal
title: Proposal
about: What is to be changed, and why.
detect: {enough: 4, signs: [{weight: 2, has: why}, {weight: 2, has: what}]}
fields:
  why: {title: Why, carriers: [section], type: text, required: true}
  what: {title: What Changes, carriers: [section], type: list, required: true}
"""
PROPOSAL = "# Dark mode\n\n## Why\n\nEyes hurt.\n\n## What Changes\n\n- Colours\n"


@pytest.fixture(autouse=True)
def contract(own: Own) -> None:
    own.write("contracts/proposal.yaml", SHORTEST)
    own.write("proposal.md", PROPOSAL)


def test_it_is_read_without_a_decision(own: Own) -> None:
    (parsed,) = own.parsed("proposal.md")
    assert (parsed["contract"], parsed["profile"], parsed["status"]) == ("proposal", "default", None)
    assert parsed["routing"] is None
    assert parsed["fields"] == {"why": "Eyes hurt.", "what": ["Colours"]}
    shown = own.says("parse", "proposal.md")
    assert "action" not in shown
    assert "status" not in shown


def test_every_command_knows_it(own: Own) -> None:
    assert own.found(".") == []
    assert own.says("new", "proposal") == "# Proposal ## Why ## What Changes"
    page = own.says("explain", "proposal")
    assert "WHAT THE ORCHESTRATOR DOES" not in page
    assert "`proposal`, profile `default`, handoff (document)" in own.says("doctor", "proposal.md")


def test_a_list_of_handoffs_shows_it_without_a_decision() -> None:
    entry, problems = read_contract(SHORTEST)
    assert entry is not None, problems
    registry = builtin().with_entries([entry])
    (listed,) = overviews(analyze(Source(PROPOSAL), "proposal.md", registry, Options()))
    assert (listed.contract, listed.title, listed.profile) == ("proposal", "Dark mode", "default")
    assert (listed.status, listed.action, listed.reason, listed.errors) == (None, None, "", 0)


def test_an_own_profile_alone_is_the_default_one(own: Own) -> None:
    profiles = "profiles:\n  small: {fields: {why: {required: false}}}\n  large: {}\n"
    own.write("contracts/proposal.yaml", SHORTEST + profiles)
    (parsed,) = own.parsed("proposal.md")
    assert parsed["profile"] == "small"


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ("routing: [{action: advance, reason: Done.}]\n", "routes need a status: name its field in `status`"),
        ("status: state\n", "`state` is not a field of profile default"),
        ("default_profile: other\n", "unknown profile `other`"),
    ],
)
def test_what_needs_a_status_or_a_profile_is_refused(own: Own, more: str, message: str) -> None:
    own.write("contracts/proposal.yaml", SHORTEST + more)
    code, _, err = own.run("check", "proposal.md")
    assert code == 2
    assert message in err
