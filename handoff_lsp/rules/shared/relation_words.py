"""Relations and conditions that a contract states as data, in words."""

from __future__ import annotations

from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Check
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.stated import Stated, Test, value_at
from handoff_lsp.contracts.values import Values
from handoff_lsp.language import later, say, translated
from handoff_lsp.rules.rule import shown

_LONGEST = 120
_LONGEST_VALUE = 40
_MOST_VALUES = 5
_ITEMS = {"this": later("the item"), "holder": later("the item"), "previous": later("the item before")}


def broken(handoff: Handoff, check: Check, values: Values, slot: Slot) -> str:
    """The message of a check whose relation does not hold, where the contract gives none."""
    if not isinstance(check.check, Stated):
        return ""
    test = check.check.tests[0]
    data = values.of(check.check.roots)
    value = value_at(test.path, data)
    others = [(_name(handoff.spec, path), value_at(path, data)) for path in test.paths[1:]]
    is_item = slot.name.endswith("]") and slot.parent is not None
    title = (
        say("An item of `{field}`", field=slot.parent.title)
        if is_item and slot.parent is not None
        else f"`{slot.title}`"
    )
    message = _message(title, value, test, others)
    when = words(handoff.spec, check.when) if check.when else ""
    return (
        say("{message} when {when}", message=message, when=when)
        if when and len(message) + len(when) + 6 <= _LONGEST
        else message
    )


def _message(title: str, value: Any, test: Test, others: list[tuple[str, Any]]) -> str:
    name: str = others[0][0] if others else ""
    other: Any = others[0][1] if others else None
    found = say("{title} is {text}", title=title, text=_text(value))
    match test.relation:
        case "count_of":
            return say("{found}, but {name} lists {number}", found=found, name=name, number=len(other))
        case "sum_of":
            names = say(" and ").join(
                [", ".join(one for one, _ in others[:-1]), others[-1][0]] if others[1:] else [name]
            )
            return say(
                "{found}, but {names} add up to {text}",
                found=found,
                names=names,
                text=_text(sum((number for _, number in others))),
            )
        case "same_as":
            return say("{found}, but {name} is {text}", found=found, name=name, text=_text(other))
        case "at_least" | "at_most" if others:
            if test.relation == "at_least":
                return say("{found}, less than {name}, {text}", found=found, name=name, text=_text(other))
            return say("{found}, more than {name}, {text}", found=found, name=name, text=_text(other))
        case "at_least" | "at_most":
            if test.relation == "at_least":
                return say("{found}, but must be at least {text}", found=found, text=_text(test.operand))
            return say("{found}, but must be at most {text}", found=found, text=_text(test.operand))
        case "none_of":
            return say("{title} must not be {text}", title=title, text=_text(value))
        case "matches" | "lacks":
            if test.relation == "lacks":
                return say("{found}, but must not match `{pattern}`", found=found, pattern=_in_code(test.operand))
            return say("{found}, but must match `{pattern}`", found=found, pattern=_in_code(test.operand))
    return say("{found}, but must be {values}", found=found, values=_values(test.operand))


def words(spec: Spec, condition: str) -> str:
    """A condition in words, ```Status` is `blocked```; empty where it consists of more than simple relations."""
    joint = say("{one} and {other}", one="", other="")
    return joint.join(_asked(spec, test) for test in spec.conditions.tests(condition))


def _asked(spec: Spec, test: Test) -> str:
    title = _name(spec, test.path)
    names = [_name(spec, path) for path in test.paths[1:]]
    match test.relation:
        case "one_of" if test.operand == ("",):
            return say("{title} is empty", title=title)
        case "none_of" if test.operand == ("",):
            return say("{title} is filled in", title=title)
        case "one_of":
            return say("{title} is {values}", title=title, values=_values(test.operand))
        case "none_of":
            return say("{title} is not {values}", title=title, values=_values(test.operand))
        case "matches" | "lacks":
            if test.relation == "matches":
                return say("{title} matches `{pattern}`", title=title, pattern=_in_code(test.operand))
            return say("{title} does not match `{pattern}`", title=title, pattern=_in_code(test.operand))
        case "same_as":
            return say("{title} is the same as {name}", title=title, name=names[0])
        case "count_of":
            return say("{title} is the number of items in {name}", title=title, name=names[0])
        case "sum_of":
            return say("{title} is the sum of {names}", title=title, names=say(" and ").join(names))
    bound = names[0] if names else _text(test.operand)
    if test.relation == "at_least":
        return say("{title} is at least {bound}", title=title, bound=bound)
    return say("{title} is at most {bound}", title=title, bound=bound)


def _name(spec: Spec, path: str) -> str:
    """A path of a condition as people call it."""
    first, _, rest = path.partition(".")
    if first in _ITEMS and first not in spec.fields:
        item = translated(_ITEMS[first])
        return say("`{field}` of {item}", field=rest, item=item) if rest else item
    if first == "settings":
        return say("the setting `{name}`", name=rest)
    return f"`{path if '.' in path or spec.is_json or spec.field(path) is None else spec.title(path)}`"


def _in_code(pattern: str) -> str:
    """A pattern that a Markdown code span can hold: a backtick would end it, so RE2's escape is shown for one."""
    return pattern.replace("`", r"\x60")


def _values(values: tuple[Any, ...]) -> str:
    texts = [_text(value) for value in values[:_MOST_VALUES]]
    if len(values) > _MOST_VALUES:
        return ", ".join(texts) + ", …"
    return say(" or ").join([", ".join(texts[:-1]), texts[-1]] if texts[1:] else texts)


def _text(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return f"`{'nothing' if value is None else str(value).lower()}`"
    if isinstance(value, int | float):
        return str(value)
    if not value:
        return "empty"
    return f"`{shown(str(value), _LONGEST_VALUE)}`"
