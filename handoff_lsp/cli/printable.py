"""Untrusted text on a terminal: it must not control the terminal, and its width must be known."""

from __future__ import annotations

import os
import re

from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.printable import printable

__all__ = ["encodable", "in_ascii", "inert", "printable", "printable_lines"]

_SURROGATES = lazy_pattern("[\ud800-\udfff]")
# Commands that a log gives to Azure Pipelines, anywhere on a line, and to GitHub Actions, at its beginning.
_COMMAND = lazy_pattern(r"##(?=vso\[|\[)|^(?=[^\S\n]*::)", re.MULTILINE)
_LINES = lazy_pattern("[^\t\r\n]+")

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


def printable_lines(text: str) -> str:
    """The same as ``printable`` with line ends and tabs, for formats that have codes for them."""
    return _LINES.sub(lambda match: printable(match.group()), text)


def inert(text: str) -> str:
    """The text of a log without commands to the CI system that reads it; unchanged elsewhere."""
    if "GITHUB_ACTIONS" not in os.environ and "TF_BUILD" not in os.environ:
        return text
    return _COMMAND.sub(lambda match: "# #" if match.group() else ".", text)
