"""CEL, the Common Expression Language, behind one module: nothing else imports the library."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from handoff_lsp.contracts.cel_functions import FUNCTIONS
from handoff_lsp.contracts.growth import STRING, builds, has_bounds
from handoff_lsp.contracts.held import Held
from handoff_lsp.contracts.lines import names_of
from handoff_lsp.contracts.logic import Logic, logic_of
from handoff_lsp.contracts.patterns import occurs
from handoff_lsp.contracts.stated import MATCHED, Stated, Test, tests_in
from handoff_lsp.text.lazy import lazy_pattern

if TYPE_CHECKING:
    from cel_expr_python import cel

    from handoff_lsp.contracts.cel_tree import CelNode

# CEL compiles the pattern of `matches` at each evaluation, which takes milliseconds with classes of Unicode: a function
# of ours, with a name of the same length, keeps it compiled.
_MATCHES = lazy_pattern(STRING.pattern + r"|\bmatches(?=\s*\()")
_MATCHES_LITERAL = lazy_pattern(rf"{STRING.pattern}|\bmatches\s*\((?:[^()'\"]*,)?\s*(?P<literal>{STRING.pattern})\s*\)")
_POSITION = lazy_pattern(r"<input>:(\d+):(\d+): (.*)")


class ConditionError(ValueError):
    """A line that is not CEL, or uses an unknown name or value. ``column`` is its offset, in code points."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


class Conditions:
    """Compiles and evaluates the CEL lines of one profile of a contract.

    ``variables`` gives the type of each root name: ``string``, ``integer``, ``number``, ``boolean``, ``list``,
    ``rows``, ``object`` or ``any``. ``terms`` are names for lines; a line sees the terms before its own. ``constants``
    are the values that are the same for all documents.
    """

    def __init__(
        self,
        variables: Mapping[str, str],
        terms: Mapping[str, str] | None = None,
        constants: Mapping[str, Any] | None = None,
    ) -> None:
        self._variables = variables
        self.terms: Mapping[str, str] | dict[str, str] = terms or {}
        self.constants: Mapping[str, Any] | dict[str, Any] = constants or {}
        self._needed: dict[frozenset[str], tuple[str, ...]] = {}
        self._environment: cel.Env | None = None
        self._compiled: dict[str, cel.Expression] = {}
        self._paths: dict[str, tuple[str, ...]] = {}
        self._tests: dict[str, tuple[Test, ...]] = {}
        self._reads: dict[str, tuple[str, ...] | None] = {}
        self.known: dict[tuple[object, ...], Any] = {}  # the values of lines by what they depend on
        self._held: dict[str, Held] = {}
        self._logic: dict[str, Logic] = {}
        self.fixed: dict[str, Any] = {}  # the values of CEL without names

    @property
    def _env(self) -> cel.Env:
        if self._environment is None:
            from cel_expr_python import cel

            kinds = {
                "string": cel.Type.STRING,
                "integer": cel.Type.INT,
                "number": cel.Type.DOUBLE,
                "boolean": cel.Type.BOOL,
                "list": cel.Type.List(cel.Type.DYN),
                "rows": cel.Type.List(cel.Type.Map(cel.Type.STRING, cel.Type.STRING)),
                "object": cel.Type.Map(cel.Type.STRING, cel.Type.DYN),
                "any": cel.Type.DYN,
            }
            texts = [cel.Type.STRING, cel.Type.STRING]
            matched = [
                cel.Overload(f"{MATCHED}_{member}", cel.Type.BOOL, texts, is_member=member, impl=_matched)
                for member in (True, False)
            ]
            types = {"text": cel.Type.STRING, "number": cel.Type.INT, "list": cel.Type.List(cel.Type.DYN)}
            functions = [cel.FunctionDecl(MATCHED, matched)]
            for name, function in FUNCTIONS.items():
                ways = [
                    cel.Overload(
                        f"{name}_{number}",
                        types[way.gives],
                        [types[given] for given in way.takes],
                        is_member=True,
                        impl=way.make,
                    )
                    for number, way in enumerate(function.ways)
                ]
                functions.append(cel.FunctionDecl(name, ways))
            self._environment = cel.NewEnv(
                variables={name: kinds[kind] for name, kind in self._variables.items()},
                functions=functions,
            )
        return self._environment

    def compile(self, line: str) -> None:
        """Compile a line ahead of its use. Raises ConditionError."""
        if line in self._compiled:
            return
        written = _MATCHES.sub(_own_function, line) if "matches" in line else line
        try:
            self._compiled[line] = self._env.compile(written)
        except RuntimeError as error:
            match = _POSITION.search(str(error))
            if match is None:
                raise ConditionError(str(error).splitlines()[0], 0) from None
            message = match.group(3).strip().replace(f"'{MATCHED}'", "'matches'")
            before = sum(len(row) + 1 for row in line.split("\n")[: int(match.group(1)) - 1])
            raise ConditionError(message, before + int(match.group(2)) - 1) from None

    def tree(self, line: str) -> CelNode:
        """The syntax tree of a line. Raises ConditionError."""
        from handoff_lsp.contracts.cel_tree import cel_tree

        self.compile(line)
        return cel_tree(self._compiled[line].serialize())

    def paths(self, line: str) -> tuple[str, ...]:
        """The names in a line in their order, each with those below it, such as ``abstract.verdict``."""
        if isinstance(line, Stated):
            return line.paths
        if line not in self._paths:
            from handoff_lsp.contracts.cel_tree import paths_in

            self._paths[line] = tuple(paths_in(self.tree(line))) if line else ()
        return self._paths[line]

    def tests(self, line: str) -> tuple[Test, ...]:
        """The tests of which a condition consists; none where it is more than that."""
        if isinstance(line, Stated):
            return line.tests
        if line not in self._tests:
            self._tests[line] = tests_in(self.tree(line)) if line else ()
        return self._tests[line]

    def result(self, line: str) -> str:
        """The type of a line's value as CEL calls it: ``BOOL``, ``STRING``, … or ``DYN`` if it may be any."""
        self.compile(line)
        return str(self._compiled[line].return_type())

    def patterns_in(self, line: str) -> list[str]:
        """The patterns that are written out in a line's `matches`."""
        if "matches" not in line:
            return []
        literals = [found["literal"] for found in _MATCHES_LITERAL.finditer(line) if found["literal"]]
        return self.evaluate(f"[{', '.join(literals)}]", self.activation({})) or [] if literals else []

    @cached_property
    def terms_before(self) -> dict[str, frozenset[str]]:
        """For each term, the earlier terms that it names."""
        seen: set[str] = set()
        before: dict[str, frozenset[str]] = {}
        for name, line in self.terms.items():
            before[name] = names_of(line) & seen
            seen.add(name)
        return before

    def needed(self, names: frozenset[str]) -> tuple[str, ...]:
        """The terms among some names, and the terms that these use, in their order."""
        if names not in self._needed:
            wanted = set(names)
            found: list[str] = []
            for name in reversed(list(self.terms)):
                if name in wanted:
                    found.append(name)
                    wanted |= self.terms_before[name]
            self._needed[names] = tuple(reversed(found))
        return self._needed[names]

    def logic(self, line: str) -> Logic:
        """A line by its `&&` and `||`; all of it is CEL if nothing else is between these, or if parts share a limit."""
        if line not in self._logic:
            found = logic_of(line, self._variables)
            in_parts = found.parts and (found.in_cel < 2 or not has_bounds(line))
            self._logic[line] = found if in_parts else Logic(line, "cel")
        return self._logic[line]

    def reads(self, line: str) -> tuple[str, ...] | None:
        """The names that a line's value depends on; None if its terms build values, which are bounded all together."""
        if line not in self._reads:
            lines = [line, *(self.terms[name] for name in self.needed(names_of(line)))]
            names = frozenset().union(*map(names_of, lines)).difference(self.constants)
            self._reads[line] = None if any(map(builds, lines[1:])) else tuple(sorted(names))
        return self._reads[line]

    def can_give_up(self, line: str) -> bool:
        """Whether a line, or a term in it, iterates over a list or builds one, which is bounded."""
        if isinstance(line, Stated):
            return any(self.can_give_up(self.terms[name]) for name in line.roots if name in self.terms)
        lines = (self.terms[name] for name in self.needed(names_of(line)))
        return any(has_bounds(one) for one in (line, *lines))

    def held(self, line: str) -> Held | None:
        """The items for which a line is known to hold; None if it is about more than `this` and `previous`."""
        names = names_of(line)
        if any(self.has(name) for name in names - {"this", "previous"}):
            return None
        if line not in self._held:
            self._held[line] = Held(paired="previous" in names)
        return self._held[line]

    def has(self, name: str) -> bool:
        """Whether a name is a variable of this profile."""
        return name in self._variables

    def evaluate(self, line: str, activation: Any) -> Any:
        """The value of a line; None if something that it needs has no value."""
        self.compile(line)
        return _plain(self._compiled[line].eval(activation))

    def activation(self, data: Mapping[str, Any]) -> Any:
        """The library's form of a document's values."""
        return self._env.Activation(dict(data))


def _plain(value: cel.Value) -> Any:
    """A value of CEL as Python has it; None for an error.

    The library loses a reference to None for each null that it converts, which ends the process after some thousands.
    """
    kind = value.type().name()
    if kind in {"ERROR", "NULL"}:
        return None
    if kind.startswith("LIST"):
        return [_plain(one) for one in value.value()]
    if kind.startswith("MAP"):
        return {key: _plain(one) for key, one in value.value().items()}
    return value.plain_value()


def _own_function(found: re.Match[str]) -> str:
    return MATCHED if found[0] == "matches" else found[0]


def _matched(text: str, pattern: str) -> bool:
    return occurs(pattern, text.encode())
