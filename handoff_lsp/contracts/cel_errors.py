"""The words of CEL's parser and checker as messages about a condition."""

from __future__ import annotations

import re
from collections.abc import Callable

from handoff_lsp.text.lazy import lazy_pattern

_OVERLOAD = lazy_pattern(r"found no matching overload for '(?P<name>[^']+)' applied to '(?P<types>.*)'")
_MISSING = lazy_pattern(r"missing '(?P<wanted>[^']+)' at '(?P<found>.*)'")
_UNEXPECTED = lazy_pattern(
    r"(?:mismatched input|extraneous input|no viable alternative at input) '(?P<found>.*?)'(?: |$)"
)
_NO_TOKEN = lazy_pattern(r"token recognition error at: '(?P<found>.*)'")
_CALLED_ON = lazy_pattern(r"^(?P<on>[^.]*)\.\((?P<arguments>.*)\)$")
_OPERATOR = lazy_pattern(r"^@?_?(?P<sign>[^\w@]+|in)_?$")
_TYPES = {
    "string": "a string",
    "int": "an integer",
    "double": "a number",
    "bool": "true or false",
    "bytes": "bytes",
    "null": "null",
    "timestamp": "a time",
    "duration": "a duration",
}


def cel_words(message: str) -> str:
    """A message of CEL about a condition in our words; one that is not known stays as it is."""
    for pattern, words in _WORDS.items():
        if (found := pattern.search(message)) is not None:
            return words(found)
    return f"invalid condition: {message.removeprefix('Syntax error: ')}"


def _overload(found: re.Match[str]) -> str:
    """An operator or a function between values for which it is not made."""
    name, given = found["name"], found["types"]
    called = _CALLED_ON.match(given)
    types = _split(given.strip("()")) if called is None else [called["on"], *_split(called["arguments"])]
    named = " and ".join(_type(one) for one in types) or "nothing"
    operator = _OPERATOR.match(name)
    return f"`{operator['sign'] if operator is not None else f'{name}()'}` does not take {named}"


def _split(types: str) -> list[str]:
    """The names of types between the commas that are in no brackets."""
    return [one.strip() for one in re.split(r",(?![^()]*\))", types) if one.strip()]


def _type(name: str) -> str:
    if name in _TYPES:
        return _TYPES[name]
    return "a list" if name.startswith("list") else "an object" if name.startswith("map") else name


def _missing(found: re.Match[str]) -> str:
    at = "" if found["found"] == "<EOF>" else f" before `{found['found']}`"
    return f"`{found['wanted']}` is missing{at}"


def _unexpected(found: re.Match[str]) -> str:
    if found["found"] == "<EOF>":
        return "the condition ends too early: a value is missing"
    return f"unexpected `{found['found'].removesuffix('<EOF>')}`"


def _no_token(found: re.Match[str]) -> str:
    text = found["found"]
    return f"`{text}` has no closing quote" if text[:1] in {"'", '"'} else f"unexpected `{text}`"


_WORDS: dict[re.Pattern[str], Callable[[re.Match[str]], str]] = {
    _OVERLOAD: _overload,
    _MISSING: _missing,
    _NO_TOKEN: _no_token,
    _UNEXPECTED: _unexpected,
}
