"""The contract language at a place of a file: which keys and values may be there, and what they mean."""

from __future__ import annotations

import json
from dataclasses import fields
from functools import lru_cache
from typing import Annotated, Any, Literal, get_args, get_origin

from handoff_lsp.contracts.model import CHANGEABLE, Content, Contract, Field, Profile, Reference
from handoff_lsp.contracts.problems import KeyPath, mapping_at
from handoff_lsp.contracts.references import hint_at, is_required, options
from handoff_lsp.contracts.references import owner_of as owner_of
from handoff_lsp.contracts.registry import schemas_folder
from handoff_lsp.contracts.stated import RELATIONS

# What a reference of a kind is, for people, where its name does not say it.
_KINDS = {
    "condition": "a condition (CEL, or paths with values)",
    "expression": "an expression (CEL)",
    "value path": "the path of a value",
    "compared value": "a value",
    "message": "a message, with CEL between `{` and `}`",
    "pattern": "a pattern (RE2)",
    "name pattern": "a pattern (RE2) with a group `name`",
    "field": "the path of a field",
    "field of some profile": "the path of a field",
    "counted field": "the path of a field with items or a number",
    "marked path": "the path of a field",
    "root field of some profile": "the name of a root field",
    "present key": "a root field, or a key as it is written",
    "content key": "a field, or a key as it is written",
    "run edge": "the name of a root field, or a whole line",
    "title": "the title of a field",
    "own value": "a value of the same field",
    "own word": "one of `instead_of`",
    "status value": "a value of the status",
    "check's rule": "the name of a rule that reports checks",
}


def without_patches(path: KeyPath) -> KeyPath:
    """A path as the contract itself has it: a profile has keys of the contract, and ``+KEY`` adds to the list KEY.

    What YAML merges in by ``<<`` is in the mapping itself.
    """
    path = tuple(
        step
        for before, step in zip((None, *path), path, strict=False)
        if step != "<<" and (before != "<<" or isinstance(step, str))
    )
    if len(path) > 2 and path[0] == "profiles" and str(path[2]).removeprefix("+") in CHANGEABLE:
        path = path[2:]
    return tuple(step.removeprefix("+") if isinstance(step, str) else step for step in path)


def tested_path(data: Any, path: KeyPath) -> str:
    """The path of the value that is compared with the one at a place: in a condition as data, or in a check."""
    steps = [step for step in path if isinstance(step, str)]
    named = steps[-1:] and steps[-1] in RELATIONS
    own = without_patches(path)
    if named and len(own) > 2 and own[0] == "checks" and own[2] == steps[-1]:
        at = mapping_at(data, path[: len(path) - len(own) + 2]).get("at")
        return "this" if isinstance(at, str) and "[]" in at else str(at or "")
    return steps[-2] if named and len(steps) > 1 else steps[-1] if steps else ""


def hint_of(path: KeyPath) -> Any:
    """The type of the value at a path, None where the language has none."""
    path = without_patches(path)
    return hint_at(Contract, path) if path else Contract


def names_of(hint: Any) -> tuple[Any, Any] | None:
    """The types of the keys and values of a mapping with keys of the author's own."""
    found = next((one for one in options(hint) if get_origin(one) is dict), None)
    return (get_args(found)[0], get_args(found)[1]) if found is not None else None


def item_of(hint: Any) -> Any:
    """The type of the items of a list; None for another type."""
    found = next((one for one in options(hint) if get_origin(one) is list), None)
    return get_args(found)[0] if found is not None else None


def reference_of(hint: Any) -> str:
    """The kind of what a text refers to; empty if it refers to nothing."""
    if hint is Content:
        return "content key"  # a text in its place is one name
    if get_origin(hint) is Annotated:
        return next((str(one) for one in get_args(hint) if isinstance(one, Reference)), "") or reference_of(
            get_args(hint)[0]
        )
    if get_origin(hint) in {None, list, dict, Literal}:
        return ""
    return next((kind for one in get_args(hint) if (kind := reference_of(one))), "")


def words_of(hint: Any) -> tuple[str, ...]:
    """The words that a value can be, ``true`` and ``false`` among them."""
    found: list[str] = []
    for one in options(hint):
        if get_origin(one) is Literal:
            found += [str(value).lower() if isinstance(value, bool) else str(value) for value in get_args(one)]
        elif one is bool:
            found += ["true", "false"]
    return tuple(found)


def keys_of(owner: type[Any]) -> dict[str, bool]:
    """The keys of a class in their order, and whether each must be there."""
    keys = {each.name: is_required(each) for each in fields(owner) if not each.name.startswith("_")}
    if owner is Profile:
        keys |= dict.fromkeys(CHANGEABLE, False)
    return keys


def about_key(owner: type[Any], key: str) -> str:
    """What a key of a class is, as the schema of contract files says it."""
    if owner is Profile and key in CHANGEABLE:
        return f"Changes to the contract's `{key}`. {about_key(Contract, key)}"
    return described("contract", "" if owner is Contract else owner.__name__, key)


def described(schema: str, owner: str, key: str) -> str:
    """The description of a key in one of our schemas. ``owner``: the name of a class there; empty for the root."""
    found = _schema(schema)
    classes = found.get("$defs", {})
    part = (classes.get(owner, {}) if owner else found).get("properties", {}).get(key, {})
    of_class = classes.get(part.get("$ref", "").rpartition("/")[2], {})
    return str(part.get("description") or of_class.get("description", ""))


def words_about(hint: Any) -> str:
    """What a value of a type is, for people."""
    if hint is None:
        return ""
    item = item_of(hint)
    kind = reference_of(hint)
    if item is not None and not kind:
        return f"a list: {words_about(item)}" if words_about(item) else "a list"
    if owner_of(hint) is not None and not kind:
        return f"a mapping ({_lower(owner_of(hint))})"
    if names_of(hint) is not None and not kind:
        return "a mapping of names"
    found = []
    literal = [value for one in options(hint) if get_origin(one) is Literal for value in get_args(one)]
    if bool in options(hint) and kind != "compared value":
        found.append("`true` or `false`")
    if literal:
        found.append("one of " + ", ".join(f"`{value}`" for value in literal))
    if kind:
        found.append(_KINDS.get(kind, f"the name of a {kind}"))
    elif str in options(hint):
        found.append("a text")
    if int in options(hint) and kind != "compared value":
        found.append("a whole number")
    if float in options(hint) and kind != "compared value":
        found.append("a number")
    if item is not None and kind:
        found.append("a list of them")
    return " or ".join(found)


def _lower(owner: type[Any] | None) -> str:
    return "field" if owner is Field else owner.__name__.lower() if owner is not None else ""


@lru_cache(maxsize=2)
def _schema(name: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((schemas_folder() / f"{name}.schema.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found
