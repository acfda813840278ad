"""The items of completion."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.skeleton import Skeleton

ItemKind = Literal["section", "field", "value", "snippet", "block", "name", "file", "folder"]


@lazy_dataclass(frozen=True, slots=True)
class CompletionItem:
    """One thing to insert.

    ``edit`` stays on the cursor's line and covers the cursor. Its text is inserted as it is (LSP's ``asIs``); for its
    snippet the editor indents all lines like the first (``adjustIndentation``). ``more``: edits elsewhere that belong
    to it, such as a missing comma above. ``filter``: the text to compare with the typed one, None for the label.
    ``key``: the argument of ``resolve``. Typing one of the characters in ``commit`` accepts the item.
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
    """A value as a word, with its description. ``right``: the rest of the handoff requires it.

    ``made``: what is inserted, where that has places to fill in.
    """

    word: str
    detail: str
    key: str
    kind: ItemKind = "value"
    right: bool = False
    made: Skeleton | None = None


def make_edit(text: str, span: Span, made: Skeleton) -> Edit:
    """An edit that replaces a span of ``text`` with a skeleton; without tab stops it is no snippet."""
    snippet = made.snippet if "$" in made.snippet.replace("\\$", "") else None
    return settled(text, Edit(span, made.plain, snippet))


def in_order(items: Iterable[CompletionItem]) -> list[CompletionItem]:
    """The items numbered in the given order; only the first item with ``preselect`` keeps it."""
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
