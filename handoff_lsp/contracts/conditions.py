"""CEL, the Common Expression Language, behind one module: nothing else imports the library."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any

from handoff_lsp.contracts.cel_functions import FUNCTIONS, MAX_ITEMS, begin, done, gave_up
from handoff_lsp.contracts.growth import MAX_GROWN, STRING, builds, grown, has_bounds, without_strings
from handoff_lsp.contracts.held import Held
from handoff_lsp.contracts.patterns import occurs
from handoff_lsp.contracts.stated import MATCHED, Stated, Test, tests_in
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

if TYPE_CHECKING:
    from cel_expr_python import cel

    from handoff_lsp.contracts.cel_tree import CelNode

_WORD = lazy_pattern(r"[A-Za-z_]\w*")
# CEL copies the list so far for each item that these add: 8,000 items take seconds.
_COPIES = lazy_pattern(r"\.(?:filter|map)\(")
_MOST_COPIED = 1_000
_FIRST = lazy_pattern(r"!?([A-Za-z_]\w*)\b(?!\s*\()")
# The beginning of a condition that its first term may decide.
_GUARD = lazy_pattern(r"(?P<not>!?)(?P<name>[A-Za-z_]\w*) (?P<sign>&&|\|\|) ")
_IN_BRACKETS = lazy_pattern(r"\([^()]*\)")
# CEL compiles the pattern of `matches` at each evaluation, which takes milliseconds with classes of Unicode: a function
# of ours, with a name of the same length, keeps it compiled.
_MATCHES = lazy_pattern(STRING.pattern + r"|\bmatches(?=\s*\()")
_MATCHES_LITERAL = lazy_pattern(rf"{STRING.pattern}|\bmatches\s*\((?:[^()'\"]*,)?\s*(?P<literal>{STRING.pattern})\s*\)")
# So many values of lines are kept, unless they depend on a value of more characters or items, or on a longer text.
_MOST_KNOWN, _LONG, _LONGEST_TEXT = 200, 200, 5_000
# The longest value in a message, and the longest message, in characters.
_LONGEST_SHOWN = 1_000
_SIZE = lazy_pattern(r"(?<![\w.])size\(\s*([A-Za-z_]\w*)\s*\)")
_LONGEST_MESSAGE = 10_000
_POSITION = lazy_pattern(r"<input>:(\d+):(\d+): (.*)")


class ConditionError(ValueError):
    """A line that is not CEL, or uses an unknown name or value. ``column`` is its offset, in code points."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


class Guard(NamedTuple):
    """A term that may decide another one: if its value is ``decides``, the other one's value is ``value``."""

    term: str
    decides: bool
    value: bool


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
        self._guards: dict[str, Guard | None] = {}
        self.fixed: dict[str, Any] = {}  # the values of terms that name nothing

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

    def values(self, data: Mapping[str, Any], gave_up: dict[str, None] | None = None) -> Values:
        """Bind a document's values, to evaluate lines against them.

        ``gave_up`` is called with each line that iterates over more items than CEL allows; such a line has no value.
        """
        return Values(self, data, gave_up)

    @cached_property
    def terms_before(self) -> dict[str, frozenset[str]]:
        """For each term, the earlier terms that it names."""
        seen: set[str] = set()
        before: dict[str, frozenset[str]] = {}
        for name, line in self.terms.items():
            before[name] = names_in(line) & seen
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

    def guard(self, name: str) -> Guard | None:
        """The term at the beginning of another one that may decide it alone; None without one."""
        if name not in self._guards:
            self._guards[name] = self._guard_of(name)
        return self._guards[name]

    def _guard_of(self, name: str) -> Guard | None:
        line = self.terms[name]
        found = None if isinstance(line, Stated) else _GUARD.match(line)
        if found is None or found["name"] not in self.terms_before[name]:
            return None
        top, whole = without_strings(line), ""
        while top != whole:
            top, whole = _IN_BRACKETS.sub("", top), top
        either = found["sign"] == "||"
        if "?" in top or (not either and "||" in top):
            return None
        return Guard(found["name"], either != bool(found["not"]), either)

    def reads(self, line: str) -> tuple[str, ...] | None:
        """The names that a line's value depends on; None if its terms build values, which are bounded all together."""
        if line not in self._reads:
            terms = self.needed(_words(line))
            lines = [line, *(self.terms[name] for name in terms)]
            names = names_in(*lines).difference(self.constants)
            self._reads[line] = None if any(map(builds, lines[1:])) else tuple(sorted(names))
        return self._reads[line]

    def can_give_up(self, line: str) -> bool:
        """Whether a line, or a term in it, iterates over a list or builds one, which is bounded."""
        if isinstance(line, Stated):
            return any(self.can_give_up(self.terms[name]) for name in line.roots if name in self.terms)
        lines = (self.terms[name] for name in self.needed(_words(line)))
        return any(has_bounds(one) for one in (line, *lines))

    def held(self, line: str) -> Held | None:
        """The items for which a line is known to hold; None if it is about more than `this` and `previous`."""
        names = _names_of(line)
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
        result = self._compiled[line].eval(activation)
        return None if result.type().name() == "ERROR" else result.plain_value()

    def activation(self, data: Mapping[str, Any]) -> Any:
        """The library's form of a document's values."""
        return self._env.Activation(dict(data))


def _own_function(found: re.Match[str]) -> str:
    return MATCHED if found[0] == "matches" else found[0]


def _matched(text: str, pattern: str) -> bool:
    return occurs(pattern, text.encode())


class Values:
    """One document's values, bound to the conditions of its profile.

    A term is evaluated when a line first names it, because most lines of most documents name none.
    """

    __slots__ = (
        "_activation",
        "_conditions",
        "_data",
        "_gave_up",
        "_given_up",
        "_grown",
        "_terms",
        "_texts",
        "_worked",
    )

    def __init__(self, conditions: Conditions, data: Mapping[str, Any], gave_up: dict[str, None] | None = None) -> None:
        self._conditions = conditions
        self._data = data
        self._gave_up = gave_up
        self._given_up = False
        self._activation: Any = None
        self._texts: dict[str, str | None] | None = None  # by the first part of a name: all values that begin with it
        self._terms: dict[str, Any] = {}
        self._grown = 0  # the growth of all terms so far
        self._worked = 0  # what the functions of all terms so far have read and built

    def evaluate(self, line: str) -> Any:
        """The value of a line of CEL, as plain Python; None if something that it needs has no value."""
        if isinstance(line, Stated) and self._conditions.terms.keys().isdisjoint(line.roots):
            return line.outcome(self._data)
        key, known = self._key(line), self._conditions.known
        if key in known:
            return known[key]
        value = self._evaluated(line)
        if key and not self._given_up:
            if len(known) >= _MOST_KNOWN:
                known.clear()
            known[key] = value
        return value

    def _key(self, line: str) -> tuple[object, ...]:
        """What the value of a line depends on: a keystroke leaves most of it as it is. Empty if that is long."""
        names = self._conditions.reads(line)
        if names is None:
            return ()
        if self._texts is None:
            self._texts = {}
            for name, value in self._data.items():
                root, text = name.partition(".")[0], _text_of(name, value)
                before = self._texts.get(root, "")
                self._texts[root] = None if text is None or before is None else before + text
        texts = [self._texts.get(name, "") for name in names]
        if None in texts and not self._conditions.needed(_words(line)):
            lengths = {name: f"{name}: {length} items\n" for name, length in _lengths(line, self._data).items()}
            texts = [lengths.get(name) if text is None else text for name, text in zip(names, texts, strict=True)]
        return () if None in texts else (line, self._worked, *texts)

    def _evaluated(self, line: str) -> Any:
        if isinstance(line, Stated):
            return line.outcome(self.of(line.roots))
        named = _words(line)
        whole = named.isdisjoint(self._conditions.terms) and named.isdisjoint(self._conditions.constants)
        return self._evaluate(line, self._data if whole else self.of(named))

    def of(self, names: frozenset[str]) -> dict[str, Any]:
        """The values of some names, including terms. A name without a value is left out."""
        terms = names.intersection(self._conditions.terms)
        waiting = sorted(terms)
        while waiting:
            if self._is_known(waiting[-1], waiting):
                waiting.pop()
        return self._only(names, terms)

    def _is_known(self, name: str, waiting: list[str]) -> bool:
        """Evaluate a term, or queue the terms that it needs first. Returns whether its value is known now."""
        if name in self._terms:
            return True
        guard = self._conditions.guard(name)
        if guard is not None and guard.term not in self._terms:
            waiting.append(guard.term)
            return False
        if guard is not None and self._terms[guard.term] is guard.decides:
            self._terms[name] = guard.value
            return True
        before = sorted(other for other in self._conditions.terms_before[name] if other not in self._terms)
        waiting += before
        if not before:
            self._terms[name] = self._term(name)
        return not before

    def _only(self, names: frozenset[str], terms: frozenset[str]) -> dict[str, Any]:
        # A term replaces a field of the same name.
        given = chain(self._data.items(), self._conditions.constants.items())
        data = {name: value for name, value in given if name.partition(".")[0] in names}
        return data | {term: self._terms[term] for term in terms if self._terms[term] is not None}

    def _term(self, name: str) -> Any:
        line = self._conditions.terms[name]
        names = _names_of(line)
        if not names and line in self._conditions.fixed:
            return self._conditions.fixed[line]
        # A term gets only the values that it names: a long log, for example, takes time to convert.
        data = self._only(names, self._conditions.terms_before[name])
        if isinstance(line, Stated):
            return line.outcome(data)
        self._grown += grown(line, data)
        if self._grown > MAX_GROWN:
            self.give_up(line)
            return None
        value = self._evaluate(line, data)
        self._worked = max(self._worked, done())
        if not names and not self._given_up:
            self._conditions.fixed[line] = value
        return value

    def _evaluate(self, line: str, data: Mapping[str, Any]) -> Any:
        if _copies_too_much(line, data) or grown(line, data) > MAX_GROWN:
            return self.give_up(line)
        needed = _first_name(line)
        if needed not in data and self._conditions.has(needed):
            return None  # CEL would return the same, but only after all other values are converted for it
        sized = _sized(line, _read_by(line, data))
        whole = sized is self._data
        activation = self._activation if whole else None
        for convert in (dict, _encodable):  # CEL's texts are UTF-8, which has no lone surrogates
            if activation is None:
                activation = self._conditions.activation(convert(sized))
            begin(self._worked, _MOST_COPIED if _copies(line) else MAX_ITEMS)
            try:
                value = self._conditions.evaluate(line, activation)
            except RuntimeError:
                activation = None
                continue
            if whole:
                self._activation = activation
            if gave_up():
                break
            return value
        return self.give_up(line)  # an iteration over a list with more items than CEL allows

    def give_up(self, line: str) -> None:
        """Record that a line is not evaluated."""
        self._given_up = True
        if self._gave_up is not None:
            self._gave_up[line] = None

    def holds(self, condition: bool | str) -> bool:
        """Whether a condition is true. One that does not apply is false."""
        return condition if isinstance(condition, bool) else self.evaluate(condition) is True

    def fails(self, condition: str) -> bool:
        """Whether a condition applies and does not hold."""
        return self.evaluate(condition) is False

    def fill(self, message: str, longest: int = _LONGEST_SHOWN) -> str:
        """A message with each ``{...}`` replaced by the value of the CEL in it (``?`` where it has none).

        A value of more than ``longest`` characters is cut.
        """
        if "{" not in message:
            return message
        parts: list[str] = []
        length = 0
        for literal, part in split_message(message):
            parts.append(part if literal else _short(_shown(self.evaluate(part)), longest))
            length += len(parts[-1])
            if length > _LONGEST_MESSAGE:
                return "".join(parts)[:_LONGEST_MESSAGE] + "…"
        return "".join(parts)


def _read_by(line: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values, without the members of long ones that a line does not read: to convert a list takes time."""
    long = [
        name
        for name, value in data.items()
        if isinstance(value, Mapping)
        and any(isinstance(one, (list, Mapping)) and len(one) > _LONG for one in value.values())
    ]
    read = {name: members for name in long if (members := _members(line, name))}
    if not read:
        return data
    return {**data, **{name: {key: data[name][key] for key in read[name] if key in data[name]} for name in read}}


@lru_cache(maxsize=2048)
def _members(line: str, name: str) -> frozenset[str]:
    """The members of an object that a line reads; none if it may read more, such as the object as a whole."""
    found = re.findall(rf"\b{name}\b(?:\.([A-Za-z_]\w*)\b(?!\s*\())?", line)
    return frozenset(found) if all(found) else frozenset()


def _copies_too_much(line: str, data: Mapping[str, Any]) -> bool:
    return _copies(line) and any(_longest(data[name]) > _MOST_COPIED for name in _names_of(line) if name in data)


def _text_of(name: str, value: Any) -> str | None:
    """A text that differs wherever values do, as 1, 1.0 and true do; None for a long value."""
    parts = value.values() if isinstance(value, Mapping) else ()
    if any(isinstance(part, (str, list, Mapping)) and len(part) > _LONG for part in (value, *parts)):
        return None
    text = f"{name}: {value!r}\n"
    return text if len(text) <= _LONGEST_TEXT else None


def _sized(line: str, data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same values, but lists of nothing in place of long ones of which a line only takes the size.

    CEL takes 5 ms to convert a list of 6,000 objects.
    """
    long = {name: [None] * length for name, length in _lengths(line, data).items() if length > _LONG}
    return {**data, **long} if long else data


def _lengths(line: str, data: Mapping[str, Any]) -> dict[str, int]:
    """The lengths of the lists of which a line only takes the size."""
    return {name: len(data[name]) for name in _only_sized(line) if isinstance(data.get(name), list)}


@lru_cache(maxsize=2048)
def _only_sized(line: str) -> frozenset[str]:
    """The names in a line that are nowhere but in `size(…)`."""
    bare = without_strings(line)
    return frozenset(_SIZE.findall(bare)) - _words(_SIZE.sub("", bare))


def _short(text: str, longest: int) -> str:
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _longest(value: Any) -> int:
    """The number of items in the longest list in a value."""
    if isinstance(value, Mapping):
        return max(map(_longest, value.values()), default=0)
    return max(len(value), max(map(_longest, value), default=0)) if isinstance(value, list) else 0


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, Mapping):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list) else value


def names_in(*lines: str) -> frozenset[str]:
    """The words in lines of CEL or messages: a superset of the names that they use."""
    return frozenset().union(*map(_words, lines))


def _names_of(line: str) -> frozenset[str]:
    """The words in a line of CEL outside its strings. `names_in` also returns those inside, as in a pattern."""
    return line.roots if isinstance(line, Stated) else _bare_words(line)


@lru_cache(maxsize=2048)
def _bare_words(line: str) -> frozenset[str]:
    return _words(without_strings(line))


@lru_cache(maxsize=2048)
def _words(line: str) -> frozenset[str]:
    return frozenset(_WORD.findall(line))


@lru_cache(maxsize=2048)
def _copies(line: str) -> bool:
    return _COPIES.search(line) is not None


@lru_cache(maxsize=2048)
def _first_name(line: str) -> str:
    """The first name of a line, if the line has no value without it; empty if an `&&` or `||` could skip it."""
    bare, left = without_strings(line), 1
    while left:
        bare, left = _IN_BRACKETS.subn("[]", bare)
    first = _FIRST.match(line)
    return first[1] if first is not None and "&&" not in bare and "||" not in bare else ""


def split_message(message: str) -> Iterator[tuple[bool, str]]:
    """A message's parts in order: (True, literal text) and (False, CEL expression)."""
    for index, part in enumerate(re.split(r"\{([^{}]*)\}", message)):
        if part:
            yield index % 2 == 0, part


def _shown(value: Any) -> str:
    if value is None:
        return "?"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return ", ".join(_shown(item) for item in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)
