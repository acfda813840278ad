"""What completion offers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from handoff_lsp.binding.placement import settled
from handoff_lsp.contracts.skeleton import Skeleton
from handoff_lsp.text import Edit, Span

ItemKind = Literal["section", "field", "value", "snippet", "block"]


@dataclass(frozen=True, slots=True)
class CompletionItem:
    """One thing to insert.

    ``edit`` stays on the cursor's line and holds the cursor. Its text is complete as it is (LSP's ``asIs``); the
    lines of its snippet count on the editor to add the indentation of the first (``adjustIndentation``).
    ``filter`` is what the typed text is compared with, None for the label. ``key`` is what ``resolve`` needs.
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
