"""Untrusted text on a terminal: it must not control the terminal, and its width must be known."""

from __future__ import annotations

from handoff_lsp.text.printable import printable

__all__ = ["FALLBACK", "in_ascii", "printable"]

# The name of the error handler for streams that cannot encode everything.
FALLBACK = "handoff-marks"
# One character for one, so that a caret stays under its place.
_ASCII = {"·": "-", "→": ">", "—": "-", "–": "-", "…": "~", "’": "'", "‘": "'", "“": '"', "”": '"', "✓": "v", "✗": "x"}


def in_ascii(error: UnicodeError) -> tuple[str, int]:
    """The replacement of characters that a stream cannot encode, and the offset after them, for `codecs`."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(_ASCII.get(char, "?") for char in error.object[error.start : error.end]), error.end
