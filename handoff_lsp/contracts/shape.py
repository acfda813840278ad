"""pydantic's errors in the words of the contract language: which key, what it must be, what was meant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date
from typing import Any, Literal, get_args, get_origin

from handoff_lsp.contracts import model
from handoff_lsp.contracts.problems import KeyPath, kind_of, leads_on, unknown
from handoff_lsp.contracts.references import hint_at, options
from handoff_lsp.contracts.resolve import ContractProblem
from handoff_lsp.text.lazy import lazy_pattern

# Keys of JSON Schema and of other languages, with the way to say the same here; "" means every class.
_HABITS: Mapping[str, Mapping[str, str]] = {
    "Field": {
        **dict.fromkeys(
            ("enum", "const", "choices", "options", "oneOf", "anyOf"), "`values` lists what an enum may be"
        ),
        **dict.fromkeys(("min", "at_least", "exclusiveMinimum"), "use `minimum`"),
        **dict.fromkeys(("max", "at_most", "exclusiveMaximum"), "use `maximum`"),
        **dict.fromkeys(("minItems", "min_items"), "use `minimum`: of a list the fewest items"),
        **dict.fromkeys(("maxItems", "max_items"), "use `maximum`: of a list the most items"),
        **dict.fromkeys(("minLength", "min_length"), "use `minimum`: of a text the fewest characters"),
        **dict.fromkeys(("maxLength", "max_length"), "use `maximum`: of a text the most characters"),
        **dict.fromkeys(("dependencies", "if", "then"), "write a check"),
        "uniqueItems": "use `unique`",
        **dict.fromkeys(("default", "placeholder"), "use `fillable`"),
        **dict.fromkeys(("name", "label", "heading", "key"), "use `title`"),
        **dict.fromkeys(("format", "regex"), "use `type` or `pattern`"),
        **dict.fromkeys(("properties", "children"), "use `fields`"),
        **dict.fromkeys(("optional", "mandatory"), "use `required`"),
        "additionalProperties": "use `closed: true`",
        "examples": "use `example`",
        "nullable": "use `absent_when`",
    },
    "Contract": {
        **dict.fromkeys(("name", "id"), "use `contract`"),
        **dict.fromkeys(("version", "versions"), "use `profiles`"),
        **dict.fromkeys(("rules", "validations"), "use `checks`"),
        **dict.fromkeys(("properties", "sections"), "use `fields`"),
        **dict.fromkeys(("routes", "actions"), "use `routing`"),
        "markers": "use `detect: {signs: […]}`",
    },
    "Detect": {"markers": "use `signs`"},
    "Sign": {
        **dict.fromkeys(("section", "front_matter", "key", "labels"), "use `has`"),
        "matches": "use `value: {KEY: PATTERN}`",
    },
    "Content": {
        **dict.fromkeys(("holds", "shape", "known", "any_of", "anyOf"), "use `some`"),
        **dict.fromkeys(("required", "all_of", "allOf"), "use `needs`"),
        "says": "use `value`",
    },
    **dict.fromkeys(
        ("SectionForm", "FileForm"),
        dict.fromkeys(("needs", "some", "enough", "telling", "says", "known"), "it is in a way of `holds`"),
    ),
    "RunForm": {
        **dict.fromkeys(("needs", "some", "enough", "telling", "says"), "it is in a way of `holds`"),
        **dict.fromkeys(("first_line", "begins", "start"), "use `opening`"),
        **dict.fromkeys(("last_line", "ends", "end"), "use `closing`"),
        "comment": "use `opening: <!-- WORD`",
    },
    "Companion": {"path": "use `where`"},
    "Setting": {"type": "its `default` decides: `false`, a text or a list"},
    "Fence": {
        **dict.fromkeys(("needs", "some", "enough", "shape", "says"), "it is in a way of `holds`"),
        **dict.fromkeys(("tag", "shaped_tags", "legacy_tags", "shape_taken"), "use `tags: {TAG: ROLE}`"),
        **dict.fromkeys(("by_line", "bare", "any_case", "at_start", "last", "info"), "use `reader: [WAY]`"),
    },
    "Check": {
        **dict.fromkeys(("if", "condition"), "use `when`"),
        **dict.fromkeys(("test", "assert", "expr", "expression", "must"), "use `check`"),
        **dict.fromkeys(("path", "field", "target"), "use `at`"),
        **dict.fromkeys(("text", "title"), "use `message`"),
        **dict.fromkeys(("code", "id"), "use `rule`"),
        "fix": "use `correct`",
        "level": "use `severity`",
    },
    "Value": {"name": "use `value`", "aliases": "use `instead_of`", "label": "use `value`"},
    "Route": {
        **dict.fromkeys(("if", "condition"), "use `when`"),
        **dict.fromkeys(("then", "do"), "use `action`"),
        "because": "use `reason`",
    },
    "": {
        **dict.fromkeys(("description", "desc", "doc", "$comment"), "use `about`"),
        "reason": "use `because`",
        "regex": "use `pattern`",
    },
}


# The booleans of YAML, and its numbers.
_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off"})
_NUMBER = lazy_pattern(r"[+-]?\d+(?:\.\d+)?")
# The classes that a text alone may replace.
_SHORT = (model.Value, model.Content)


_OF_KEYS = frozenset({"missing", "unexpected_keyword_argument", "extra_forbidden"})


def shape_problems(data: Any, errors: Sequence[Any]) -> Iterator[ContractProblem]:
    """The problems that pydantic found in a contract's data, each once."""
    seen: set[KeyPath] = set()
    paths = [_path_in(data, error["loc"], missing=False) for error in errors]
    above = {path[:length] for path in paths for length in range(len(path))}
    for error in errors:
        if error["loc"][-1:] == ("[key]",):
            path = (*_path_in(data, error["loc"][:-2], missing=False), str(error["input"]))
            names = _literal_keys(hint_at(model.Contract, path[:-1]))
            if names and isinstance(error["input"], str):
                yield ContractProblem(path, unknown("key", error["input"], names), True)
                continue
            yield ContractProblem(
                path, f"a key must be a string, not {kind_of(error['input'])}: put it in quotes", True
            )
            continue
        path = _path_in(data, error["loc"], missing=error["type"] == "missing")
        # Each type of a union has an error of its own; that of a type that is meant is in the value.
        if path in seen or (path in above and error["type"] not in _OF_KEYS):
            continue
        seen.add(path)
        if error["type"] == "missing" and _has_old_keys(data, path[:-1]):
            continue  # they say what is missing in another way
        if error["type"] == "missing":
            yield ContractProblem(path[:-1], f"`{path[-1]}` is missing{_of(path[:-1])}", True)
        elif error["type"] in _OF_KEYS:
            yield ContractProblem(path, _unknown_key(data, path), True)
        elif (
            old := next((path[:end] for end in range(1, len(path) + 1) if _is_old(data, path[:end])), None)
        ) is not None:
            yield ContractProblem(old, _old(old), True)
        else:
            yield ContractProblem(path, _wrong(path, _value(data, path), error["msg"]))


def _is_old(data: Any, path: KeyPath) -> bool:
    from handoff_lsp.contracts.language1 import has_changed

    return has_changed(path, _value(data, path))


def _old(path: KeyPath) -> str:
    return f"`{path[-1]}` is a key of language 1; run `handoff-lsp contract migrate`"


def _has_old_keys(data: Any, path: KeyPath) -> bool:
    owner = _value(data, path)
    return isinstance(owner, dict) and any(_is_old(data, (*path, key)) for key in owner)


def _literal_keys(hint: Any) -> tuple[str, ...]:
    """The keys that a mapping may have, if the language has them."""
    keys = (get_args(one)[0] for one in options(hint) if get_origin(one) is dict) if hint is not None else ()
    return next((get_args(key) for key in keys if get_origin(key) is Literal), ())


def _path_in(data: Any, loc: Sequence[str | int], *, missing: bool) -> KeyPath:
    """A path of pydantic's without the names of types that it has for unions."""
    path: list[str | int] = []
    node: Any = data
    for part in loc:
        if leads_on(node, part):
            node = node[part]
        elif not (missing and part == loc[-1]):
            continue
        path.append(part)
    return tuple(path)


def _of(path: KeyPath) -> str:
    """The place of a missing key, where it has a name."""
    name = next((part for part in reversed(path) if isinstance(part, str)), "")
    return f" in `{name}`" if name else ""


def _unknown_key(data: Any, path: KeyPath) -> str:
    key, owner = str(path[-1]), _class_at(path[:-1])
    if _is_old(data, path):
        return _old(path)
    name = owner.__name__ if owner is not None else ""
    habit = _HABITS.get(name, {}).get(key) or _HABITS[""].get(key)
    known = [each.name for each in fields(owner)] if owner is not None else []
    if habit is not None and key not in known:
        return f"unknown key `{key}`; {habit}"
    return unknown("key", key, known)


def _class_at(path: KeyPath) -> Any:
    return next((one for one in options(hint_at(model.Contract, path)) if is_dataclass(one)), None)


def _value(data: Any, path: KeyPath) -> Any:
    for part in path:
        data = data[part]
    return data


def _wrong(path: KeyPath, value: Any, message: str) -> str:
    hint = hint_at(model.Contract, path)
    kinds = options(hint) if hint is not None else ()
    key = next((part for part in reversed(path) if isinstance(part, str)), "")
    what = f"`{key}`" if key == path[-1] else f"an item of `{key}`"
    literal = next((one for one in kinds if get_origin(one) is Literal), None)
    quoted = isinstance(value, str) and _is_meant(value, kinds)
    if literal is not None and isinstance(value, str) and not quoted:
        return unknown("value", value, get_args(literal), f" of `{key}`")
    wanted = list(dict.fromkeys(filter(None, map(_wanted, kinds))))
    if not wanted:
        return message[:1].lower() + message[1:]
    texts = bool({str, *_SHORT} & set(kinds))
    quotes = ": put it in quotes" if texts and isinstance(value, bool | int | float | date) else ""
    quotes = ": write it without quotes" if quoted else quotes
    return f"{what} must be {' or '.join(wanted)}, not {kind_of(value, 'a mapping')}{quotes}"


def _is_meant(text: str, kinds: Sequence[Any]) -> bool:
    """Whether a text without its quotes would be a boolean or a number, if that is one of the types."""
    if bool in kinds and text.lower() in _BOOLEANS:
        return True
    return bool({int, float} & set(kinds)) and _NUMBER.fullmatch(text) is not None


def _wanted(kind: Any) -> str:
    if kind in _SHORT:
        return "a string or a mapping of keys to values"
    if is_dataclass(kind) or get_origin(kind) is dict:
        return "a mapping of keys to values"
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(f"`{value}`" for value in get_args(kind))
    if get_origin(kind) is list:
        return "a list"
    return {str: "a string", bool: "true or false", int: "an integer", float: "a number"}.get(kind, "")
