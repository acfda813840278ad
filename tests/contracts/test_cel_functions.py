"""CEL's functions on texts and lists: their values, their types, their bounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cpu import at_most

from handoff_lsp.contracts.conditions import Conditions
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.values import Values

VARIABLES = {"text": "string", "items": "list", "any": "any"}
DATA = {"text": " Fix-the Bug ", "items": ["b", "a", "b"], "any": [[1], [2, [3]], 1]}


def value(line: str, **data: Any) -> Any:
    return Values(Conditions(VARIABLES), {**DATA, **data}).evaluate(line)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("'a, b,c'.split(',')", ["a", " b", "c"]),
        ("'a,b,c'.split(',', 2)", ["a", "b,c"]),
        ("'a,b,c'.split(',', 0)", []),
        ("'a,b,c'.split(',', -1)", ["a", "b", "c"]),
        ("'abc'.split('')", ["a", "b", "c"]),
        ("'abc'.split('', 2)", ["a", "bc"]),
        ("items.join()", "bab"),
        ("items.join(', ')", "b, a, b"),
        ("[1].join(',')", None),
        ("text.lowerAscii()", " fix-the bug "),
        ("'Äb'.upperAscii()", "ÄB"),
        ("text.trim()", "Fix-the Bug"),
        ("'aaa'.replace('a', 'b')", "bbb"),
        ("'aaa'.replace('a', 'b', 2)", "bba"),
        ("'aaa'.replace('a', 'b', 0)", "aaa"),
        ("'tacocat'.substring(4)", "cat"),
        ("'tacocat'.substring(0, 4)", "taco"),
        ("'tacocat'.substring(4, 3)", None),
        ("'tacocat'.substring(8)", None),
        ("'hello'.charAt(4)", "o"),
        ("'hello'.charAt(5)", ""),
        ("'hello'.charAt(6)", None),
        ("'hello mellow'.indexOf('ello')", 1),
        ("'hello mellow'.indexOf('ello', 2)", 7),
        ("'hello mellow'.indexOf('jello')", -1),
        ("'hello mellow'.indexOf('ello', 20)", None),
        ("'hello mellow'.lastIndexOf('ello')", 7),
        ("items.distinct()", ["b", "a"]),
        ("[1, 1.0, true, true, {'a': 1}, {'a': 1}].distinct()", [1, True, {"a": 1}]),
        ("items.sort()", ["a", "b", "b"]),
        ("[3, 1.5, 2].sort()", [1.5, 2, 3]),
        ("[3, 'a'].sort()", None),
        ("any.flatten()", [1, 2, [3], 1]),
        ("any.flatten(2)", [1, 2, 3, 1]),
        ("items.slice(1, 3)", ["a", "b"]),
        ("items.slice(2, 1)", None),
        ("items.slice(0, 4)", None),
        ("items.reverse()", ["b", "a", "b"]),
        ("'abc'.reverse()", "cba"),
        ("text.trim().split('-').map(part, part.lowerAscii()).join('/')", "fix/the bug"),
    ],
)
def test_their_values(line: str, expected: Any) -> None:
    assert value(line) == expected


@pytest.mark.parametrize(
    "line",
    [
        "'a'" + ".replace('a', 'aaaaaaaaaa')" * 25,
        "items.map(one, text.replace('x', 'yyyyyyyyyy')).join()",
        "items.all(one, text.indexOf(one) >= 0)",
        "items.map(one, items.sort()).flatten()",
        "text.split('').map(one, text.split('')).flatten().join()",
        "text.split('').join(text)",
    ],
)
def test_what_takes_long_is_given_up(line: str) -> None:
    gave_up: dict[str, None] = {}
    data = {"text": "x" * 200_000, "items": [f"n{number}" for number in range(9_000)]}
    with at_most(2):
        assert Values(Conditions(VARIABLES), data, gave_up).evaluate(line) is None
    assert line in gave_up


def test_terms_together_are_bounded() -> None:
    terms = {f"t{number}": "'a'" + ".replace('a', 'aaaaaaaaaa')" * 6 for number in range(200)}
    gave_up: dict[str, None] = {}
    values = Values(Conditions({**VARIABLES, **dict.fromkeys(terms, "any")}, terms), DATA, gave_up)
    found = [values.evaluate(f"size({name})") for name in terms]
    assert found[0] == 10**6
    assert found[-1] is None
    assert gave_up
    assert values.evaluate("size(text)") == 13, "other lines still have their values"


CONTRACT = """contract: note
title: note
about: A note.
file: {{syntax: json, path: 'note\\.json$', holds: [ids]}}
fields:
  state: {{type: enum, values: [open, done]}}
  ids: {{type: list, items: {{type: enum, values: [one, two]}}}}
  rows: {{type: list, items: {{type: object, fields: {{name: {{type: line}}}}}}}}
checks:
  one: {{rule: contradiction, check: "{check}", at: ids, message: Wrong}}
"""


@pytest.mark.parametrize(
    ("check", "says"),
    [
        ("ids.distinct().all(one, one != 'one')", ""),
        ("ids.distinct().all(one, one != 'noe')", "is never `noe`"),
        ("ids.sort().slice(0, 1)[0] == 'noe'", "is never `noe`"),
        ("rows.reverse()[0].name == 'a'", ""),
        ("rows.reverse()[0].nmae == 'a'", "did you mean `…[].name`?"),
        ("ids.distnct().size() > 0", "`distnct`"),
        ("state.split('-')[0] == 'op'", ""),
        ("size(ids.join(1)) > 0", "`join()` does not take a list and an integer"),
        ("ids.distinct()", "a condition must be true or false"),
    ],
)
def test_they_are_checked(check: str, says: str) -> None:
    _, problems = read_contract(CONTRACT.format(check=check), Path("note.yaml"))
    assert [says in problem.message for problem in problems] == [True] * bool(says), problems
