"""Untrusted text on one line, as a terminal and a message to an agent need it."""

from __future__ import annotations

from handoff_lsp.text.lazy import lazy_pattern

# Control characters, lone surrogates, line separators, and marks of writing direction.
_UNSAFE = lazy_pattern("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\ud800-\udfff]")


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
