"""Validating a contract file: its shape by pydantic, its CEL and patterns by their engines, its names against itself.

The only importer of pydantic besides the config; a check with only built-in contracts never imports it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import TypeAdapter, ValidationError

from handoff_lsp.contracts.build import MERGED, with_profile
from handoff_lsp.contracts.conditions import ConditionError, paths_in, split_message
from handoff_lsp.contracts.growth import MAX_TERM, oversized
from handoff_lsp.contracts.model import Contract, Definition, Field, RunForm
from handoff_lsp.contracts.names import nearest
from handoff_lsp.contracts.patterns import MAX_ALL_WEIGHTS, PatternError, check_pattern, weight
from handoff_lsp.contracts.problems import KeyPath, first_problems
from handoff_lsp.contracts.spec import Spec

# Bounds for one profile and for all profiles of a contract: compiling conditions takes time for each of them.
MAX_PARTS = 2_000
MAX_ALL_PARTS = 5_000

_ADAPTER: TypeAdapter[Contract] = TypeAdapter(Contract)
_NAME = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*$")


class ContractProblem(NamedTuple):
    """A problem of a contract file: its path (keys and indexes from the root) and its message."""

    path: KeyPath
    message: str


class _Pattern(NamedTuple):
    """A pattern of a contract, with its path."""

    path: KeyPath
    pattern: str


_ProblemsAndPatterns = Iterator[ContractProblem | _Pattern]


def contract_schema() -> dict[str, Any]:
    """The JSON Schema of a contract file, descriptions included."""
    return _ADAPTER.json_schema()


def check_contract(data: Any) -> list[ContractProblem]:
    """All problems of a contract file's data, those of its shape first; empty if it can be used."""
    problems = first_problems(_shape(data, ()))
    if problems:
        return problems
    total = 0
    patterns = _PatternSum()
    for name in data["profiles"]:
        where: KeyPath = ("profiles", name)
        problems = first_problems(_idle_removals(data, name))
        if problems:
            return problems
        merged = with_profile(data, name)
        problems = first_problems(_shape(merged, where))
        if problems:
            return problems
        spec = Spec(data, name)
        parts = sum(1 for _ in spec.walk()) + len(spec.contract.checks) + len(spec.contract.terms)
        total += parts
        if parts > MAX_PARTS or total > MAX_ALL_PARTS:
            message = f"more than {MAX_PARTS:,} fields, checks and terms, or {MAX_ALL_PARTS:,} in all profiles"
            return [ContractProblem(where, message)]
        problems = first_problems(patterns.judged(_meaning(spec, where)))
        if problems:
            return problems
    if data["default_profile"] not in data["profiles"]:
        return [
            ContractProblem(("default_profile",), _unknown("profile", data["default_profile"], list(data["profiles"])))
        ]
    return []


def _idle_removals(data: Any, profile: str) -> Iterator[ContractProblem]:
    """Keys that a profile removes although they do not exist: a slip, such as a comma in an unquoted text."""
    patch = data["profiles"][profile]
    stack: list[tuple[KeyPath, Any, Any]] = [
        (("profiles", profile, part), patch[part], data.get(part))
        for part in MERGED
        if isinstance(patch.get(part), dict)
    ]
    while stack:
        path, change, base = stack.pop()
        for key, value in change.items():
            below = base.get(key) if isinstance(base, dict) else None
            if value is None and not (isinstance(base, dict) and key in base):
                yield ContractProblem((*path, key), f"there is no `{key}` to remove here")
            elif isinstance(value, dict):
                stack.append(((*path, key), value, below))


def _shape(data: Any, where: KeyPath) -> Iterator[ContractProblem]:
    try:
        _ADAPTER.validate_python(data)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_context=False):
            path = tuple(
                part for part in detail["loc"] if not (isinstance(part, str) and part.startswith(("bool", "str[")))
            )
            message = detail["msg"]
            if detail["type"] in {"unexpected_keyword_argument", "extra_forbidden"}:
                message = _unknown("key", str(path[-1]), _keys_beside(path))
            yield ContractProblem((*where, *path), message)


def _keys_beside(path: KeyPath) -> list[str]:
    from dataclasses import fields

    owner: Any = Contract
    if "fields" in path[:-1] or "items" in path[:-1]:
        owner = Field
    return [item.name for item in fields(owner)]


def _unknown(what: str, name: str, known: list[str]) -> str:
    near = nearest(name, known, cutoff=0.6)
    return f"unknown {what} `{name}`" + (f"; did you mean `{near}`?" if near else "")


def _meaning(spec: Spec, where: KeyPath) -> _ProblemsAndPatterns:
    contract = spec.contract
    if spec.field(contract.status) is None:
        yield ContractProblem(("status",), f"`{contract.status}` is not a field of profile {spec.profile}")
    yield from _fields(spec, where)
    yield from _checks(spec, where)
    large = oversized(contract.terms)
    if large is not None:
        message = f"with the terms in it written out, this can have more than {MAX_TERM:,} characters"
        yield ContractProblem(("terms", large), message)
        return
    for name, line in contract.terms.items():
        yield from _condition(spec, line, ("terms", name), where)
    for index, route in enumerate(contract.routing):
        yield from _condition(spec, route.when, ("routing", index, "when"), where)
        for literal, part in split_message(route.brief):
            if not literal:
                yield from _condition(spec, part, ("routing", index, "brief"), where)
    for name in contract.unfilled:
        if name not in spec.fields:
            yield ContractProblem(("unfilled",), _unknown("field", name, list(spec.fields)))
    for name, group in contract.groups.items():
        for root in group.fields:
            if root not in spec.fields:
                yield ContractProblem(("groups", name), _unknown("field", root, list(spec.fields)))
    for name, definition in contract.definitions.items():
        yield from _definition(definition, ("definitions", name))
    yield from _overview(spec, where)
    yield from _signs(spec)
    if not any((contract.detect, contract.section, contract.run, contract.fence, contract.file)):
        message = (
            "nothing says how a handoff is recognised: there must be `detect`, `section`, `run`, `fence` or `file`"
        )
        yield ContractProblem(("contract",), message)
    yield from _forms(spec)


def _fields(spec: Spec, where: KeyPath) -> _ProblemsAndPatterns:
    for path, field in spec.walk():
        at: KeyPath = ("fields", *_field_keys(path))
        name = path.rsplit(".", 1)[-1]
        if not _NAME.match(name):
            yield ContractProblem(at, f"`{name}` cannot be used in conditions: letters, digits and _ only")
        for key, line in (("required", field.required), ("filled", field.filled), ("forbidden", field.forbidden)):
            if isinstance(line, str) and line:
                yield from _condition(spec, line, (*at, key), where)
        if field.pattern:
            yield from _pattern(field.pattern, (*at, "pattern"))
        for inner, deeper in _with_items(field, at):
            if inner.refused:
                yield from _pattern(inner.refused, (*deeper, "refused"))
            for index, unwanted in enumerate(inner.unwanted):
                for pattern in filter(None, (unwanted.key, unwanted.value)):
                    yield from _pattern(pattern, (*deeper, "unwanted", index))
        if field.kind.is_choice and not field.values:
            yield ContractProblem((*at, "values"), "an enum needs values")
        if field.names and field.names not in spec.contract.definitions:
            yield ContractProblem((*at, "names"), _unknown("definition", field.names, list(spec.contract.definitions)))
        for inner, deeper in _with_items(field, at):
            for index, pattern in enumerate(inner.naming):
                yield from _naming(pattern, (*deeper, "naming", index))


def _checks(spec: Spec, where: KeyPath) -> _ProblemsAndPatterns:
    for name, check in spec.contract.checks.items():
        for key, line in (("when", check.when), ("check", check.check), ("correct", check.correct)):
            if line:
                yield from _condition(spec, line, ("checks", name, key), where)
        for line in (check.message, *check.upstream):
            for literal, part in split_message(line):
                if not literal:
                    yield from _condition(spec, part, ("checks", name, "message"), where)
        for path in (check.at, *check.related):
            yield from _check_path(spec, name, path, where)


def _signs(spec: Spec) -> _ProblemsAndPatterns:
    """The patterns that recognise documents and profiles."""
    contract = spec.contract
    markers = [("signs", index, marker) for index, marker in enumerate(contract.signs)]
    markers += [("examples", index, marker) for index, marker in enumerate(contract.examples)]
    markers += [("templates", index, marker) for index, marker in enumerate(contract.templates)]
    markers += [
        ("detect", index, marker) for index, marker in enumerate(contract.detect.markers if contract.detect else [])
    ]
    for part, index, marker in markers:
        for pattern in (marker.path, marker.title, marker.text):
            if pattern:
                yield from _pattern(pattern, (part, "markers", index) if part == "detect" else (part, index))
    for name, prose in contract.prose.items():
        at: KeyPath = ("prose", name)
        if prose.section:
            yield from _pattern(prose.section, (*at, "section"))
        for index, marker in enumerate(prose.detect.markers):
            for pattern in filter(None, (marker.path, marker.title, marker.text)):
                yield from _pattern(pattern, (*at, "detect", "markers", index))
            if not (marker.path or marker.title or marker.text):
                yield ContractProblem(
                    (*at, "detect", "markers", index), "such a document has no fields: `path`, `title` or `text`"
                )
    for index, piece in enumerate(contract.profiles[spec.profile].evidence):
        for pattern in filter(None, (piece.path, piece.title, *piece.value.values())):
            yield from _pattern(pattern, ("profiles", spec.profile, "evidence", index))


def _overview(spec: Spec, where: KeyPath) -> _ProblemsAndPatterns:
    """The data of one handoff in the list of all handoffs."""
    overview = spec.contract.overview
    for key, lines in (("agent", overview.agent), ("changed", overview.changed)):
        for index, line in enumerate(lines):
            yield from _condition(spec, line, ("overview", key, index), where)
    for index, pattern in enumerate(overview.agent_in_title):
        yield from _naming(pattern, ("overview", "agent_in_title", index))
    for index, path in enumerate(overview.open_questions):
        at: KeyPath = ("overview", "open_questions", index)
        found = spec.field(path)
        if found is None:
            if spec.profile == spec.contract.default_profile:  # another profile may lack it
                yield ContractProblem(at, f"`{path}` is not a field of profile {spec.profile}")
        elif not found.kind.holds_items and not found.kind.is_count:
            yield ContractProblem(at, f"`{path}` cannot be counted: it must be a list or an integer")


_INDEX = re.compile(r"\[[^\]]*\]")


def _check_path(spec: Spec, check: str, path: str, where: KeyPath) -> _ProblemsAndPatterns:
    """A path of a check: known, and the CEL in its brackets right. One into a companion is looked up there."""
    at: KeyPath = ("checks", check, "at")
    for index in _INDEX.findall(path):
        for literal, part in split_message(index[1:-1]):
            if not literal:
                yield from _condition(spec, part, at, where)
    companion, colon, inner = path.rpartition(":")
    if colon and companion not in spec.contract.companions:
        yield ContractProblem(at, _unknown("companion", companion, list(spec.contract.companions)))
    elif not colon and not _known_path(spec, _INDEX.sub("", inner)):
        yield ContractProblem(at, f"`{path}` is not a field of profile {spec.profile}")


def _forms(spec: Spec) -> _ProblemsAndPatterns:
    """The root fields and patterns that the forms of a handoff mention."""
    contract = spec.contract
    for part, form in (("section", contract.section), ("run", contract.run)):
        if form is not None:
            named = [*form.holds, *form.needs, *form.telling]
            if isinstance(form, RunForm):
                named += filter(None, (form.opening, form.closing))
            for name in named:
                if spec.field(name) is None and spec.profile == contract.default_profile:
                    yield ContractProblem((part,), _unknown("field", name, list(spec.fields)))
    if contract.section is not None:
        yield from _pattern(contract.section.title, ("section", "title"))
    if contract.file is not None:
        yield from _pattern(contract.file.path, ("file", "path"))
    if contract.fence is not None:
        for key, pattern in contract.fence.says.items():
            yield from _pattern(pattern, ("fence", "says", key))
        yield from _pattern(contract.fence.home, ("fence", "home"))
        if isinstance(contract.fence.at_end, str):
            yield from _condition(spec, contract.fence.at_end, ("fence", "at_end"), ("fence", "at_end"))
        for name in contract.fence.once:
            if name not in spec.fields:
                yield ContractProblem(("fence", "once"), _unknown("field", name, list(spec.fields)))
    for name, count in contract.counts.items():
        yield from _pattern(count.pattern, ("counts", name, "pattern"))


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


def _field_keys(path: str) -> KeyPath:
    keys: list[str] = []
    for name in path.split("."):
        keys += ["fields", name]
    return tuple(keys[1:])


def _pattern(pattern: str, at: KeyPath) -> _ProblemsAndPatterns:
    yield _Pattern(at, pattern)


class _PatternSum:
    """The patterns of a contract: each is compiled once, and none after too many."""

    def __init__(self) -> None:
        self._reasons: dict[str, str] = {}
        self._weight = 0

    def judged(self, found: _ProblemsAndPatterns) -> Iterator[ContractProblem]:
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
                yield ContractProblem(one.path, f"not a pattern that RE2 takes: {self._reasons[one.pattern]}")


def _reason(pattern: str) -> str:
    """The reason why RE2 rejects a pattern; empty if it accepts it."""
    try:
        check_pattern(pattern)
    except PatternError as error:
        return str(error)
    return ""


def _definition(definition: Definition, at: KeyPath) -> _ProblemsAndPatterns:
    if definition.pattern:
        yield from _pattern(definition.pattern, (*at, "pattern"))
    for key in ("written", "occurs", "in_paths"):
        for index, pattern in enumerate(getattr(definition, key)):
            yield from _naming(pattern, (*at, key, index))


def _naming(pattern: str, at: KeyPath) -> _ProblemsAndPatterns:
    """A pattern by which names are found."""
    yield from _pattern(pattern, at)
    if "(?P<name>" not in pattern:
        yield ContractProblem(at, "the pattern has no group `(?P<name>…)` for the name")


def _condition(spec: Spec, line: str, at: KeyPath, where: KeyPath) -> _ProblemsAndPatterns:
    try:
        spec.conditions.compile(line)
    except ConditionError as error:
        yield ContractProblem(
            at, f"not a condition ({where[-1]}): {error.message} at column {error.column + 1} of `{line}`"
        )
        return
    for pattern in spec.conditions.patterns_in(line):
        yield from _pattern(pattern, at)
    # CEL's types end at the root names; the names below are checked here.
    for path in paths_in(line):
        chain = path.split(".")
        if chain[0] == "settings":
            if len(chain) > 1 and chain[1] not in spec.contract.settings:
                yield ContractProblem(at, _unknown("setting", chain[1], list(spec.contract.settings)))
        elif chain[0] in spec.fields and not _known_path(spec, path):
            yield ContractProblem(at, f"`{path}` is not a field of profile {spec.profile}")


def _known_path(spec: Spec, path: str) -> bool:
    names = path.split(".")
    fields = spec.fields
    for index, name in enumerate(names):
        field = fields.get(name)
        if field is None:
            # Undeclared members of an object or list may have any type.
            return index > 0 and _is_open(spec.field(".".join(names[:index])), name)
        fields = field.fields or (field.items.fields if field.items else {})
    return True


def _is_open(field: Field | None, name: str) -> bool:
    if field is None:
        return False
    if field.kind.has_pattern:
        return f"(?P<{name}>" in field.pattern
    return field.kind.untyped and not field.fields
