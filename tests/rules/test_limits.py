"""Limits of fields: numbers, items, lengths, and items that are there twice."""

from __future__ import annotations

import json

import pytest

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.pages.contract_pages import field_page
from handoff_lsp.text import Source

CONTRACT = """\
contract: score
title: Score
about: A score of a review.
status: status
unread: nobody reads it
default_profile: v1
profiles:
  v1: {about: The only version}
file: {syntax: json, path: 'score\\.json$', holds: [{needs: [status]}]}
fields:
  status: {type: enum, values: [open, done]}
  points: {type: integer, about: How good it is, minimum: 1, maximum: 5}
  share: {type: number, maximum: 0.5}
  reviewers: {type: list, items: {type: line, maximum: 8}, minimum: 1, maximum: 3, unique: true}
  note: {type: line, minimum: 2}
routing:
  - {action: stop, reason: It waits.}
"""


def found_in(**values: object) -> list[tuple[str, str]]:
    """The findings about values beyond a limit: the text at their places, and the message."""
    entry, problems = read_contract(CONTRACT)
    assert problems == []
    assert entry is not None
    text = json.dumps({"status": "open", **values})
    analysis = analyze(Source(text), "score.json", builtin().with_entries([entry]), Options())
    assert len(analysis.handoffs) == 1
    assert {finding.code for finding in analysis.findings} <= {"invalid-value"}
    return [(text[slice(*finding.span)], finding.message) for finding in analysis.findings]


@pytest.mark.parametrize(
    ("field", "wrong", "token", "words", "right"),
    [
        ("points", 0, "0", "`points` is 0, but must be at least 1", 1),
        ("points", 6, "6", "`points` is 6, but must be at most 5", 5),
        ("share", 0.75, "0.75", "`share` is 0.75, but must be at most 0.5", -3),
        ("reviewers", [], "[]", "`reviewers` has 0 items, but must have at least 1", ["ann"]),
        (
            "reviewers",
            ["ann", "bob", "cyd", "dan"],
            "",
            "has 4 items, but must have at most 3",
            ["ann", "bob", "cyd"],
        ),
        ("reviewers", ["ann", "bob", "ann"], '"ann"', "has this item twice", ["ann", "bob", "Ann"]),
        ("note", "a", "a", "`note` has 1 character, but must have at least 2", "al"),
        ("points", 1_234_567, "1234567", "`points` is 1234567, but", 5),
        ("reviewers", ["a" * 9], f'"{"a" * 9}"', "has 9 characters, but must have at most 8", ["a" * 8]),
    ],
)
def test_a_value_beyond_a_limit_is_reported_and_one_at_it_is_not(
    field: str, wrong: object, token: str, words: str, right: object
) -> None:
    found = found_in(**{field: wrong})
    assert len(found) == 1
    assert words in found[0][1]
    assert not token or token.strip('"') == found[0][0].strip('"')
    assert found_in(**{field: right}) == []


def test_a_value_of_another_type_is_beyond_no_limit() -> None:
    entry, _ = read_contract(CONTRACT)
    assert entry is not None
    text = json.dumps({"status": "open", "points": "9", "reviewers": "ann"})
    found = analyze(Source(text), "score.json", builtin().with_entries([entry]), Options()).findings
    assert {finding.code for finding in found} == {"invalid-type"}


def test_the_limits_are_on_the_page_of_the_field() -> None:
    entry, _ = read_contract(CONTRACT)
    assert entry is not None
    spec = entry.spec("v1")
    assert "It must be 1 to 5." in field_page(spec, "points", spec.fields["points"])
    page = field_page(spec, "reviewers", spec.fields["reviewers"])
    assert "It must have 1 to 3 items, and have no item twice." in page
    assert "It must" not in field_page(spec, "status", spec.fields["status"])
