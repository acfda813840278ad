"""Comparing names as people write them: headings, labels, keys, tags."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache

from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_NUMBER = lazy_pattern(r"^\d+(?:\.\d+)*(?:[.)、]\s*|\s+)(?=\S)")
# A run of blanks can match only from its first one, which keeps the search linear.
_PARENTHESIS = lazy_pattern(r"(?<!\s)\s*+[(（][^()（）]*+[)）]\s*$")
_MARKUP = lazy_pattern(r"(?<![*`_])[*`_]++(?=\s|$)|(?:(?<=\s)|^)[*`_]++")
# Emoji and the like before a name, with their joiners and variation selectors.
_SYMBOLS = lazy_pattern(r"^[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff\s]+")
_BLANKS = lazy_pattern(r"\s+")
_JOINTS = lazy_pattern(r"[\s_-]+")
# A word of a name; a capital also begins one, as in `agentId`.
_WORD = lazy_pattern(r"[^\W_]+")
_CAMEL = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# A heading or label of a later round.
_LATER_ROUND = lazy_pattern(
    r"\bre-?(?:verif|check|run|test|review)\w*|\b(?:updated?|current)\b|"
    r"\bafter (?:the )?(?:fix|correction|remediation)|"
    r"\b(?:second|third|fourth|fifth) (?:round|cycle|pass|run)\b|\b(?:round|cycle|run|ronda|ciclo) (?:[2-9]|1\d)\b",
    re.IGNORECASE,
)
_EARLIER_ROUND = lazy_pattern(
    r"\b(?:before|pre|prior|previous(?:ly)?|earlier|original(?:ly)?|old|former(?:ly)?|not|no|pending|without|antes|previo|anterior)\b",
    re.IGNORECASE,
)
# How many letters may be wrong in words of each length.
_ONE_SLIP, _TWO_SLIPS = 4, 8
# A longer text is neither a name nor a misspelled one.
_LONGEST = 1_000


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """A name as it is compared: NFKC, case-folded, without leading number or emoji, trailing parenthesis, emphasis."""
    folded = unicodedata.normalize("NFKC", without_parenthesis(name.strip())).casefold()
    folded = _NUMBER.sub("", _SYMBOLS.sub("", without_parenthesis(folded)))
    return _BLANKS.sub(" ", _MARKUP.sub("", folded)).strip(" :：")


@lru_cache(maxsize=4096)
def fold_whole(name: str) -> str:
    """The same with its words in parentheses."""
    folded = _NUMBER.sub("", _SYMBOLS.sub("", unicodedata.normalize("NFKC", name.strip()).casefold()))
    return _BLANKS.sub(" ", _MARKUP.sub("", folded)).strip(" :：")


def leading_number(name: str) -> str:
    """The number at the start of a heading with its separator, ``4. ``; else empty."""
    found = _NUMBER.match(name)
    return found[0] if found is not None else ""


def without_parenthesis(name: str) -> str:
    """A name without the words in parentheses at its end."""
    return _PARENTHESIS.sub("", name)


@lru_cache(maxsize=4096)
def key_name(name: str) -> str:
    """A name with blanks, hyphens and underscores unified, for comparing keys and tags."""
    return _JOINTS.sub("_", name.strip().casefold())


def nearest(name: str, known: Iterable[str], *, cutoff: float = 0.7) -> str | None:
    """The known name most similar to ``name``; None if none reaches ``cutoff`` (0 nothing in common, 1 equal)."""
    if len(name) > _LONGEST:
        return None
    return _nearest(name, tuple(known), cutoff)


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...], cutoff: float) -> str | None:
    from difflib import SequenceMatcher  # only names that nothing is called need it

    best: tuple[float, str] | None = None
    folded = key_name(name)
    letters = Counter(folded)
    for candidate in known:
        other = key_name(candidate)
        # The lengths, then the letters, bound the ratio from above: this rules out nearly all names.
        least = (best[0] if best is not None else cutoff) * (len(folded) + len(other)) / 2
        if min(len(folded), len(other)) < least or (letters & Counter(other)).total() < least:
            continue
        ratio = SequenceMatcher(None, folded, other).ratio()
        if ratio >= cutoff and (best is None or ratio > best[0]):
            best = (ratio, candidate)
    return best[1] if best else None


def same_name(one: str, other: str) -> bool:
    """Whether two names differ only in case, blanks, hyphens, underscores or surrounding punctuation.

    A plural is a different name: a list is not one of its items.
    """
    return len(one) <= _LONGEST and len(other) <= _LONGEST and _letters(one) == _letters(other) != ""


def slip_of(name: str, known: Iterable[str]) -> str | None:
    """The one known name of which ``name`` is a misspelling; None if no name or several match.

    Word by word: `test_exit_cod` is `test_exit_code`; `lint_exit_code` is not `build_exit_code`, however many letters
    they share, since another word means another thing.
    """
    if len(name) > _LONGEST:
        return None
    found = dict.fromkeys(other for other in known if same_name(name, other))
    if not found:
        found = dict.fromkeys(other for other in known if _is_slip(name, other))
    return next(iter(found)) if len(found) == 1 else None


def typo_of(name: str, known: Iterable[str]) -> str | None:
    """The one known name with one letter more, less or different, or two swapped, inside one of its words.

    Another beginning or ending makes another word: `designer` is not `design`.
    """
    found = [other for other in known if _is_typo(name, other)] if len(name) <= _LONGEST else []
    return found[0] if len(found) == 1 else None


def _is_typo(name: str, other: str) -> bool:
    ours, theirs = _words(name), _words(other)
    if len(ours) != len(theirs):
        return False
    differ = [(one, two) for one, two in zip(ours, theirs, strict=True) if one != two]
    if len(differ) != 1:
        return False
    short, long = sorted(differ[0], key=len)
    return _is_slip_of_word(short, long, most=1) and not long.startswith(short) and not long.endswith(short)


@lru_cache(maxsize=4096)
def _letters(name: str) -> str:
    return "".join(_WORD.findall(unicodedata.normalize("NFKC", name).casefold()))


def _words(name: str) -> list[str]:
    plain = _CAMEL.sub(" ", unicodedata.normalize("NFKC", name))
    return [word.casefold() for word in _WORD.findall(plain)]


@lru_cache(maxsize=4096)
def _is_slip(name: str, other: str) -> bool:
    ours, theirs = _words(name), _words(other)
    if len(ours) != len(theirs):  # missing blanks, or one too many
        ours, theirs = ["".join(ours)], ["".join(theirs)]
        return _is_slip_of_word(ours[0], theirs[0], most=1)
    return all(_is_slip_of_word(one, two) for one, two in zip(ours, theirs, strict=True))


def _is_slip_of_word(one: str, other: str, most: int = 2) -> bool:
    if one == other:
        return True
    longest = max(len(one), len(other))
    # In scripts where a letter is a syllable or a word, a different letter is a different word. Digits are exact.
    if any(unicodedata.category(char) in {"Lo", "Nd"} for char in one + other):
        return False
    allowed = min(most, (longest >= _ONE_SLIP) + (longest >= _TWO_SLIPS))
    return abs(len(one) - len(other)) <= allowed and _distance(one, other) <= allowed


def _distance(one: str, other: str) -> int:
    """The number of letters that are missing, superfluous, wrong, or swapped with the next."""
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, mine in enumerate(one, 1):
        before, above, row = above, row, [i]
        for j, theirs in enumerate(other, 1):
            least = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (mine != theirs))
            if i > 1 and j > 1 and mine == other[j - 2] and one[i - 2] == theirs:
                least = min(least, before[j - 2] + 1)
            row.append(least)
    return row[-1]


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The end of a message with the likely name; empty if no name is similar."""
    near = nearest(given, known, cutoff=0.6)
    return f"; did you mean `{near}`?" if near else ""


def says(text: str, name: str, *, any_case: bool = True) -> bool:
    """Whether a text holds a name that is not part of a longer word, as `complete` is of `incomplete`."""
    return next(places_of(text, name, any_case=any_case), None) is not None


def places_of(
    text: str, name: str, within: Span | None = None, *, any_case: bool = True, file: bool = False
) -> Iterator[Span]:
    """The places of a name in a text, except inside longer names. ``file``: dots and hyphens continue a name, too."""
    before, behind = (r"(?<![\w.-])", r"(?![\w-])") if file else (r"\b", r"\b")
    start, end = before if file or name[:1].isalnum() else "", behind if file or name[-1:].isalnum() else ""
    pattern = re.compile(rf"{start}{re.escape(name)}{end}", re.IGNORECASE if any_case else 0)
    return (Span(*match.span()) for match in pattern.finditer(text, *(within or (0, len(text)))))


def names_later_round(text: str) -> bool:
    """Whether a heading or label names a later round: `Re-verification`, `Updated verdict`, `After the fix`."""
    return _LATER_ROUND.search(text) is not None and _EARLIER_ROUND.search(text) is None
