"""Wrong conditions: the message names the mistake, in words of ours and not those of the parser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handoff_lsp.contracts.load import read_contract

HEAD = """contract: nightly
title: Nightly
about: x
detect: {signs: [{title: Nightly, weight: 4}]}
fields:
  state: {type: line, title: State, about: x, carriers: [section], required: true}
  rows: {type: list, title: Rows, about: x, carriers: [section]}
"""
RAW = re.compile(r"mismatched|expecting|<EOF>|overload|token recognition|Syntax error|_[=+&|]+_|NUM_INT|Input should")


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("state == 'a' &&", "the condition ends too early: a value is missing"),
        ("state ==", "the condition ends too early: a value is missing"),
        ("(state == 'a'", "`)` is missing"),
        ("state == 'a')", "unexpected `)`"),
        ("state == 'a", "`'a` has no closing quote"),
        ("state == # 1", "unexpected `#`"),
        ("state == 1", "`==` does not take a string and an integer"),
        ("state + 1", "`+` does not take a string and an integer"),
        ("rows in 'a'", "`in` does not take a list and a string"),
        ("size(1) > 0", "`size()` does not take an integer"),
        ("rows.join(1) == 'x'", "`join()` does not take a list and an integer"),
        ("state = 'a'", "`=` is not an operator; did you mean `==`?"),
        ("state == 'a' and rows == []", "`and` is not an operator; did you mean `&&`?"),
        ("siz(rows) > 0", "unknown function `siz`; did you mean `size`?"),
        ("sta_te == 'a'", "did you mean `state`?"),
        ("state == ''''", "unexpected"),
        ("[1, 2", "the condition ends too early"),
        ("state ? 1", ""),
        ("rows.all(r)", ""),
    ],
)
def test_the_mistake_is_named(condition: str, expected: str) -> None:
    text = (
        HEAD + "  other: {type: line, title: Other, about: x, carriers: [section], required: " + repr(condition) + "}\n"
    )
    if "'" in condition:
        text = text.replace(repr(condition), '"' + condition + '"')
    _, problems = read_contract(text, Path("nightly.yaml"))
    assert problems, condition
    assert any(expected in problem.message for problem in problems), problems
    assert not any(RAW.search(problem.message) for problem in problems), problems
    assert all(len(problem.message) <= 120 for problem in problems)
    start = text.index(condition) if condition in text else 0
    assert all(start <= problem.span.start <= start + len(condition) for problem in problems), problems


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("contract: a: b\n", "not YAML: unexpected `:`; quote a text with a colon"),
        ('contract: "a\n', "not YAML: a quoted text has no closing quote"),
        ("contract: [a\nb: c\n", "not YAML: `,` or `]` is missing"),
        ("contract: {a: b\nc\n", "not YAML: `,` or `}` is missing"),
        ("contract: x\ntitle: [\n", "not YAML: a value is missing"),
        ("contract:\n\t- b\n", "not YAML: a tab is not allowed as indentation"),
        ("contract: @b\n", "not YAML: unexpected character"),
        ("contract: *x\n", "not YAML: undefined alias"),
        (HEAD.replace("type: line", "type: lin"), "unknown value `lin` of `type`; did you mean `line`?"),
        (HEAD.replace("type: list", "type: list, minimum: few"), '`minimum` must be a number, not the text "few"'),
        (HEAD.replace("required: true", "requird: true"), "unknown key `requird`; did you mean `required`?"),
        (HEAD + "reads: owner\n", '`reads` must be a list, not the text "owner"'),
        (HEAD + "reads: [1]\n", "an item of `reads` must be a string"),
    ],
)
def test_mistakes_of_a_file(text: str, expected: str) -> None:
    _, problems = read_contract(text, Path("nightly.yaml"))
    assert any(expected in problem.message for problem in problems), problems
    assert not any(RAW.search(problem.message) for problem in problems), problems
