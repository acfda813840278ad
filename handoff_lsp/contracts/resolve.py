"""Resolving the references of a contract, kind by kind, with the nearest name where one leads nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, islice
from typing import Any

from handoff_lsp.contracts.build import FIRST_COUNTS
from handoff_lsp.contracts.cel_errors import cel_words
from handoff_lsp.contracts.cel_functions import FUNCTIONS
from handoff_lsp.contracts.cel_shapes import (
    Columns,
    Shape,
    Shapes,
    Wrong,
    item_of,
    members_of,
    of_log,
    values_of,
)
from handoff_lsp.contracts.cel_tree import CelNode
from handoff_lsp.contracts.conditions import ConditionError
from handoff_lsp.contracts.growth import STRING
from handoff_lsp.contracts.lines import names_in
from handoff_lsp.contracts.model import CHANGEABLE, Check, Field, Sign, Value, is_name
from handoff_lsp.contracts.names import key_name
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.problems import MOST_COMPARED, KeyPath, did_you_mean, kind_of, leads_on, unknown
from handoff_lsp.contracts.references import Found, references, texts_of
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.rule_codes import CHECK_RULES, RULES
from handoff_lsp.contracts.spec import OFFERED, Spec
from handoff_lsp.contracts.stated import PATTERN_RELATIONS, RELATIONS, Stated, is_path
from handoff_lsp.syntax.limits import MAX_DEPTH
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple


class ContractProblem(NamedTuple):
    """A problem of a contract file: its path (keys and indexes from the root) and its message.

    ``is_key``: it is the last key of the path, not its value. ``part``: its range in the value, if that is a text.
    ``is_idle``: the key has no effect, which is no problem of a contract that only inherits it.
    """

    path: KeyPath
    message: str
    is_key: bool = False
    part: tuple[int, int] | None = None
    is_idle: bool = False


class PatternFound(NamedTuple):
    """A pattern of a contract, with its path."""

    path: KeyPath
    pattern: str


Findings = Iterator[ContractProblem | PatternFound]
# All contracts by name; None for one that is known by its name alone.
Others = Mapping[str, ContractEntry | None]

_ITEM_NAMES = frozenset({"this", "previous", "holder"})
# CEL's words for a member of a text, as of an enum that has no such argument, and what is around its dot.
_OF_A_TEXT = "cannot be the operand of a select"
_BEFORE_DOT = lazy_pattern(r"[A-Za-z_][\w.]*\Z")
_BEHIND_DOT = lazy_pattern(r"\.[A-Za-z_]\w*")
_LOOP_NAME = lazy_pattern(r"\.\s*(?:all|exists|exists_one|map|filter)\s*\(\s*(\w+)")
_UNDECLARED = lazy_pattern(r"undeclared reference to '([^']*)'")
_FUNCTIONS = (
    *("size", "has", "matches", "contains", "startsWith", "endsWith", "timestamp", "duration", "int", "double"),
    *("string", "bool", "type", "all", "exists", "exists_one", "map", "filter"),
    *FUNCTIONS,
)
_TYPES = ("string", "int", "double", "bool", "list", "map", "timestamp", "duration", "null_type")
_HOLE = lazy_pattern(r"\{([^{}]*)\}")
_STEP = lazy_pattern(r"\[([^\]]*)\]")
_DOT = lazy_pattern(r"\.")
_FRONT_MATTER_KEY = lazy_pattern(r"front_matter\.[^.]")
_ANY_KEY = "; a key of the front matter that is no field is `front_matter.KEY`"
# What people write in conditions, and what they mean.
_HABITS = {
    **dict.fromkeys(("always", "yes", "True", "TRUE", "mandatory", "required"), "true"),
    **dict.fromkeys(("never", "no", "False", "FALSE", "optional"), "false"),
    **dict.fromkeys(("None", "nil", "undefined"), "null"),
    **dict.fromkeys(("len", "length", "count"), "size(…)"),
}
_OPERATORS = {"and": "&&", "or": "||", "not": "!", "===": "==", "!==": "!=", "<>": "!=", "=": "=="}
_OPERATOR = lazy_pattern(r"(?<![\w.])(?:and|or|not)(?![\w(.])|===|!==|<>|(?<![=!<>])=(?!=)")
_NO_CONDITION = {"STRING": "a string", "INT": "a number", "DOUBLE": "a number", "UINT": "a number"}
_LINE, _NUMBER = Field(type="line"), Field(type="integer")
_DOCUMENT = Field(type="object", fields={"name": _LINE, "title": _LINE, "head": _LINE})
# The most characters of CEL in all profiles of a contract, as compiling takes time; each line costs as much as more.
MAX_CEL = 500_000
_LINE_COST = 60
# How many values of an enum a message names.
_MOST_NAMED = 6


def placed(data: Any, profile: str, path: KeyPath) -> KeyPath:
    """The place of a path of a merged contract in the contract's file: in the profile if that changes it."""
    if not path or path[0] not in CHANGEABLE:
        return path
    own: KeyPath = ("profiles", profile)
    node, base = data["profiles"][profile], data
    for step, part in enumerate(path):
        added = f"+{part}"
        if leads_on(node, added) and leads_on(base, part) and len(path) > step + 1:
            return _in_added(path, step, (*own, added), len(node[added]), len(base[part]))
        if not leads_on(node, part):
            return path
        own = (*own, part)
        node, base = node[part], base[part] if leads_on(base, part) else None
    return own


def _in_added(path: KeyPath, step: int, own: KeyPath, added: int, before: int) -> KeyPath:
    """The place of an item of a list that a profile adds to. ``own``: where the profile's own items are."""
    index = path[step + 1]
    assert isinstance(index, int)
    first = path[step] in FIRST_COUNTS
    at = index if first else index - before
    if 0 <= at < added:
        return (*own, at, *path[step + 2 :])
    return (*path[: step + 1], index - added if first else index, *path[step + 2 :])


class ContractReferences:
    """Resolves the references of a contract in each of its profiles.

    A name of which one profile is enough is a problem only if no profile has it: ``unresolved`` yields these.
    """

    def __init__(self, data: Any, others: Others | None = None) -> None:
        self._data = data
        self._others = others
        self._trees: dict[str, CelNode] = {}
        self._companions: dict[str, Shape] = {}
        self._bad: dict[tuple[Any, ...], Callable[[], ContractProblem]] = {}
        self._good: set[tuple[Any, ...]] = set()
        self._specs: list[Spec] = []
        self._cel = 0  # the characters of CEL so far
        self._kinds: dict[str, Callable[[Found, Spec], Findings]] = {
            "condition": self._condition,
            "expression": self._expression,
            "message": self._message,
            "pattern": self._pattern,
            "name pattern": self._name_pattern,
            "field": self._field,
            "field of some profile": self._some_field,
            "counted field": self._counted,
            "root field": self._root_field,
            "root field of some profile": self._some_root_field,
            "marked path": self._marked,
            "present key": self._present_key,
            "content key": self._content_key,
            "run edge": self._run_edge,
            "title": self._title,
            "own value": self._own_value,
            "own word": self._own_word,
            "status value": self._status_value,
            "check's rule": self._check_rule,
            "rule": self._rule,
            "definition": self._definition,
            "profile": self._profile,
            "contract": self._contract,
            "value path": self._value_path,
            "compared value": self._compared_value,
        }

    def problems(self, spec: Spec) -> Findings:
        """The references of one profile that lead nowhere, and all its patterns."""
        self._specs.append(spec)
        self._names = self._root_shapes(spec)
        self._unset = _ITEM_NAMES - self._names.keys()
        yield from self._terms(spec)
        self._unset = _ITEM_NAMES - self._names.keys()
        self._titles = dict.fromkeys(title for _, field in spec.walk() for title in (field.title, *field.aliases))
        for found in references(spec.contract, leave=frozenset({"profiles", "terms"})):
            if self._cel > MAX_CEL:
                message = f"more than {MAX_CEL:,} characters of conditions and messages in all profiles"
                yield ContractProblem(placed(self._data, spec.profile, found.path), message)
                return
            yield from self._kinds[found.kind](found._replace(path=placed(self._data, spec.profile, found.path)), spec)
        for index, piece in enumerate(spec.contract.profiles[spec.profile].evidence):
            for found in references(piece, ("profiles", spec.profile, "evidence", index)):
                yield from self._kinds[found.kind](found, spec)

    def unresolved(self) -> Iterator[ContractProblem]:
        """The problems that no profile solves, once all profiles are resolved."""
        return (problem() for key, problem in self._bad.items() if key not in self._good)

    def note(self, key: tuple[Any, ...], problem: Callable[[], ContractProblem] | None) -> None:
        """Record a problem of one profile, or that this profile does not have it. Its message is made if needed."""
        if problem is None:
            self._good.add(key)
        else:
            self._bad.setdefault(key, problem)

    # Names

    def _not_a_field(self, path: str, spec: Spec, known: Iterable[str]) -> str:
        return f"`{path}` is not a field of profile {spec.profile}{did_you_mean(path, known)}"

    def _field(self, found: Found, spec: Spec) -> Findings:
        if spec.field(found.text) is None:
            yield _problem(found, self._not_a_field(found.text, spec, _paths(spec)))

    def _some_field(self, found: Found, spec: Spec) -> Findings:
        wrong = spec.field(found.text) is None
        self._note_at(found, (lambda: unknown("field", found.text, self._every_path())) if wrong else None)
        yield from ()

    def _every_path(self) -> Iterable[str]:
        """The paths of the fields of all profiles, each once."""
        return dict.fromkeys(path for spec in self._specs for path in _paths(spec))

    def _counted(self, found: Found, spec: Spec) -> Findings:
        field = spec.field(found.text)
        if field is not None and not field.kind.holds_items and not field.kind.is_count:
            yield _problem(found, f"`{found.text}` cannot be counted: it must be a list or an integer")
        known = field is not None
        self._note_at(found, None if known else lambda: self._not_a_field(found.text, spec, _paths(spec)))

    def _root_field(self, found: Found, spec: Spec) -> Findings:
        if found.text not in spec.fields:
            yield _problem(found, unknown("field", found.text, spec.fields))

    def _some_root_field(self, found: Found, spec: Spec) -> Findings:
        known = found.text in spec.fields
        self._note_at(found, None if known else lambda: unknown("field", found.text, spec.fields))
        yield from ()

    def _run_edge(self, found: Found, spec: Spec) -> Findings:
        """A root field; anything but one word is a line."""
        if is_name(found.text):
            yield from self._some_root_field(found, spec)

    def _content_key(self, found: Found, spec: Spec) -> Findings:
        """Something in a part of a document: a field in a section or a run, a key as written in a fence or a file."""
        owner = found.owners[-1]
        message = ""
        if found.is_key and not owner.value[found.text]:
            message = _without_values(found.text, spec)
        if found.path[0] in {"fence", "file"} or found.path[2:3] == ("fence",):
            above = _written(found.text, spec.root)
            if above is not None:
                self._note_at(found, lambda: unknown("key", found.text, _keys_near(above, found)))
                return
        elif spec.field(found.text) is None:
            self._note_at(found, lambda: unknown("field", found.text, _paths(spec)))
            return
        self._note_at(found, (lambda: message) if message else None)
        yield from ()

    def _present_key(self, found: Found, spec: Spec) -> Findings:
        """A root field, or a key as written, perhaps one of the front matter that is no field."""
        sign = found.owners[-1]
        message = ""
        if found.path[0] == "prose" or (_FRONT_MATTER_KEY.match(found.text) and "front_matter" not in spec.fields):
            self._note_at(found, None)
            return
        above = _written(found.text, spec.root)
        if above is not None:
            self._note_at(found, lambda: unknown("key", found.text, _keys_near(above, found)) + _ANY_KEY)
            return
        field = spec.fields.get(found.text)
        if isinstance(sign, Sign) and field is not None:
            if not found.is_key and len(field.fields) < sign.children:
                message = f"`{found.text}` has fewer fields of its own, so this never applies"
            elif found.is_key and not sign.value[found.text]:
                message = _without_values(found.text, spec)
        self._note_at(found, (lambda: message) if message else None)
        yield from ()

    def _title(self, found: Found, spec: Spec) -> Findings:
        titles = self._titles
        self._note_at(found, None if found.text in titles else lambda: unknown("title", found.text, titles))
        yield from ()

    def _own_value(self, found: Found, spec: Spec) -> Findings:
        field = next((one for one in reversed(found.owners) if isinstance(one, Field)), None)
        values = values_of(field) if field is not None else ()
        if found.text not in values:
            yield _problem(found, unknown("value", found.text, values))

    def _own_word(self, found: Found, spec: Spec) -> Findings:
        value = found.owners[-1]
        if key_name(found.text) not in _words_of(value):
            yield _problem(found, f"`{found.text}` is not in `instead_of`{did_you_mean(found.text, value.instead_of)}")

    def _status_value(self, found: Found, spec: Spec) -> Findings:
        field = spec.field(found.owners[-1].of)
        if field is not None and field.values and not field.open:
            values = values_of(field)
            wrong = found.text not in values
            self._note_at(found, (lambda: _never(found.owners[-1].of, found.text, values)) if wrong else None)
        yield from ()

    def _check_rule(self, found: Found, spec: Spec) -> Findings:
        if found.text in CHECK_RULES:
            return
        if found.text in RULES:
            message = f"`{found.text}` reports no checks, so this check never runs; use `contradiction`"
        else:
            message = unknown("rule", found.text, RULES)
        yield _problem(found, message)

    def _rule(self, found: Found, spec: Spec) -> Findings:
        if found.text not in RULES:
            yield _problem(found, unknown("rule", found.text, RULES))

    def _definition(self, found: Found, spec: Spec) -> Findings:
        if found.text not in spec.contract.definitions:
            yield _problem(found, unknown("definition", found.text, spec.contract.definitions))

    def _profile(self, found: Found, spec: Spec) -> Findings:
        if found.text not in spec.contract.profiles:
            yield _problem(found, unknown("profile", found.text, spec.contract.profiles))

    def _contract(self, found: Found, spec: Spec) -> Findings:
        if self._others is not None and found.text not in self._others and found.text != spec.name:
            yield _problem(found, unknown("contract", found.text, self._others))

    def _note_at(self, found: Found, message: Callable[[], str] | None) -> None:
        key = (_general(found.path), found.text)
        self.note(key, None if message is None else lambda: _problem(found, message()))

    # Patterns

    def _pattern(self, found: Found, spec: Spec) -> Findings:
        yield PatternFound(found.path, found.text)
        path = found.about or _tested(found.owners[-1])
        if path and _relation_of(found) in PATTERN_RELATIONS:
            shape = self._shape_of(path, found, spec)
            if shape and not any(field.kind.cel in {"any", "string"} or _may_be(field, "") for field in shape):
                yield _problem(found, f"`{path}` is not a string, so no pattern matches")

    def _name_pattern(self, found: Found, spec: Spec) -> Findings:
        yield PatternFound(found.path, found.text)
        if "(?P<name>" not in found.text:
            yield _problem(found, "the pattern has no group `(?P<name>…)` for the name")

    # CEL

    def _root_shapes(self, spec: Spec) -> dict[str, Shape]:
        contract = spec.contract
        types: dict[str, Field] = {"boolean": Field(type="boolean"), "strings": Field(type="list", items=_LINE)}
        settings = {name: types.get(one.type, _LINE) for name, one in contract.settings.items()}
        offered = {name: Field(type="list", items=field) for name, field in spec.fields.items() if field.values}
        return {
            "document": (_DOCUMENT,),
            OFFERED: (Field(type="object", fields=offered),),
            **{name: (field,) for name, field in _fields_of(spec).items()},
            **{path: (argument,) for path in spec.arguments if (argument := spec.field(path)) is not None},
            "settings": (Field(type="object", fields=settings),),
            **dict.fromkeys(contract.counts, (_NUMBER,)),
            **{name: self._companion(one.contract) for name, one in contract.companions.items()},
        }

    def _companion(self, name: str) -> Shape:
        if name not in self._companions:
            entry = (self._others or {}).get(name)
            specs = [entry.spec(profile) for profile in entry.contract.profiles] if entry is not None else []
            roots: list[Field] = []
            for spec in specs:
                fields = _fields_of(spec) | dict.fromkeys(spec.contract.terms, Field())
                roots.append(Field(type="object", fields=fields))
            self._companions[name] = tuple(roots) or None
        return self._companions[name]

    def _terms(self, spec: Spec) -> Findings:
        terms = spec.contract.terms
        known: set[str] = set()
        for name, line in terms.items():
            path = placed(self._data, spec.profile, ("terms", name))
            found = Found(path, "expression", line, (spec.contract,))
            shapes = Shapes(self._names)
            if isinstance(line, Stated):
                shapes.last = (Field(type="boolean"),)
                for part in texts_of(path, "expression", line, (spec.contract,)):
                    yield from self._kinds[part.kind](part, spec)
            elif self._cel <= MAX_CEL:
                yield from self._line(found, line, 0, spec, shapes)
            self._names[name] = shapes.last
            later = terms.keys() - known - spec.fields.keys()
            if later.isdisjoint(names_in(line)):
                known.add(name)
                continue
            known.add(name)
            used = spec.conditions.paths(line) if isinstance(line, Stated) or line in self._trees else ()
            wrong = next((root for one in used if (root := one.partition(".")[0]) in later), None)
            if wrong is not None:
                message = f"`{wrong}` has no value here: a term can only use the terms above it"
                yield ContractProblem(path, message, part=_word_in(line, wrong))

    def _expression(self, found: Found, spec: Spec) -> Findings:
        yield from self._line(found, found.text, 0, spec, self._shapes(found, spec))

    def _condition(self, found: Found, spec: Spec) -> Findings:
        shapes = self._shapes(found, spec)
        problems = list(self._line(found, found.text, 0, spec, shapes))
        yield from problems
        if problems or found.text not in self._trees:
            return
        result = spec.conditions.result(found.text)
        shape = shapes.last
        is_other = shape and all(field.type not in {"any", "boolean", "map", "pattern"} for field in shape)
        if result not in {"BOOL", "DYN"} or is_other:
            what = _NO_CONDITION.get(result) or (shape[0].kind.must_be if shape and is_other else result.lower())
            yield _problem(found, f"a condition must be true or false, but this is {what}")

    def _value_path(self, found: Found, spec: Spec) -> Findings:
        if not is_path(found.text):
            how = "a blank follows the `:`" if found.is_key and ":" in found.text else "write CEL as a text"
            yield _problem(found, f"`{found.text}` is not the path of a value; {how}")
            return
        if found.is_key and None in (found.value.values() if isinstance(found.value, dict) else (found.value,)):
            yield _problem(found, f"`{found.text}` is compared with nothing: its value is missing")
            return
        shapes = self._shapes(found, spec)
        problems = list(self._line(found, found.text, 0, spec, shapes))
        near = did_you_mean(found.text, chain(_paths(spec), _paths_of(self._names))) if problems else ""
        if near:
            yield _problem(found, f"`{found.text}` is not a field of profile {spec.profile}{near}")
            return
        yield from problems
        relation = _relation_of(found)
        if problems or not relation or found.is_key:
            return
        wanted, words = _WANTED.get(relation, ((), ""))
        if wanted and shapes.last and all(field.kind.cel not in wanted for field in shapes.last):
            yield _problem(found, f"`{found.text}` {words}")

    def _compared_value(self, found: Found, spec: Spec) -> Findings:
        """A value in a relation of a check or in a condition as data: one that what is compared may have."""
        path = found.about or _tested(found.owners[-1])
        shape = self._shape_of(path, found, spec)
        if not shape:
            return
        if not any(_may_be(field, found.value) for field in shape):
            what = kind_of(found.value)
            quotes = ": put it in quotes" if any(field.kind.cel == "string" for field in shape) else ""
            yield _problem(found, f"`{path}` is never {what}: it must be {shape[0].kind.must_be}{quotes}")
            return
        if found.text and all(_is_closed(field, found.text) for field in shape):
            known = [values_of(field) for field in shape]
            wrong = not any(found.text in values for values in known)
            self._note_at(found, (lambda: _never(path, found.text, known[0])) if wrong else None)

    def _shape_of(self, path: str, found: Found, spec: Spec) -> Shape:
        """The shape of the value at a path in conditions; None for a path that leads nowhere."""
        try:
            if path not in self._trees:
                self._trees[path] = spec.conditions.tree(path)
        except ConditionError:
            return None
        shapes = self._shapes(found, spec)
        shape = shapes.of(self._trees[path])
        return None if shapes.wrong else shape

    def _message(self, found: Found, spec: Spec) -> Findings:
        rest = _HOLE.sub(lambda hole: " " * len(hole[0]), found.text)
        for sign in "{}":
            at = rest.find(sign)
            if at >= 0:
                yield _problem(found, f"`{sign}` has no counterpart: write CEL in a message as `{{…}}`", (at, at + 1))
                return
        names = self._shapes(found, spec)
        for hole in _HOLE.finditer(found.text):
            yield from self._line(found, hole[1], hole.start(1), spec, names.again())

    def _marked(self, found: Found, spec: Spec) -> Findings:
        names = self._shapes(found, spec)
        for step in _STEP.finditer(found.text):
            for hole in _HOLE.finditer(step[1]):
                start = step.start(1) + hole.start(1)
                yield from self._line(found, hole[1], start, spec, names.again())
        companion, colon, inner = found.text.rpartition(":")
        if colon and companion not in spec.contract.companions:
            yield _problem(found, unknown("companion", companion, spec.contract.companions), (0, len(companion)))
            return
        if colon:
            roots = self._companion(spec.contract.companions[companion].contract)
            if roots is None:
                return
            options = [dict(root.fields) for root in roots]
        else:
            options = [dict(spec.fields)]
        if not any(_walked(_STEP.sub("[]", inner), fields)[0] for fields in options):
            wrong, without_items = _walked(_STEP.sub("[]", inner), options[0])[1:]
            paths = _paths_below(options[0], brackets=True)
            if without_items and not spec.is_log:
                yield _problem(found, f"`{wrong}` has no items here, so this has no effect")
            else:
                path = _STEP.sub("[]", inner)
                near = did_you_mean(path, paths)
                whose = f"a field of `{companion}`" if colon else f"a field of profile {spec.profile}"
                yield _problem(found, f"`{found.text}` is not {whose}{near}")

    def _shapes(self, found: Found, spec: Spec) -> Shapes:
        """The names that a line has at its place: those of items in the checks of items only."""
        check = found.owners[-1]
        key = next((part for part in reversed(found.path) if isinstance(part, str)), "")
        if isinstance(check, Check) and "[]" in check.at and key != "at":
            return Shapes({**self._names, **_item_shapes(check.at, spec)})
        return Shapes(self._names, self._unset)

    def _line(self, found: Found, line: str, start: int, spec: Spec, shapes: Shapes) -> Findings:
        """The problems of a line of CEL at an offset of a text."""
        self._cel += len(line) + _LINE_COST
        if self._cel > MAX_CEL:
            return
        try:
            spec.conditions.compile(line)
            tree = self._trees.get(line)
            if tree is None:
                tree = self._trees[line] = spec.conditions.tree(line)
        except ConditionError as error:
            self._trees.pop(line, None)
            yield self._no_cel(found, line, start, spec, error)
            return
        for pattern in spec.conditions.patterns_in(line):
            yield PatternFound(found.path, pattern)
        shapes.last = shapes.of(tree)
        reported: set[tuple[str, int]] = set()
        never = {wrong.at for wrong in shapes.wrong if wrong.what == "value"}
        for at, text in {(node.at, node.text) for node in _texts(tree)}:
            if at not in never:
                self.note((_general(found.path), found.text, start, at, text), None)
        for wrong in shapes.wrong:
            if (wrong.what, wrong.at) in reported:
                continue
            reported.add((wrong.what, wrong.at))
            part = (start + wrong.at, start + wrong.end) if wrong.at >= 0 else None
            if wrong.what == "value":
                key = (_general(found.path), found.text, start, wrong.at, wrong.text)
                self.note(key, partial(_value_problem, found, wrong, part))
            elif wrong.what == "name":
                message = f"`{wrong.text}` has a value only in a check at the items of a list (`at: rows[]`)"
                yield _problem(found, message, part)
            elif wrong.path.startswith("settings."):
                yield _problem(found, unknown("setting", wrong.text, wrong.known), part)
            else:
                holder = wrong.path.rpartition(".")[0]
                paths = [f"{holder}.{name}" for name in wrong.known]
                yield _problem(found, self._not_a_field(wrong.path, spec, paths), part)

    def _no_cel(self, found: Found, line: str, start: int, spec: Spec, error: ConditionError) -> ContractProblem:
        at = max(min(error.column, len(line)), 0)
        undeclared = _UNDECLARED.search(error.message)
        if undeclared is None or not undeclared[1]:
            above, below = _BEFORE_DOT.search(line[:at]), _BEHIND_DOT.match(line, at)
            if _OF_A_TEXT in error.message and above is not None and below is not None:
                part = (start + above.start(), start + below.end())
                return _problem(found, self._not_a_field(above[0] + below[0], spec, _paths(spec)), part)
            wrong = _OPERATOR.search(STRING.sub(lambda text: " " * len(text[0]), line))
            if wrong is not None:
                message = f"`{wrong[0]}` is not an operator; did you mean `{_OPERATORS[wrong[0]]}`?"
                return _problem(found, message, (start + wrong.start(), start + wrong.end()))
            return _problem(found, cel_words(error.message), (start + at, start + max(min(at + 1, len(line)), at)))
        name = undeclared[1].partition(".")[0]
        places = [found.start() for found in re.finditer(rf"(?<![\w.]){re.escape(name)}\b", line)]
        at = min(places, key=lambda place: abs(place - at), default=0)  # CEL marks the brackets of a call
        part = (start + at, start + at + len(name))
        if name in _HABITS:
            return _problem(found, f"`{name}` has no meaning here; did you mean `{_HABITS[name]}`?", part)
        if line[part[1] - start :].lstrip().startswith("("):
            return _problem(found, unknown("function", name, _FUNCTIONS), part)
        types = _TYPES if len(name) >= len("list") else ()  # of a few letters, a name of the contract is meant
        roots = [*_LOOP_NAME.findall(line), *self._names, *spec.contract.terms, *_ITEM_NAMES, *types]
        return _problem(found, self._not_a_field(name, spec, roots), part)


# The types of values, as conditions have them, that a relation needs.
_WANTED: Mapping[str, tuple[tuple[str, ...], str]] = {
    "count_of": (("list", "rows", "object", "any"), "has no items to count"),
    **dict.fromkeys(("sum_of", "at_least", "at_most"), (("integer", "any"), "is no number")),
}


def _relation_of(found: Found) -> str:
    """The relation that a path is in."""
    return next((part for part in found.path[:-3:-1] if part in RELATIONS), "")


def _tested(check: Any) -> str:
    """The path in conditions of the value that a check's relation is about."""
    at = check.at if isinstance(check, Check) else ""
    return "this" if "[]" in at else at


def _is_closed(field: Field, text: str) -> bool:
    """Whether a text must be one of the field's values."""
    is_open = field.open is True or (field.open and len(text.split()) > 1)
    return field.kind.is_choice and bool(field.values) and not is_open


def _may_be(field: Field, value: Any) -> bool:
    """Whether a field may have a value of such a type."""
    if field.kind.has_pattern and not field.has_groups:
        return isinstance(value, str)
    match field.kind.cel:
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "integer":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
    return field.kind.cel == "any" or value is None


def _problem(found: Found, message: str, part: tuple[int, int] | None = None) -> ContractProblem:
    return ContractProblem(found.path, message, found.is_key, part)


def _value_problem(found: Found, wrong: Wrong, part: tuple[int, int] | None) -> ContractProblem:
    return _problem(found, _never(wrong.path, wrong.text, wrong.known), part)


def _general(path: KeyPath) -> KeyPath:
    """A path without the profile that it is in: several may share one line."""
    return path[2:] if path[0] == "profiles" and len(path) > 2 else path


def _never(path: str, text: str, values: Iterable[str]) -> str:
    known = list(values)
    near = did_you_mean(text, known)
    named = ", ".join(f"`{value}`" for value in known[:_MOST_NAMED]) + (", …" if len(known) > _MOST_NAMED else "")
    return f"`{path}` is never `{text}`" + (near or f": its values are {named}")


def _word_in(line: str, word: str) -> tuple[int, int] | None:
    """The place of a word in a line of CEL."""
    found = re.search(rf"(?<![\w.]){re.escape(word)}\b", line)
    return found.span() if found is not None and not isinstance(line, Stated) else None


def _texts(node: CelNode) -> Iterator[CelNode]:
    stack = [node]
    while stack:
        one = stack.pop()
        if one.kind == "text":
            yield one
        stack += one.parts


def _fields_of(spec: Spec) -> dict[str, Field]:
    """The root fields as conditions see them."""
    return {name: of_log(field) if spec.is_log else field for name, field in spec.fields.items()}


def _paths(spec: Spec) -> Iterator[str]:
    return (path for path, _ in spec.walk())


def _paths_of(names: Mapping[str, Shape]) -> Iterator[str]:
    """The names of a profile's CEL that are no fields, each followed by its members."""
    for name, shape in names.items():
        yield name
        yield from (f"{name}.{member}" for field in shape or () for member in members_of(field) or ())


def _paths_below(fields: Mapping[str, Field], *, brackets: bool = False) -> list[str]:
    """The paths of fields, those in the items of lists with ``[]``."""
    found: list[str] = []
    stack = [(name, field) for name, field in reversed(list(fields.items()))]
    while stack:
        path, field = stack.pop()
        found.append(path)
        if brackets and field.kind.holds_items:
            found.append(f"{path}[]")
        item = field.items if field.items is not None and brackets else None
        stack += [(f"{path}.{name}", child) for name, child in reversed(field.fields.items())]
        stack += [(f"{path}[].{name}", child) for name, child in reversed(item.fields.items())] if item else []
    return found


def _walked(path: str, fields: Mapping[str, Field]) -> tuple[bool, str, bool]:
    """Whether a path with ``[]`` leads to a field; else the part that does not, and whether it only lacks items."""
    walked = ""
    members: Mapping[str, Field] | None = fields
    for step in path.split("."):
        name, bracket, _ = step.partition("[")
        walked = f"{walked}.{name}" if walked else name
        if members is None:
            return True, "", False
        field = members.get(name)
        if field is None and isinstance(members, Columns) and members.may_have(name):
            return True, "", False
        if field is None:
            return False, walked, False
        if bracket:
            if not _may_have_items(field):
                return False, walked, True
            walked += "[]"
            item = item_of(field)
            members = members_of(item) if item is not None else None
        else:
            members = members_of(field)
    return True, "", False


def _may_have_items(field: Field) -> bool:
    return field.kind.holds_items or field.kind.untyped or field.kind.holds == "pairs"


def _item_shapes(at: str, spec: Spec) -> dict[str, Shape]:
    """The shapes of ``this``, ``previous`` and ``holder`` in a check of items."""
    members: Mapping[str, Field] | None = spec.fields
    this: Field | None = None
    holder: Field | None = None
    for step in _STEP.sub("[]", at).split("."):
        name, bracket, _ = step.partition("[")
        field = members.get(name) if members is not None else None
        if field is None:
            this = holder = None
            break
        this = of_log(field) if spec.is_log else field
        if bracket:
            this = holder = item_of(this)
        if bracket and field.kind.has_marks:  # a check of rows is asked of their marks
            this = Field(type="enum", values=field.values)
        members = members_of(this) if this is not None else None
    return {
        "this": (this,) if this else None,
        "previous": (this,) if this else None,
        "holder": (holder,) if holder else None,
    }


def _written(text: str, root: Field) -> tuple[str, tuple[Field, ...]] | None:
    """None if a path of keys as written leads to a field below another; else how far it does, and to which fields."""
    above = ""
    fields: tuple[Field, ...] = (root,)
    while True:
        rest = text[len(above) :]
        keys = [_keys_of(field) for field in fields]
        if any(rest in known for known in keys):
            return None
        ends = [found.start() for found in islice(_DOT.finditer(rest), MAX_DEPTH)]
        step = next((rest[:end] for end in reversed(ends) if any(rest[:end] in known for known in keys)), None)
        if step is None:
            return above, fields
        fields = tuple(field for known in keys for field in known.get(step, ()))
        if any(field.type in {"any", "map", "object"} and not field.fields for field in fields):
            return None
        above += f"{step}."


@once_per_field
def _keys_of(field: Field) -> dict[str, list[Field]]:
    """The fields below a field by every key that they may have in a document."""
    found: dict[str, list[Field]] = {}
    for name, child in field.fields.items():
        for key in dict.fromkeys((name, child.title, *child.aliases, *child.instead_of, *child.also)):
            found.setdefault(key, []).append(child)
    return found


def _keys_near(wrong: tuple[str, tuple[Field, ...]], found: Found) -> list[str]:
    """The paths that a path of keys could have instead of its first wrong key."""
    above, fields = wrong
    known = [f"{above}{key}" for field in fields for key in islice(_keys_of(field), MOST_COMPARED)]
    rest = found.text[len(above) :].partition(".")[2]
    return known + [f"{path}.{rest}" for path in known] if rest else known


@once_per_field
def _words_of(value: Value) -> frozenset[str]:
    return frozenset(map(key_name, value.instead_of))


def _without_values(path: str, spec: Spec) -> str:
    field = spec.field(path)
    if field is None or field.values:
        return ""
    return f"`{path}` has no values: it needs a pattern"
