"""What an agent owes by the contracts: its name, its definition, its profiles."""

from __future__ import annotations

import pytest

from handoff_lsp.contracts.owed import Owed, owed_by_contracts
from handoff_lsp.contracts.registry import ContractEntry, Registry, builtin

GAIA = "---\nname: developer\nskills:\n  - security-tiers\n  - agent-protocol\n---\n"
APHELION = "Emit an `AGENT_RESULT` block."
ROLES = "A `## Status` block per `templates/feature-handoff-template.md`."


def owed(agent: str, definition: str | None = None) -> list[Owed]:
    return list(owed_by_contracts(builtin(), agent, lambda: definition))


def contracts(agent: str, definition: str | None = None) -> list[str]:
    return [one.contract for one in owed(agent, definition)]


@pytest.mark.parametrize("agent", ["sdd-apply", "SDD-Apply", "plugin:sdd-apply", "sdd_apply", "sdd-apply-cheap"])
def test_a_name_that_no_other_pack_has_is_enough(agent: str) -> None:
    assert contracts(agent) == ["result-envelope"]


@pytest.mark.parametrize("agent", ["sdd-orchestrator", "sdd-applying", "apply", "general-purpose", ""])
def test_other_names_owe_nothing(agent: str) -> None:
    assert contracts(agent) == []


@pytest.mark.parametrize("agent", ["developer", "reviewer", "tester", "architect", "backend-developer", "worker"])
def test_a_common_name_needs_its_definition(agent: str) -> None:
    assert contracts(agent) == contracts(agent, "You write code.") == []


def test_the_definition_decides_between_the_packs() -> None:
    assert contracts("developer", GAIA) == ["agent-contract"]
    assert contracts("developer", APHELION) == ["agent-result"]
    assert contracts("tester", APHELION) == ["agent-result"]
    assert contracts("tester", ROLES) == ["status-block"]


@pytest.mark.parametrize(
    "definition",
    [
        "skills: [agent-protocol]",
        "skills: security-tiers, agent-contract-handoff",
        "```agent_contract_handoff\n{}\n```",
    ],
)
def test_any_agent_whose_definition_loads_the_protocol_owes_it(definition: str) -> None:
    assert contracts("anyone", definition) == ["agent-contract"]


def test_a_later_generation_reports_in_another_way() -> None:
    assert contracts("developer", GAIA.replace("skills:", "contract_handoff_writer: true\nskills:")) == []
    assert contracts("gaia-orchestrator", GAIA) == []


def test_a_row_of_the_database_is_not_the_block() -> None:
    assert contracts("developer", "It reads the agent_contract_handoffs rows; agent-protocol says how.") == []


def test_without_profiles_the_agent_s_name_is_its_profile() -> None:
    assert [one.profiles for one in owed("architect", APHELION)] == [("architect",)]
    assert [one.profiles for one in owed("tester-agent", ROLES)] == [("tester",)]
    assert [one.profiles for one in owed("hld-author", APHELION)] == [("doc-author",)]
    assert [one.profiles for one in owed("worker", "Update `.agent/status.json`.")] == [("worker",)]


def test_a_result_file_is_owed_once_it_is_there() -> None:
    block, file = owed("scope-planner", "Write DISCOVERY_RESULT.md, then AGENT_RESULT.")
    assert (block.contract, block.where, block.if_written) == ("agent-result", "message", False)
    assert (file.contract, file.where, file.if_written) == ("discovery-result", "file", True)


def test_names_in_contracts_are_compared_like_those_of_agents() -> None:
    own = {
        "contract": "note",
        "title": "Note",
        "about": "A note.",
        "fields": {},
        "returns": {"all": {"agents": ["My_Agent"]}},
    }
    registry = Registry({"note": ContractEntry(own)})
    assert [one.contract for one in owed_by_contracts(registry, "my agent")] == ["note"]
