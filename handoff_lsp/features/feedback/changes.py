"""The lines in which two texts differ."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# A fix that changes more lines than this is only named.
MOST_LINES = 40
# The sentence below new lines with placeholders.
FILL_IN = "Replace everything in `<…>`."
_PLACEHOLDER = lazy_pattern(r"<[^<>\n]+>")

_TERMINATOR = lazy_pattern(r"\r\n|\n|\r")

# With more lines than this between the first and the last change, they are one replacement.
_COMPARED = 400


class LineChange(NamedTuple):
    """Lines ``first`` (from 0) on, ``old``, become ``new``; ``after`` is the line after them, None at the end."""

    first: int
    old: list[str]
    new: list[str]
    after: str | None


def line_changes(before: str, after: str) -> list[LineChange]:
    """The changed lines of a text, in its order."""
    old, new = _TERMINATOR.split(before), _TERMINATOR.split(after)
    start, end = 0, 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    removed, added = old[start : len(old) - end], new[start : len(new) - end]
    if not removed and not added:
        return []
    if max(len(removed), len(added)) > _COMPARED:
        return [LineChange(start, removed, added, None)]
    changes = []
    for tag, low, high, new_low, new_high in SequenceMatcher(None, removed, added, autojunk=False).get_opcodes():
        if tag != "equal":
            behind = start + high
            following = old[behind] if behind < len(old) else None
            changes.append(LineChange(start + low, removed[low:high], added[new_low:new_high], following))
    return changes


def has_placeholder(changes: Iterable[LineChange]) -> bool:
    """Whether new lines hold a placeholder that was not in the old ones."""
    return any(
        set(_PLACEHOLDER.findall("\n".join(change.new))) - set(_PLACEHOLDER.findall("\n".join(change.old)))
        for change in changes
    )
