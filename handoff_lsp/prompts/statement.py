"""The statements of a prompt, as plain data.

Two statements are equal wherever they are in their documents, so that an edit beside them changes nothing for others.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import field
from typing import Literal, TypeAlias

from handoff_lsp.text import Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

# Who speaks: an agent's definition, an agent that coordinates others or its command, a skill, a template, any other
# page.
SpeakerKind: TypeAlias = Literal["agent", "orchestrator", "skill", "template", "page"]

# What the reader of the prompt is to do: write the value, react to it, never write it, or nothing.
Act: TypeAlias = Literal["emits", "handles", "forbids", "mentions"]

# The notation. ``skeleton``: in a fence that shows a handoff.
Notation: TypeAlias = Literal["code", "list", "table", "skeleton"]


@lazy_dataclass(frozen=True, slots=True)
class Speaker:
    """Who makes the statements of a document. ``name`` as agents' names are compared; empty if it has none."""

    kind: SpeakerKind
    name: str


class Speakers(NamedTuple):
    """Those who speak in a document: ``whole`` outside ``parts``, which are in order and do not overlap.

    Offsets are code points of the document.
    """

    whole: Speaker
    parts: Sequence[tuple[Span, Speaker]] = ()

    def at(self, offset: int) -> Speaker:
        """Who speaks at an offset."""
        number = bisect_right(self.parts, offset, key=lambda part: part[0].start) - 1
        if number >= 0 and offset < self.parts[number][0].end:
            return self.parts[number][1]
        return self.whole

    @property
    def together(self) -> Speaker:
        """The one who speaks; several as one without a name."""
        if len(self.parts) < 2:
            return self.parts[0][1] if self.parts else self.whole
        kinds = {speaker.kind for _, speaker in self.parts}
        return Speaker(kinds.pop() if len(kinds) == 1 else "agent", "")


@lazy_dataclass(frozen=True, slots=True)
class PromptStatement:
    """A statement about a value, or about a field if ``value`` is empty.

    ``path``: the dotted path of the field in the contract, empty for a field that the contract does not have, whose
    name is ``label``. ``label`` and ``value`` are as written. For a marker, or the file of a handoff, ``path`` is
    ``MARKER`` or ``FILE`` of the vocabulary, ``value`` as written, and ``label`` the contract's that is meant.
    ``speaker``: who makes it. ``sure``: the notation leaves no doubt that the words are about this field. ``span``
    covers the value, else the label, in code points of the document.
    """

    contract: str
    path: str
    label: str
    value: str
    act: Act
    speaker: Speaker
    sure: bool = True
    span: Span = field(default=Span(0, 0), compare=False)


@lazy_dataclass(frozen=True, slots=True)
class Enumeration:
    """Values of a field, or fields of a contract, that are listed together.

    ``path`` is that of the field, empty for a list of fields. Two or more items; one if the text says that it is all
    of the required fields. ``span`` covers the items.
    """

    contract: str
    path: str
    notation: Notation
    act: Act
    items: tuple[PromptStatement, ...]
    span: Span = field(default=Span(0, 0), compare=False)

    @property
    def speaker(self) -> Speaker:
        """Who lists them."""
        return self.items[0].speaker

    @property
    def values(self) -> tuple[str, ...]:
        """The values in order."""
        return tuple(one.value for one in self.items)


@lazy_dataclass(frozen=True, slots=True)
class PromptStatements:
    """The statements of one document about the contracts that it is about.

    ``path`` is from the root, with ``/``. ``refers``: the paths of Markdown files that it names, as written.
    """

    path: str
    contracts: tuple[str, ...]
    statements: tuple[PromptStatement, ...]
    enumerations: tuple[Enumeration, ...]
    refers: tuple[str, ...]
    speakers: Speakers = field(compare=False)

    @property
    def speaker(self) -> Speaker:
        """The one who speaks; several as one without a name."""
        return self.speakers.together

    def name_of(self, speaker: Speaker) -> str:
        """The name of one who speaks in it as people know it; that of the file without one."""
        *folders, last = self.path.split("/")
        if last.casefold() == "skill.md" and folders:
            return folders[-1]
        return speaker.name or last


class SaidBy(NamedTuple):
    """A statement and the document that makes it."""

    by: PromptStatements
    statement: PromptStatement


class ListedBy(NamedTuple):
    """An enumeration and the document that has it."""

    by: PromptStatements
    enumeration: Enumeration
