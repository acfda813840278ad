"""Untrusted text on a terminal: it must not control the terminal, and its width must be known."""

from __future__ import annotations

import re

# Control characters, lone surrogates, line separators, and marks of writing direction.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_LINES = re.compile("[^\t\r\n]+")

# The name of the error handler for streams that cannot encode everything.
FALLBACK = "handoff-marks"
# One character for one, so that a caret stays under its place.
_ASCII = {"·": "-", "→": ">", "—": "-", "–": "-", "…": "~", "’": "'", "‘": "'", "“": '"', "”": '"', "✓": "v", "✗": "x"}


def in_ascii(error: UnicodeError) -> tuple[str, int]:
    """The replacement of characters that a stream cannot encode, and the offset after them, for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_ASCII.get(char, "?") for char in error.object[error.start : error.end]), error.end


def encodable(text: str) -> str:
    """The text without lone surrogates, which UTF-8 cannot hold: a file's name may have some."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def printable(text: str) -> str:
    """The text on one line with each unsafe character shown as a sign of its own: ESC as ``␛``."""
    if text.isascii() and text.isprintable():
        return text
    return _UNSAFE.sub(lambda match: _sign(match.group()), text)


def printable_lines(text: str) -> str:
    """The same with its line ends and tabs, for formats that have codes for them."""
    return _LINES.sub(lambda match: printable(match.group()), text)


def _sign(char: str) -> str:
    if char in "\t\n\r":
        return " "
    code = ord(char)
    return chr(0x2400 + code) if code < 0x20 else "␡" if code == 0x7F else "\ufffd"
