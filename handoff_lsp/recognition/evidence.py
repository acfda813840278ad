"""Evidence for a handoff in one place of a document: the names present, the names missing, and the weight.

Each form yields its evidence, sufficient or not. Detection uses the sufficient, the doctor reports the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from handoff_lsp.contracts.model import Content, Detect, Form, Sign
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

# Answers whether a value in one place matches a pattern: of a name, with the pattern.
Says = Callable[[str, str], bool]


def met_by(asked: Content, there: Callable[[str], bool], says: Says) -> bool:
    """Whether all that a form asks for is present; ``there`` answers for one name."""
    if not all(map(there, asked.needs)) or (asked.telling and not any(map(there, asked.telling))):
        return False
    if not all(says(name, pattern) for name, pattern in asked.value.items()):
        return False
    return not asked.some or sum(map(there, asked.some)) >= asked.enough


def best_of(found: Sequence[Evidence]) -> Evidence:
    """Of the evidence for each way in which a form recognizes a place: the first that suffices, or the strongest."""
    return next((one for one in found if one.suffices), None) or max(found, key=lambda one: one.share)


def _says_nothing(name: str, pattern: str) -> bool:
    return False


# A form that asks for nothing.
NOTHING = Content()


class Seen(NamedTuple):
    """A sign of a contract that a document has; ``span`` is None for a sign of its path."""

    sign: Sign
    span: Span | None


class Evidence(NamedTuple):
    """The evidence for a handoff of a contract in one form, sufficient or not.

    ``place`` is a section's number, the numbers of blocks, a fence, or None for a whole document or file. ``there``
    answers for each name in ``asked`` whether it is in that place, ``says`` whether its value matches. ``decided``:
    something else makes it a handoff, such as a fence's tag; ``unsigned``: none of the contract's signs, which exclude
    similar formats, is present. A document has ``seen`` and ``unseen`` signs instead. ``path`` is false for a file with
    the wrong path, ``content`` for one that is not even of the right syntax. ``begun`` is false for a place with the
    names, but without the heading, line, key or comment that a handoff begins with.
    """

    entry: ContractEntry
    form: Form
    place: int | range | Node | None
    there: Callable[[str], bool] = bool
    says: Says = _says_nothing
    asked: Content = NOTHING
    decided: bool = False
    unsigned: bool = False
    path: bool = True
    content: bool = True
    begun: bool = True
    seen: tuple[Seen, ...] = ()
    unseen: tuple[Sign, ...] = ()

    @property
    def detect(self) -> Detect | None:
        """The weights that the contract requires of a whole document; None for any other form."""
        return self.entry.contract.detect if self.form == "document" else None

    @property
    def suffices(self) -> bool:
        """Whether this evidence makes the place a handoff."""
        if self.detect is not None:
            return self.weight >= self.detect.enough and self.text_weight >= self.detect.content
        met = self.begun and self.path and self.content and met_by(self.asked, self.there, self.says)
        return self.decided or met

    @property
    def weight(self) -> int:
        """The sum of the weights of the signs seen."""
        return sum(each.sign.weight for each in self.seen)

    @property
    def text_weight(self) -> int:
        """The sum of the weights of the signs seen, without those of the path."""
        return sum(each.sign.weight for each in self.seen if not each.sign.of_path)

    @property
    def names(self) -> tuple[str, ...]:
        """The required names that are present."""
        asked = self.asked
        names = dict.fromkeys([*asked.needs, *asked.some, *asked.telling, *asked.value])
        return tuple(name for name in names if self.there(name))

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
        asked = self.asked
        return max(asked.enough - len(asked.some) + len(self.some), 0) if asked.some else 0

    @property
    def telling(self) -> tuple[str, ...]:
        """The names one of which is still required; empty if one is present."""
        return () if any(map(self.there, self.asked.telling)) else tuple(self.asked.telling)

    @property
    def unsaid(self) -> dict[str, str]:
        """The names whose values are missing or others, with the patterns of what they must be."""
        return {name: pattern for name, pattern in self.asked.value.items() if not self.says(name, pattern)}

    @property
    def share(self) -> float:
        """The share of the requirements that are met, from 0 to 1."""
        if self.detect is not None:
            return min(self.weight / self.detect.enough, 1.0)
        missing = len(self.needs) + self.more + bool(self.telling) + len(self.unsaid) + self.unsigned
        missing += (not self.path) + (not self.begun)
        names = len(self.names)
        return names / max(names + missing, 1) if self.content else 0.0

    def span(self, tree: MarkdownTree) -> Span | None:
        """The place in the document; None if it is the whole document."""
        if isinstance(self.place, range):
            return Span(tree.block(self.place[0]).span.start, tree.block(self.place[-1]).span.end)
        if isinstance(self.place, int):
            return tree.all_sections[self.place].span
        return self.place.span if self.place is not None else None
