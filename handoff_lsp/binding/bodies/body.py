"""The interface of a handoff's body; the answers here are those of plain lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar, Literal

from handoff_lsp.binding.bodies.part import BodyPart
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.json.parse import JsonNode
from handoff_lsp.syntax.lines.log import LogEntry
from handoff_lsp.text import Fragment, Source, Span
from handoff_lsp.text.named_tuple import NamedTuple

Syntax = Literal["markdown", "json", "outline", "log"]


class Lookups(NamedTuple):
    """Lookups by name in a body that is not bound yet, for the choice of a profile.

    ``has`` answers whether a key or section is present; ``value`` returns a root field's text (None: absent).
    """

    has: Callable[[str], bool]
    value: Callable[[str], str | None]


class Body:
    """The parsed text of a handoff in one syntax. Subclasses override the answers that differ in theirs."""

    syntax: ClassVar[Syntax]
    # Whether it consists of keys with values only, so that each key is meant for some field.
    only_keys: ClassVar[bool] = False
    # Whether its root fields are lines, as the fields below a section are in other syntaxes.
    flat: ClassVar[bool] = False
    # Whether its fields are in the author's prose, among headings, lists and tables.
    prose: ClassVar[bool] = False
    # Whether it is a record to which lines are only ever added.
    append_only: ClassVar[bool] = False
    # Whether texts are quoted, with escapes.
    quoted: ClassVar[bool] = False
    # Whether it is JSON although the contract wants lines, or YAML although it wants JSON.
    is_json: bool = False
    is_yaml: bool = False

    # The text of the body with its place in the document; None if it is not a text inside another one.
    fragment: Fragment | None = None

    def lookups(self, entry: ContractEntry) -> Lookups:
        """Lookups for a contract whose profile is not chosen yet."""
        return Lookups(lambda name: False, lambda name: None)

    def bind(self, spec: Spec, source: Source) -> Slot:
        """The root slot, with slots for all fields below it."""
        raise NotImplementedError

    @property
    def parts(self) -> Sequence[BodyPart]:
        """The data at the top level, with the parts below; empty in Markdown, which has sections and blocks instead."""
        return ()

    @property
    def entries(self) -> Sequence[LogEntry]:
        """The entries of a log; empty in any other syntax."""
        return ()

    @property
    def comments(self) -> Sequence[Span]:
        """The comments in it."""
        return ()

    @property
    def readable(self) -> bool:
        """Whether the contract's own reader can read anything in it."""
        return True

    @property
    def elides(self) -> bool:
        """Whether a line of dots in it replaces an omitted part."""
        return False

    def shows_absence(self, *, cut: bool) -> bool:
        """Whether a field that was not found is certainly missing. ``cut``: the body's end is not certain."""
        return not cut

    def node(self, slot: Slot) -> JsonNode | None:
        """The JSON value that a slot was bound to; None in any other syntax."""
        return None

    def quote(self, value: object) -> str:
        """A value or a name as it is written in this syntax."""
        return str(value)

    def read(self, field: Field, value: object, empty_words: frozenset[str]) -> object:
        """The field's data after ``value`` is written to it."""
        return read_text(field, str(value), empty_words).data

    def end(self) -> tuple[int, bool]:
        """The offset of its end in ``fragment``, and whether that is certain."""
        raise NotImplementedError


def root_slot(spec: Spec) -> Slot:
    """The slot of a handoff as a whole, with nothing below it yet."""
    root = Slot("", spec.root)
    root.present = root.written = True
    return root
