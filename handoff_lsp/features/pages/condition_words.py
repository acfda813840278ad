"""A contract's condition in words, and why it holds or does not hold now: the values of the fields that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.pages.markup import code
from handoff_lsp.rules.rule import counted
from handoff_lsp.rules.shared.relation_words import words

# The most fields of one condition to show.
_MOST = 4
_LONGEST = 40
_MISSING = object()


def condition_text(spec: Spec, condition: str, limit: int = 200) -> str:
    """A condition for people: in words if it is simple, else as it is in the contract."""
    return words(spec, condition) or code(condition, limit)


def current_state(handoff: Handoff, condition: str) -> str:
    """Whether a condition holds now, and the values that decide it: ``which holds now: `Status` is `blocked```."""
    holds = "which holds now" if handoff.values.holds(condition) else "which does not hold now"
    known = {*handoff.spec.fields, *handoff.spec.contract.companions}
    paths = (path for path in handoff.spec.paths_in(condition) if path.partition(".")[0] in known)
    values = list(dict.fromkeys(_value_text(handoff, path) for path in paths))[:_MOST]
    if " and ".join(values) == words(handoff.spec, condition):
        return holds
    return f"{holds}: {' and '.join(values)}" if values else holds


def _value_text(handoff: Handoff, path: str) -> str:
    spec = handoff.spec
    title = code(path if spec.is_json or spec.field(path) is None else spec.title(path))
    value = _value(handoff.data, path)
    if value is _MISSING or value is None:
        return f"{title} has no value"
    if isinstance(value, bool):
        return f"{title} is {code('true' if value else 'false')}"
    if isinstance(value, list):
        return f"{title} has {counted(len(value), 'item')}" if value else f"{title} is empty"
    if isinstance(value, Mapping):
        return f"{title} is there" if value else f"{title} is empty"
    text = " ".join(str(value).split())
    if not text:
        return f"{title} is empty"
    return f"{title} is {code(text)}" if len(text) <= _LONGEST else f"{title} is filled in"


def _value(data: Mapping[str, Any], path: str) -> Any:
    value: Any = data
    for part in path.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return _MISSING
        value = value[part]
    return value
