"""A contract that extends another one: its data merged into the other's, and its own problems at its own keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handoff_lsp.contracts.build import FIRST_COUNTS, Data, is_whole, merge_patch, names_below
from handoff_lsp.contracts.changes import idle_removals, new_without_a_type
from handoff_lsp.contracts.problems import KeyPath, first_problems, leads_on, mapping_at, unknown
from handoff_lsp.contracts.registry import ContractEntry, builtin
from handoff_lsp.contracts.resolve import ContractProblem, Others


def checked(data: Data, others: Others | None) -> tuple[Data, list[ContractProblem]]:
    """The data of a file, completed by the contract that it extends, and the problems, each at a key of the file.

    ``others``: all contracts by name, None for one that cannot be used; left out for the built-in contracts.
    """
    from handoff_lsp.contracts.validate import check_contract  # with pydantic, which ``extended`` does without

    if others is None:
        return data, check_contract(data)
    base = _base(data, others)
    if base is None:
        return data, check_contract(data, others)
    if isinstance(base, ContractProblem):
        return data, [base]
    idle = first_problems(_idle(base.data, data))
    if idle:
        return data, idle
    whole = extended(base.data, data)
    found = (one for one in check_contract(whole, others) if not one.is_idle or _is_own(data, one.path))
    return whole, [_at_home(data, whole, problem) for problem in found]


def _is_own(data: Any, path: KeyPath) -> bool:
    """Whether a file has the last key of a path itself."""
    return leads_on(mapping_at(data, path[:-1]), path[-1])


def _base(data: Data, others: Others) -> ContractEntry | ContractProblem | None:
    """The contract that a file's data extends, None if it extends none, or the problem of the name.

    A contract may extend the built-in one of its own name, or a package's.
    """
    name, base = data.get("contract"), data.get("extends")
    if base is None:
        return None
    if not isinstance(base, str):
        return ContractProblem(("extends",), "`extends` must be the name of a contract")
    if base == name:
        if base in builtin():
            return builtin()[base]
        known = others.get(base)
        packaged = known if known is None or known.package else known.replaces
        if packaged is not None:
            return packaged
        return ContractProblem(("extends",), "a contract cannot extend itself")
    if base not in others:
        return ContractProblem(("extends",), unknown("contract", base, others))
    message = f"the contract `{base}` cannot be used: it has problems of its own, or extends this one in a circle"
    return others[base] or ContractProblem(("extends",), message)


def extended(base: Data, own: Data) -> Data:
    """The data of a contract that extends another one."""
    changes = {key: value for key, value in own.items() if key != "profiles"}
    merged: Data = merge_patch(base, changes)
    if not isinstance(own.get("profiles", {}), dict):
        return {**merged, "profiles": own["profiles"]}  # a problem of its shape
    profiles = {name: _without(profile, changes) for name, profile in _mapping(base, "profiles").items()}
    for name, change in _mapping(own, "profiles").items():
        if change is None:
            profiles.pop(name, None)
        else:
            profiles[name] = _changed(profiles.get(name), change)
    return {**merged, "profiles": profiles} if profiles else merged


def _without(profile: Any, changes: Data) -> Any:
    """The changes of a profile without those to parts that the extension removes from the contract."""
    if not isinstance(profile, dict):
        return profile
    kept = {key: value for key, value in profile.items() if key not in changes or changes[key] is not None}
    return {
        key: _without(value, changes[key]) if isinstance(changes.get(key), dict) else value
        for key, value in kept.items()
    }


def _changed(base: Any, own: Any, names: str = "") -> Any:
    """A profile of the base with changes. A null in the profile's own changes stays: it removes from the contract."""
    if not isinstance(own, dict) or not isinstance(base, dict):
        return own
    merged = dict(base)
    for key, value in own.items():
        whole = not isinstance(value, dict) or is_whole(names, key)
        merged[key] = value if whole else _changed(base.get(key), value, names_below(names, key))
    return merged


def _idle(base: Data, own: Data) -> Iterator[ContractProblem]:
    """Removals of keys that the base lacks, and changes of fields that it lacks."""
    changes = {key: value for key, value in own.items() if key != "profiles"}
    yield from idle_removals(changes, base, ())
    yield from new_without_a_type(_mapping(own, "fields"), _mapping(base, "fields"), ("fields",))


def _at_home(own: Data, whole: Data, problem: ContractProblem) -> ContractProblem:
    """A problem of the completed data at its place in the file, as far as the file leads there, or at ``extends``."""
    found = own_path(own, whole, problem.path)
    if not found:
        return ContractProblem(("extends",), problem.message)
    if len(found) == len(problem.path):
        return problem._replace(path=found)
    return ContractProblem(found, problem.message, True)


def own_path(own: Data, whole: Data, path: KeyPath) -> KeyPath:
    """Translate a path of the completed data to the extending file, with its `+KEY`s, as far as the file leads."""
    node: Any = own
    merged: Any = whole
    found: list[str | int] = []
    before = 0  # how many items of the base precede those that a list adds
    for part in path:
        key = part - before if isinstance(part, int) else part
        before = 0
        added = f"+{part}"
        if leads_on(node, added) and leads_on(merged, part):
            key = added
            before = 0 if part in FIRST_COUNTS else len(merged[part]) - len(node[added])
        if not leads_on(node, key):
            break
        found.append(key)
        node, merged = node[key], merged[part] if leads_on(merged, part) else None
    return tuple(found)


def _mapping(data: Data, key: str) -> Data:
    found = data.get(key)
    return found if isinstance(found, dict) else {}
