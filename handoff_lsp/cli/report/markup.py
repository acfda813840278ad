"""HTML from texts. A plain text is always escaped, so nothing that a document contains becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from handoff_lsp.rules.rule import shown
from handoff_lsp.text.printable import printable

# Code points that no HTML may contain, not even as references.
_NO_CHARACTERS = re.compile(
    "[\ufdd0-\ufdef" + "".join(f"{chr(n + 0xFFFE)}{chr(n + 0xFFFF)}" for n in range(0, 0x110000, 0x10000)) + "]"
)
_EMPTY = frozenset({"meta", "link"})
# A code span in a sentence.
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
# The most characters of a document's text in one place.
_LONGEST = 400


class Html(str):
    """A piece of HTML, which is not escaped again."""

    __slots__ = ()


def text(value: str) -> Html:
    """A text on one line. Control characters and marks of writing direction become visible signs."""
    return Html(escape(_NO_CHARACTERS.sub("\ufffd", printable(value))))


def quoted(value: str, limit: int = _LONGEST) -> Html:
    """A text of a document, shortened, and isolated from the writing direction around it."""
    return tag("bdi", shown(value, limit))


def marked(value: str, limit: int = _LONGEST) -> Html:
    """The same for one of our own sentences: its code spans are set as code."""
    parts = _SPAN.split(shown(value, limit))
    return tag("bdi", *(tag("code", part) if number % 2 else part for number, part in enumerate(parts)))


def tag(name: str, *content: str | None, **attributes: str | int | float | bool | None) -> Html:
    """An element. ``class_`` is the attribute ``class``, ``aria_label`` is ``aria-label``; None and False: left out."""
    parts = [f"<{name}"]
    for key, value in attributes.items():
        if value is not None and value is not False:
            shown_key = key.rstrip("_").replace("_", "-")
            parts.append(f" {shown_key}" if value is True else f' {shown_key}="{text(str(value))}"')
    parts.append(">")
    if name not in _EMPTY:
        parts += [joined(content), f"</{name}>"]
    return Html("".join(parts))


def joined(content: Iterable[str | None], between: str = "") -> Html:
    """Several pieces one after another; plain texts are escaped."""
    pieces = (piece if isinstance(piece, Html) else text(piece) for piece in content if piece is not None)
    return Html(str(text(between) if not isinstance(between, Html) else between).join(pieces))
