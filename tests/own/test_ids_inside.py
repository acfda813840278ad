"""Names that fields define: bounds, and contracts in which they can never be."""

from __future__ import annotations

from pathlib import Path

import pytest
from own.conftest import Own

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.workspace import surroundings

CONTRACT = """contract: plan
title: plan
about: Tasks of a plan.
file: {syntax: json, path: '(^|/)plans/[^/]+\\.json$', holds: [id]}
definitions:
  steps: {inside: ['plans/*.json'], about: step}
  notes: {files: ['notes/*.md']}
fields:
  id: {type: line, names: steps, introduces: true}
  after: {type: list, items: {type: line, names: steps, acyclic: true}}
"""


def test_of_too_many_documents_nothing_is_compared(own: Own, monkeypatch: pytest.MonkeyPatch) -> None:
    own.write("contracts/plan.yaml", CONTRACT)
    for number in range(3):
        own.write(f"plans/{number}.json", f'{{"id": "t{number % 2}", "after": ["t{number}"]}}')
    everything = [("file-disagreement", "after[0]"), ("file-disagreement", "id")]
    assert sorted(own.found("plans/0.json")) == everything
    monkeypatch.setattr(surroundings, "MAX_INSIDE", 2)
    assert own.found("plans/2.json") == [("too-large", None)]
    # What comes after itself within the document still does.
    assert ("file-disagreement", "after[0]") in own.found("plans/0.json")
    monkeypatch.setattr(surroundings, "MAX_INSIDE", 3)
    monkeypatch.setattr(surroundings, "MAX_INSIDE_CHARACTERS", 20)
    assert own.found("plans/2.json") == [("too-large", None)]


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ("names: steps, acyclic: true", "acyclic: true", "`acyclic` needs `names`"),
        ("names: steps, acyclic", "names: notes, acyclic", "`notes` no document defines them (`inside`)"),
        ("names: steps, acyclic", "names: steps, acyclic", ""),
    ],
)
def test_references_that_nobody_follows(right: str, wrong: str, says: str) -> None:
    _, problems = read_contract(CONTRACT.replace(right, wrong), Path("plan.yaml"))
    assert [says in problem.message for problem in problems] == [True] * bool(says), problems
