"""A code action: its title, its kind and the change it makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from functools import cached_property
from typing import Literal

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

ActionKind = Literal[
    "quickfix",
    "source.fixAll.handoff",
    "source.organize.handoff",
    "refactor.rewrite.handoff",
    "refactor.extract.handoff",
]


class NewFile(NamedTuple):
    """A file beside the document: its name and its text."""

    name: str
    text: str


class Change(NamedTuple):
    """The effect of an action: edits of the document, a new file beside it, a rule to turn off in the config.

    The config turns the rule ``off`` for this document only; ``off`` is empty without one.
    """

    edits: tuple[Edit, ...]
    file: NewFile | None = None
    off: str = ""


NO_CHANGE = Change(())


@lazy_dataclass(frozen=True)
class Action:
    """A code action; its change is computed on demand.

    ``key`` identifies it among the actions of one document, so that a client can resolve it later.
    ``preferred``: the editor's "fix this" applies it. ``safe``: it cannot change the author's meaning.
    ``also``: further findings that it removes. ``last``: it comes after the actions of all kinds.
    ``inserts``: the names of the absent fields that it adds, if it does nothing else.

    One with ``choices`` changes nothing itself: the user picks one of them. A client that cannot ask lists the first
    ``listed`` of them in its place.
    """

    title: str
    kind: ActionKind
    make: Callable[[], Change] = field(repr=False, compare=False)
    key: str = ""
    finding: Finding | None = None
    preferred: bool = False
    safe: bool = True
    also: tuple[Finding, ...] = ()
    last: bool = False
    inserts: tuple[str, ...] = ()
    choices: tuple[Alternative, ...] = ()
    listed: int = 4

    @cached_property
    def change(self) -> Change:
        """The effect of the action; empty if it turns out to be impossible."""
        return self.make()

    @property
    def edits(self) -> tuple[Edit, ...]:
        """The edits of the document."""
        return self.change.edits


class Alternative(NamedTuple):
    """One of several equal actions: its label in a list of them, and its meaning, which may be empty."""

    label: str
    about: str
    action: Action


def one_of(title: str, choices: Iterable[Alternative], *, listed: int = 4) -> Iterator[Action]:
    """Equal actions as one with choices; the action itself if there is only one."""
    offered = tuple(choices)
    first = next((choice.action for choice in offered), None)
    if first is None:
        return
    if len(offered) == 1:
        yield first
    else:
        yield Action(
            title, first.kind, _nothing, finding=first.finding, last=first.last, choices=offered, listed=listed
        )


def _nothing() -> Change:
    return NO_CHANGE


def spread(actions: Iterable[Action]) -> Iterator[Action]:
    """The actions for a client that cannot ask: the first choices in the place of an action that has some."""
    for action in actions:
        yield from (choice.action for choice in action.choices[: action.listed]) if action.choices else (action,)


def each(actions: Iterable[Action]) -> Iterator[Action]:
    """All actions, with every choice in the place of an action that has some."""
    for action in actions:
        yield from (choice.action for choice in action.choices) if action.choices else (action,)


def chosen(analysis: Analysis, span: Span) -> tuple[int, Handoff] | None:
    """The handoff, with its index, whose beginning or status is at ``span``: the target of a refactoring.

    None for several, as when a whole document is selected: the user could not see whose status would be set.
    """
    matches = []
    for index, handoff in enumerate(analysis.handoffs):
        status = handoff.status
        places = [handoff.home(), *([status.key, status.token] if status is not None else [])]
        if touches(span, *(key_line(handoff, place) for place in places)):
            matches.append((index, handoff))
    return matches[0] if len(matches) == 1 else None


def makes_nothing_wrong(before: Analysis, after: Analysis) -> bool:
    """Whether a change of a document adds no finding."""
    new, old = (Counter((item.code, item.message) for item in one.findings) for one in (after, before))
    return new <= old


def key_line(handoff: Handoff, place: Span | None) -> Span | None:
    """The whole line of a Markdown heading or label, where the cursor may be anywhere; elsewhere ``place`` itself."""
    if place is None or not handoff.body.prose:
        return place
    lines = handoff.source.lines
    return lines.line_span(lines.line_of(place.start))


def touches(span: Span, *places: Span | None) -> bool:
    """Whether a selection or cursor is at one of some places."""
    return any(place is not None and place.overlaps(span) for place in places)
