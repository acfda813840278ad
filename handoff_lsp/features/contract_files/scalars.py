"""YAML scalars: where in the text each character of one is, and writing one."""

from __future__ import annotations

from typing import Any

from handoff_lsp.text.lazy import lazy_pattern

_PROPERTY = lazy_pattern(r"(?:[&!][^\s]*\s+)+")
# Text that YAML reads as written, in any place.
_PLAIN = lazy_pattern(r"[A-Za-z_](?:[\w./+-]| (?=[\w(]))*\Z")
_RESERVED = frozenset({"y", "n", "yes", "no", "true", "false", "on", "off", "null"})
_DOUBLE = {"n": "\n", "t": "\t", "r": "\r"}


def offsets_of(text: str, node: Any) -> list[int] | None:
    """The offset of each character of a scalar's value; None if they are unknown, as with rare escapes."""
    at, end, style = node.start_mark.index, node.end_mark.index, node.style
    if text[at : at + 1] in {"&", "!"} and (found := _PROPERTY.match(text, at, end)):
        at = found.end()
    if style in {"|", ">"}:
        at = text.find("\n", at, end) + 1
    elif style in {"'", '"'}:
        at += 1
    offsets: list[int] = []
    for char in node.value:
        if not char.isspace():
            while at < end and text[at].isspace():
                at += 1
        if at >= end:
            if char != "\n":
                return None
            offsets.append(end)
            continue
        offsets.append(at)
        if style == '"' and text[at] == "\\":
            if _DOUBLE.get(text[at + 1], text[at + 1]) != char:
                return None
            at += 2
        elif style == "'" and text[at : at + 2] == "''":
            at += 2
        elif text[at] == char or (char.isspace() and text[at].isspace()):
            at += 1
        else:
            return None
    return offsets


def as_scalar(name: str) -> str:
    """A name as a YAML scalar."""
    if _PLAIN.match(name) is not None and name.casefold() not in _RESERVED:
        return name
    return "'" + name.replace("'", "''") + "'"
