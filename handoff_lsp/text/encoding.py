"""Columns in the encodings of language clients. No other module converts them."""

from __future__ import annotations

from typing import Literal

Encoding = Literal["utf-8", "utf-16", "utf-32"]

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


def _width(char: str, encoding: Encoding) -> int:
    code = ord(char)
    if encoding == "utf-16":
        return 2 if code > 0xFFFF else 1
    return 1 if code < 0x80 else 2 if code < 0x800 else 3 if code < 0x10000 else 4


def column_to_units(line: str, column: int, encoding: Encoding) -> int:
    """A column in code points as one in the client's encoding.

    ``line`` is the line's content; a lone surrogate counts as the code unit (utf-16) or the three bytes (utf-8)
    that it takes. A column past the end means the end.
    """
    column = min(max(column, 0), len(line))
    if encoding == "utf-32" or line.isascii():
        return column
    return sum(_width(char, encoding) for char in line[:column])


def units_to_column(line: str, units: int, encoding: Encoding) -> int:
    """A column in the client's encoding as one in code points; inside a character means its beginning."""
    if encoding == "utf-32" or line.isascii():
        return min(max(units, 0), len(line))
    seen = 0
    for column, char in enumerate(line):
        seen += _width(char, encoding)
        if seen > units:
            return column
    return len(line)
