"""Slots, the result of binding: a contract's fields with their values in a document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeVar, overload

from handoff_lsp.contracts.model import Carrier, Field
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

T = TypeVar("T")

ProblemKind = Literal["type", "value", "format", "placeholder", "shape", "mark", "nested"]


class Problem(NamedTuple):
    """The defect of a refused value: wrong type, outside the enum, against the pattern, or not filled in.

    ``shape``: a section holds no table or checklist where one should be; ``mark``: a row lacks its mark; ``nested``:
    the value is on lines below the key, for a reader that wants it after the key.
    """

    kind: ProblemKind
    found: str
    span: Span


class Unknown(NamedTuple):
    """A key, label or heading that the contract does not know here. Spans in code points of the document."""

    name: str
    key: Span
    span: Span
    in_front: bool = False  # a key of the front matter
    headed: bool = False  # a heading


# The field of a part that the contract does not name, such as a row's mark.
UNNAMED = Field(type="any")


def _with(sequence: Sequence[T], one: T) -> Sequence[T]:
    """A sequence with one more; most slots have none, and a log has tens of thousands of slots."""
    if isinstance(sequence, list):
        sequence.append(one)
        return sequence
    return [*sequence, one]


def _at(span: Span | None, by: int) -> Span | None:
    return Span(span.start + by, span.end + by) if span is not None and by else span


def _elsewhere(one: Unknown, by: int) -> Unknown:
    return one._replace(key=one.key.shift(by), span=one.span.shift(by))


class Slot:
    """One field bound in a document: the places of its key and value, or the fact that it is missing.

    ``key`` is the heading's title, the label or the JSON key; ``value`` the smallest token that is the value;
    ``span`` the whole field. All are offsets in code points of the document. ``data`` is the value for conditions,
    None where it is absent or wrong; ``raw`` is the value as written.
    """

    __slots__ = (
        "carrier",
        "children",
        "countable",
        "data",
        "duplicates",
        "field",
        "item_maker",
        "items",
        "key",
        "name",
        "others",
        "parent",
        "path",
        "present",
        "problem",
        "raw",
        "remark",
        "row",
        "span",
        "unknown",
        "value",
        "written",
    )

    def __init__(self, name: str, field: Field, parent: Slot | None = None) -> None:
        self.name: str = name
        self.field: Field = field
        self.parent: Slot | None = parent
        self.path: str = f"{parent.path}.{name}" if parent is not None and parent.path else name
        self.present: bool = False
        self.written: bool = False  # present, or written with a value that counts as absent, such as null
        self.carrier: Carrier | None = None
        self.key: Span | None = None
        self.value: Span | None = None
        self.span: Span | None = None
        self.raw: str = ""
        self.data: Any = None
        # False for a list whose number of things is uncertain, such as one with groups.
        self.countable: bool = True
        self.problem: Problem | None = None
        self.children: dict[str, Slot] = {}
        self.items: Sequence[Slot] = ()
        # Makes the items of a list of texts, which only some checks read; it gets the list.
        self.item_maker: Callable[[Slot], list[Slot]] | None = None
        # The row of which this slot is the mark.
        self.row: dict[str, str] | None = None
        self.unknown: Sequence[Unknown] = ()
        self.duplicates: Sequence[Unknown] = ()
        # Further places where an enum is written, each with its own value.
        self.others: Sequence[Slot] = ()
        # A text beside or below an enum's value that is more than decoration.
        self.remark: Span | None = None

    def moved(self, by: int, parent: Slot | None) -> Slot:
        """A copy of this slot and all below it, in another parent, with each place ``by`` code points further on.

        Texts and data are shared: nothing changes them once they are bound.
        """
        other = Slot.__new__(Slot)
        other.name, other.field, other.parent, other.path = self.name, self.field, parent, self.path
        other.present, other.written, other.carrier = self.present, self.written, self.carrier
        other.raw, other.data, other.countable, other.row = self.raw, self.data, self.countable, self.row
        other.key, other.value = _at(self.key, by), _at(self.value, by)
        other.span, other.remark = _at(self.span, by), _at(self.remark, by)
        problem, maker = self.problem, self.item_maker
        other.problem = problem and Problem(problem.kind, problem.found, problem.span.shift(by))
        other.item_maker = maker if not by else maker and (lambda list_: [one.moved(by, list_) for one in maker(list_)])
        other.children = {name: child.moved(by, other) for name, child in self.children.items()}
        other.items = self.items and [item.moved(by, other) for item in self.items]
        other.unknown = self.unknown and [_elsewhere(one, by) for one in self.unknown]
        other.duplicates = self.duplicates and [_elsewhere(one, by) for one in self.duplicates]
        other.others = self.others and [one.moved(by, parent) for one in self.others]
        return other

    def add_item(self, field: Field, span: Span) -> Slot:
        """Add an item at ``span`` to this list: present, with no value yet."""
        item = self.item(len(self.items), field, span)
        self.items = _with(self.items, item)
        return item

    def item(self, number: int, field: Field, span: Span) -> Slot:
        """A new item of this list, with a number from 0: present, with no value yet."""
        item = Slot(f"{self.name}[{number}]", field, self.parent)
        item.parent = self
        item.present = item.written = True
        item.key = item.span = span
        return item

    def add_unknown(self, one: Unknown) -> None:
        """Add a child that the contract does not know here."""
        self.unknown = _with(self.unknown, one)

    def add_duplicate(self, one: Unknown) -> None:
        """Add a child that was there before."""
        self.duplicates = _with(self.duplicates, one)

    def add_other(self, one: Slot) -> Slot:
        """Add a further place where this enum is written."""
        self.others = _with(self.others, one)
        return one

    @property
    def parts(self) -> Sequence[Slot]:
        """The items, including those made on demand."""
        return self.items if self.items or self.item_maker is None else self.item_maker(self)

    @property
    def title(self) -> str:
        """The field's name in documents; of a section that is an item, its heading."""
        return self.raw if self.is_section_item else self.field.title or self.name

    @property
    def headed(self) -> bool:
        """Whether the field is written as a section, with a heading of its own."""
        return self.carrier in {"section", "heading-inline"}

    @property
    def in_front(self) -> bool:
        """Whether the field is written in front matter."""
        return self.carrier == "front-matter"

    @property
    def row_of(self) -> Slot | None:
        """The list of rows with marks that it is an item of, if it is one."""
        parent = self.parent
        return parent if parent is not None and parent.field.kind.has_marks and self.path.endswith("]") else None

    @property
    def table(self) -> Slot | None:
        """The Markdown table of a row; None for any other slot."""
        parent = self.parent if self.field is UNNAMED else None
        return parent if parent is not None and parent.field.kind.holds == "table rows" else None

    @property
    def is_section_item(self) -> bool:
        """Whether it is an item that is a section of its own."""
        return self.carrier == "section" and self.name.endswith("]")

    @property
    def is_group(self) -> bool:
        """Whether it is a named group of its parent's pattern, or of the pattern of its parent's heading."""
        return self.field is UNNAMED and self.parent is not None and not self.name.endswith("]")

    @property
    def token(self) -> Span | None:
        """The smallest span of this slot: its value, or its key if the value is empty."""
        return self.value if self.value is not None and self.value.end > self.value.start else self.key

    def anchor(self) -> Span:
        """The place for findings about this slot: its key, else its value, else its nearest parent's."""
        slot: Slot | None = self
        while slot is not None:
            span = slot.key or slot.token
            if span is not None:
                return span
            slot = slot.parent
        return Span(0, 0)

    def walk(self, *, silent: bool = True) -> list[Slot]:
        """This slot and all below it, parents first; children of an absent slot are left out.

        Without ``silent``, the items are left out of which no rule has anything to say.
        """
        found: list[Slot] = []
        waiting = [self]
        while waiting:
            slot = waiting.pop()
            found.append(slot)
            if (slot.items or slot.children) and (slot.present or slot.parent is None):
                items = slot.items if silent or not isinstance(slot.items, LongList) else slot.items.to_judge()
                waiting += reversed(items)
                waiting += reversed(slot.children.values())
        return found

    def down(self, path: str) -> Slot:
        """The slot at a path below this one; if it does not exist, the last one on the way there."""
        slot = self
        for name in path.split("."):
            if name not in slot.children:
                break
            slot = slot.children[name]
        return slot

    def find(self, path: str) -> list[Slot]:
        """The slots at a path below this one; ``[]`` after a list's name means all its items, ``[3]`` the fourth."""
        slots = [self]
        for part in path.split("."):
            name, bracket, number = part.partition("[")
            slots = [slot.children[name] for slot in slots if name in slot.children]
            if number == "]":
                slots = [item for slot in slots for item in slot.parts]
            elif bracket:
                index = int(number[:-1]) if number[:-1].isdigit() else -1
                slots = [parts[index] for parts in (slot.parts for slot in slots) if 0 <= index < len(parts)]
        return slots


class LongList(Sequence[Slot]):
    """The items of a long list, such as a log: each is made when it is first asked for.

    ``make`` makes the item with a number, ``data`` has the data of each: of an item that is an object, the data of its
    fields by their names. ``judged``: the items that are not silent (see `silent.py`), by their numbers in order.
    """

    __slots__ = ("_data", "_judged", "_made", "_make")

    def __init__(self, make: Callable[[int], Slot], data: Sequence[Any], judged: Mapping[int, Slot]) -> None:
        self._make = make
        self._data = data
        self._judged = judged
        self._made: dict[int, Slot] = dict(judged)

    def __len__(self) -> int:
        return len(self._data)

    @overload
    def __getitem__(self, index: int) -> Slot: ...

    @overload
    def __getitem__(self, index: slice) -> list[Slot]: ...

    def __getitem__(self, index: int | slice) -> Slot | list[Slot]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = index if index >= 0 else index + len(self)
        if not 0 <= number < len(self):
            raise IndexError(index)
        made = self._made.get(number)
        if made is None:
            made = self._made[number] = self._make(number)
        return made

    def __iter__(self) -> Iterator[Slot]:
        return map(self.__getitem__, range(len(self)))

    def to_judge(self) -> list[Slot]:
        """The items that are not silent, in order."""
        return list(self._judged.values())

    def column(self, name: str) -> list[Any]:
        """The data of a field in each item; with an empty name, of each item itself."""
        found = [one.get(name) for one in self._data] if name else list(self._data)
        for number, item in self._judged.items():
            slot = item.children.get(name) if name else item
            found[number] = slot.data if slot is not None else None
        return found
