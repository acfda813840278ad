"""Completion of file paths, one folder at a time, in fields that name files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from handoff_lsp.features.completion.item import CompletionItem, make_edit
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.workspace_pages import path_key
from handoff_lsp.language import say
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import Skeleton, escape_snippet

# The typed path before the cursor, and the rest of the name after it.
_BEFORE = lazy_pattern(r"(?:[\w@+.-]|(?<=[\w.])/)*\Z")
_AFTER = lazy_pattern(r"[\w@+.-]*")
# A name that needs no quotes anywhere.
_PLAIN = lazy_pattern(r"[\w@+.-]+")
# The text that may precede a path in an item, a cell or a value: a name for it, other paths, marks.
_LEAD = lazy_pattern(
    r"[*_`\"'(\[]*(?:[*_]{0,2}[\w .-]{1,40}[*_]{0,2}[:：][ \t]+[*_`\"']*)?"
    r"(?:[*_`\"']*[\w@+.-]+(?:/[\w@+.-]+)*[*_`\"']*[ \t]*(?:,|、|，|&|\+|and\b)[ \t]*[*_`\"']*)*"
)
# The most names to offer at once, and the longest path (code points) to complete.
_MOST = 200
_LONGEST = 500


def typed_path(text: str, low: int, offset: int) -> int:
    """The start of the path that ends at ``offset``, not before ``low``; ``offset`` itself without a path."""
    found = _BEFORE.search(text, low, offset)
    return found.start() if found else offset


def begins_path(text: str, low: int, offset: int) -> bool:
    """Whether the text at ``offset``, in an item, a cell or a value that begins at ``low``, may be a path."""
    start = typed_path(text, low, offset)
    if start - low > _LONGEST:
        return False
    return "/" in text[start:offset] or _LEAD.fullmatch(text, low, start) is not None


def path_items(text: str, low: int, offset: int, context: Context) -> Iterator[CompletionItem]:
    """The continuations of the path that is being typed at ``offset``; only the name at the cursor is replaced."""
    start = typed_path(text, low, offset)
    folder, slash, typed = text[start:offset].rpartition("/")
    after = _AFTER.match(text, offset)
    span = Span(offset - len(typed), after.end() if after else offset)
    if _AFTER.fullmatch(typed) is None:
        return

    def edit(name: str) -> Edit:
        return make_edit(text, span, Skeleton(name, escape_snippet(name)))

    yield from entry_items(context, folder + slash, typed, edit, _PLAIN)


def entry_items(
    context: Context, folder: str, typed: str, edit: Callable[[str], Edit], allowed: re.Pattern[str], lead: str = ""
) -> Iterator[CompletionItem]:
    """The entries in the folder of a path, those from the root first; within each group, matches of ``typed`` first.

    ``lead``: the typed text before the name that the edit also replaces. A folder is inserted without its ``/``:
    typing that makes the editor ask for the entries in it.
    """
    if not context.full or len(folder) > _LONGEST:
        return
    start = typed.casefold()
    found = [entry for entry in context.project.entries(context.full, folder) if allowed.fullmatch(entry.name)]
    found.sort(key=lambda entry: (entry.beside, not entry.name.casefold().startswith(start)))
    for entry in found[:_MOST]:
        label = f"{entry.name}/" if entry.is_folder else entry.name
        detail = say("beside this document") if entry.beside else say("from the root of the workspace")
        yield CompletionItem(
            label,
            "folder" if entry.is_folder else "file",
            edit(entry.name),
            "" if folder else detail,
            key=path_key(folder + entry.name),
            filter=f"{lead}{entry.name}",
            commit="/" if entry.is_folder else "",
        )
