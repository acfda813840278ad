"""Conditions of a contract as JSON Schemas: comparisons of single values, joined by and, or, not.

A condition applies only if the values that it needs are there and valid. So each schema here accepts a handoff only if
the condition is certainly true (or certainly false), and a condition that a schema cannot express has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handoff_lsp.contracts.cel_tree import CelNode
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.stated import Test, tests_in
from handoff_lsp.writing.schemas.parts import Schema, absences, either, has_arguments, key_of

_OPPOSITES = {"one_of": "none_of", "none_of": "one_of"}
# What nothing matches.
NEVER: Schema = {"not": {}}
_SIZES = {
    ("_==_", 0): False,
    ("_<_", 1): False,
    ("_<=_", 0): False,
    ("_>_", 0): True,
    ("_>=_", 1): True,
    ("_!=_", 0): True,
}


class Comparisons:
    """The conditions of a contract's profile as schemas of a handoff in JSON."""

    def __init__(self, spec: Spec) -> None:
        self._spec = spec

    def schema(self, condition: str, outcome: bool = True) -> Schema | None:
        """The schema of the handoffs for which a condition has an outcome; None if a schema cannot express it."""
        return self._node(self._spec.conditions.tree(condition), outcome) if condition else None

    def _node(self, node: CelNode, outcome: bool) -> Schema | None:
        if node.kind == "constant" and node.text in {"true", "false"}:
            return {} if (node.text == "true") is outcome else NEVER
        if node.kind == "call" and node.text == "!_":
            return self._node(node.parts[0], not outcome)
        if node.kind == "call" and node.text in {"_&&_", "_||_"}:
            parts = [self._node(part, outcome) for part in _chain(node, node.text)]
            return _all(parts) if (node.text == "_&&_") is outcome else _any(parts)
        if node.kind == "call" and node.text == "has":
            return self._present(node.parts[0].path, outcome)
        size = self._size(node, outcome)
        if size is not None:
            return size
        tests = tests_in(node)
        return self._test(tests[0], outcome) if len(tests) == 1 else None

    def _test(self, test: Test, outcome: bool) -> Schema | None:
        terms = self._spec.conditions.terms
        if test.path in terms:
            if test.relation != "one_of" or test.operand not in {(True,), (False,)}:
                return None
            return self._node(self._spec.conditions.tree(terms[test.path]), outcome is test.operand[0])
        field = self._spec.field(test.path)
        if field is None:
            return None
        value = _compared(field, test, outcome)
        return self.at(test.path, value) if value is not None else None

    def _present(self, path: str, outcome: bool) -> Schema | None:
        field = self._spec.field(path)
        if field is None:
            return None
        present = self.at(path, {"not": either([{"const": None}, *absences(field)])})
        return present if outcome or present is None else {"not": present}

    def _size(self, node: CelNode, outcome: bool) -> Schema | None:
        """Whether there are items: `size(list) == 0`, `list == []`."""
        if node.kind != "call" or len(node.parts) != 2:
            return None
        counted, other = node.parts
        if node.text in {"_==_", "_!=_"} and other.kind == "list" and not other.parts:
            path, filled = counted.path, node.text == "_!=_"
        elif counted.kind == "call" and counted.text == "size" and counted.parts and other.kind == "constant":
            path = counted.parts[0].path
            if not other.text.isdigit() or (node.text, int(other.text)) not in _SIZES:
                return None
            filled = _SIZES[node.text, int(other.text)]
        else:
            return None
        field = self._spec.field(path)
        if field is None or field.kind.json != "array":
            return None
        return self.at(
            path, {"type": "array", "minItems": 1} if filled is outcome else {"type": "array", "maxItems": 0}
        )

    def at(self, path: str, value: Schema) -> Schema | None:
        """The schema of the handoffs with a value at a path; None for a path that no field has."""
        field = self._spec.field(path)
        if field is None:
            return None
        above, _, name = path.rpartition(".")
        keys = [key_of(name, field), *field.aliases]
        made = either([{"required": [key], "properties": {key: value}} for key in keys])
        return self.at(above, {"type": "object", **made}) if above else made


def _chain(node: CelNode, operator: str) -> list[CelNode]:
    """The operands of a chain of one operator."""
    if node.kind != "call" or node.text != operator:
        return [node]
    return [part for side in node.parts for part in _chain(side, operator)]


def _all(parts: Sequence[Schema | None]) -> Schema | None:
    known = [part for part in parts if part is not None and part != {}]
    if len(known) < len(parts) and None in parts:
        return None
    return {} if not known else known[0] if len(known) == 1 else {"allOf": known}


def _any(parts: Sequence[Schema | None]) -> Schema | None:
    """One of the alternatives, as far as they can be expressed: fewer handoffs match, never other ones."""
    known = [part for part in parts if part is not None and part != NEVER]
    return either(known) if known else NEVER if None not in parts else None


def _compared(field: Field, test: Test, outcome: bool) -> Schema | None:
    """The schema of a single value that certainly passes a test, or certainly fails it."""
    if test.relation in {"at_least", "at_most"}:
        if not isinstance(test.operand, int | float):
            return None
        keyword = {
            ("at_least", True): "minimum",
            ("at_least", False): "exclusiveMaximum",
            ("at_most", True): "maximum",
            ("at_most", False): "exclusiveMinimum",
        }[test.relation, outcome]
        return {"type": "number", keyword: test.operand}
    if test.relation not in _OPPOSITES or (field.kind.has_pattern and field.has_groups):
        return None
    if (test.relation == "one_of") is outcome:
        values = [value for value in test.operand if value is not None and value not in field.absent_when]
        return _constants(values) if values else None
    return _other(field, test.operand)


def _constants(values: Sequence[Any]) -> Schema:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}


def _other(field: Field, operand: tuple[Any, ...]) -> Schema | None:
    """A valid value of a field that is none of some values."""
    if field.kind.is_choice and not field.open and not has_arguments(field.values):
        rest = [value.value for value in field.values if value.value not in operand]
        return _constants(rest) if rest else NEVER
    kind = "integer" if field.kind.is_count else field.kind.json
    if kind is None or field.kind.is_choice:
        return None
    absent = [*absences(field), {"const": None}, _constants(operand)]
    return {"type": kind, "not": either(absent)}
