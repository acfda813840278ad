"""The `&&`, `||` and `!` of a line are evaluated without CEL, to the value that CEL gives."""

from __future__ import annotations

import random
import sys

import pytest

from handoff_lsp.contracts.conditions import Conditions
from handoff_lsp.contracts.logic import Logic, logic_of
from handoff_lsp.contracts.stated import stated
from handoff_lsp.contracts.values import Values

NAMES = ("a", "b", "c", "rows")


def _shown(logic: Logic) -> str:
    text = f"({f' {logic.kind} '.join(map(_shown, logic.parts))})" if logic.parts else logic.text
    if logic.kind == "cel":
        text = f"[{text}]"
    return f"!{text}" if logic.negated else text


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("a", "a"),
        ("a && !b", "(a && !b)"),
        ("a && b || !(a || c)", "((a && b) || !(a || c))"),
        # CEL comes last and in one part.
        ("rows.size() > 1 && a && rows[0] == 'b'", "(a && [rows.size() > 1 && rows[0] == 'b'])"),
        ("rows.exists(r, r && a) || a && rows == []", "((a && [rows == []]) || [rows.exists(r, r && a)])"),
        ("(a || rows == []) && b", "(b && (a || [rows == []]))"),
        ("!(!a)", "a"),
        ("!(a && b) && c", "(!(a && b) && c)"),
        # All of it is CEL.
        ("a ? b : c", "[a ? b : c]"),
        ("a && b ? c : a", "[a && b ? c : a]"),
        ("size(rows) > 1 && rows[0] == 'a'", "[size(rows) > 1 && rows[0] == 'a']"),
        ("(a) == (b)", "[(a) == (b)]"),
        ("other && true", "[other && true]"),
        ("a && b // || c", "[a && b // || c]"),
        # Signs in strings are none.
        ("a && rows[0] == '|| (\\' ?'", "(a && [rows[0] == '|| (\\' ?'])"),
        ("", "[]"),
        ("a &&", "(a && [])"),
        ("(a", "[(a]"),
    ],
)
def test_the_parts_of_a_line(line: str, shown: str) -> None:
    assert _shown(logic_of(line, NAMES)) == shown


def _line(chance: random.Random, depth: int) -> str:
    if not depth or chance.random() < 0.2:
        return chance.choice(
            ["a", "b", "c", "rows.size() > 1", "rows[0] == 'x'", "rows[3] == 'x'", "a == b", "true", "later"]
        )
    parts = [_line(chance, depth - 1) for _ in range(chance.randint(2, 3))]
    return f"{chance.choice(['', '', '!'])}({chance.choice([' && ', ' || ']).join(parts)})"


@pytest.mark.parametrize("seed", range(20))
def test_a_line_has_the_value_that_cel_gives(seed: int) -> None:
    chance = random.Random(seed)
    terms = {"t1": _line(chance, 2), "t2": "!t1 || b", "later": "c && t2"}
    variables = {**dict.fromkeys((*NAMES, *terms), "any"), "rows": "list"}
    conditions = Conditions(variables, terms)
    given = [
        {name: value for name, value in (("a", a), ("b", b), ("c", c), ("rows", rows)) if value is not None}
        for a in (True, False, None, 1)
        for b in (True, False, None)
        for c in (True, False)
        for rows in (["x", "y"], [], None)
    ]
    for _ in range(20):
        line = f"{_line(chance, 3)} && {_line(chance, 2)} || {_line(chance, 1)}"
        for data in chance.sample(given, 10):
            known = dict(data)
            for name, term in terms.items():
                value = conditions.evaluate(term, conditions.activation(known))
                known |= {} if value is None else {name: value}
            assert Values(conditions, data).evaluate(line) is conditions.evaluate(line, conditions.activation(known)), (
                line
            )


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("status.squashed && a", True),
        ("a && r'x' == r'x'", True),
        # A limit is for a line as a whole, also where its parts are evaluated one by one.
        ("(b || rows.all(r, r == 1)) && (b || rows.all(r, r == 1))", None),
    ],
)
def test_the_values_of_lines(line: str, value: object) -> None:
    kinds = {"a": "any", "b": "any", "r": "string", "rows": "list", "status.squashed": "boolean"}
    data = {"a": True, "b": False, "rows": [1] * 8_000, "status.squashed": True}
    assert Values(Conditions(kinds), data).evaluate(line) is value


def test_stated_conditions_see_constants() -> None:
    conditions = Conditions({"a": "any", "offered": "object"}, constants={"offered": {"status": ["done"]}})
    assert Values(conditions, {"a": 1}).evaluate(stated({"offered.status": {"none_of": 1}})) is True


def test_after_a_term_that_raises_others_have_values(monkeypatch: pytest.MonkeyPatch) -> None:
    terms = {f"t{number}": f"t{number - 1} && b" if number else "a == 1" for number in range(30)}
    conditions = Conditions(dict.fromkeys(("a", "b", *terms), "any"), terms)
    values = Values(conditions, {"a": 1, "b": True})
    with monkeypatch.context() as patch:
        patch.setattr(conditions, "evaluate", _raise)
        for _ in range(2):
            with pytest.raises(MemoryError):
                values.evaluate("t29 && b")
    assert values.evaluate("t29 && b") is True


def _raise(line: str, activation: object) -> None:
    raise MemoryError(line, activation)


@pytest.mark.parametrize(
    ("value", "line"), [(None, "a"), ([None, 1], "a"), ([{"key": [None]}], "a.map(each, each)"), ({"key": None}, "a")]
)
def test_a_null_takes_no_reference_from_python(value: object, line: str) -> None:
    conditions = Conditions({"a": "any"})
    activation = conditions.activation({"a": value})
    before = sys.getrefcount(None)
    for _ in range(2_000):
        assert conditions.evaluate(line, activation) == value
    assert sys.getrefcount(None) > before - 1_000
