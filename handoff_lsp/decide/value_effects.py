"""The action for each value of a status, if the value alone decides it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from handoff_lsp.binding.put import nested, with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field, RouteAction
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.values import Values

# From advancing to stopping.
ACTIONS: tuple[RouteAction, ...] = get_args(RouteAction)


@once_per_field
def status_actions(spec: Spec) -> Mapping[str, RouteAction]:
    """The action by value of the status; empty where the status is no enum, or its value alone decides nothing.

    A value's action assumes that nothing else in the handoff withholds it: `complete` advances, although an open
    question may stop a handoff with that status. So the routes are evaluated twice, with all other fields absent and
    with all of them empty, and the better action counts.
    """
    field = spec.field(spec.contract.status)
    if field is None or not spec.contract.routing:
        return {}
    worlds: tuple[dict[str, Any], ...] = ({}, _empties(spec))
    actions = {
        value.value: min((_action(spec, value.value, world) for world in worlds), key=ACTIONS.index)
        for value in field.values
    }
    return actions if len(set(actions.values())) > 1 else {}


def _empties(spec: Spec) -> dict[str, Any]:
    """The values of an empty handoff."""
    root = Slot("", Field(type="object"))
    root.children = {name: Slot(name, field, root) for name, field in spec.fields.items()}
    return with_empties(root)


def _action(spec: Spec, value: str, others: Mapping[str, Any]) -> RouteAction:
    """The action of the first true route that mentions the status; else of the last route."""
    contract = spec.contract
    settings = {name: spec.setting(name, {}) for name in contract.settings}
    data: dict[str, Any] = {**others, **nested(contract.status, value), "settings": settings}
    values = Values(spec.conditions, data)
    for route in contract.routing:
        if contract.status in spec.paths_in(route.when) and values.holds(route.when):
            return route.action
    return contract.routing[-1].action
