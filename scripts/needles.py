"""The words without which a pattern matches nothing."""

from __future__ import annotations

import re
from collections.abc import Iterable
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any

from handoff_lsp.recognition.prescan import letters

# The most alternatives that are followed.
_MOST = 60
# A shorter word is in nearly every text.
_SHORTEST = 3


def needles_of(pattern: str) -> list[str] | None:
    """Words (in the form of ``letters``) one of which is in every text with a match; None if nothing can be said."""
    try:
        # RE2 and Python differ in the escapes for a character by its number.
        parsed = _parser.parse(re.sub(r"\\x\{([0-9a-f]{4})\}", r"\\u\1", pattern))
    except re.error:
        return None
    found = _Walk().needed(parsed)
    return None if found is None else sorted(found)


class _Walk:
    """One pass over a pattern's parts, in order."""

    def __init__(self) -> None:
        self._best: set[str] | None = None
        self._here: set[str] = {""}  # what exactly the parts since the last gap match

    def needed(self, parts: Iterable[Any]) -> set[str] | None:
        """The words of the parts' best stretch; None without one."""
        for part in parts:
            exact = _exact(part)
            if exact is not None and len(joined := {a + b for a in self._here for b in exact}) <= _MOST:
                self._here = joined
                continue
            self._gap()
            self._offer(_needed_in(part))
        self._gap()
        return self._best

    def _gap(self) -> None:
        self._offer(self._here)
        self._here = {""}

    def _offer(self, words: set[str] | None) -> None:
        if words and min(map(len, words)) >= _SHORTEST:
            if self._best is None or min(map(len, words)) > min(map(len, self._best)):
                self._best = words


def _needed_in(part: Any) -> set[str] | None:
    """The words of a part that is no stretch itself."""
    code, value = part
    if code is codes.SUBPATTERN:
        return _Walk().needed(value[3])
    if code in (codes.MAX_REPEAT, codes.POSSESSIVE_REPEAT) and value[0] > 0:
        return _Walk().needed(value[2])
    if code is codes.BRANCH:
        found = [_Walk().needed(branch) for branch in value[1]]
        return None if None in found else {word for words in found if words for word in words}
    return None


def _exact(part: Any) -> set[str] | None:
    """The letters of all that a part matches; None if that is too much to say."""
    code, value = part
    if code is codes.LITERAL:
        return {letters(chr(value))}
    if code is codes.AT:
        return {""}
    if code is codes.IN:
        return _exact_class(value)
    if code is codes.SUBPATTERN:
        return _exact_all(value[3])
    if code is codes.BRANCH:
        found = [_exact_all(branch) for branch in value[1]]
        return None if None in found else {word for words in found if words for word in words}
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT):
        inner = _exact_all(value[2])
        if inner == {""}:
            return {""}
        if inner is not None and value[1] == 1:
            return inner if value[0] == 1 else {"", *inner}
    return None


def _exact_all(parts: Iterable[Any]) -> set[str] | None:
    words = {""}
    for part in parts:
        found = _exact(part)
        if found is None:
            return None
        words = {a + b for a in words for b in found}
        if len(words) > _MOST:
            return None
    return words


def _exact_class(members: Iterable[Any]) -> set[str] | None:
    """The letters that a class of characters matches. Blanks have none."""
    found = set()
    for code, value in members:
        if code is codes.LITERAL:
            found.add(letters(chr(value)))
        elif code is codes.CATEGORY and value is codes.CATEGORY_SPACE:
            found.add("")
        else:
            return None
    return found
