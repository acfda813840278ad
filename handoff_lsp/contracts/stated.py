"""Conditions that a contract states as data: paths of values, and what must hold of each.

Such a condition is a text like all others: the line of CEL with the same meaning, for what reads lines. It is
evaluated without CEL, to the same outcome.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from handoff_lsp.contracts.patterns import occurs
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

if TYPE_CHECKING:
    from handoff_lsp.contracts.cel_tree import CelNode

# What can hold of a value, by the keys of `Relation`.
PATH_RELATIONS = ("same_as", "count_of", "sum_of", "at_least", "at_most")
PATTERN_RELATIONS = ("matches", "lacks")
RELATIONS = ("one_of", "none_of", *PATTERN_RELATIONS, *PATH_RELATIONS)
_OPPOSITES = {"one_of": "none_of", "none_of": "one_of", "matches": "lacks", "lacks": "matches"}
_PATH = lazy_pattern(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*")
_STEP = lazy_pattern(r"\[[^\]]*\]")
# The name that CEL's `matches` has where it is evaluated.
MATCHED = "matched"
_MISSING = object()


class Test(NamedTuple):
    """A relation of one value: its path, a key of `Relation`, and what that key holds.

    ``operand``: a tuple of values for `one_of` and `none_of`, a tuple of paths for `sum_of`, a path, a pattern or a
    number.
    """

    path: str
    relation: str
    operand: Any

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths in it, its own first."""
        if self.relation not in PATH_RELATIONS:
            return (self.path,)
        others = self.operand if isinstance(self.operand, tuple) else (self.operand,)
        return (self.path, *(other for other in others if isinstance(other, str)))


class Derived(str):
    """A text that the contract's file has not in this form."""

    __slots__ = ()


class Stated(Derived):
    """A condition as data; as a text it is CEL. ``data``: the mapping of the file; None if a check's relation is it."""

    data: Mapping[str, Any] | None
    tests: tuple[Test, ...]
    roots: frozenset[str]

    def __new__(cls, tests: Iterable[Test], data: Mapping[str, Any] | None = None) -> Stated:
        """The condition that all tests hold."""
        found = tuple(tests)
        self = super().__new__(cls, " && ".join(map(_cel, found)))
        self.tests, self.data = found, data
        self.roots = frozenset(path.partition(".")[0] for test in found for path in test.paths)
        return self

    @property
    def paths(self) -> tuple[str, ...]:
        """All paths in it, in order."""
        return tuple(path for test in self.tests for path in test.paths)

    def outcome(self, values: Mapping[str, Any]) -> bool | None:
        """Whether it holds for the values of a document; None if something that it needs has no value."""
        result: bool | None = True
        for test in self.tests:
            one = _outcome(test, values)
            if one is False:
                return False
            result = one if one is None else result
        return result


def tests_in(tree: CelNode) -> tuple[Test, ...]:
    """The tests of which a condition in CEL consists; none where it is more than that."""
    if tree.kind == "call" and tree.text == "_&&_":
        parts = [tests_in(part) for part in tree.parts]
        return tuple(test for part in parts for test in part) if all(parts) else ()
    test = _test(tree)
    return (test,) if test is not None else ()


def _test(node: CelNode) -> Test | None:
    if node.path:
        return Test(node.path, "one_of", (True,))
    if node.kind != "call":
        return None
    if node.text == "!_":
        inner = _test(node.parts[0])
        if inner is None or inner.relation not in _OPPOSITES:
            return None
        if inner.operand == (True,):
            return inner._replace(operand=(False,))
        return inner._replace(relation=_OPPOSITES[inner.relation])
    if len(node.parts) != 2:
        return None
    one, other = node.parts
    if node.text == "@in":
        values = [_constant(part) for part in other.parts] if other.kind == "list" else [_MISSING]
        return Test(one.path, "one_of", tuple(values)) if one.path and _MISSING not in values else None
    if not one.path and node.text in {"_==_", "_!=_"}:
        one, other = other, one
    if not one.path:
        return None
    if node.text == MATCHED and other.kind == "text":
        return Test(one.path, "matches", other.text)
    value = _constant(other)
    match node.text:
        case "_==_" | "_!=_" if value is not _MISSING:
            return Test(one.path, "one_of" if node.text == "_==_" else "none_of", (value,))
        case "_==_" if other.path:
            return Test(one.path, "same_as", other.path)
        case "_==_" if other.kind == "call" and other.text == "size" and other.parts[0].path:
            return Test(one.path, "count_of", other.parts[0].path)
        case "_>=_" | "_<=_" if _is_number(value) or other.path:
            return Test(one.path, "at_least" if node.text == "_>=_" else "at_most", other.path or value)
        case "_>_" | "_<_" if isinstance(value, int) and _is_number(value):
            more = node.text == "_>_"
            return Test(one.path, "at_least" if more else "at_most", value + 1 if more else value - 1)
    return None


def _constant(node: CelNode) -> Any:
    """The value of a constant; ``_MISSING`` for anything else."""
    if node.kind == "text":
        return node.text
    if node.kind != "constant":
        return _MISSING
    words = {"true": True, "false": False, "null": None}
    if node.text in words:
        return words[node.text]
    return float(node.text) if "." in node.text else int(node.text or 0)


def is_path(text: str) -> bool:
    """Whether a text is a path as conditions have it: names with dots."""
    return _PATH.fullmatch(text) is not None


def stated(given: Any) -> Any:
    """A condition from a contract's data: a mapping becomes ``Stated``, anything else stays as it is."""
    return Stated(_tests(given), given) if isinstance(given, dict) else given


def is_relation(condition: str) -> bool:
    """Whether a check's condition is that of its relation."""
    return isinstance(condition, Stated) and condition.data is None


def relation_of(check: Mapping[str, Any]) -> str:
    """The relation in a check's data; empty without one."""
    return next((key for key in RELATIONS if check.get(key) is not None), "")


def related_check(check: Mapping[str, Any], known: frozenset[str], companions: frozenset[str]) -> dict[str, Any]:
    """A check's data with all that its relation says: the condition, and the rule, fields and value left out."""
    made = {**check, "check": stated(check.get("check", ""))}
    relation = relation_of(check)
    made["rule"] = check.get("rule") or ("count-mismatch" if relation in {"count_of", "sum_of"} else "contradiction")
    right = check.get("correct", relation in {"same_as", "count_of", "sum_of"})
    if relation and not made["check"]:
        path = "this" if "[]" in check["at"] else _STEP.sub("", check["at"])
        test = Test(path, relation, _operand(relation, check[relation]))
        made["check"] = Stated([test])
        right = Derived(_right(test)) or right if right is True else right
        if "related" not in check:
            when = stated(check.get("when", ""))
            paths = (*test.paths[1:], *(when.paths if isinstance(when, Stated) else ()))
            others = dict.fromkeys(one for one in paths if one.partition(".")[0] in known | companions)
            made["related"] = [Derived(_place(one, companions)) for one in others if one != check["at"]]
    made["correct"] = right or ""
    return made


def _place(path: str, companions: frozenset[str]) -> str:
    """A path of a condition as `related` has it."""
    first, dot, rest = path.partition(".")
    return f"{first}:{rest}" if first in companions and dot else path


def _right(test: Test) -> str:
    """CEL for the value that a test asks for; empty where several would do."""
    match test.relation:
        case "one_of" if len(test.operand) == 1:
            return _literal(test.operand[0])
        case "same_as":
            return str(test.operand)
        case "count_of":
            return f"size({test.operand})"
        case "sum_of":
            return " + ".join(test.operand)
    return ""


def _tests(given: Mapping[Any, Any]) -> Iterator[Test]:
    for path, asked in given.items():
        for relation, operand in asked.items() if isinstance(asked, dict) else [("one_of", asked)]:
            if operand is not None:
                yield Test(str(path), relation, _operand(relation, operand))


def _operand(relation: str, given: Any) -> Any:
    if relation in {"one_of", "none_of", "sum_of"}:
        return tuple(given) if isinstance(given, list) else (given,)
    return given


# The outcome


def _outcome(test: Test, values: Mapping[str, Any]) -> bool | None:
    value = _value(test.path, values)
    if value is _MISSING:
        return None
    if test.relation in {"one_of", "none_of"}:
        return any(_same(value, one) for one in test.operand) is (test.relation == "one_of")
    if test.relation in PATTERN_RELATIONS:
        if not isinstance(value, str):
            return None
        # RE2 knows UTF-8, which has no lone surrogates.
        return occurs(test.operand, value.encode("utf-8", "replace")) is (test.relation == "matches")
    others = [_value(other, values) if isinstance(other, str) else other for other in _operands(test)]
    if any(other is _MISSING for other in others):
        return None
    if test.relation == "same_as":
        return _same(value, others[0])
    if test.relation == "count_of":
        return _same(value, len(others[0])) if isinstance(others[0], (list, Mapping, str)) else None
    if not all(map(_is_number, others)):
        return None
    if test.relation == "sum_of":
        return _same(value, sum(others))
    if not _is_number(value):
        return None
    return bool(value >= others[0] if test.relation == "at_least" else value <= others[0])


def _operands(test: Test) -> tuple[Any, ...]:
    return test.operand if isinstance(test.operand, tuple) else (test.operand,)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal as CEL has it: 1 and 1.0 are, 1 and true are not."""
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def value_at(path: str, values: Mapping[str, Any]) -> Any:
    """The value at a path of a document's values; None without one."""
    found = _value(path, values)
    return None if found is _MISSING else found


def _value(path: str, values: Mapping[str, Any]) -> Any:
    value: Any = values
    for name in _names(path):
        if not isinstance(value, Mapping) or name not in value:
            return _MISSING
        value = value[name]
    return value


@lru_cache(maxsize=4096)
def _names(path: str) -> tuple[str, ...]:
    return tuple(path.split("."))


# The same in CEL


def _cel(test: Test) -> str:
    match test.relation:
        case "one_of" | "none_of" if len(test.operand) == 1:
            return f"{test.path} {'==' if test.relation == 'one_of' else '!='} {_literal(test.operand[0])}"
        case "one_of" | "none_of":
            listed = f"{test.path} in [{', '.join(map(_literal, test.operand))}]"
            return listed if test.relation == "one_of" else f"!({listed})"
        case "matches" | "lacks":
            return f"{'!' if test.relation == 'lacks' else ''}{test.path}.matches({_literal(test.operand)})"
        case "at_least" | "at_most":
            bound = test.operand if isinstance(test.operand, str) else _literal(test.operand)
            return f"{test.path} {'>=' if test.relation == 'at_least' else '<='} {bound}"
    return f"{test.path} == {_right(test)}"


def _literal(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
        return f"'{escaped}'"
    return str(value)
