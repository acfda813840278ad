"""The demands of a config on an agent: fields of its handoffs to fill in, and fields to leave out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handoff_lsp.language import say
from handoff_lsp.text.named_tuple import NamedTuple

# The rules that report an absent or empty field.
_ABSENCE = ("missing-status", "missing-field", "missing-section", "empty-value")


class Demands(NamedTuple):
    """Paths of fields that an agent must and must not fill in, beyond the contract's own requirements."""

    agent: str
    must: tuple[str, ...] = ()
    never: tuple[str, ...] = ()


def with_demands(contract: dict[str, Any], demands: Demands) -> dict[str, Any]:
    """A contract's complete data with demands on its fields. Paths that it does not have are ignored."""
    fields = contract["fields"]
    for path in demands.must:
        fields = _changed(fields, path.split("."), lambda field: _required(field, demands.agent), on_the_way=True)
    for path in demands.never:
        fields = _changed(fields, path.split("."), lambda field: _forbidden(field, demands.agent))
    return {**contract, "fields": fields}


def _changed(
    fields: dict[str, Any],
    path: list[str],
    change: Callable[[dict[str, Any]], dict[str, Any]],
    *,
    on_the_way: bool = False,
) -> dict[str, Any]:
    """Fields with one of them changed, and with those that it is in, too, if they are ``on_the_way``."""
    name, *below = path
    field = fields.get(name)
    if field is None:
        return fields
    if not below:
        return {**fields, name: change(field)}
    inside = _changed(field.get("fields") or {}, below, change, on_the_way=on_the_way)
    return {**fields, name: {**(change(field) if on_the_way else field), "fields": inside}}


def _required(field: dict[str, Any], agent: str) -> dict[str, Any]:
    """A field that is required and, but for a word such as `None`, not empty."""
    because = say("The config requires it of `{agent}`", agent=agent)
    severity = {**(field.get("severity") or {}), **dict.fromkeys(_ABSENCE, "error")}
    return {**field, "required": True, "because": because, "severity": severity}


def _forbidden(field: dict[str, Any], agent: str) -> dict[str, Any]:
    because = say("The config forbids it to `{agent}`", agent=agent)
    changed = {"required": False, "filled": False, "in_template": False}
    return {**field, **changed, "forbidden": "true", "forbidden_because": because}
