"""Texts from strangers on a terminal: nothing in them may steer it, and their width must be known."""

from __future__ import annotations

import re
import unicodedata

# Control characters, lone surrogates, line separators, and what turns the direction of writing.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]")

_JOINER = "\u200d"
_EMOJI_STYLE = "\ufe0f"


def printable(text: str) -> str:
    """The text on one line with each unsafe character shown as a sign of its own: ESC as ``␛``."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(lambda match: _sign(match.group()), text)


def _sign(char: str) -> str:
    if char in "\t\n\r":
        return " "
    code = ord(char)
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "\ufffd"


def widths(text: str) -> list[int]:
    """How many cells of a terminal each character (code point) of a printable text takes."""
    if text.isascii():
        return [1] * len(text)
    found: list[int] = []
    before = ""
    for char in text:
        if before == _JOINER or unicodedata.category(char) in ("Mn", "Me", "Cf"):
            # A sign that asks for the coloured form makes a narrow one wide, as in ⚠️.
            width = 1 if char == _EMOJI_STYLE and found and found[-1] == 1 else 0
        elif "\U0001f3fb" <= char <= "\U0001f3ff" and found and found[-1] == 2:
            width = 0  # a tone of skin
        else:
            width = 2 if unicodedata.east_asian_width(char) in "WF" else 1
        found.append(width)
        before = char
    return found
