"""Changes to a contract, by a profile or an extension, that have no effect: slips, most of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.problems import KeyPath, did_you_mean, kind_of
from handoff_lsp.contracts.references import is_required
from handoff_lsp.contracts.resolve import ContractProblem

# The keys that a contract must have.
_NEEDED = frozenset(each.name for each in fields(Contract) if is_required(each))


def idle_removals(
    changes: Any, base: Any, path: KeyPath, keys: Iterable[str] | None = None
) -> Iterator[ContractProblem]:
    """Removals of missing keys, as by a comma in an unquoted text, or of required ones, and `+KEY` without a list.

    ``path`` is that of the changes in their file; ``keys``: those of the changes that are looked at.
    """
    stack: list[tuple[KeyPath, Any, Any]] = [(path, changes, base)]
    while stack:
        where, change, below = stack.pop()
        for key, value in change.items():
            if where == path and keys is not None and str(key).removeprefix("+") not in keys:
                continue
            added = str(key).startswith("+") and not isinstance(value, list)
            if added and (value is None or (isinstance(below, dict) and isinstance(below.get(str(key)[1:]), list))):
                yield ContractProblem((*where, key), f"`{key}` must be a list, not {kind_of(value, 'a mapping')}", True)
            elif value is None and where == path and key in _NEEDED:
                yield ContractProblem((*where, key), f"`{key}` cannot be removed: a contract needs it", True)
            elif value is None and not (isinstance(below, dict) and key in below):
                known = below if isinstance(below, dict) else ()
                message = f"no `{key}` to remove here{did_you_mean(str(key), known)}"
                yield ContractProblem((*where, key), message, True)
            elif isinstance(value, dict):
                stack.append(((*where, key), value, below.get(key) if isinstance(below, dict) else None))


def new_without_a_type(changes: Any, base: Any, path: KeyPath) -> Iterator[ContractProblem]:
    """Fields that are changed although they do not exist: a new one has a type or an ``about``.

    ``path`` is that of the changes to fields in their file.
    """
    stack: list[tuple[KeyPath, Any, Any]] = [(path, changes, base)]
    while stack:
        where, change, below = stack.pop()
        if not isinstance(change, dict) or not isinstance(below, dict):
            continue
        for name, own in change.items():
            if not isinstance(own, dict):
                continue
            if name not in below:
                if not {"type", "about"} & own.keys():
                    message = f"`{name}` is not a field of the contract{did_you_mean(name, below)}"
                    hint = "" if "did you mean" in message else "; a new field has a `type` and an `about`"
                    yield ContractProblem((*where, name), message + hint, True)
            elif isinstance(below[name], dict):
                stack.append(((*where, name, "fields"), own.get("fields"), below[name].get("fields") or {}))
