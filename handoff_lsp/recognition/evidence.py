"""Evidence for a handoff in one place of a document: the names present, the names missing, and the weight.

Each form yields its evidence, sufficient or not. Detection uses the sufficient, the doctor reports the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from handoff_lsp.contracts.model import Detect, Fence, FileForm, Form, Marker, RunForm, SectionForm
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.text import Span


class Asked(NamedTuple):
    """The names that a form requires: all of ``needs``, ``enough`` of ``some``, and one of ``telling``, if any."""

    needs: Sequence[str]
    some: Sequence[str]
    enough: int
    telling: Sequence[str] = ()

    def met_by(self, there: Callable[[str], bool]) -> bool:
        """Whether enough of the names are present; ``there`` answers for one name."""
        if not all(map(there, self.needs)) or (self.telling and not any(map(there, self.telling))):
            return False
        return sum(map(there, self.some)) >= self.enough


@once_per_field
def asked_by(form: SectionForm | RunForm | Fence | FileForm) -> Asked:
    """The names that a form requires: root fields, or keys in a fence or a file."""
    if isinstance(form, Fence):
        return Asked(form.needs, form.shape, form.enough)
    if isinstance(form, FileForm):
        return Asked(form.needs, form.holds, min(form.enough, len(form.holds)))
    return Asked(form.needs, form.holds, form.enough, form.telling)


class Seen(NamedTuple):
    """A marker of a contract that a document has; ``span`` is None for a marker of its path."""

    marker: Marker
    span: Span | None


class Evidence(NamedTuple):
    """The evidence for a handoff of a contract in one form, sufficient or not.

    ``place`` is a section's number, the numbers of blocks, a fence, or None for a whole document or file. ``there``
    answers for each name in ``asked`` whether it is in that place. ``decided``: something else makes it a handoff, such
    as a fence's tag; ``unsigned``: none of the contract's signs, which exclude similar formats, is present. A document
    has ``seen`` and ``unseen`` markers instead. ``path`` is false for a file with the wrong path, ``content`` for one
    that is not even of the right syntax. ``begun`` is false for a place that has the names, but not the heading, line,
    key or comment that a handoff begins with.
    """

    entry: ContractEntry
    form: Form
    place: int | range | Node | None
    there: Callable[[str], bool] = bool
    asked: Asked = Asked((), (), 0)
    decided: bool = False
    unsigned: bool = False
    path: bool = True
    content: bool = True
    begun: bool = True
    seen: tuple[Seen, ...] = ()
    unseen: tuple[Marker, ...] = ()

    @property
    def detect(self) -> Detect | None:
        """The weights that the contract requires of a whole document; None for any other form."""
        return self.entry.contract.detect if self.form == "document" else None

    @property
    def suffices(self) -> bool:
        """Whether this evidence makes the place a handoff."""
        if self.detect is not None:
            return self.weight >= self.detect.enough and self.text_weight >= self.detect.content
        return self.decided or (self.begun and self.path and self.content and self.asked.met_by(self.there))

    @property
    def weight(self) -> int:
        """The sum of the weights of the markers seen."""
        return sum(each.marker.weight for each in self.seen)

    @property
    def text_weight(self) -> int:
        """The sum of the weights of the markers seen, without those of the path."""
        return sum(each.marker.weight for each in self.seen if not each.marker.path)

    @property
    def names(self) -> tuple[str, ...]:
        """The required names that are present."""
        asked = self.asked
        return tuple(name for name in dict.fromkeys([*asked.needs, *asked.some, *asked.telling]) if self.there(name))

    @property
    def needs(self) -> tuple[str, ...]:
        """The missing names, all of which are required."""
        return tuple(name for name in self.asked.needs if not self.there(name))

    @property
    def some(self) -> tuple[str, ...]:
        """The missing names of which ``more`` are still required."""
        return tuple(name for name in self.asked.some if not self.there(name))

    @property
    def more(self) -> int:
        """The number of names in ``some`` that are still required."""
        return max(self.asked.enough - len(self.asked.some) + len(self.some), 0)

    @property
    def telling(self) -> tuple[str, ...]:
        """The names one of which is still required; empty if one is present."""
        return () if any(map(self.there, self.asked.telling)) else tuple(self.asked.telling)

    @property
    def share(self) -> float:
        """The share of the requirements that are met, from 0 to 1."""
        if self.detect is not None:
            return min(self.weight / self.detect.enough, 1.0)
        missing = len(self.needs) + self.more + bool(self.telling) + self.unsigned + (not self.path) + (not self.begun)
        names = len(self.names)
        return names / max(names + missing, 1) if self.content else 0.0

    def span(self, tree: MarkdownTree) -> Span | None:
        """The place in the document; None if it is the whole document."""
        if isinstance(self.place, range):
            return Span(tree.block(self.place[0]).span.start, tree.block(self.place[-1]).span.end)
        if isinstance(self.place, int):
            return tree.all_sections[self.place].span
        return self.place.span if self.place is not None else None
