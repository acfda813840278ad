"""Names of agents, changes and the like: their definitions in contracts, and their comparison."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.contracts.kinds import Kind, defined_name, kinds_of
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import Definition
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, bind_document
from handoff_lsp.names.mentions import INTRODUCED, NAMED, OCCURS, all_mentions
from handoff_lsp.text import Source

# A user's own format: orders and their desks, in a JSON file.
OWN = """
contract: order
title: Order
about: An order.
status: state
unread: it waits
default_profile: any
profiles: {any: {about: Any.}}
file: {syntax: json, path: 'order\\.json$', holds: [{needs: [state]}]}
definitions:
  desks: {about: desk, files: ['desks/*/desk.md'], suffixes: [-desk], occurs: ['(?P<name>desk-\\d+)']}
fields:
  state: {type: line, required: true}
  desk: {type: line, names: desks, introduces: true}
  next: {type: list, items: {type: line, names: desks, naming: %s}}
  notes: {type: line}
"""
NAMING = "['to (?P<name>[\\w-]+)']"


def test_names_are_compared_without_case_joints_and_endings() -> None:
    agents = Kind("agents", [Definition(suffixes=["-agent"], same={"developer": ["dev"]}, parts=True)])
    same = ["Developer", "developer-agent", "Developer Agent", "dev", "DEV_agent"]
    assert {agents.key(name) for name in same} == {"developer"}
    assert agents.same("developer", agents.key("backend-dev")) is False  # `dev` is a different word only when alone
    assert agents.same("developer", agents.key("backend-developer-agent"))
    assert not agents.same("frontend_developer", "backend_developer")
    assert not agents.same("developer", "developer_tester")
    assert agents.key("agent") == "agent"


def test_names_that_a_format_knows_are_compared_so_too() -> None:
    agents = Kind("agents", [Definition(suffixes=["-agent"], also=["Explore-Agent"], same={"developer": ["dev"]})])
    assert agents.key("explore") in agents.also
    assert agents.key("explore-agent") in agents.also


@pytest.mark.parametrize(
    ("path", "globs", "name"),
    [
        ("agents/tester-agent.md", ["agents/*-agent.md"], "tester-agent"),
        ("openspec/changes/add-dark/proposal.md", ["openspec/changes/*/proposal.md"], "add-dark"),
        ("agents/.hidden", ["agents/*"], ".hidden"),
        ("SKILL.md", ["SKILL.md"], ""),
    ],
)
def test_what_a_file_defines(path: str, globs: list[str], name: str) -> None:
    assert defined_name(path, globs) == name


def test_a_pattern_for_names_needs_a_group() -> None:
    assert read_contract(OWN % NAMING)[1] == []
    _, problems = read_contract(OWN % "['to (\\w+)']")
    assert [problem.message for problem in problems] == ["the pattern has no group `(?P<name>…)` for the name"]
    _, problems = read_contract(OWN % "['(?P<name>']")
    assert problems and problems[0].message.startswith("invalid RE2 pattern")


def test_a_contract_of_ones_own_has_the_same_powers() -> None:
    entry, _ = read_contract(OWN % NAMING, Path("order.yaml"))
    assert entry is not None
    registry = builtin().with_entries([entry])
    text = (
        '{"state": "new", "desk": "desk-7", "next": ["to A-desk, to b", "<to>"], "notes": "\U0001f600 desk-7 xdesk-7"}'
    )
    source = Source(text)
    handoffs = bind_document(source, "order.json", registry, Options())
    found = all_mentions(source, handoffs, kinds_of(registry))
    assert [(mention.kind, mention.key, mention.rank, mention.escaped) for mention in found] == [
        ("desks", "desk_7", INTRODUCED, True),
        ("desks", "a", NAMED, True),
        ("desks", "b", NAMED, True),
        ("desks", "desk_7", OCCURS, True),
    ]
    assert all(source.slice(mention.span) == mention.name for mention in found)


def test_what_is_escaped_in_json_is_a_name_as_a_whole() -> None:
    text = (
        '{"agent_id": "a-1", "agent_type": "w", "status": "running", "task": "say \\"hi\\"", "last_checkpoint": null}'
    )
    source = Source(text)
    handoffs = bind_document(source, ".agent/status.json", builtin(), Options())
    tasks = [item for item in all_mentions(source, handoffs, kinds_of(builtin())) if item.kind == "tasks"]
    assert [(item.name, source.slice(item.span)) for item in tasks] == [('say "hi"', 'say \\"hi\\"')]
