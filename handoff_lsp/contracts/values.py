"""The values of a document, for the lines of its contract."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import Any

from handoff_lsp.contracts.cel_functions import MAX_ITEMS, begin, done, gave_up
from handoff_lsp.contracts.conditions import Conditions
from handoff_lsp.contracts.growth import MAX_GROWN, grown
from handoff_lsp.contracts.lines import copies, first_name, members, names_of, only_sized, split_message
from handoff_lsp.contracts.logic import Logic
from handoff_lsp.contracts.stated import Stated
from handoff_lsp.text.named_tuple import NamedTuple

# Terms in one another are evaluated by recursion down to this depth.
_DEEPEST = 10
_MOST_COPIED = 1_000
# So many values of lines are kept, unless they depend on a value of more characters or items, or on a longer text.
_MOST_KNOWN, _LONG, _LONGEST_TEXT = 200, 200, 5_000
# The longest value in a message, and the longest message, in characters.
_LONGEST_SHOWN = 1_000
_LONGEST_MESSAGE = 10_000


class _WholeLine(NamedTuple):
    """A line to evaluate, the terms that it sees, and its name if it is a term itself."""

    text: str
    sees: Set[str]
    term: str = ""


class _TooDeep(Exception):
    """A value depends on a term that is nested too deeply, and must be evaluated before it."""

    def __init__(self, term: str) -> None:
        super().__init__(term)
        self.term = term


class Values:
    """One document's values, to evaluate the lines of its profile against them.

    ``gave_up`` gets each line that iterates over more items, builds more or takes longer than is allowed; it has no
    value. A term is evaluated when a value depends on it, because most lines of most documents depend on few.
    """

    __slots__ = (
        "_activation",
        "_conditions",
        "_data",
        "_depth",
        "_gave_up",
        "_given_up",
        "_grown",
        "_in_cel",
        "_roots",
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
        self._roots: dict[str, dict[str, Any]] = {}  # by the first part of a name: all values that begin with it
        self._texts: dict[str, str | None] = {}  # the same values as one text
        self._terms: dict[str, Any] = {}
        self._in_cel: dict[tuple[str, str], Any] = {}  # by a term or a line, and a part of it in CEL
        self._depth = 0
        self._grown = 0  # the growth of all terms so far
        self._worked = 0  # what the functions of all terms so far have read and built

    def evaluate(self, line: str) -> Any:
        """The value of a line of CEL, as plain Python; None if something that it needs has no value."""
        terms, constants = self._conditions.terms.keys(), self._conditions.constants.keys()
        if isinstance(line, Stated) and terms.isdisjoint(line.roots) and constants.isdisjoint(line.roots):
            return line.outcome(self._data)
        key, known = self._key(line), self._conditions.known
        if key in known:
            return known[key]
        while True:
            try:
                value = self._value(_WholeLine(line, terms))
                break
            except _TooDeep as deep:
                self._find([deep.term])
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
        texts = [self._text(name) for name in names]
        if None in texts and self._conditions.terms.keys().isdisjoint(names_of(line)):
            lengths = {name: f"{name}: {length} items\n" for name, length in _lengths(line, self._data).items()}
            texts = [lengths.get(name) if text is None else text for name, text in zip(names, texts, strict=True)]
        return () if None in texts else (line, self._worked, *texts)

    def _text(self, root: str) -> str | None:
        """A text that differs wherever the values of a name do; None for long ones."""
        if root not in self._texts:
            given = self._given().get(root, {})
            texts = [_text_of(name, value) for name, value in given.items()]
            self._texts[root] = None if None in texts else "".join(filter(None, texts))
        return self._texts[root]

    def of(self, names: frozenset[str]) -> dict[str, Any]:
        """The values of some names, including terms. A name without a value is left out."""
        terms = names.intersection(self._conditions.terms)
        self._find(terms)
        return self._only(names, terms)

    def _find(self, terms: Iterable[str]) -> None:
        """Evaluate terms, and those that they depend on."""
        waiting = sorted(terms)
        while waiting:
            try:
                self._know(waiting[-1:])
                waiting.pop()
            except _TooDeep as deep:
                waiting.append(deep.term)

    def _know(self, terms: Iterable[str]) -> None:
        """Evaluate terms, and those that they depend on. Raises _TooDeep."""
        for name in sorted(terms):
            if name in self._terms:
                continue
            if self._depth == _DEEPEST:
                raise _TooDeep(name)
            self._depth += 1
            line = _WholeLine(self._conditions.terms[name], self._conditions.terms_before[name], name)
            try:
                self._terms[name] = self._value(line)
            finally:
                self._depth -= 1

    def _only(self, names: frozenset[str], terms: Set[str]) -> dict[str, Any]:
        """The values of some names. A term replaces a field of the same name."""
        given = self._given()
        data: dict[str, Any] = {}
        for name in names:
            data |= given.get(name, {})
        return data | {term: self._terms[term] for term in terms if self._terms[term] is not None}

    def _given(self) -> dict[str, dict[str, Any]]:
        """The values and constants, by the first part of their names."""
        if not self._roots:
            for name, value in {**self._data, **self._conditions.constants}.items():
                self._roots.setdefault(name.partition(".")[0], {})[name] = value
        return self._roots

    def _value(self, line: _WholeLine) -> Any:
        """The value of a line. Raises _TooDeep."""
        if not isinstance(line.text, Stated):
            return self._of_logic(self._conditions.logic(line.text), line)
        terms = line.sees & line.text.roots
        self._know(terms)
        return line.text.outcome(self._only(line.text.roots, terms))

    def _of_logic(self, logic: Logic, line: _WholeLine) -> Any:
        """The value of a line, or a part of it."""
        if logic.kind == "cel":
            return self._of_cel(logic.text, line)
        value: Any
        if logic.kind == "name":
            value = self._named(logic.text, line)
        else:
            decides = logic.kind == "||"
            value = not decides
            for part in logic.parts:
                one = self._of_logic(part, line)
                if one is decides:
                    value = one
                    break
                value = value if isinstance(one, bool) else None
        return value is not logic.negated if isinstance(value, bool) else None

    def _named(self, name: str, line: _WholeLine) -> Any:
        value = None
        if name in line.sees:
            self._know([name])
            value = self._terms[name]
        return self._given().get(name.partition(".")[0], {}).get(name) if value is None else value

    def _of_cel(self, text: str, line: _WholeLine) -> Any:
        """The value of a line, or a part of it, by CEL."""
        part = (line.term or line.text, text)
        if part in self._in_cel:
            return self._in_cel[part]
        names = names_of(text)
        fixed = self._conditions.fixed
        if not names and text in fixed:
            return fixed[text]
        terms = line.sees & names
        self._know(terms)
        # A term gets only the values that it names: a long log, for example, takes time to convert.
        as_given = not line.term and not terms and names.isdisjoint(self._conditions.constants)
        value = self._evaluate(text, self._data if as_given else self._only(names, terms), line)
        self._in_cel[part] = value
        if not names and not self._given_up:
            fixed[text] = value
        return value

    def _evaluate(self, text: str, data: Mapping[str, Any], line: _WholeLine) -> Any:
        size = grown(text, data)
        if line.term:
            self._grown += size
            size = self._grown
        if size > MAX_GROWN or _copies_too_much(text, data):
            return self.give_up(line.text)
        needed = first_name(text)
        if needed not in data and self._conditions.has(needed):
            return None  # CEL would return the same, but only after all other values are converted for it
        sized = _sized(text, _read_by(text, data))
        whole = sized is self._data
        activation = self._activation if whole else None
        for convert in (dict, _encodable):  # CEL's texts are UTF-8, which has no lone surrogates
            if activation is None:
                activation = self._conditions.activation(convert(sized))
            begin(self._worked, _MOST_COPIED if copies(text) else MAX_ITEMS)
            try:
                value = self._conditions.evaluate(text, activation)
            except RuntimeError:
                activation = None
                continue
            if whole:
                self._activation = activation
            if line.term:
                self._worked = max(self._worked, done())
            if gave_up():
                break
            return value
        return self.give_up(line.text)  # an iteration over a list with more items than CEL allows

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
    read = {name: found for name in long if (found := members(line, name))}
    if not read:
        return data
    return {**data, **{name: {key: data[name][key] for key in read[name] if key in data[name]} for name in read}}


def _copies_too_much(line: str, data: Mapping[str, Any]) -> bool:
    return copies(line) and any(_longest(data[name]) > _MOST_COPIED for name in names_of(line) if name in data)


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
    return {name: len(data[name]) for name in only_sized(line) if isinstance(data.get(name), list)}


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
