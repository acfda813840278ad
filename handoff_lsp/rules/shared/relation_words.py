"""Relations and conditions that a contract states as data, in words."""

from __future__ import annotations

from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.conditions import Values
from handoff_lsp.contracts.model import Check
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.stated import Stated, Test, value_at
from handoff_lsp.rules.rule import shown

_LONGEST = 120
_LONGEST_VALUE = 40
_MOST_VALUES = 5
_ITEMS = {"this": "the item", "holder": "the item", "previous": "the item before"}


def broken(handoff: Handoff, check: Check, values: Values, slot: Slot) -> str:
    """The message of a check whose relation does not hold, where the contract gives none."""
    if not isinstance(check.check, Stated):
        return ""
    test = check.check.tests[0]
    data = values.of(check.check.roots)
    value = value_at(test.path, data)
    others = [(_name(handoff.spec, path), value_at(path, data)) for path in test.paths[1:]]
    is_item = slot.name.endswith("]") and slot.parent is not None
    title = f"An item of `{slot.parent.title}`" if is_item and slot.parent is not None else f"`{slot.title}`"
    message = _message(title, value, test, others)
    when = words(handoff.spec, check.when) if check.when else ""
    return f"{message} when {when}" if when and len(message) + len(when) + 6 <= _LONGEST else message


def _message(title: str, value: Any, test: Test, others: list[tuple[str, Any]]) -> str:
    name: str = others[0][0] if others else ""
    other: Any = others[0][1] if others else None
    found = f"{title} is {_text(value)}"
    match test.relation:
        case "count_of":
            return f"{found}, but {name} lists {len(other)}"
        case "sum_of":
            names = " and ".join([", ".join(one for one, _ in others[:-1]), others[-1][0]] if others[1:] else [name])
            return f"{found}, but {names} add up to {_text(sum(number for _, number in others))}"
        case "same_as":
            return f"{found}, but {name} is {_text(other)}"
        case "at_least" | "at_most" if others:
            return f"{found}, {'less' if test.relation == 'at_least' else 'more'} than {name}, {_text(other)}"
        case "at_least" | "at_most":
            return f"{found}, but must be {test.relation.replace('_', ' ')} {_text(test.operand)}"
        case "none_of":
            return f"{title} must not be {_text(value)}"
        case "matches" | "lacks":
            return f"{found}, but must{' not' if test.relation == 'lacks' else ''} match `{test.operand}`"
    return f"{found}, but must be {_values(test.operand)}"


def words(spec: Spec, condition: str) -> str:
    """A condition in words, ```Status` is `blocked```; empty where it consists of more than simple relations."""
    return " and ".join(_asked(spec, test) for test in spec.conditions.tests(condition))


def _asked(spec: Spec, test: Test) -> str:
    title = _name(spec, test.path)
    names = [_name(spec, path) for path in test.paths[1:]]
    match test.relation:
        case "one_of" if test.operand == ("",):
            return f"{title} is empty"
        case "none_of" if test.operand == ("",):
            return f"{title} is filled in"
        case "one_of":
            return f"{title} is {_values(test.operand)}"
        case "none_of":
            return f"{title} is not {_values(test.operand)}"
        case "matches" | "lacks":
            return f"{title} {'matches' if test.relation == 'matches' else 'does not match'} `{test.operand}`"
        case "same_as":
            return f"{title} is the same as {names[0]}"
        case "count_of":
            return f"{title} is the number of items in {names[0]}"
        case "sum_of":
            return f"{title} is the sum of {' and '.join(names)}"
    return f"{title} is {test.relation.replace('_', ' ')} {names[0] if names else _text(test.operand)}"


def _name(spec: Spec, path: str) -> str:
    """A path of a condition as people call it."""
    first, _, rest = path.partition(".")
    if first in _ITEMS and first not in spec.fields:
        return f"`{rest}` of {_ITEMS[first]}" if rest else _ITEMS[first]
    if first == "settings":
        return f"the setting `{rest}`"
    return f"`{path if '.' in path or spec.is_json or spec.field(path) is None else spec.title(path)}`"


def _values(values: tuple[Any, ...]) -> str:
    texts = [_text(value) for value in values[:_MOST_VALUES]]
    if len(values) > _MOST_VALUES:
        return ", ".join(texts) + ", …"
    return " or ".join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)


def _text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return f"`{'nothing' if value is None else str(value).lower()}`"
    if isinstance(value, int | float):
        return str(value)
    if not value:
        return "empty"
    return f"`{shown(str(value), _LONGEST_VALUE)}`"
