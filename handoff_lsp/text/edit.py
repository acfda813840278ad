"""Changes to a text, and applying them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.text.span import Span

_TERMINATOR = lazy_pattern(r"\r\n|\n|\r")


class Edit(NamedTuple):
    """Put ``text`` in the place of ``span`` (offsets in code points of the text as it was before any edit).

    ``snippet`` is the same text with LSP tab stops (``${1:name}``), for clients that have them.
    """

    span: Span
    text: str
    snippet: str | None = None


class EditConflict(ValueError):
    """Two edits of one change overlap, so that no order of applying them is right."""


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits applied at once; insertions at one place keep their order.

    Raises EditConflict where two replaced spans overlap.
    """
    parts: list[str] = []
    at = 0
    for edit in sorted(edits, key=lambda edit: edit.span.start):  # stable: equal starts keep their order
        if edit.span.start < at:
            raise EditConflict(f"edits overlap at offset {edit.span.start}")
        parts.append(text[at : edit.span.start])
        parts.append(edit.text)
        at = edit.span.end
    parts.append(text[at:])
    return "".join(parts)


def difference(old: str, new: str) -> Edit:
    """The single edit from ``old`` to ``new``: it replaces the part between their common prefix and common suffix."""
    start, same = unchanged(old, new)
    return Edit(Span(start, len(old) - same), new[start : len(new) - same])


def unchanged(old: Sequence[object], new: Sequence[object]) -> tuple[int, int]:
    """The lengths of the common prefix and the common suffix of two texts or lists, which do not overlap."""
    limit = min(len(old), len(new))
    start = _agree(limit, lambda low, high: old[low:high] == new[low:high])
    ends = len(old), len(new)
    return start, _agree(
        limit - start,
        lambda low, high: old[ends[0] - high : ends[0] - low] == new[ends[1] - high : ends[1] - low],
    )


def _agree(limit: int, equal: Callable[[int, int], bool]) -> int:
    """The length of the common prefix, by bisection over slices: linear, and as fast as slice comparison."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if equal(low, middle):
            low = middle
        else:
            high = middle - 1
    return low


def eol_of(text: str) -> str:
    """The line ending a text uses: that of its first terminator, ``\\n`` where it has none."""
    match = _TERMINATOR.search(text)
    return match.group() if match else "\n"


def with_eol(text: str, eol: str) -> str:
    """``text`` (written with ``\\n``) with another line ending."""
    return text if eol == "\n" else text.replace("\n", eol)
