"""Validating a contract file: its shape by pydantic, its CEL and patterns by their engines, its names against itself.

Only here, for agents' tools and for schemas is pydantic imported; a check with built-in contracts never imports it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import fields as dataclass_fields
from typing import Any, get_origin

from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, SchemaValidator, core_schema

from handoff_lsp.contracts.arguments import arguments_of
from handoff_lsp.contracts.build import completed, patched, with_profile
from handoff_lsp.contracts.changes import idle_removals, new_without_a_type
from handoff_lsp.contracts.defaults import TooMuchAddedError, filled_in
from handoff_lsp.contracts.growth import MAX_TERM, oversized
from handoff_lsp.contracts.impossible import impossible
from handoff_lsp.contracts.model import CHANGEABLE, LANGUAGE, Content, Contract, Field, Profile, Value
from handoff_lsp.contracts.patterns import MAX_ALL_WEIGHTS, PatternError, check_pattern, weight
from handoff_lsp.contracts.problems import MOST_PROBLEMS, KeyPath, did_you_mean, first_problems, kind_of, unknown
from handoff_lsp.contracts.references import hint_at
from handoff_lsp.contracts.resolve import (
    ContractProblem,
    ContractReferences,
    Findings,
    Others,
    placed,
)
from handoff_lsp.contracts.shape import shape_problems
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.text.lazy import lazy_pattern

# Bounds for one profile and for all profiles of a contract: compiling conditions takes time for each of them.
MAX_PARTS = 2_000
MAX_ALL_PARTS = 5_000
# The most keys and values in all profiles, each with what the contract itself has.
MAX_ALL_VALUES = 120_000
MAX_PROFILES = 200
# Values with arguments of one profile, each a pattern of its own, and the arguments of one value.
MAX_WITH_ARGUMENTS = 200
MAX_ARGUMENTS = 10


def _value_schema(cls: Any, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    return _with_short_form(lambda text: {"value": text}, handler(source))


def _content_schema(cls: Any, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
    return _with_short_form(lambda text: {"some": [text]}, handler(source))


def _with_short_form(whole: Callable[[str], Any], schema: Any) -> CoreSchema:
    """The schema of a class in whose place a text may be. Others refer to it by its name, short form included."""
    name = schema.pop("ref", None)
    return core_schema.no_info_before_validator_function(
        lambda given: whole(given) if isinstance(given, str) else given, schema, ref=name
    )


# pydantic asks the class itself how it is validated, and the model knows nothing of pydantic.
Value.__get_pydantic_core_schema__ = classmethod(_value_schema)  # type: ignore[attr-defined]
Content.__get_pydantic_core_schema__ = classmethod(_content_schema)  # type: ignore[attr-defined]
_ADAPTER: TypeAdapter[Contract] = TypeAdapter(Contract)


def _exact(schema: Any) -> Any:
    """Make a schema reject quoted numbers and booleans: to the engine, the text `'false'` is true."""
    stack = [schema]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            if part.get("type") in {"bool", "int", "float"}:
                part["strict"] = True
            if part.get("type") == "float":
                part["allow_inf_nan"] = False
            stack += part.values()
        elif isinstance(part, list | tuple):
            stack += part
    return schema


_VALIDATOR = SchemaValidator(_exact(_ADAPTER.core_schema))
# The form of contract names in comments, in the rules of a config, and on the command line.
_CONTRACT_NAME = lazy_pattern(r"^[\w.-]+\Z")
_NAME = lazy_pattern(r"^[A-Za-z_][A-Za-z0-9_]*$")


def contract_schema() -> dict[str, Any]:
    """The JSON Schema of a contract file, descriptions included."""
    schema = _ADAPTER.json_schema()
    profile = schema["$defs"]["Profile"]
    profile["properties"] |= {key: {"title": key, "description": f"Changes to `{key}`."} for key in CHANGEABLE}
    lists = [key for key in CHANGEABLE if get_origin(hint_at(Contract, (key,))) is list]
    profile["properties"] |= {f"+{key}": {"description": f"Added to `{key}`."} for key in lists}
    profile["additionalProperties"] = False
    for owner, key in (
        *((owner, "values") for owner in ("Field", "Definition")),
        *((form, "holds") for form in ("SectionForm", "RunForm", "FileForm", "Fence")),
    ):
        items = schema["$defs"][owner]["properties"][key]
        items["items"] = {"anyOf": [items["items"], {"type": "string"}]}
    return schema


def check_contract(data: Any, others: Others | None = None) -> list[ContractProblem]:
    """All problems of a contract file's data, those of its shape first; empty if it can be used.

    ``others``: the contracts that it may name as companions; None if they are unknown.
    """
    problems = list(_language(data)) or first_problems(_shape(data))
    if problems:
        return problems
    try:
        return _check_profiles(completed(data), others)
    except TooMuchAddedError as error:
        return [ContractProblem(("defaults",), str(error), True)]


def _check_profiles(data: Any, others: Others | None) -> list[ContractProblem]:
    """The problems of a contract's data of the right shape, in all its profiles."""
    filled = filled_in(data)
    if len(data["profiles"]) > MAX_PROFILES:
        return [ContractProblem(("profiles",), f"more than {MAX_PROFILES} profiles", True)]
    total = values = 0
    found: dict[tuple[Any, ...], ContractProblem] = {}
    patterns = _PatternSum()
    references = ContractReferences(data, others)
    for name in data["profiles"]:
        where: KeyPath = ("profiles", name)
        idle = first_problems(_idle_changes(data, name))
        if idle:
            return first_problems(itertools.chain(found.values(), idle))  # these may follow from those
        left = MAX_ALL_VALUES - values
        too_many = [ContractProblem(where, f"more than {MAX_ALL_VALUES:,} values in all profiles", True)]
        merged = patched(filled, name)
        if _size(merged, left) > left:
            return too_many
        problems = first_problems(_shape_of_profile(filled, merged, name))
        if problems:
            return problems
        values += _size(with_profile(filled, name), left)  # only fields of the right shape can be filled in
        if values > MAX_ALL_VALUES:
            return too_many
        spec = Spec(filled, name)
        parts = sum(1 for _ in spec.walk()) + len(spec.contract.checks) + len(spec.contract.terms)
        total += parts
        if parts > MAX_PARTS or total > MAX_ALL_PARTS:
            message = f"more than {MAX_PARTS:,} fields, checks and terms, or {MAX_ALL_PARTS:,} in all profiles"
            return [ContractProblem(where, message)]
        for problem in first_problems(patterns.judged(_meaning(spec, references, data))):
            found.setdefault((problem.path, problem.part), problem)  # of one place, the first profile's problem
        if len(found) > MOST_PROBLEMS:
            break
    return first_problems(itertools.chain(found.values(), references.unresolved()))


def _idle_changes(data: Any, profile: str) -> Iterator[ContractProblem]:
    """Changes of a profile that have no effect."""
    own = [part.name for part in dataclass_fields(Profile)]
    for key in data["profiles"][profile]:
        if key not in own and key.removeprefix("+") not in CHANGEABLE:
            known = {part.name for part in dataclass_fields(Contract)}
            message = unknown("key", key, (*own, *CHANGEABLE))
            if key in known:
                message = f"a profile cannot change `{key}`, which is needed before the profile is known"
            yield ContractProblem(("profiles", profile, key), message, True)
    where: KeyPath = ("profiles", profile)
    yield from idle_removals(data["profiles"][profile], data, where, CHANGEABLE)
    yield from new_without_a_type(data["profiles"][profile].get("fields"), data["fields"], (*where, "fields"))


def _language(data: Any) -> Iterator[ContractProblem]:
    """The problem of a contract in another version of the language."""
    found = data.get("language") if isinstance(data, dict) else None
    if not isinstance(found, int) or (found == LANGUAGE and not isinstance(found, bool)):
        return
    if isinstance(found, bool):
        message = f"`language` must be an integer, not {kind_of(found)}"
    elif 0 < found < LANGUAGE:
        message = f"language {found} is no longer read; run `handoff-lsp contract migrate`"
    elif found > LANGUAGE:
        message = f"language {found} is newer than this version of handoff-lsp, which reads {LANGUAGE}"
    else:
        message = f"unknown language {found}; the current one is {LANGUAGE}"
    yield ContractProblem(("language",), message)


def _shape(data: Any) -> Iterator[ContractProblem]:
    try:
        _VALIDATOR.validate_python(data)
    except ValidationError as error:
        yield from shape_problems(data, error.errors(include_url=False, include_context=False))


def _shape_of_profile(data: Any, merged: Any, profile: str) -> Iterator[ContractProblem]:
    """The problems of shape with a profile applied. An incomplete new part is a change of a misspelled one."""
    for found in _shape(_changes_in(data, merged)):
        path = placed(data, profile, found.path)
        path = path if path[:1] == ("profiles",) else ("profiles", profile, *found.path)
        problem = found._replace(path=path)
        base = data.get(path[2]) if len(path) > 3 else None
        near = did_you_mean(str(path[3]), base) if isinstance(base, dict) and path[3] not in base else ""
        yield problem._replace(path=path[:4], message=problem.message + near) if near else problem


def _changes_in(data: Any, merged: Any) -> Any:
    """The data with a profile applied, without the parts that are those of the contract: their shape is known."""
    kept: dict[str, Any] = {}
    for key, value in merged.items():
        own = data.get(key)
        if key == "profiles":
            kept[key] = {}
        elif isinstance(value, dict) and isinstance(own, dict) and get_origin(hint_at(Contract, (key,))) is dict:
            kept[key] = {name: part for name, part in value.items() if part is not own.get(name)}
        elif value is not own or not isinstance(value, list | dict):
            kept[key] = value
    return kept


def _size(data: Any, most: int) -> int:
    """How many keys and values data has, without its profiles; one more than the most if there are more."""
    total, stack = 0, [value for key, value in data.items() if key != "profiles"]
    while stack and total <= most:
        value = stack.pop()
        total += 1
        if isinstance(value, dict):
            total += len(value)
            stack += value.values()
        elif isinstance(value, list):
            stack += value
    return min(total, most + 1)


def _meaning(spec: Spec, references: ContractReferences, data: Any) -> Findings:
    contract = spec.contract
    large = oversized(contract.terms)
    if large is not None:
        message = f"too long: more than {MAX_TERM:,} characters with its terms written out"
        yield ContractProblem(placed(data, spec.profile, ("terms", large)), message, True)
        return
    yield from _fields(spec, data)
    yield from _names_twice(spec, data)
    yield from references.problems(spec)
    if not _CONTRACT_NAME.match(contract.contract):
        message = f"`{contract.contract}` cannot be the name of a contract: letters, digits, `-`, `_` and `.` only"
        yield ContractProblem(("contract",), message)
    if not any((contract.detect, contract.section, contract.run, contract.fence, contract.file)):
        message = "no way to recognize a handoff: add `detect`, `section`, `run`, `fence` or `file`"
        yield ContractProblem(("contract",), message)
    yield from impossible(spec, data, references.note)


def _fields(spec: Spec, data: Any) -> Findings:
    """Names that conditions cannot use, enums without values, and arguments of none."""
    with_arguments = 0
    for path, field in spec.walk():
        at = _field_keys(path)
        name = path.rsplit(".", 1)[-1]
        if not _NAME.match(name):
            message = f"`{name}` cannot be used in conditions: letters, digits and _ only"
            yield ContractProblem(placed(data, spec.profile, at), message, True)
        for inner, where in _with_items(field, at):
            if inner.kind.is_choice and not inner.values:
                yield ContractProblem(placed(data, spec.profile, where), "an enum needs `values`", True)
            if inner.kind.has_pattern and not inner.pattern:
                yield ContractProblem(placed(data, spec.profile, where), "`type: pattern` needs `pattern`", True)
            of_values = [arguments_of(value.value) for value in inner.values]
            with_arguments += sum(1 for names in of_values if names)
            if with_arguments > MAX_WITH_ARGUMENTS or any(len(names) > MAX_ARGUMENTS for names in of_values):
                message = f"more than {MAX_WITH_ARGUMENTS} values with arguments, or {MAX_ARGUMENTS} in one"
                yield ContractProblem(placed(data, spec.profile, where), message, True)
                return
            known = set(itertools.chain.from_iterable(of_values))
            for name in inner.fields if inner.kind.is_choice else ():
                if name not in known:
                    message = f"no value of this enum has an argument `{{{name}}}`{did_you_mean(name, known)}"
                    yield ContractProblem(placed(data, spec.profile, (*where, "fields", name)), message, True)


def _names_twice(spec: Spec, data: Any) -> Iterator[ContractProblem]:
    """Names with two meanings in conditions."""
    known = dict.fromkeys(spec.fields, "field")
    for key in ("terms", "counts", "companions"):
        for name in getattr(spec.contract, key):
            if name in known:
                message = f"there already is a {known[name]} `{name}`; a condition could mean either"
                yield ContractProblem(placed(data, spec.profile, (key, name)), message, True)
            known[name] = key[:-1]


def _field_keys(path: str) -> KeyPath:
    return tuple(key for name in path.split(".") for key in ("fields", name))


def _with_items(field: Field, at: KeyPath) -> Iterator[tuple[Field, KeyPath]]:
    """A field and all fields in the items of its lists, with their places."""
    yield field, at
    if field.items is not None:
        stack = [(field.items, (*at, "items"))]
        while stack:
            inner, where = stack.pop()
            yield inner, where
            stack += [(child, (*where, "fields", name)) for name, child in inner.fields.items()]
            stack += [(inner.items, (*where, "items"))] if inner.items is not None else []


class _PatternSum:
    """The patterns of a contract: each is compiled once, and none after too many."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}
        self._weight = 0

    def judged(self, found: Findings) -> Iterator[ContractProblem]:
        """The problems found so far, with each pattern replaced by its problem, if it has one."""
        for one in found:
            if isinstance(one, ContractProblem):
                yield one
                continue
            if one.pattern not in self._reasons:
                self._weight += weight(one.pattern)
                if self._weight > MAX_ALL_WEIGHTS:
                    yield ContractProblem(one.path, "too many patterns, or too large with their repeats written out")
                    return
                self._reasons[one.pattern] = _reason(one.pattern)
            if self._reasons[one.pattern]:
                yield ContractProblem(one.path, f"invalid RE2 pattern: {self._reasons[one.pattern]}")


def _reason(pattern: str) -> str:
    """The reason why RE2 rejects a pattern; empty if it accepts it."""
    try:
        check_pattern(pattern)
    except PatternError as error:
        return str(error)
    return ""
