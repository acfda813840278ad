"""The result of the JSON parser: nodes, defects, and queries on a tree. All offsets are in code points.

Nothing here recurses, so a text of a hundred thousand brackets is an ordinary tree.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator
from typing import Literal

from handoff_lsp.syntax.limits import MAX_DEPTH
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

JsonKind = Literal["object", "array", "string", "number", "boolean", "null", "invalid"]
JsonScalar = str | int | float | bool | None
JsonRole = Literal["key", "value", "none"]
JsonPath = tuple[str | int, ...]


class JsonNode:
    """A value (or a key) of the tree; ``start`` and ``end`` are offsets in code points into the whole text.

    ``kind`` "invalid" is a bare word or junk in place of a value; its ``value`` is the raw text. ``closed`` is True if
    the closing bracket or quote is there. An unclosed container ends where the parser noticed: at the end of the
    text, or at the first token that cannot belong to it. Nodes change only while they are parsed.
    """

    __slots__ = ("_items", "_plain", "_texts", "closed", "end", "kind", "members", "parent", "start", "value")

    def __init__(
        self,
        kind: JsonKind,
        start: int,
        end: int,
        value: JsonScalar,
        parent: JsonNode | None,
        closed: bool = True,
    ) -> None:
        self.kind: JsonKind = kind
        self.start: int = start
        self.end: int = end
        self.value: JsonScalar = value
        self.parent: JsonNode | None = parent
        self.closed: bool = closed
        self.members: list[JsonMember] = _NO_MEMBERS
        self._items: list[JsonNode] = _NO_ITEMS
        self._plain: str | None = None

    def close_plain(self, text: str, end: int, texts: list[str] | None) -> None:
        """Close this list of proper strings: ``texts``, if they are known. Its items are made at their first use."""
        self._plain, self.end, self.closed, self._texts = text, end, True, texts

    @property
    def is_plain(self) -> bool:
        """Whether it is a list of several strings, and nothing is wrong with it."""
        return self._plain is not None

    @property
    def items(self) -> list[JsonNode]:
        """The items of a list."""
        if self._plain is not None and not self._items:
            found = zip(_PROPER_STRING.finditer(self._plain, self.start, self.end), self.texts, strict=True)
            self._items = [JsonNode("string", *match.span(), text, self) for match, text in found]
        return self._items

    @items.setter
    def items(self, items: list[JsonNode]) -> None:
        self._items = items

    @property
    def texts(self) -> list[str]:
        """The strings of a list that is plain. Nobody changes them."""
        if self._plain is None:
            return []
        if self._texts is None:
            self._texts = json.loads(self._plain[self.start : self.end])
        return self._texts

    @property
    def span(self) -> Span:
        """The node's place, in code points."""
        return Span(self.start, self.end)

    def member(self, key: str) -> JsonMember | None:
        """The last member with that key; None if no member has it or this is not an object."""
        for member in reversed(self.members):
            if member.key.value == key and not member.keyless:
                return member
        return None

    def get(self, key: str) -> JsonNode | None:
        """The value of the last member with that key; None without one."""
        member = self.member(key)
        return member.value if member else None


class JsonMember:
    """A key with its value. ``value`` is None while only the key (and perhaps the colon) is typed.

    ``colon`` is the offset of the colon, or of the sign written for it, in code points.
    """

    __slots__ = ("colon", "key", "value")

    def __init__(self, key: JsonNode, value: JsonNode | None, colon: int | None) -> None:
        self.key: JsonNode = key
        self.value: JsonNode | None = value
        self.colon: int | None = colon

    @property
    def start(self) -> int:
        """The offset where the key begins, in code points."""
        return self.key.start

    @property
    def end(self) -> int:
        """The offset after the value, or after the written part of the member, in code points."""
        if self.value is not None:
            return self.value.end
        return self.key.end if self.colon is None else self.colon + 1

    @property
    def span(self) -> Span:
        """The member's place from key to value, in code points."""
        return Span(self.start, self.end)

    @property
    def keyless(self) -> bool:
        """Whether the text has a value here but no key at all; the key node is then empty and has no width."""
        return self.key.start == self.key.end


_PROPER_STRING = lazy_pattern(r'"[^"\\]*+(?>\\.[^"\\]*+)*+"')

# Scalars share these: most nodes are scalars, and two lists for each would double the memory.
_NO_MEMBERS: list[JsonMember] = []
_NO_ITEMS: list[JsonNode] = []


class JsonDefect(NamedTuple):
    """Something wrong with the text, at its smallest token; ``span`` and ``edits`` are in code points.

    ``safe``: the repair cannot change what the author meant. ``fatal``: json.loads rejects the text because of it.
    """

    kind: str
    span: Span
    message: str
    edits: tuple[Edit, ...]
    safe: bool
    fatal: bool


class JsonTree:
    """The outcome of parsing ``span`` (code points) of ``text``; ``root`` is None if the text has no value."""

    __slots__ = ("defects", "root", "span", "text")

    def __init__(self, text: str, span: Span, root: JsonNode | None, defects: list[JsonDefect]) -> None:
        self.text: str = text
        self.span: Span = span
        self.root: JsonNode | None = root
        self.defects: list[JsonDefect] = defects

    @property
    def fatal(self) -> bool:
        """Whether json.loads rejects the text."""
        return any(defect.fatal for defect in self.defects)

    def to_python(self) -> object:
        """The value as json.loads returns it; see ``python_value`` for broken parts."""
        return python_value(self.root)

    def duplicates(self) -> list[JsonMember]:
        """Every member that repeats an earlier key of the same object, in text order."""
        found: list[JsonMember] = []
        stack = [self.root] if self.root is not None else []
        while stack:
            node = stack.pop()
            if node.is_plain:
                continue
            stack += [item for item in node.items if item.members or item.items]
            seen: set[JsonScalar] = set()
            for member in node.members:
                if not member.keyless:
                    if member.key.value in seen:
                        found.append(member)
                    seen.add(member.key.value)
                value = member.value
                if value is not None and (value.members or (not value.is_plain and value.items)):
                    stack.append(value)
        found.sort(key=_start_of_member)
        return found


def descend(node: JsonNode, member: JsonMember | None = None) -> Iterator[tuple[JsonNode, JsonMember | None]]:
    """A value and all values below it, in text order, each with the member that it or the list around it belongs to."""
    stack = [(node, member)]
    while stack:
        node, member = stack.pop()
        yield node, member
        stack += [(item, member) for item in reversed(node.items)]
        stack += [(inner.value, inner) for inner in reversed(node.members) if inner.value is not None]


class JsonLocation(NamedTuple):
    """The place of an offset in the tree.

    ``container`` is the innermost object or array that encloses it, ``member`` the member whose key, value or
    gap does, ``node`` the node under it. ``path`` is the container's, with the key or the index of the value added
    where ``role`` is "value".
    """

    container: JsonNode | None
    member: JsonMember | None
    role: JsonRole
    node: JsonNode | None
    path: JsonPath


def _start_of_member(member: JsonMember) -> int:
    return member.key.start


def _start_of_node(node: JsonNode) -> int:
    return node.start


def _start_of_defect(defect: JsonDefect) -> int:
    return defect.span.start


def python_value(node: JsonNode | None, depth: int | None = None) -> object:
    """The value of a subtree as json.loads gives it (of several members with one key the last wins).

    A member without a key or a value is left out; junk in the place of a value is its raw text. Lists and objects
    below ``depth`` levels are empty.
    """
    if node is None:
        return None
    top: list[object] = []
    work: list[tuple[JsonNode, list[object] | dict[str, object], int]] = []

    def shallow(node: JsonNode, level: int) -> object:
        made: list[object] | dict[str, object]
        if node.kind == "object":
            made = {}
        elif node.kind == "array" and node.is_plain:
            return list[object](node.texts) if depth is None or level <= depth else []
        elif node.kind == "array":
            made = []
        else:
            return node.value
        if depth is None or level <= depth:
            work.append((node, made, level + 1))
        return made

    top.append(shallow(node, 1))
    while work:
        node, made, level = work.pop()
        if isinstance(made, dict):
            for member in node.members:
                if member.value is not None and not member.keyless:
                    made[str(member.key.value)] = shallow(member.value, level)
        else:
            made += [shallow(item, level) for item in node.items]
    return top[0]


def too_deep(tree: JsonTree) -> JsonNode | None:
    """The first list or object of a tree that is nested deeper than ``MAX_DEPTH``."""
    opened = sum(tree.text.count(bracket, *tree.span) for bracket in "[{")
    if tree.root is None or opened <= MAX_DEPTH:
        return None
    work = [(tree.root, 1)]
    while work:
        node, level = work.pop()
        if level > MAX_DEPTH:
            return node
        below = [member.value for member in node.members if member.value is not None] or node.items
        work += [(inner, level + 1) for inner in reversed(below) if inner.kind in {"object", "array"}]
    return None


def path_of(node: JsonNode) -> JsonPath:
    """The keys and indexes that lead to a node; for a key, the path of its member."""
    path: list[str | int] = []
    parent = node.parent
    while parent is not None:
        if parent.kind == "array":
            path.append(bisect_right(parent.items, node.start, key=_start_of_node) - 1)
        else:
            member = parent.members[bisect_right(parent.members, node.start, key=_start_of_member) - 1]
            path.append(str(member.key.value))
        node, parent = parent, parent.parent
    path.reverse()
    return tuple(path)


# The separators between two members or items; comments are matched so that a comma in them does not count.
_GAP = lazy_pattern(r"//[^\n\r]*+|#[^\n\r]*+|/\*(?>[^*]++|\*(?!/))*+(?:\*/|\Z)|([,;])|([\n\r])")


def _next_may_begin(text: str, start: int, end: int) -> bool:
    """Whether after a value that ended at ``start`` a new member or item may begin at ``end``.

    A new line counts as well as a comma: the author has only forgotten it.
    """
    return any(match.lastindex for match in _GAP.finditer(text, start, end))


def _inside(node: JsonNode, offset: int) -> bool:
    if node.kind != "object" and node.kind != "array":
        return False
    return node.start < offset and (offset < node.end or (offset == node.end and not node.closed))


def _in_comment(tree: JsonTree, offset: int) -> bool:
    defects = tree.defects
    at = bisect_right(defects, offset - 1, key=_start_of_defect) - 1
    if at < 0 or defects[at].kind != "comment":
        return False
    span = defects[at].span
    # Typing at its end extends a line comment, not a block comment.
    return offset < span.end or (offset == span.end and not tree.text.endswith("*/", span.start + 2, span.end))


def locate(tree: JsonTree, offset: int) -> JsonLocation:
    """The place of ``offset`` (code points into the whole text), for completion and hover.

    A cursor at either end of a scalar or a key is in it. At the end of a value, a new key or item may go after a
    comma or on a new line.
    """
    root = tree.root
    comment = _in_comment(tree, offset)
    if root is None:
        return JsonLocation(None, None, "none" if comment else "value", None, ())
    if comment or not root.start <= offset <= root.end:
        place = JsonLocation(None, None, "none", None, ())
    else:
        place = JsonLocation(None, None, "value", root, ())
    path: list[str | int] = []
    node: JsonNode | None = root
    while node is not None and _inside(node, offset):
        place, step = _locate_in(tree.text, node, offset)
        node = place.node
        if place.role == "value":
            path.append(step)
    if comment:
        # Inside the value's own container the path is that container's.
        if path and place.role == "value":
            path.pop()
        return JsonLocation(place.container, None, "none", None, tuple(path))
    return place._replace(path=tuple(path))


def _locate_in(text: str, box: JsonNode, offset: int) -> tuple[JsonLocation, str | int]:
    """The place among the children of ``box``, without its path, and the last step of that path."""
    if box.kind == "array":
        at = bisect_right(box.items, offset, key=_start_of_node) - 1
        if at < 0:
            return JsonLocation(box, None, "value", None, ()), 0
        item = box.items[at]
        if offset <= item.end:
            return JsonLocation(box, None, "value", item, ()), at
        if _next_may_begin(text, item.end, offset):
            return JsonLocation(box, None, "value", None, ()), at + 1
        return JsonLocation(box, None, "none", None, ()), 0
    new_key = JsonLocation(box, None, "key", None, ())
    at = bisect_right(box.members, offset, key=_start_of_member) - 1
    if at < 0:
        return new_key, ""
    member = box.members[at]
    key, value, colon = member.key, member.value, member.colon
    name = str(key.value)
    if offset <= key.end and not member.keyless:
        return JsonLocation(box, member, "key", key, ()), name
    if colon is not None and offset <= colon:
        return JsonLocation(box, member, "none", None, ()), name
    if value is None:
        if colon is not None and not any(match.lastindex == 1 for match in _GAP.finditer(text, colon, offset)):
            return JsonLocation(box, member, "value", None, ()), name
    elif offset < value.start:
        return JsonLocation(box, member, "value", None, ()), name
    elif offset <= value.end:
        return JsonLocation(box, member, "value", value, ()), name
    if _next_may_begin(text, member.end, offset):
        return new_key, ""
    return JsonLocation(box, member, "none", None, ()), name
