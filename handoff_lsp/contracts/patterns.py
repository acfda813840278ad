"""Patterns of contract files, run by RE2: linear for any pattern, as contracts may be untrusted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import count

from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# RE2 compiles a pattern of this weight in 50 ms at most, but `a{1,1000}` a hundred times in 15 s.
MAX_WEIGHT = 5_000
# The weight of all patterns of a contract together, or of a config.
MAX_ALL_WEIGHTS = 30_000
# The weight of a Unicode class in characters: it has up to 700 ranges.
_UNICODE_CLASS_WEIGHT = 50

_TOKEN = lazy_pattern(
    r"(?P<none>\\E|\(\?[a-zA-Z-]*\)|[*+?|^$])"
    r"|\{(?P<least>[0-9]{1,4})(?:,(?P<most>[0-9]{0,4}))?\}"
    r"|(?P<open>\((?:\?(?:P?<\w*>|[a-zA-Z-]*:))?)|(?P<close>\))"
    r"|(?P<atom>\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]?|\\Q.*?(?:\\E|\Z)|\\[pP](?:\{\^?\w*\}|.)?|\\x\{\w*\}|\\?.)",
    re.DOTALL,
)
_UNICODE_CLASS = lazy_pattern(r"\\[pP]")


class PatternError(ValueError):
    """A text that is not an RE2 pattern: too heavy, or with look-around or back-references, which RE2 does not have."""


class Match(NamedTuple):
    """A match of a pattern, in offsets of the searched text, with the named groups that took part."""

    start: int
    end: int
    groups: dict[str, tuple[int, int]]


@lru_cache(maxsize=1024)
def _compiled(pattern: str):  # type: ignore[no-untyped-def]  # google-re2 has no types
    import re2

    if not _is_light(pattern) and weight(pattern) > MAX_WEIGHT:
        raise PatternError("too large with its repeats written out")
    options = re2.Options()
    options.log_errors = False
    try:
        return re2.compile(pattern, options)
    except re2.error as error:
        reason = error.args[0]
        raise PatternError(reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)) from None


def _is_light(pattern: str) -> bool:
    """Whether a pattern is too short to be heavy: it repeats nothing a number of times. A fast test."""
    return "{" not in pattern and len(pattern) * _UNICODE_CLASS_WEIGHT <= MAX_WEIGHT


@lru_cache(maxsize=1024)
def weight(pattern: str) -> int:
    """The approximate number of characters and classes of a pattern with its counted repeats written out."""
    sums, last = [0], 0
    for token in _TOKEN.finditer(pattern):
        kind = token.lastgroup
        if kind == "none":
            continue
        if kind == "open":
            sums.append(1)
            continue
        if kind == "close":
            last = sums.pop() if len(sums) > 1 else sums[0]
        elif kind == "atom":
            last = 1 + len(token[0]) // 4 + _UNICODE_CLASS_WEIGHT * len(_UNICODE_CLASS.findall(token[0]))
        else:
            sums[-1] -= last
            last *= max(int(token["least"]), int(token["most"] or 0), 1)
        sums[-1] += last
    return sum(sums)


def check_pattern(pattern: str) -> None:
    """Raise PatternError unless RE2 accepts the pattern."""
    _compiled(pattern)


def group_count(pattern: str) -> int:
    """The number of groups in a pattern. Raises PatternError."""
    return int(_compiled(pattern).groups)


def search(pattern: str, text: str) -> Match | None:
    """The first match of a pattern in a text. Raises PatternError."""
    return _search(pattern, text) if len(text) > _SHORT else _search_again(pattern, text)


def occurs(pattern: str, text: bytes) -> bool:
    """Whether a pattern matches in a text given as UTF-8. Raises PatternError."""
    return _compiled(pattern).search(text) is not None


def match_whole(pattern: str, text: str) -> Match | None:
    """The match of a pattern with the whole of a text. Raises PatternError."""
    return _match_whole(pattern, text) if len(text) > _SHORT else _match_whole_again(pattern, text)


def find_all(pattern: str, text: str) -> Iterator[Match]:
    """All matches of a pattern in a text, with groups by name and by number (`1`). Raises PatternError."""
    compiled = _compiled(pattern)
    for found in compiled.finditer(_encodable(text)):
        start, end = found.span()
        groups = {str(at): found.span(at) for at in range(1, compiled.groups + 1) if found.span(at)[0] >= 0}
        groups |= {name: groups[str(at)] for name, at in compiled.groupindex.items() if str(at) in groups}
        yield Match(start, end, groups)


def literals_in(text: str, literals: tuple[str, ...]) -> frozenset[str]:
    """Those of some texts that are in another one, found in one pass if they are asked for again and again."""
    if next(_times_asked(literals)) < _FEW:
        return frozenset(one for one in literals if one in text)
    return frozenset(literals[index] for index in _set_of(literals).Match(_encodable(text)) or ())


# RE2 takes as long to be prepared as the search for each literal takes in so many texts.
_FEW = 30


@lru_cache(maxsize=8)
def _times_asked(_literals: tuple[str, ...]) -> Iterator[int]:
    return count()


@lru_cache(maxsize=8)
def _set_of(literals: tuple[str, ...]):  # type: ignore[no-untyped-def]  # google-re2 has no types
    import re2

    made = re2.Set.SearchSet()
    for one in literals:
        made.Add(re2.escape(one))
    made.Compile()
    return made


# Paths, titles and values are matched again at every keystroke; results for texts up to this length are memoized.
_SHORT = 300


def _search(pattern: str, text: str) -> Match | None:
    return _match(_compiled(pattern), _compiled(pattern).search(_encodable(text)))


def _match_whole(pattern: str, text: str) -> Match | None:
    return _match(_compiled(pattern), _compiled(pattern).fullmatch(_encodable(text)))


_search_again = lru_cache(maxsize=1024)(_search)
_match_whole_again = lru_cache(maxsize=1024)(_match_whole)


def _match(pattern, found) -> Match | None:  # type: ignore[no-untyped-def]
    if found is None:
        return None
    groups = {name: found.span(number) for name, number in pattern.groupindex.items() if found.span(number)[0] >= 0}
    start, end = found.span()
    return Match(start, end, groups)


def _encodable(text: str) -> str:
    # RE2 works on UTF-8, which has no lone surrogates; each is replaced by one code point, so offsets stay.
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode("utf-8")
    return text
