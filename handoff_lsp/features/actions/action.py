"""A change that is offered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Edit, Span

ActionKind = Literal[
    "quickfix",
    "source.fixAll.handoff",
    "source.organize.handoff",
    "refactor.rewrite.handoff",
    "refactor.extract.handoff",
]


class NewFile(NamedTuple):
    """A file beside the document: its name, and what is in it."""

    name: str
    text: str


class Change(NamedTuple):
    """What an action does: edits of the document, a file that it writes beside it, a rule that the config turns off.

    The rule is ``off`` for the document alone.
    """

    edits: tuple[Edit, ...]
    file: NewFile | None = None
    off: str = ""


NO_CHANGE = Change(())


@dataclass(frozen=True)
class Action:
    """A change that is offered, made when it is asked for.

    ``key`` names it among the actions of its kind on one document, for asking for it again. ``preferred``: the one
    that the editor's "fix this" takes. ``safe``: it cannot change what the author meant.
    """

    title: str
    kind: ActionKind
    make: Callable[[], Change] = field(repr=False, compare=False)
    key: str = ""
    finding: Finding | None = None
    preferred: bool = False
    safe: bool = True

    @cached_property
    def change(self) -> Change:
        """What it does; nothing where that turns out not to be possible."""
        return self.make()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of the document."""
        return self.change.edits


def chosen(analysis: Analysis, span: Span) -> tuple[int, Handoff] | None:
    """The handoff that a refactoring at ``span`` would be about, with its number: at its beginning or at its status.

    None where there are several, as with all of a document selected: nobody could tell whose status is set.
    """
    found = []
    for index, handoff in enumerate(analysis.handoffs):
        status = handoff.status
        places = [handoff.home(), *([status.key, status.token] if status is not None else [])]
        if touches(span, *(key_line(handoff, place) for place in places)):
            found.append((index, handoff))
    return found[0] if len(found) == 1 else None


def makes_nothing_wrong(before: Analysis, after: Analysis) -> bool:
    """Whether a change of a document brings no finding that was not there before."""
    found, known = (Counter((item.code, item.message) for item in one.findings) for one in (after, before))
    return found <= known


def key_line(handoff: Handoff, place: Span | None) -> Span | None:
    """The whole line of a heading or label in Markdown, where a cursor may be anywhere; another place as it is."""
    if place is None or not handoff.body.prose:
        return place
    lines = handoff.source.lines
    return lines.line_span(lines.line_of(place.start))


def touches(span: Span, *places: Span | None) -> bool:
    """Whether a selection or cursor is at one of some places."""
    return any(place is not None and place.overlaps(span) for place in places)
