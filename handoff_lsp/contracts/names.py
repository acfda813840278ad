"""Comparing names as people write them: headings, labels, keys, tags."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

_NUMBER = re.compile(r"^\d+(?:\.\d+)*(?:[.)、]\s*|\s+)(?=\S)")
_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_MARKUP = re.compile(r"[*`_]+(?=\s|$)|(?:(?<=\s)|^)[*`_]+")
# Emoji and the like before a name, with what joins and colours them.
_SYMBOLS = re.compile(r"^[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff\s]+")
_BLANKS = re.compile(r"\s+")
_JOINTS = re.compile(r"[\s_-]+")


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
    """The number that a heading begins with, and what stands between it and the name: ``4. ``; else empty."""
    found = _NUMBER.match(name)
    return found[0] if found is not None else ""


def without_parenthesis(name: str) -> str:
    """A name without the words in parentheses at its end."""
    return _PARENTHESIS.sub("", name)


@lru_cache(maxsize=4096)
def key_name(name: str) -> str:
    """A name with blanks, hyphens and underscores made one, for comparing keys and tags."""
    return _JOINTS.sub("_", name.strip().casefold())


def nearest(name: str, known: Iterable[str], *, cutoff: float = 0.7) -> str | None:
    """The known name most like ``name``, or None where none is like enough (0 nothing in common, 1 equal)."""
    return _nearest(name, tuple(known), cutoff)


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...], cutoff: float) -> str | None:
    best: tuple[float, str] | None = None
    folded = key_name(name)
    letters = Counter(folded)
    for candidate in known:
        other = key_name(candidate)
        # No ratio is above what the lengths, and then the letters alone, allow: nearly all names end here.
        least = cutoff * (len(folded) + len(other)) / 2
        if min(len(folded), len(other)) < least or (letters & Counter(other)).total() < least:
            continue
        ratio = SequenceMatcher(None, folded, other).ratio()
        if ratio >= cutoff and (best is None or ratio > best[0]):
            best = (ratio, candidate)
    return best[1] if best else None


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """What was most likely meant, as the end of a message; empty where nothing is like it."""
    near = nearest(given, known, cutoff=0.6)
    return f"; did you mean `{near}`?" if near else ""
