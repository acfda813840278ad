"""Completion of paths of files, one folder at a time, where a field names files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from handoff_lsp.features.completion.item import CompletionItem, make_edit
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.workspace_pages import path_key
from handoff_lsp.text import Edit, Span
from handoff_lsp.writing.skeleton import Skeleton, escape_snippet

# What is typed of a path, up to the cursor and from there on: a name goes on to the next folder's.
_BEFORE = re.compile(r"(?:[\w@+.-]|(?<=[\w.])/)*\Z")
_AFTER = re.compile(r"[\w@+.-]*")
# A name that needs no quotes anywhere.
_PLAIN = re.compile(r"[\w@+.-]+")
# What may stand before a path that an item, a cell or a value begins with: a name for it, other paths, marks.
_LEAD = re.compile(
    r"[*_`\"'(\[]*(?:[*_]{0,2}[\w .-]{1,40}[*_]{0,2}[:：][ \t]+[*_`\"']*)?"
    r"(?:[*_`\"']*[\w@+.-]+(?:/[\w@+.-]+)*[*_`\"']*[ \t]*(?:,|、|，|&|\+|and\b)[ \t]*[*_`\"']*)*"
)
# No more names than this are offered at once, and nothing behind a path that is longer (code points).
_MOST = 200
_LONGEST = 500


def typed_path(text: str, low: int, offset: int) -> int:
    """Where the path that ends at ``offset`` begins, not before ``low``; the offset itself where none is typed."""
    found = _BEFORE.search(text, low, offset)
    return found.start() if found else offset


def begins_path(text: str, low: int, offset: int) -> bool:
    """Whether a path may be meant at ``offset`` in an item, a cell or a value that begins at ``low``."""
    start = typed_path(text, low, offset)
    if start - low > _LONGEST:
        return False
    return "/" in text[start:offset] or _LEAD.fullmatch(text, low, start) is not None


def path_items(text: str, low: int, offset: int, context: Context) -> Iterator[CompletionItem]:
    """What the path that is being typed at ``offset`` may go on with. Only the name at the cursor is replaced."""
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
    """The files and folders in the folder of a path whose names go on from what is typed, the nearest root first.

    ``lead`` is what of the typed text stands before the name in the place of the edit. A folder is put in without its
    ``/``: that is typed next, and has the editor ask for what is in it.
    """
    if not context.full or len(folder) > _LONGEST:
        return
    start = typed.casefold()
    found = [entry for entry in context.project.entries(context.full, folder) if allowed.fullmatch(entry.name)]
    found.sort(key=lambda entry: (entry.beside, not entry.name.casefold().startswith(start)))
    for entry in found[:_MOST]:
        label = f"{entry.name}/" if entry.is_folder else entry.name
        detail = "beside this document" if entry.beside else "from the root of the workspace"
        yield CompletionItem(
            label,
            "folder" if entry.is_folder else "file",
            edit(entry.name),
            "" if folder else detail,
            key=path_key(folder + entry.name),
            filter=f"{lead}{entry.name}",
            commit="/" if entry.is_folder else "",
        )
