"""File not found.

## What it does
Checks relative paths in fields that name files of the workspace, from the workspace root and from the folder of the
document. In lists and tables of a Markdown section it checks only paths that are a whole item, and only if their first
folder or another file of the handoff exists: other paths belong to another repository. Deleted and moved files, `N/A`,
earlier names of the document itself and of files that were archived with it, patterns, placeholders, URLs and paths
outside the workspace are ignored.

## Why is this bad?
The next agent opens these files. If one is missing, either the path is wrong and stops the agent, or the work was never
done.

## How to fix
Correct the path, or write the file.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import NOWHERE, Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.language import say
from handoff_lsp.names.paths import NamedPath, is_itself, moved_with, named_paths
from handoff_lsp.rules.rule import Finding, Rule

# At most this many paths of a handoff are checked.
MOST = 500


def check(handoff: Handoff) -> Iterator[Finding]:
    """Paths without a file or folder."""
    around = handoff.around
    if around is NOWHERE:
        return
    missing: list[NamedPath] = []
    some_there = False
    seen: set[int] = set()
    for count, token in enumerate(named_paths(handoff)):
        if count == MOST:
            break
        from_root, beside = around.exists(token.path), around.exists_beside(token.path)
        some_there = some_there or from_root is True or beside is True
        if (
            from_root is False
            and beside is False
            and token.span.start not in seen
            and not is_itself(handoff, token.path)
            and not _is_moved(handoff, token.path)
        ):
            seen.add(token.span.start)
            missing.append(token)
    for token in missing:
        first = token.path.split("/", 1)[0]
        known = first.startswith(".") or around.exists(first) or around.exists_beside(first)
        if token.loose and not some_there and not known:
            continue
        yield Finding(
            RULE,
            handoff,
            token.span,
            say("File not found: `{path}` in `{field}`", path=token.path, field=_title(token.slot)),
            note=say("It is neither in the workspace root nor next to this file"),
            slot=token.slot,
        )


def _is_moved(handoff: Handoff, path: str) -> bool:
    """Whether a file is beside an archived document now."""
    beside = moved_with(handoff, path)
    return beside != "" and handoff.around.exists_beside(beside) is True


def _title(slot: Slot) -> str:
    """The title of a field; for an item, that of its list."""
    return slot.parent.title if slot.name.endswith("]") and slot.parent is not None else slot.title


RULE = Rule("path-not-found", "across files", "information", check, modes=("handoff",), unfinished="here")
