"""Comparing names as people write them: headings, labels, keys, tags."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache

_NUMBER = re.compile(r"^\d+(?:\.\d+)*(?:[.)、]\s*|\s+)(?=\S)")
_PARENTHESIS = re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
_MARKUP = re.compile(r"[*`_]+(?=\s|$)|(?:(?<=\s)|^)[*`_]+")
# Emoji and the like before a name, with what joins and colours them.
_SYMBOLS = re.compile(r"^[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff\s]+")
_BLANKS = re.compile(r"\s+")


@lru_cache(maxsize=4096)
def fold_name(name: str) -> str:
    """A name as it is compared: NFKC, case-folded, without leading number or emoji, trailing parenthesis, emphasis."""
    folded = unicodedata.normalize("NFKC", _PARENTHESIS.sub("", name.strip())).casefold()
    folded = _NUMBER.sub("", _SYMBOLS.sub("", _PARENTHESIS.sub("", folded)))
    return _BLANKS.sub(" ", _MARKUP.sub("", folded)).strip(" :：")


def key_name(name: str) -> str:
    """A name with blanks, hyphens and underscores made one, for comparing keys and tags."""
    return re.sub(r"[\s_-]+", "_", name.strip().casefold())


def nearest(name: str, known: Iterable[str], *, cutoff: float = 0.7) -> str | None:
    """The known name most like ``name``, or None where none is like enough (0 nothing in common, 1 equal)."""
    return _nearest(name, tuple(known), cutoff)


@lru_cache(maxsize=1024)
def _nearest(name: str, known: tuple[str, ...], cutoff: float) -> str | None:
    best: tuple[float, str] | None = None
    folded = key_name(name)
    for candidate in known:
        ratio = SequenceMatcher(None, folded, key_name(candidate)).ratio()
        if ratio >= cutoff and (best is None or ratio > best[0]):
            best = (ratio, candidate)
    return best[1] if best else None
