"""Tolerant JSON: a tree for any text, and every defect with its kind, its exact place and its repair.

All offsets are in code points into the whole text.
"""

from __future__ import annotations

from collections.abc import Callable

from handoff_lsp.syntax.json.parser import JsonParser
from handoff_lsp.syntax.json.tree import (
    JsonDefect,
    JsonKind,
    JsonLocation,
    JsonMember,
    JsonNode,
    JsonPath,
    JsonRole,
    JsonScalar,
    JsonTree,
    descend,
    locate,
    path_of,
    python_value,
    too_deep,
)
from handoff_lsp.text import Edit, Span

__all__ = [
    "JsonDefect",
    "JsonKind",
    "JsonLocation",
    "JsonMember",
    "JsonNode",
    "JsonPath",
    "JsonRole",
    "JsonScalar",
    "JsonTree",
    "descend",
    "locate",
    "parse_json",
    "path_of",
    "python_value",
    "repair_edits",
    "too_deep",
]

# Of several insertions at one place, a string is closed before its container, and that before the comma.
_RANK = {"missing-quote": 0, "missing-bracket": 1}


def parse_json(text: str, start: int = 0, end: int | None = None) -> JsonTree:
    """The tree of ``text[start:end]`` (code points); its offsets are those of the whole text. Never raises."""
    end = len(text) if end is None else max(0, min(end, len(text)))
    start = max(0, min(start, end))
    parser = JsonParser(text, start, end)
    parser.run()
    return JsonTree(text, Span(start, end), parser.root, parser.defects)


def repair_edits(
    tree: JsonTree, *, unsafe: bool = False, but: Callable[[JsonDefect], bool] | None = None
) -> list[Edit]:
    """The edits of all safe defects (with ``unsafe`` of all) that can be applied at once, in text order.

    ``but`` selects the defects to leave alone.

    One repair can reveal another defect, so a caller parses again until none is left.
    """
    ranked = [
        (edit.span.start, edit.span.end, _RANK.get(defect.kind, 2), edit)
        for defect in tree.defects
        if (defect.safe or unsafe) and not (but is not None and but(defect))
        for edit in defect.edits
    ]
    ranked.sort(key=lambda entry: entry[:3])
    edits: list[Edit] = []
    at = 0
    for start, end, _, edit in ranked:
        if start >= at:
            edits.append(edit)
            at = end
    return edits
