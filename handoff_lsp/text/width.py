"""The width of a text in cells, one or two for each character, as on a terminal and in most editors."""

from __future__ import annotations

import unicodedata

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"


def widths(text: str) -> list[int]:
    """The number of terminal cells of each character (code point) of a text without control characters."""
    if text.isascii():
        return [1] * len(text)
    found: list[int] = []
    before = ""
    for char in text:
        if before == _JOINER or unicodedata.category(char) in ("Mn", "Me", "Cf"):
            # A variation selector for the colored form makes a narrow sign wide, as in ⚠️.
            width = 1 if char == _EMOJI_STYLE and found and found[-1] == 1 else 0
        elif "\U0001f3fb" <= char <= "\U0001f3ff" and found and found[-1] == 2:
            width = 0  # a skin tone
        else:
            width = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        found.append(width)
        before = char
    return found


def width(text: str) -> int:
    """The number of cells of a text."""
    return sum(widths(text))
