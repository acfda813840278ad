"""The fields that the parts of a condition have as values: names and literals that cannot be right.

A *shape* is the fields that a value may be of: several for a choice, none while nothing says more, and None for a
value of which the contract knows nothing, such as a sum. The value of a loop's variable is an item of its range.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import chain, islice

from handoff_lsp.contracts.cel_functions import SAME_ITEMS
from handoff_lsp.contracts.cel_tree import CelNode
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.names import fold_name, typo_of
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.problems import lacks_a_letter
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

Shape = tuple[Field, ...] | None

_GROUP = lazy_pattern(r"\(\?P?<(\w+)>")
# A choice of more fields than these counts as any value: terms may double it one after the other.
_MOST_FIELDS = 50
# The most values of a choice of several enums that a problem of it knows.
_MOST_KNOWN = 1_000
_LINE, _ANY = Field(type="line"), Field()
_TEXTS = Field(type="list", items=_LINE)
# One letter more or less is a misspelling only of columns with at least so many letters.
_LEAST_LETTERS = 4
# The members of an entry of a log that it has whatever its fields are.
_ENTRY = {"index": Field(type="integer"), "line": Field(type="integer"), "time": _LINE, "tag": _LINE, "text": _LINE}


class Columns(dict[str, Field]):
    """The columns that a contract declares for a table. The table may have others."""

    def may_have(self, name: str) -> bool:
        """Whether an undeclared column may have this name, as it is no misspelling of a declared one."""
        headings = {fold_name(title) for field in self.values() for title in (field.title, *field.aliases)}
        if fold_name(name) in headings:  # the cell, as it is under this heading
            return True
        near = typo_of(name, self)
        if near is not None and near[:-1] != name[:-1]:  # not `reviewed` for `reviewer`
            return False
        return not any(lacks_a_letter(*sorted((name, one), key=len)) for one in self if len(one) >= _LEAST_LETTERS)


class Wrong(NamedTuple):
    """A name or literal that no handoff can have. ``at`` and ``end`` are offsets in the line.

    ``what``: ``member``, a name that its object does not have; ``value``, a text that its enum does not have;
    ``name``, a variable that has no value here.
    """

    what: str
    at: int
    end: int
    text: str
    known: Collection[str]
    path: str


class Shapes:
    """Infers the shapes of one line's parts, and collects what is wrong in it."""

    def __init__(self, names: Mapping[str, Shape], unset: frozenset[str] = frozenset()) -> None:
        self.names = names
        self._unset = unset
        self.wrong: list[Wrong] = []
        self.last: Shape = None  # of the line as a whole

    def again(self) -> Shapes:
        """The same names for another line."""
        return Shapes(self.names, self._unset)

    def of(self, node: CelNode, loops: Mapping[str, Shape] | None = None) -> Shape:
        """The shape of an expression. ``loops``: those of the variables of the loops around it."""
        loops = loops or {}
        match node.kind:
            case "name":
                if node.text in loops:
                    return loops[node.text]
                if node.text in self._unset:
                    self.wrong.append(Wrong("name", node.at, node.at + len(node.text), node.text, (), node.text))
                return self.names.get(node.text)
            case "member":
                return self._member(node, self.of(node.parts[0], loops))
            case "list":
                return _list_of([self.of(part, loops) for part in node.parts])
            case "loop":
                start = self.of(node.parts[1], loops)
                inner = {**loops, node.text: items_of(self.of(node.parts[0], loops)), node.sum: start}
                self.of(node.parts[2], inner)
                step = self.of(node.parts[3], inner)
                return self.of(node.parts[4], {**inner, node.sum: step})
            case "call":
                return self._call(node, loops)
            case "object":
                for part in node.parts:
                    self.of(part, loops)
        return None

    def _call(self, node: CelNode, loops: Mapping[str, Shape]) -> Shape:
        shapes = [self.of(part, loops) for part in node.parts]
        match node.text:
            case "_==_" | "_!=_":
                for (one, shape), other in zip(zip(node.parts, shapes, strict=True), node.parts[::-1], strict=True):
                    self._literals(one, shape, [other])
            case "@in":
                one, many = node.parts
                self._literals(one, shapes[0], many.parts if many.kind == "list" else ())
                self._literals(many, items_of(shapes[1]), [one])
            case "_?_:_":
                return _either(shapes[1], shapes[2])
            case "_+_":
                return _either(*shapes)
            case "_[_]":
                holder, key = node.parts
                if key.kind == "text" and shapes[0] and all(field.kind.holds == "fields" for field in shapes[0]):
                    return self._member(CelNode("member", key.at, key.text, (holder,)), shapes[0])
                return items_of(shapes[0])
            case "flatten":
                return _flattened(shapes[0])
            case "split":
                return (_TEXTS,)
            case name if name in SAME_ITEMS:
                return shapes[0]
        return None

    def _member(self, node: CelNode, shape: Shape) -> Shape:
        if not shape:
            return None
        known: dict[str, list[Field]] = {}
        for field in shape:
            members = members_of(field)
            if members is None:
                return None
            if isinstance(members, Columns) and node.text not in members and members.may_have(node.text):
                return None
            for name, member in members.items() if not (field.kind.is_choice and node.text in members) else ():
                known.setdefault(name, []).append(member)  # an argument has a value as `status.adr` alone
        if node.text not in known:
            start = node.at + 1 if node.at >= 0 else -1
            path = f"{_path(node.parts[0])}.{node.text}"
            self.wrong.append(Wrong("member", start, start + len(node.text), node.text, tuple(known), path))
            return None
        return tuple(known[node.text])

    def _literals(self, node: CelNode, shape: Shape, others: Sequence[CelNode]) -> None:
        """Compare an enum with texts. An empty text may be meant for an absent value."""
        if not shape or any(not field.kind.is_choice or field.open or not field.values for field in shape):
            return
        known = [values_of(field) for field in shape]
        for other in others:
            if other.kind == "text" and other.text and not any(other.text in values for values in known):
                end = other.at + len(other.text) + 2
                values = known[0] if len(known) == 1 else tuple(islice(chain.from_iterable(known), _MOST_KNOWN))
                self.wrong.append(Wrong("value", other.at, end, other.text, values, _path(node)))


def members_of(field: Field) -> Mapping[str, Field] | None:
    """The names below a value of a field; None if it may have any."""
    if field.kind.holds == "fields":
        return field.fields
    if field.kind.has_pattern:
        return _groups(field.pattern) | field.fields
    if (field.kind.untyped or field.kind.holds == "pairs") and not field.fields:
        return None
    return field.fields


def _groups(pattern: str) -> dict[str, Field]:
    """The named groups of a pattern as fields."""
    return dict.fromkeys(group_names(pattern), _ANY)


def group_names(pattern: str) -> list[str]:
    """The names of the groups of a pattern."""
    return _GROUP.findall(pattern)


def items_of(shape: Shape) -> Shape:
    """The shape of the items of a list."""
    if not shape:
        return shape
    found: list[Field] = []
    for field in shape:
        item = item_of(field)
        if item is None:
            return None
        found.append(item)
    return tuple(found)


@once_per_field
def item_of(field: Field) -> Field | None:
    """An item of a list as conditions see it; None if nothing is known of it."""
    items = field.items
    if field.each:
        known = _groups(field.each) | (items.fields if items is not None else {})
        return Field(type="object", fields={"index": Field(type="integer"), **known})
    if items is not None and items.kind.holds != "fields" and (items.fields or items.has_groups):
        done = {"done": Field(type="boolean")} if field.kind.has_boxes else {}
        return Field(type="object", fields={**done, "text": _LINE, **_groups(items.pattern), **items.fields})
    if field.kind.has_marks:
        return Field(type="object", fields={"mark": Field(type="enum", values=field.values), "text": _LINE})
    if field.kind.has_boxes:
        below = items.fields if items is not None else {}
        return Field(type="object", fields={"done": Field(type="boolean"), "text": _LINE, **below})
    if field.kind.holds == "table rows" and items is not None and items.fields:
        # Of a cell, only the values of an enum are certain: others may be texts.
        known = {
            name: child if child.kind.is_choice else Field(title=child.title, aliases=child.aliases)
            for name, child in items.fields.items()
        }
        return Field(type="object", fields=Columns(known))
    return field.items if field.kind.holds == "plain items" else None


def of_log(field: Field) -> Field:
    """A root field of a log, with the members that each of its entries has."""
    if field.holds_entries and field.items is not None and field.items.kind.holds == "fields":
        return Field(type="list", items=Field(type="object", fields={**_ENTRY, **field.items.fields}))
    if field.kind.holds == "fields" and field.tag:
        return Field(type="object", fields={**_ENTRY, **field.fields})
    return field


@once_per_field
def values_of(field: Field) -> Mapping[str, None]:
    """The values of an enum in their order, as keys."""
    return dict.fromkeys(value.value for value in field.values)


def _flattened(shape: Shape) -> Shape:
    """The shape of a list with the items of the lists in it."""
    inner = items_of(shape)
    return inner if inner and all(field.kind.holds_items for field in inner) else None


def _list_of(shapes: list[Shape]) -> Shape:
    found: list[Field] = []
    for shape in shapes:
        if shape is None:
            return None
        found += shape
    lists = {id(field): Field(type="list", items=field) for field in found}
    return tuple(lists.values()) if len(lists) <= _MOST_FIELDS else None


def _either(one: Shape, other: Shape) -> Shape:
    if one is None or other is None:
        return None
    found = {id(field): field for field in (*one, *other)}
    return tuple(found.values()) if len(found) <= _MOST_FIELDS else None


def _path(node: CelNode) -> str:
    """The path of a name and its members as it is written, as far as it is one."""
    match node.kind:
        case "name":
            return node.text
        case "member":
            return f"{_path(node.parts[0])}.{node.text}"
        case "call" if node.text == "_[_]":
            return f"{_path(node.parts[0])}[]"
    return "…"
