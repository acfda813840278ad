"""A fast test, before the engine is loaded, of which built-in contracts a text may have handoffs of.

``schemas/prescan.json`` has a necessary condition for each contract, made from its forms by ``scripts/prescan.py``: the
names, tags and words without which nothing is recognized. A text that fails the condition of every contract has no
handoff and no finding. This module imports nothing of ours, so that a hook can ask it first.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

# One requirement: the sum that is enough, and weights that count if one of their needles is there. A needle is in the
# text, or in the path if it begins with a slash.
Need = tuple[int, list[tuple[int, list[str]]]]

# Beyond this, the text may be too large for the engine, which is a finding (characters).
_LONGEST = 100_000
# A comment that names a contract, and escapes, in which a name may be written with other letters.
_ALWAYS = re.compile(r"<!--\s*handoff:|\\[uUx]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_NO_OTHERS = {number: None for number in range(128) if not chr(number).isalnum()}


def letters(text: str) -> str:
    """The letters and digits of a text: compatible, decomposed (NFKD), case-folded, nothing between them.

    The letters of a part of a text are a part of its letters, however the part is cut out.
    """
    return (text if text.isascii() else _NOT_ASCII.sub(_folded, text)).lower().translate(_NO_OTHERS)


def _folded(found: re.Match[str]) -> str:
    from unicodedata import normalize  # most texts do not need it

    return "".join(filter(str.isalnum, normalize("NFKD", found[0]).casefold()))


def possible_contracts(text: str | None, path: str, *, data_file: bool, needs: dict[str, Any]) -> list[str] | None:
    """The contracts of which a text may have handoffs or findings; None if any contract is possible.

    ``text`` is None if it is not known yet. ``path`` is the document's, empty if it has none, ``data_file`` whether it
    is no Markdown. ``needs`` is the content of the file.
    """
    if text is not None and (len(text) >= _LONGEST or _ALWAYS.search(text)):
        return None
    there, of_path = None if text is None else letters(text), letters(path)
    form = "file" if data_file else "document"
    return [
        name
        for name, ways in needs.items()
        if any(all(_is_met(need, there, of_path) for need in way) for way in ways[form])
    ]


def _is_met(need: Need, text: str | None, path: str) -> bool:
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
