"""Shared by the rules about keys of JSON in the wrong object: the level at which the contract has them."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot, Unknown


def misplaced(handoff: Handoff) -> list[tuple[Slot, Unknown, str]]:
    """The keys in the wrong object, each with that object and the path where it belongs.

    In a closed object these are all that are known elsewhere. In an open one, which may have any key, only those that
    are missing where they belong, and whose value is an object or a list there: such a name is no coincidence.
    """
    if "misplaced" not in handoff.memo:
        handoff.memo["misplaced"] = list(_misplaced(handoff)) if handoff.body.only_keys else []
    found: list[tuple[Slot, Unknown, str]] = handoff.memo["misplaced"]
    return found


def _misplaced(handoff: Handoff) -> Iterator[tuple[Slot, Unknown, str]]:
    for slot in handoff.to_judge:
        for unknown in slot.unknown:
            home = home_of(handoff, unknown)
            if home is not None and (slot.field.closed or _is_missed(handoff, home)):
                yield slot, unknown, home


def _is_missed(handoff: Handoff, home: str) -> bool:
    """Whether a required object or list is not written at its path."""
    there = handoff.root.find(home)
    if len(there) != 1 or there[0].written or there[0].field.kind.json not in {"object", "array"}:
        return False
    return handoff.values.holds(there[0].field.required)


def outer_key(handoff: Handoff) -> tuple[Slot, Unknown, str] | None:
    """The first key that belongs to an outer object, as after a missing `}`; in the form of `misplaced`."""
    for slot in handoff.to_judge:
        for unknown in slot.unknown:
            home = home_of(handoff, unknown)
            parent = (home or "").rpartition(".")[0]
            if home is not None and slot.path != parent and f"{slot.path}.".startswith(f"{parent}." if parent else ""):
                return slot, unknown, home
    return None


def home_of(handoff: Handoff, unknown: Unknown) -> str | None:
    """The path at which the contract has a misplaced key; None if it has none or several.

    Among several, one in an object with a closed vocabulary wins, as only such objects are checked for unknown keys.
    """
    if "homes" not in handoff.memo:
        homes: dict[str, list[str]] = {}
        for path, _ in handoff.spec.walk():
            homes.setdefault(path.rsplit(".", 1)[-1], []).append(path)
        handoff.memo["homes"] = homes
    paths: list[str] = handoff.memo["homes"].get(unknown.name, [])
    if len(paths) > 1:
        paths = [path for path in paths if is_closed(handoff, path)]
    return paths[0] if len(paths) == 1 else None


def is_closed(handoff: Handoff, path: str) -> bool:
    """Whether the object that holds the last name of a path has a closed vocabulary."""
    parent = path.rpartition(".")[0]
    return next((field.closed for name, field in handoff.spec.walk() if name == parent), handoff.spec.contract.closed)
