"""Values of enums with arguments, such as ``superseded by {adr}``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.names import slip_of
from handoff_lsp.contracts.patterns import match_whole
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_HOLE = lazy_pattern(r"\{([A-Za-z_]\w*)\}")
_BLANKS = lazy_pattern(r"(\s+)")
# A longer text is no value, in code points.
_LONGEST = 1_000
# A group of a pattern for one of the fixed words.
_WORD = "word_"


class Given(NamedTuple):
    """A text that is a value with arguments: each by its name with its range in the text."""

    value: Value
    arguments: dict[str, tuple[int, int]]


class _Template(NamedTuple):
    """A value, or a text written instead of one, with the patterns of texts that are it or almost it."""

    value: Value
    pattern: str
    loose: str
    words: tuple[str, ...]


def arguments_of(value: str) -> tuple[str, ...]:
    """The names of a value's arguments, in order."""
    return tuple(_HOLE.findall(value)) if "{" in value else ()


def with_places(value: str) -> str:
    """A value with a placeholder for each argument."""
    return _HOLE.sub(r"<\1>", value) if "{" in value else value


def filled(value: str, argument: str) -> str:
    """A value with a text as its argument."""
    return _HOLE.sub(lambda _: argument, value)


def parts_of(value: str) -> Iterator[tuple[bool, str]]:
    """The parts of a value in order: whether it is the name of an argument, and its text."""
    return ((index % 2 == 1, part) for index, part in enumerate(_HOLE.split(value)) if part)


def fixed_start(value: str) -> str:
    """What a value begins with, up to its first argument."""
    return _HOLE.split(value, maxsplit=1)[0] if "{" in value else value


def takes_arguments(field: Field) -> bool:
    """Whether an enum has values with arguments."""
    return bool(_templates(field)[0])


def given(field: Field, text: str) -> Given | None:
    """The value of an enum that a text is with arguments filled in; None if it is none."""
    return _first(_templates(field)[0], text) if _is_wanted(field, text) else None


def almost_given(field: Field, text: str) -> tuple[Value, str, bool] | None:
    """The value with arguments that a text is almost, the right text, and whether only its spelling differs."""
    if not _is_wanted(field, text):
        return None
    own, others = _templates(field)
    instead = _first(others, text)
    if instead is not None:
        parts = {name: text[start:end] for name, (start, end) in instead.arguments.items()}
        right = _HOLE.sub(lambda hole: parts.get(hole[1], hole[0]), instead.value.value)
        return (instead.value, right, False) if not arguments_of(right) else None
    for one in own:
        match = match_whole(one.loose, text)
        if match is None:
            continue
        right, end = "", 0
        for number, word in enumerate(one.words):
            start, stop = match.groups[f"{_WORD}{number}"]
            if text[start:stop] != word and slip_of(text[start:stop], [word]) is None:
                break
            right, end = right + text[end:start] + word, stop
        else:
            return one.value, right + text[end:], True
    return None


def _is_wanted(field: Field, text: str) -> bool:
    return takes_arguments(field) and len(text) <= _LONGEST


def _first(templates: tuple[_Template, ...], text: str) -> Given | None:
    for one in templates:
        match = match_whole(one.pattern, text)
        if match is not None:
            return Given(one.value, match.groups)
    return None


@once_per_field
def _templates(field: Field) -> tuple[tuple[_Template, ...], tuple[_Template, ...]]:
    """An enum's values with arguments, and the texts with arguments that people write instead of them."""
    any_case = "case" in field.tolerate
    own = [value for value in field.values if arguments_of(value.value)]
    instead = [(value, word) for value in own for word in value.instead_of if arguments_of(word)]
    return (
        tuple(_template(value, value.value, any_case) for value in own),
        tuple(_template(value, word, True) for value, word in instead),
    )


def _template(value: Value, text: str, any_case: bool) -> _Template:
    words: list[str] = []
    exact, loose = [], []
    for word, pattern in _parts(text):
        exact.append(pattern)
        loose.append(rf"(?P<{_WORD}{len(words)}>\S+?)" if word else pattern)
        words += [word] if word else []
    case = "(?i)" if any_case else ""
    return _Template(value, case + "".join(exact), "".join(loose), tuple(words))


def _parts(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a text as patterns, each with its word if that may be alone: `ADR-` before an argument does not."""
    pieces: Final = _HOLE.split(text)
    named: set[str] = set()
    for index, piece in enumerate(pieces):
        if index % 2:
            group = "" if piece in named else f"?P<{piece}>"
            named.add(piece)
            yield "", rf"({group}\S(?:.*{'?' if index < len(pieces) - 2 else ''}\S)?)"
            continue
        parts = _BLANKS.split(piece)
        for number, part in enumerate(parts):
            joined = (number == 0 and index > 0) or (number == len(parts) - 1 and index < len(pieces) - 1)
            if part:
                yield ("", r"[ \t]+") if number % 2 else ("" if joined else part, re.escape(part))
