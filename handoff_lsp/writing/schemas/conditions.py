"""The conditions of a contract as `if` and `then`, as far as they compare values.

A condition that a schema cannot express, and one whose finding is no error, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from handoff_lsp.contracts.model import Check, Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.writing.schemas.comparisons import NEVER, Comparisons
from handoff_lsp.writing.schemas.parts import Schema, absences, either, key_of

_EMPTY: tuple[Schema, ...] = ({"const": ""}, {"const": []}, {"const": {}})


def conditions_of(spec: Spec, *, in_yaml: bool) -> Iterator[Schema]:
    """The conditions of a profile; those with the same `if` are one."""
    same: dict[str, list[Schema]] = {}
    for one in _Conditions(spec, in_yaml).all():
        same.setdefault(json.dumps(one.get("if", one)), []).append(one)
    for ones in same.values():
        thens = [one["then"] for one in ones if "then" in one]
        yield ones[0] if len(thens) < 2 else {"if": ones[0]["if"], "then": {"allOf": thens}}


def is_missed(spec: Spec, path: str, field: Field) -> bool:
    """Whether it is an error that a required field is missing."""
    is_section = field.carriers[:1] == ["section"]
    rule = "missing-section" if is_section else "missing-field"
    if path == spec.status:
        rule = "missing-status"
    elif isinstance(field.required, str):
        rule = "missing-conditional-field"
    return field.severity.get(rule, "error") == "error"


class _Conditions:
    def __init__(self, spec: Spec, in_yaml: bool) -> None:
        self._spec, self._in_yaml = spec, in_yaml
        self._comparisons = Comparisons(spec)

    def all(self) -> Iterator[Schema]:
        """The conditions that a schema can express, each as `if` and `then`."""
        for path, field in self._spec.walk():
            yield from self._of_field(path, field)
        for check in self._spec.contract.checks.values():
            if check.severity == "error" and "[" not in check.at:
                yield from self._of_check(check)

    def _of_field(self, path: str, field: Field) -> Iterator[Schema]:
        if isinstance(field.required, str) and is_missed(self._spec, path, field):
            when = self._comparisons.schema(field.required)
            if when is not None:
                yield {"if": when, "then": self._inside(path, self._filled(path, field))}
        if field.forbidden and field.severity.get("unexpected-field", "error") == "error":
            when = self._comparisons.schema(field.forbidden)
            if when is not None:
                key = path.rpartition(".")[2]
                empty: Schema = {"enum": [None, "", [], {}, *(one for one in field.absent_when if one != " ")]}
                yield {"if": when, "then": self._inside(path, {"properties": {key_of(key, field): empty}})}

    def _filled(self, path: str, field: Field) -> Schema:
        """An object that has a field with a value that does not count as absent."""
        absent = [*absences(field), *([{"const": None}] if None in field.absent_when else [])]
        if field.filled is True or field.filled == field.required:
            absent += [one for one in _EMPTY if one not in absent]
        value: Schema = {}
        if field.kind.json is not None and not self._in_yaml and field.severity.get("invalid-type", "error") == "error":
            value["type"] = field.kind.json if None in field.absent_when else [field.kind.json, "null"]
            absent = [one for one in absent if one != {"const": None}]
        value |= {"not": either(absent)} if absent else {}
        name = path.rpartition(".")[2]
        keys = [key_of(name, field), *field.aliases]
        return either([{"required": [key], **({"properties": {key: value}} if value else {})} for key in keys])

    def _inside(self, path: str, made: Schema) -> Schema:
        """A schema of the object that has a field, as a schema of the whole handoff. An absent object passes."""
        above = path.rpartition(".")[0]
        if not above:
            return made
        parent = self._spec.field(above)
        assert parent is not None
        absent = list(absences(parent))
        keys = [key_of(above.rpartition(".")[2], parent), *parent.aliases]
        inner: Schema = {"anyOf": [*absent, made]} if absent else made
        return self._inside(above, {"properties": dict.fromkeys(keys, inner)})

    def _of_check(self, check: Check) -> Iterator[Schema]:
        wrong = self._comparisons.schema(check.check, outcome=False)
        when: Schema | None = self._comparisons.schema(check.when) if check.when else {}
        if wrong is None or when is None or NEVER in (wrong, when):
            return
        then: Schema = NEVER if wrong == {} else {"not": wrong}
        yield {"if": when, "then": then} if when else then
