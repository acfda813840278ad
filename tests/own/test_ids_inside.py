"""Names that fields define: bounds, and contracts in which they can never be."""

from __future__ import annotations

from pathlib import Path

import pytest
from cpu import at_most
from own.conftest import Own

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.shared.bounded import MAX_FINDINGS, MAX_HANDOFFS
from handoff_lsp.text import Source
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
FENCE = "fence: {tags: {step: own}, syntax: json}"


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
        (
            "names: steps, acyclic",
            "names: notes, acyclic",
            "`notes` has no effect here: no document defines them (`inside`)",
        ),
        ("names: steps, acyclic", "names: steps, acyclic", ""),
    ],
)
def test_references_that_nobody_follows(right: str, wrong: str, says: str) -> None:
    _, problems = read_contract(CONTRACT.replace(right, wrong), Path("plan.yaml"))
    assert [says in problem.message for problem in problems] == [True] * bool(says), problems


def test_a_document_with_many_names_in_one_circle_is_checked_in_time() -> None:
    """What a document introduces is looked for once, not for each of its handoffs."""
    contract = CONTRACT.replace("file: {syntax: json, path: '(^|/)plans/[^/]+\\.json$', holds: [id]}", FENCE)
    entry, problems = read_contract(contract.replace("'plans/*.json'", "'**/*.md'"), Path("plan.yaml"))
    assert entry is not None, problems
    steps = (f'{{"id": "t{at}", "after": ["t{(at or MAX_HANDOFFS) - 1}"]}}' for at in range(MAX_HANDOFFS))
    text = "# Plan\n\n" + "".join(f"```step\n{step}\n```\n\n" for step in steps)
    with at_most(10):
        analysis = analyze(Source(text), "plan.md", Registry({"plan": entry}), Options())
    assert len(analysis.handoffs) == MAX_HANDOFFS
    assert sum(one.code == "file-disagreement" for one in analysis.findings) == MAX_FINDINGS
