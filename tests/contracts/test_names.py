"""Names that are equal in different spellings, misspelled names, and names with different meanings."""

from __future__ import annotations

import pytest

from handoff_lsp.contracts.names import same_name, slip_of

KNOWN = ["test_command", "test_exit_code", "build_exit_code", "verdict", "agent_id", "branch_name", "Open Questions"]


@pytest.mark.parametrize(
    ("name", "known"),
    [("agentId", "agent_id"), ("- Verdict", "verdict"), ("branchname", "branch_name"), ("Open-Questions:", KNOWN[-1])],
)
def test_another_spelling_is_the_same_name(name: str, known: str) -> None:
    assert same_name(name, known)
    assert slip_of(name, KNOWN) == known


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("test_exit_cod", "test_exit_code"),
        ("tset_command", "test_command"),
        ("verdct", "verdict"),
        ("Open Question", "Open Questions"),
    ],
)
def test_a_slip_of_the_pen_is_meant_but_not_the_same(name: str, known: str) -> None:
    assert not same_name(name, known)
    assert slip_of(name, KNOWN) == known


@pytest.mark.parametrize(
    "name", ["lint_exit_code", "e2e_command", "typecheck_exit_code", "unit_test_command", "exit_code", "agent_no"]
)
def test_another_word_means_something_else(name: str) -> None:
    assert slip_of(name, KNOWN) is None


def test_where_a_letter_is_a_word_another_one_is_another_word() -> None:
    assert slip_of("デプロイ準備状況", ["デプロイ準備状態"]) is None
    assert slip_of("step_2", ["step_1"]) is None


def test_of_two_that_are_as_near_none_is_meant() -> None:
    assert slip_of("tests", ["texts", "tasts"]) is None
    assert slip_of("texts", ["texts", "tests"]) == "texts"
