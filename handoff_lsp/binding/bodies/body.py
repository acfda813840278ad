"""The questions that every syntax of a handoff answers; the answers here are those of plain lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from handoff_lsp.binding.bodies.part import BodyPart
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.json.parse import JsonNode
from handoff_lsp.syntax.lines.log import LogEntry
from handoff_lsp.text import Fragment, Source, Span

Syntax = Literal["markdown", "json", "outline", "log"]


class Body:
    """The text of a handoff in one syntax, read. Subclasses answer where their syntax differs."""

    syntax: ClassVar[Syntax]
    # Whether all of it is keys with values, so that each key is meant for some field.
    only_keys: ClassVar[bool] = False
    # Whether its root fields are lines, such as other syntaxes have below their sections.
    flat: ClassVar[bool] = False
    # Whether the author's prose stands around its fields, with headings, lists and tables.
    prose: ClassVar[bool] = False
    # Whether it is a record to which lines are only ever added.
    append_only: ClassVar[bool] = False
    # Whether texts stand between quotes, with escapes.
    quoted: ClassVar[bool] = False
    # Whether there is JSON where the contract wants lines, or YAML where it wants JSON.
    is_json: bool = False
    is_yaml: bool = False

    # The text of the body and where it is in the document; None where it is no text inside another one.
    fragment: Fragment | None = None

    def bind(self, spec: Spec, source: Source) -> Slot:
        """The root slot, with slots for all fields below it."""
        raise NotImplementedError

    @property
    def parts(self) -> Sequence[BodyPart]:
        """The data at the top, with all that is in them; empty in Markdown, where sections and blocks are the parts."""
        return ()

    @property
    def entries(self) -> Sequence[LogEntry]:
        """The entries of a log; none in any other syntax."""
        return ()

    @property
    def comments(self) -> Sequence[Span]:
        """The comments in it."""
        return ()

    @property
    def readable(self) -> bool:
        """Whether the contract's own reader gets anything out of it."""
        return True

    @property
    def elides(self) -> bool:
        """Whether a line of dots in it stands for what is left out."""
        return False

    def shows_absence(self, *, cut: bool) -> bool:
        """Whether a field that is not in it is missing. ``cut``: where it ends is not certain."""
        return not cut

    def node(self, slot: Slot) -> JsonNode | None:
        """The JSON value that a slot was bound to; None in any other syntax."""
        return None

    def quote(self, value: object) -> str:
        """A value or a name as it is written here."""
        return str(value)

    def read(self, field: Field, value: object, empty_words: frozenset[str]) -> object:
        """What a field's data become once a value is written."""
        return read_text(field, str(value), empty_words).data

    def end(self) -> tuple[int, bool]:
        """Where in ``fragment`` it ends, and whether that is certain."""
        raise NotImplementedError


def root_slot(spec: Spec) -> Slot:
    """The slot of a handoff as a whole, with nothing below it yet."""
    root = Slot("", spec.root)
    root.present = root.written = True
    return root
