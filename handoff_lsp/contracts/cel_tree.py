"""The syntax tree of a compiled line of CEL, decoded from the library's only form of it: a protobuf message.

The numbers are those of ``google/api/expr`` (``CheckedExpr``, ``Expr``, ``SourceInfo``). Macros such as ``exists``
are expanded to comprehensions.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Literal

from handoff_lsp.text.named_tuple import NamedTuple

NodeKind = Literal["other", "text", "constant", "name", "member", "call", "list", "object", "loop"]


class CelNode(NamedTuple):
    """One expression. ``at`` is its offset in the line in code points, -1 if the library gives none.

    ``text`` is the name, the member, the function, the text of a literal or the loop's variable; of a constant that is
    no text it is what CEL would write: a number, ``true``, ``false`` or ``null``. A loop's ``parts``
    are its range, its start, its condition, its step and its result; ``sum`` is the name of what it collects.
    """

    kind: NodeKind
    at: int
    text: str
    parts: tuple[CelNode, ...] = ()
    sum: str = ""

    @property
    def path(self) -> str:
        """The path that it is, such as ``abstract.verdict``; empty for anything else."""
        if self.kind == "name":
            return self.text
        above = self.parts[0].path if self.kind == "member" else ""
        return f"{above}.{self.text}" if above else ""


def paths_in(tree: CelNode) -> list[str]:
    """The names in an expression in their order, each with those below it. Variables of loops are left out."""
    found: list[tuple[int, str]] = []
    stack: list[tuple[CelNode, frozenset[str]]] = [(tree, frozenset())]
    while stack:
        node, bound = stack.pop()
        if path := node.path:
            if path.partition(".")[0] not in bound:
                found.append((_start(node), path))
            continue
        if node.kind == "loop":
            stack.append((node.parts[0], bound))
            bound |= {node.text, node.sum}
            stack += [(part, bound) for part in node.parts[1:]]
        else:
            stack += [(part, bound) for part in node.parts]
    return [path for _, path in sorted(found)]


def _start(node: CelNode) -> int:
    while node.kind == "member":
        node = node.parts[0]
    return node.at


_Value = int | bytes


def cel_tree(message: bytes) -> CelNode:
    """The tree of a serialized ``CheckedExpr``, or of one in an ``Any``."""
    parts = dict(_fields(message))
    if 1 in parts and 2 in parts and _bytes(parts[1]).startswith(b"type."):
        parts = dict(_fields(_bytes(parts[2])))
    places: dict[int, int] = {}
    for number, value in _fields(_bytes(parts.get(5, b""))):
        if number == 4:
            pair = dict(_fields(_bytes(value)))
            places[_int(pair.get(1, 0))] = _int(pair.get(2, 0))
    return _node(_bytes(parts.get(4, b"")), places)


def _node(message: bytes, places: dict[int, int]) -> CelNode:
    number, at, inner = 0, -1, b""
    for key, value in _fields(message):
        if key == 2:
            at = places.get(_int(value), -1)
        else:
            number, inner = key, _bytes(value)
    found = list(_fields(inner))
    one = dict(found)
    match number:
        case 3 if 6 in one:
            return CelNode("text", at, _text(one[6]))
        case 3:
            return CelNode("constant", at, _constant(*found[0])) if found else CelNode("other", at, "")
        case 4:
            return CelNode("name", at, _text(one.get(1, b"")))
        case 5:
            member = CelNode("member", at, _text(one.get(2, b"")), (_node(_bytes(one.get(1, b"")), places),))
            return CelNode("call", at, "has", (member,)) if 3 in one else member
        case 6:
            ordered = sorted((key, index, value) for index, (key, value) in enumerate(found) if key in {1, 3})
            return CelNode(
                "call", at, _text(one.get(2, b"")), tuple(_node(_bytes(value), places) for _, _, value in ordered)
            )
        case 7:
            return CelNode("list", at, "", tuple(_node(_bytes(value), places) for key, value in found if key == 1))
        case 8:
            entries = [_fields(_bytes(value)) for key, value in found if key == 2]
            values = [value for entry in entries for key, value in entry if key in {3, 4}]
            return CelNode("object", at, "", tuple(_node(_bytes(value), places) for value in values))
        case 9:
            parts = tuple(_node(_bytes(one.get(key, b"")), places) for key in (2, 4, 5, 6, 7))
            return CelNode("loop", at, _text(one.get(1, b"")), parts, _text(one.get(3, b"")))
    return CelNode("other", at, "")


def _constant(number: int, value: _Value) -> str:
    match number:
        case 1:
            return "null"
        case 2:
            return "true" if _int(value) else "false"
        case 3:
            return str(_int(value) - (1 << 64) if _int(value) >> 63 else _int(value))
        case 5:
            return repr(struct.unpack("<d", _bytes(value))[0])
    return ""


def _fields(message: bytes) -> Iterator[tuple[int, _Value]]:
    """The fields of a message: their numbers and values, in order."""
    at = 0
    while at < len(message):
        key, at = (message[at], at + 1) if message[at] < 0x80 else _varint(message, at)
        kind = key & 7
        if kind == 0:
            value, at = _varint(message, at)
            yield key >> 3, value
        elif kind == 2:
            length, at = (message[at], at + 1) if message[at] < 0x80 else _varint(message, at)
            yield key >> 3, message[at : at + length]
            at += length
        else:
            length = 8 if kind == 1 else 4
            yield key >> 3, message[at : at + length]
            at += length


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = message[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7


def _int(value: _Value) -> int:
    return value if isinstance(value, int) else 0


def _bytes(value: _Value) -> bytes:
    return value if isinstance(value, bytes) else b""


def _text(value: _Value) -> str:
    return _bytes(value).decode("utf-8", "replace")
