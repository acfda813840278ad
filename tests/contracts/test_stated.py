"""Conditions and relations as data: the same meaning as in CEL, whole in profiles, checked at their tokens."""

from __future__ import annotations

import random
from typing import Any

import pytest
from contracts.problems import problems

from handoff_lsp.contracts.build import merge_patch
from handoff_lsp.contracts.conditions import Conditions
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.stated import RELATIONS, Stated, stated
from handoff_lsp.contracts.values import Values

KINDS = {"text": "string", "count": "integer", "parts": "list", "inner": "object", "any": "any", "flag": "boolean"}
PATHS = ["text", "count", "parts", "inner.a", "inner.b", "any", "flag", "any.deep"]
VALUES: list[Any] = ["", "open", "it's \\ n\new", "1", 0, 1, 2, -3, True, False, None, 2.0]


def _condition(chance: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in chance.sample(PATHS, chance.randint(1, 3)):
        relation = chance.choice(RELATIONS)
        some = chance.sample(VALUES, chance.randint(1, 3))
        other = chance.choice(PATHS)
        operand = {
            "one_of": some,
            "none_of": some,
            "matches": "op|^$",
            "lacks": r"\bop|\\",
            "sum_of": chance.sample(PATHS, 2),
            "at_least": chance.choice([0, 1, other]),
            "at_most": chance.choice([0, 1, other]),
        }.get(relation, other)
        plain = relation == "one_of" and chance.random() < 0.5
        found[path] = operand if plain else {relation: operand}
    return found


def _data(chance: random.Random) -> dict[str, Any]:
    """Values as a handoff has them: each of the type of its field, or absent."""
    data: dict[str, Any] = {
        "text": chance.choice(["", "open", "it's \\ n\new"]),
        "count": chance.choice([0, 1, 2]),
        "parts": chance.choice([[], ["a"], ["a", "b"]]),
        "inner": {name: chance.choice(VALUES[:-1]) for name in "ab" if chance.random() < 0.8},
        "any": chance.choice([*VALUES[:-1], [], ["x"], {}, {"deep": 1}, {"deep": "open"}]),
        "flag": chance.choice([True, False]),
    }
    return {name: value for name, value in data.items() if chance.random() < 0.85}


def test_data_has_the_outcome_of_its_cel() -> None:
    """Without numbers with a point among the values: CEL does not add them to others."""
    chance = random.Random(15)
    conditions = Conditions(dict.fromkeys(KINDS, "any"))
    outcomes: dict[Any, int] = {}
    for _ in range(3_000):
        data, condition = _data(chance), stated(_condition(chance))
        assert isinstance(condition, Stated)
        values = Values(conditions, data)
        found, expected = values.evaluate(condition), values.evaluate(str(condition))
        texts = any(test.relation in {"sum_of", "at_least", "at_most", "count_of"} for test in condition.tests)
        if found != expected and texts and found is None:
            continue  # CEL adds and compares texts, too
        assert found == expected, (condition.data, str(condition), data)
        outcomes[found] = outcomes.get(found, 0) + 1
    assert min(outcomes[True], outcomes[False], outcomes[None]) > 100


def test_a_condition_of_a_profile_replaces_the_whole() -> None:
    base = {"fields": {"when": {"type": "line", "required": {"state": "open", "kind": "a"}}}}
    patch = {"fields": {"when": {"required": {"state": "done"}, "about": "x"}}}
    merged = {"type": "line", "required": {"state": "done"}, "about": "x"}
    assert merge_patch(base, patch) == {"fields": {"when": merged}}
    checks = {"checks": {"when": {"when": {"state": "open"}, "one_of": 1}}}
    assert merge_patch(checks, {"checks": {"when": {"when": {"kind": "a"}}}}) == {
        "checks": {"when": {"when": {"kind": "a"}, "one_of": 1}}
    }
    assert merge_patch({"terms": {"when": {"a": 1}}}, {"terms": {"when": {"b": 1}}}) == {"terms": {"when": {"b": 1}}}


def test_new_terms_of_a_profile_are_above_what_uses_them() -> None:
    base = {"terms": {"one": "1", "two": "2", "three": "3"}}
    patch = {"terms": {"new": "4", "two": "new", "last": "two"}}
    assert list(merge_patch(base, patch)["terms"]) == ["one", "new", "two", "three", "last"]


CONTRACT = """\
contract: shift
title: Shift
about: What a shift leaves.
status: state
detect: {enough: 3, signs: [{weight: 3, title: '^Shift'}]}
fields:
  state: {type: enum, values: [open, done], required: true, because: it decides}
  total: {type: integer}
  note: {type: line}
  parts: {type: list, items: {type: line}}
terms:
  long: {note: {matches: '^.{80}'}}
  busy: size(parts) > 3
checks:
  counted: {at: total, count_of: parts, when: {state: done}}
routing:
  - {when: {state: done}, action: advance, reason: It goes on.}
  - {action: stop, reason: It waits.}
"""


def _changed(old: str, new: str) -> list[tuple[str, str]]:
    assert CONTRACT.count(old) == 1
    return problems(CONTRACT.replace(old, new))


def test_the_contract_is_right() -> None:
    assert problems(CONTRACT) == []


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("{note: {matches", "{notes: {matches", "notes", "did you mean `note`?"),
        ("{note: {matches", "{total: {matches", "'^.{80}'", "`total` is not a string"),
        ("'^.{80}'", "'(?=x)'", "'(?=x)'", "invalid RE2 pattern"),
        ("matches: '^.{80}'", "at_least: 3", "3", "`note` is never `3`"),
        ("matches: '^.{80}'", "count_of: total", "total", "has no items to count"),
        ("matches: '^.{80}'", "one_of: [[1]]", "[1]", "must be a string"),
        ("matches: '^.{80}'", "one_off: 1", "one_off", "did you mean `one_of`?"),
        ("{note: {matches: '^.{80}'}}", "[note]", "long", "must be a string or a mapping"),
        ("count_of: parts", "one_of: {a: 1}", "one_of", "not a mapping"),
        (
            "busy: size(parts) > 3",
            "busy: later > 3\n  later: size(parts)",
            "later",
            "a term can only use the terms above it",
        ),
        ("busy: size(parts) > 3", "busy: '!busy'", "busy", "a term can only use the terms above it"),
        ("count_of: parts", "count_of: part", "part", "did you mean `parts`?"),
        ("when: {state: done}}", "when: {state: donee}}", "donee", "did you mean `done`?"),
        ("when: {state: done}}", "when: {state: yes}}", "yes", "put it in quotes"),
        ("when: {state: done}}", "when: {previous: done}}", "previous", "`previous` has a value only in a check"),
        ("when: {state: done}}", "when: {state:done}}", "state:done", "a blank follows the `:`"),
        ("when: {state: done}}", "when: {state: }}", "state", "`state` is compared with nothing"),
        ("when: {state: done}}", "when: {state: {one_of: }}}", "state", "`state` is compared with nothing"),
        ("{note: {matches: '^.{80}'}}", "{note: }", "note", "`note` is compared with nothing"),
        ("  - {when: {state: done}, action", "  - {when: {state:done}, action", "state:done", "is not the path of"),
        ("busy: size", "total: size", "total", "there already is a field `total`"),
        ("checks:\n", "counts: {long: {files: [a], pattern: a}}\nchecks:\n", "long", "there already is a term `long`"),
        ("size(parts) > 3", "st == 'open'", "st", "`st` is not a field of profile default"),
        ("size(parts) > 3", "stat == 'open'", "stat", "did you mean `state`?"),
        ("count_of: parts, ", "", "counted", "a check needs `check`, or one of"),
        ("count_of: parts, ", "check: busy, ", "counted", "only relations have a default message"),
        ("at: total, count", "at: 'parts[{total}]', count", "'parts[{total}]'", "needs the value of one field"),
    ],
)
def test_what_is_wrong_is_reported_at_its_token(old: str, new: str, at: str, words: str) -> None:
    (place, message), *_ = _changed(old, new)
    assert words in message, message
    assert "`list`" not in message
    assert place == at


def test_defaults_of_a_relation() -> None:
    entry, _ = read_contract(CONTRACT)
    assert isinstance(entry, ContractEntry)
    check = entry.spec("default").contract.checks["counted"]
    assert (check.rule, check.related, check.correct) == ("count-mismatch", ["parts", "state"], "size(parts)")
    assert check.check == "total == size(parts)"
    plain, _ = read_contract(CONTRACT.replace("count_of: parts, ", "one_of: 3, correct: true, "))
    assert isinstance(plain, ContractEntry)
    check = plain.spec("default").contract.checks["counted"]
    assert (check.rule, check.related, check.correct) == ("contradiction", ["state"], "3")
