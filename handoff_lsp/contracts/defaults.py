"""What the fields of a contract have by default, as data: a contract and its profiles are built from the result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from handoff_lsp.text.lazy import lazy_pattern

# The most keys and values that defaults add to all fields of a contract.
MAX_ADDED = 120_000
_NAME_HOLE = lazy_pattern(r"\{(?:name|NAME|Name)\}")


class TooMuchAddedError(ValueError):
    """Defaults add more than ``MAX_ADDED`` keys and values."""


def value_of(data: Any) -> str:
    """The text of a value of an enum, as contracts write it."""
    return data if isinstance(data, str) else str(data.get("value", ""))


def filled_in(contract: dict[str, Any]) -> dict[str, Any]:
    """A contract's data with the defaults of its fields in them, and the values of definitions in its enums.

    A profile that the value of a field names is about what that value is. Raises TooMuchAddedError.
    """
    fields = Filling(contract).fields(contract["fields"])
    found = contract if fields is contract["fields"] else {**contract, "fields": fields}
    naming = fields.get(contract.get("profile_in", ""))
    if naming is None:
        return found
    known = (one for one in naming.get("values", ()) if isinstance(one, dict) and "about" in one)
    abouts = {value_of(one): {"about": one["about"]} for one in known}
    return {**found, "profiles": {name: abouts.get(name, {}) | own for name, own in contract["profiles"].items()}}


class Filling:
    """Fills in fields of a contract. Fields to which nothing is added stay the same objects."""

    def __init__(self, contract: dict[str, Any]) -> None:
        self._defaults: dict[str, Any] = contract.get("defaults") or {}
        definitions: dict[str, Any] = contract.get("definitions") or {}
        self._values = {name: part["values"] for name, part in definitions.items() if part.get("values")}
        self._left = MAX_ADDED

    def fields(self, fields: dict[str, Any]) -> dict[str, Any]:
        """Root fields with all that they have by default."""
        return self._fields(fields, self._defaults)

    def _fields(self, fields: dict[str, Any], defaults: dict[str, Any]) -> dict[str, Any]:
        sizes = {kind: _size(part) for kind, part in defaults.items()}
        found = {name: self._field(name, field, defaults, sizes) for name, field in fields.items()}
        return fields if all(found[name] is field for name, field in fields.items()) else found

    def _field(
        self, name: str, field: dict[str, Any], defaults: dict[str, Any], sizes: Mapping[str, int]
    ) -> dict[str, Any]:
        found = field
        if defaults:
            kind = field.get("type", "any")
            self._add(sizes.get("every", 0) + sizes.get(kind, 0))
            given = defaults.get("every", {}) | defaults.get(kind, {})
            own = {key: _named(part, name) for key, part in given.items() if key not in field}
            found = {**own, **field} if own else field
        names = found.get("names")
        more = self._values.get(names, ()) if names and found.get("type") == "enum" else ()
        if more and more[-1] not in found.get("values", ()):
            self._add(len(more))
            found = {**found, "values": [*found.get("values", ()), *more]}
        if found.get("fields"):
            fields = self._fields(found["fields"], found.get("defaults") or {})
            found = found if fields is found["fields"] else {**found, "fields": fields}
        return found

    def _add(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise TooMuchAddedError(f"the defaults add more than {MAX_ADDED:,} keys and values to the fields")


def _size(data: Any) -> int:
    parts = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
    return 1 + sum(map(_size, parts))


def _named(default: Any, name: str) -> Any:
    """A default with the field's name in its texts, for ``{name}``, ``{NAME}`` and, in words, ``{Name}``."""
    if isinstance(default, dict):
        return {key: _named(value, name) for key, value in default.items()}
    if isinstance(default, list):
        return [_named(value, name) for value in default]
    if not isinstance(default, str) or "{" not in default:
        return default
    words = name.replace("_", " ")
    written = {"{name}": name, "{NAME}": name.upper(), "{Name}": words[:1].upper() + words[1:]}
    return _NAME_HOLE.sub(lambda hole: written[hole[0]], default)
