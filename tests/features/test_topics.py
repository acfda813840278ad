"""The topics of `explain`: every listed topic has its page, and an unknown one gets a suggestion."""

from __future__ import annotations

import re

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.features.pages.topics import UnknownTopic, page, topics
from handoff_lsp.rules.registry import all_rules

ALL = list(topics(builtin()))


def test_all_rules_contracts_fields_and_values_are_topics() -> None:
    by_kind: dict[str, set[str]] = {}
    for topic in ALL:
        by_kind.setdefault(topic.kind, set()).add(topic.name)
    assert by_kind["rule"] == set(all_rules())
    assert by_kind["contract"] == set(builtin().names)
    assert {"status-block.abstract.verdict", "agent-contract.agent_status.agent_state"} <= by_kind["field"]
    assert "status-block.status=blocked" in by_kind["value"]
    assert len({topic.name for topic in ALL}) == len(ALL)


def test_every_topic_has_a_page_of_its_title() -> None:
    for topic in ALL:
        found = page(topic.name, builtin())
        assert found.markdown.strip()
        assert found.title == topic.title


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing-statu", "did you mean `missing-status`?"),
        ("status-block@develper", "did you mean `developer`?"),
        ("status-block.abstract.verdikt", "did you mean `abstract.verdict`?"),
        ("status-block.status=blokked", "did you mean `blocked`?"),
        ("", "unknown rule or contract ``"),
    ],
)
def test_what_is_no_topic_is_reported_with_what_was_meant(name: str, words: str) -> None:
    with pytest.raises(UnknownTopic, match=None) as error:
        page(name, builtin())
    assert words in str(error.value)


def test_the_page_of_a_rule_lists_the_checks_that_it_reports() -> None:
    made = page("contradiction", builtin()).markdown
    checks = made.partition("## Checks")[2]
    assert "- `status-block`: " in checks
    contracts = re.findall(r"^- `([\w-]+)`: (.+)$", checks, re.MULTILINE)
    names = [f"{contract}/{check}" for contract, listed in contracts for check in re.findall(r"`([^`]+)`", listed)]
    assert len(names) > 100
    for name in names:
        assert "contradiction" in page(name, builtin()).markdown
    assert "## Checks" not in page("missing-status", builtin()).markdown
