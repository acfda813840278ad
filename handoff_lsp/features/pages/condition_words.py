"""What makes a contract's condition hold or not hold now, in words: the values of the fields that it names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoff_lsp.binding.block import Block
from handoff_lsp.features.pages.markup import code
from handoff_lsp.rules.rule import counted

# No more fields than this are told of one condition.
_MOST = 4
_LONGEST = 40
_MISSING = object()


def told(block: Block, condition: str) -> str:
    """Whether a condition holds now and by which values: ``which holds now: `Status` is `blocked```."""
    holds = "which holds now" if block.values.holds(condition) else "which does not hold now"
    known = {*block.spec.fields, *block.spec.contract.companions}
    paths = (path for path in block.spec.paths_in(condition) if path.partition(".")[0] in known)
    values = list(dict.fromkeys(_told(block, path) for path in paths))[:_MOST]
    return f"{holds}: {' and '.join(values)}" if values else holds


def _told(block: Block, path: str) -> str:
    spec = block.spec
    title = code(path if spec.is_json or spec.field(path) is None else spec.title(path))
    value = _value(block.data, path)
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
    at: Any = data
    for part in path.split("."):
        if not isinstance(at, Mapping) or part not in at:
            return _MISSING
        at = at[part]
    return at
