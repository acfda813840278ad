"""The values that the status of one handoff may have, and the fields and values that contradict its checks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.put import nested
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Check, Value
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.contracts.values import Values


def own_values(handoff: Handoff) -> list[Value]:
    """The values that the status of this handoff may have: those of its profile that no check alone rules out."""
    spec, path = handoff.spec, handoff.spec.contract.status
    field = spec.field(path)
    if field is None:
        return []
    checks = _vocabulary(handoff)
    return [
        value
        for value in field.offered
        if not value.deprecated and not _is_ruled_out(handoff, path, value.value, checks)
    ]


def is_refused(handoff: Handoff, value: Value) -> bool:
    """Whether a check rules out a value of the status, whatever else the handoff says."""
    return _is_ruled_out(handoff, handoff.spec.contract.status, value.value, _vocabulary(handoff))


def _vocabulary(handoff: Handoff) -> list[Check]:
    checks = handoff.spec.contract.checks.values()
    return [one for one in checks if one.at == handoff.spec.contract.status and _is_vocabulary(handoff, one)]


def _is_vocabulary(handoff: Handoff, check: Check) -> bool:
    """Whether a check depends on the status alone, so that it defines the allowed values."""
    paths = (path for line in (check.check, check.when) for path in handoff.spec.paths_in(line))
    names = {path.partition(".")[0] for path in paths}
    status = handoff.spec.contract.status.split(".")[0]
    others = {*handoff.spec.fields, *handoff.spec.contract.companions, "settings"} - {status}
    return not names & others


def _is_ruled_out(handoff: Handoff, path: str, value: str, checks: list[Check]) -> bool:
    if not checks:
        return False
    values = handoff.values_of(handoff.data_with(nested(path, value)))
    return any(_fails(values, check) for check in checks)


def contradicts(handoff: Handoff, path: str, value: object) -> bool:
    """Whether a different value of a field would add a contradiction to a handoff."""
    then, now = _with(handoff, path, value), handoff.values
    for check in handoff.spec.contract.checks.values():
        if check.severity != "off" and "[]" not in check.at and _fails(then, check) and not _fails(now, check):
            return True
    filled = (slot for slot in handoff.to_judge if slot.field.forbidden and slot.data not in (None, "", [], {}))
    return any(then.holds(slot.field.forbidden) and not now.holds(slot.field.forbidden) for slot in filled)


def is_out_of_place(handoff: Handoff, name: str, registry: Registry) -> bool:
    """Whether a field would make this a handoff of another profile, whose own checks fail on what is written."""
    spec, values = handoff.spec, handoff.values
    profiles = spec.contract.profiles
    if spec.name not in registry or any(sign.has == name for sign in profiles[spec.profile].evidence):
        return False
    return any(
        check != spec.contract.checks.get(key) and _fails(values, check)
        for profile, other in profiles.items()
        if any(sign.has == name for sign in other.evidence)
        for key, check in registry[spec.name].spec(profile).contract.checks.items()
    )


def needed_then(handoff: Handoff, path: str, value: object) -> list[Slot]:
    """The absent fields that a handoff does not require now, but would if a field had a different value."""
    then, now = _with(handoff, path, value), handoff.values
    absent = [slot for slot in handoff.to_judge if isinstance(slot.field.required, str) and not slot.written]
    return [slot for slot in absent if then.holds(slot.field.required) and not now.holds(slot.field.required)]


def _fails(values: Values, check: Check) -> bool:
    return (not check.when or values.holds(check.when)) and values.fails(check.check)


def _with(handoff: Handoff, path: str, value: object) -> Values:
    return handoff.values_of(handoff.data_with(_replaced(handoff.root.data or {}, path, value)))


def _replaced(data: Mapping[str, Any], path: str, value: object) -> dict[str, Any]:
    """Data with another value at a path."""
    name, _, rest = path.partition(".")
    inner = data.get(name)
    return {**data, name: _replaced(inner if isinstance(inner, Mapping) else {}, rest, value) if rest else value}
