"""A fast test, before the engine is loaded, of which built-in contracts a text may have handoffs of.

``schemas/prescan.json`` has a necessary condition for each contract, made from its forms by ``scripts/prescan.py``: the
names, tags and words without which nothing is recognized. A text that fails the condition of every contract has no
handoff and no finding. This module imports nothing of ours, so that a hook can ask it first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Container
    from typing import Any

# One requirement: the sum that is enough, and weights that count if one of their needles is there. A needle is in the
# text, or in the path if it begins with a slash.
Need = tuple[int, list[tuple[int, list[str]]]]

# Beyond this, the text may be too large for the engine, which is a finding (characters).
_LONGEST = 100_000
# A comment that names a contract, and escapes, in which a name may be written with other letters.
_ALWAYS = re.compile(r"<!--\s*handoff:|\\[uUx]")
_OTHERS = bytes(number for number in range(128) if not chr(number).isalnum())
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")


def letters(text: str) -> str:
    """The letters and digits of a text: compatible, decomposed (NFKD), case-folded, nothing between them.

    The letters of a part of a text are a part of its letters, however the part is cut out.
    """
    # Bytes are the fastest to translate: an editor repeats this at each keystroke.
    plain = text.encode("utf-8", "surrogatepass").lower().translate(None, _OTHERS).decode("utf-8", "surrogatepass")
    return plain if plain.isascii() else _BEYOND_ASCII.sub(_folded, plain)


def _folded(match: re.Match[str]) -> str:
    return match[0].translate(_FOLDED)


class _Folded(dict[int, str]):
    """The letters of each character by its number, computed at its first use."""

    def __missing__(self, number: int) -> str:
        from unicodedata import normalize  # most texts do not need it

        folded = normalize("NFKD", chr(number)).casefold().lower()
        found = self[number] = "".join(filter(str.isalnum, folded))
        return found


_FOLDED = _Folded()


def possible_contracts(text: str | None, path: str, *, data_file: bool, needs: dict[str, Any]) -> list[str] | None:
    """The contracts of which a text may have handoffs or findings; None if any contract is possible.

    ``text`` is None if it is not known yet. ``path`` is the document's, empty if it has none, ``data_file`` whether it
    is no Markdown. ``needs`` is the content of the file.
    """
    if text is not None and any_is_possible(text):
        return None
    return contracts_with(None if text is None else letters(text), letters(path), data_file=data_file, needs=needs)


def any_is_possible(text: str) -> bool:
    """Whether a text may have handoffs of any contract, whatever its words."""
    may_be = len(text) < _LONGEST and ("\\" in text or "<!--" in text)
    return _ALWAYS.search(text) is not None if may_be else len(text) >= _LONGEST


def contracts_with(
    there: Container[str] | None, of_path: Container[str], *, data_file: bool, needs: dict[str, Any]
) -> list[str]:
    """The possible contracts by the letters of a text, or by all the needles in it, and the same of a path."""
    form = "file" if data_file else "document"
    return [
        name
        for name, ways in needs.items()
        if any(all(_is_met(need, there, of_path) for need in way) for way in ways[form])
    ]


def needles_of(needs: dict[str, Any]) -> tuple[list[str], list[str]]:
    """The needles that may be in the letters of a Markdown document, and those in the letters of its path; in order."""
    items = (item for ways in needs.values() for way in ways["document"] for _, items in way for item in items)
    found = sorted({needle for _, needles in items for needle in needles})
    in_path = [needle[1:] for needle in found if needle.startswith("/")]
    return [needle for needle in found if not needle.startswith("/")], in_path


def _is_met(need: Need, text: Container[str] | None, path: Container[str]) -> bool:
    enough, items = need
    total = 0
    for weight, needles in items:
        for needle in needles:
            if needle[1:] in path if needle[0] == "/" else text is None or needle in text:
                total += weight
                break
        if total >= enough:
            return True
    return total >= enough
