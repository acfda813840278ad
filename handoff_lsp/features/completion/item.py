"""What completion offers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from handoff_lsp.text import Edit, Span
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.skeleton import Skeleton

ItemKind = Literal["section", "field", "value", "snippet", "block", "name", "file", "folder"]


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One thing to insert.

    ``edit`` stays on the cursor's line and holds the cursor. Its text is complete as it is (LSP's ``asIs``); the
    lines of its snippet count on the editor to add the indentation of the first (``adjustIndentation``). ``more`` are
    edits elsewhere that go with it, such as a comma that is missing above. ``filter`` is what the typed text is
    compared with, None for the label. ``key`` is what ``resolve`` needs. Typing one of ``commit`` takes the item.
    """

    label: str
    kind: ItemKind
    edit: Edit
    detail: str = ""
    sort: int = 0
    documentation: str = ""
    key: str = ""
    preselect: bool = False
    filter: str | None = None
    more: tuple[Edit, ...] = ()
    commit: str = ""


class Offer(NamedTuple):
    """A value as a word, and what is told of it. ``right``: the rest of the handoff asks for it."""

    word: str
    detail: str
    key: str
    kind: ItemKind = "value"
    right: bool = False


def make_edit(text: str, span: Span, made: Skeleton) -> Edit:
    """An edit that puts a skeleton in the place of a span of ``text``; without tab stops it is no snippet."""
    snippet = made.snippet if "$" in made.snippet.replace("\\$", "") else None
    return settled(text, Edit(span, made.plain, snippet))


def in_order(items: Iterable[CompletionItem]) -> list[CompletionItem]:
    """Items with their sort numbers, in the order in which they come; only the first that wants it is preselected."""
    numbered: list[CompletionItem] = []
    chosen = False
    for index, item in enumerate(items):
        numbered.append(replace(item, sort=index, preselect=item.preselect and not chosen))
        chosen = chosen or item.preselect
    return numbered


def first_sentence(text: str) -> str:
    """The first sentence of a description, for the line beside a label."""
    head, stop, _ = text.partition(". ")
    return head + stop.strip()
