"""The paths of files that a handoff names, and their places in it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.syntax.json.parse import JsonNode
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Fragment, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_PATH = lazy_pattern(r"(?:\.{1,2}/)*(?:[\w@+.-]+/)*[\w@+.-]+/?")
_SUFFIX = lazy_pattern(r"[\w@+-]\.([A-Za-z][A-Za-z0-9]{0,9})$")
_HOST = lazy_pattern(r"(?:www\.|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|co|gov|edu|info)/)", re.IGNORECASE)
# A place in a file: `a.py:12`, `a.py:12-20`, `a.py#L12`.
_PLACE = lazy_pattern(r"(?::\d+(?:[:-]\d+)?|#L\d+(?:-L?\d+)?)?[.,;:：]?$")
# Of a name without a folder only these are surely files.
_FILE = lazy_pattern(
    r"md|markdown|txt|jsonc?|jsonl|ya?ml|toml|ini|cfg|lock|log|csv|xml|html?|css|scss|sql|sh|bash|ps1|pyi?|tsx?|jsx?|mjs"
    r"|cjs|vue|svelte|php|rb|go|rs|java|kt|swift|c|h|cpp|hpp|cs|exs?|tf|proto",
    re.IGNORECASE,
)
_LEAD = lazy_pattern(
    r"`(?P<code>[^`\n]+)`|\[[^\]\n]*\]\((?P<link>[^()\s]+)\)|\*\*`?(?P<bold>[^*`\n]+)`?\*\*|(?P<plain>[^\s`|,;、，(（]+)"
)
_AND = lazy_pattern(r"\s*(?:,|、|，|&|\+|and\b)\s*")
_DETAIL = lazy_pattern(r"\s*$|\s*[:：(（|]|\s+(?:[—–#]|-+\s|=)")
_BEFORE = lazy_pattern(r"\s*(?:\[[^\]]\]\s+)?")
_NAMED = lazy_pattern(r"[*_]{0,2}[\w .-]{1,40}[*_]{0,2}[:：]\s+")
_RESOLVED = lazy_pattern(r"\bpath[:：]\s*`?([^\s`()（）,;]+)`?", re.IGNORECASE)
_GONE = lazy_pattern(
    r"(?i)\b(?:delet|remov|renam|mov(?:ed|ing)\b|dropped|replaced by|absent|missing|planned|skipped|not\b|no longer"
    r"|n/a\b)|→|->|=>|~~|削除|移動|なし|無し|未作成|不要|対象外|スキップ"
)
# The beginning of a cell that marks the row's file as absent. More words may follow.
_CELL_GONE = lazy_pattern(
    r"(?i)[\s*_`~(（]*(?:(?:n/a|na|no|none|not|absent|missing|planned|pending|todo|tbd|skip(?:ped)?|deleted|removed"
    r"|renamed|moved|dropped)\b|[❌✗✘]|なし|無し|未|不要|対象外|該当なし|削除|移動|スキップ)"
)
# A folder for finished work.
_ARCHIVE = lazy_pattern(r"(?i)archived?|done|closed|old")


class NamedPath(NamedTuple):
    """A path as written. ``loose``: it is in a Markdown list or table, where words may look like paths."""

    slot: Slot
    span: Span
    path: str
    loose: bool


def named_paths(handoff: Handoff) -> Iterator[NamedPath]:
    """The paths in the file fields of a handoff, in order, without deleted, moved or planned files."""
    for slot in handoff.to_judge:
        if not slot.field.paths or not slot.present or (slot.problem is not None and not slot.children):
            continue
        if handoff.body.quoted:
            node, fragment = handoff.body.node(slot), handoff.body.fragment
            if node is not None and fragment is not None:
                yield from _in_json(fragment, slot, node)
        elif slot.field.kind.holds == "pairs":
            for child in slot.children.values():
                yield from _in_pair(handoff, slot, child)
        elif slot.items:
            for item in slot.items:
                if item.key is not None:
                    yield from _in_text(handoff, slot, item.value or item.key, loose=not handoff.body.flat)
        elif slot.value is not None and _on_line_of_key(handoff, slot):
            yield from _in_text(handoff, slot, slot.value, loose=False)
        else:
            for span, cell in _spans(handoff, slot):
                yield from _in_text(handoff, slot, span, loose=True, cell=cell)


def is_itself(handoff: Handoff, path: str) -> bool:
    """Whether a path is the document's own, before it was moved into a folder below or an archive."""
    folder, _, name = path.rpartition("/")
    now, _, own = handoff.path.rpartition("/")
    if not name or name != own:
        return False
    return f"/{now}/".find(f"/{folder.strip('./')}/") >= 0 or any(map(_ARCHIVE.fullmatch, now.split("/")))


def moved_with(handoff: Handoff, path: str) -> str:
    """The path from the document's folder to a file that was moved into an archive with it; empty for any other.

    `changes/add-x/design.md` is `design.md` for a document in `changes/archive/2026-01-01-add-x`.
    """
    *_, own = handoff.path.split("/")[:-1] or [""]
    parts = path.split("/")
    at = next((number for number, part in enumerate(parts[:-1], 1) if part and own.endswith(part)), 0)
    return "/".join(parts[at:]) if at and any(map(_ARCHIVE.fullmatch, handoff.path.split("/"))) else ""


def _on_line_of_key(handoff: Handoff, slot: Slot) -> bool:
    """Whether a value follows its label on the line, not in a list below it."""
    assert slot.value is not None
    if slot.key is None or slot.value.end == slot.value.start:
        return False
    lines = handoff.source.lines
    return slot.carrier == "heading-inline" or lines.line_of(slot.key.start) == lines.line_of(slot.value.start)


def _in_json(fragment: Fragment, slot: Slot, node: JsonNode) -> Iterator[NamedPath]:
    """The texts of a value; for an object in a list its `path`, unless its other members say that it may be gone."""
    if node.kind == "array":
        for item in node.items:
            if item.kind == "object" and (item.get("commit") is not None or _is_gone_item(item)):
                continue
            inner = item.get("path") if item.kind == "object" else item
            if inner is not None and inner.kind == "string":
                yield from _in_json(fragment, slot, inner)
    elif node.kind == "object":
        for name in node.members:
            if name.value is not None and name.value.kind == "string":
                yield from _in_json(fragment, slot, name.value)
    elif node.kind == "string":
        text = str(node.value)
        path = clear_path(text, bare=True)
        inner_text = fragment.text[node.start + 1 : node.end - 1]
        if path is not None and text == inner_text:
            span = fragment.outer_span(node.start + 1, node.start + 1 + len(path))
            yield NamedPath(slot, span, path, loose=False)


def _is_gone_item(item: JsonNode) -> bool:
    """Whether a member of an object says that its file does not exist, such as `"action": "deleted"`."""
    values = [member.value for member in item.members if member.value is not None and member.value.kind == "string"]
    return any(_CELL_GONE.match(str(value.value)) for value in values)


def _in_pair(handoff: Handoff, slot: Slot, pair: Slot) -> Iterator[NamedPath]:
    """The path in `name: path` or in `path: remark`."""
    if pair.value is None or pair.key is None:
        return
    line = handoff.source.lines.first_line_of(pair.value)
    key = handoff.source.slice(pair.key).strip("`\"' ")
    if "/" in key:
        start = pair.key.start + handoff.source.slice(pair.key).index(key)
        path = clear_path(key, bare=False)
        if path is not None and not _GONE.search(handoff.source.slice(line)):
            yield NamedPath(slot, Span(start, start + len(path)), path, loose=False)
    else:
        yield from _in_text(handoff, slot, line, loose=False)


def _spans(handoff: Handoff, slot: Slot) -> Iterator[tuple[Span, bool]]:
    """The list items and table cells in a section or below a label."""
    if slot.span is None or not handoff.body.prose:
        return
    tree = handoff.tree
    first = bisect_left(tree.lines, tree.source.lines.line_of(slot.span.start))
    last = bisect_left(tree.lines, tree.source.lines.line_of(max(slot.span.end - 1, slot.span.start)) + 1)
    for index in range(first, last):
        if tree.greens[index].kind in {"list", "table"}:
            yield from _below(tree.block(index))


def _below(node: Node) -> Iterator[tuple[Span, bool]]:
    for child in node.children:
        if child.kind == "row":
            if not child.header and not _is_gone(child):
                yield from ((cell, True) for cell in child.cells)
        elif child.kind == "item":
            yield child.content, False
            yield from _below(child)
        elif child.kind == "list":
            yield from _below(child)


def _is_gone(row: Node) -> bool:
    """Whether one cell of a row says that the file in another cell does not exist."""
    text = row.source
    return any(_CELL_GONE.match(text.slice(cell)) for cell in row.cells)


def _in_text(handoff: Handoff, slot: Slot, span: Span, *, loose: bool, cell: bool = False) -> Iterator[NamedPath]:
    """The paths in a line that is an item or a value."""
    line = handoff.source.lines.first_line_of(span)
    for start, path in _find(handoff.source.slice(line), not loose, cell):
        yield NamedPath(slot, Span(line.start + start, line.start + start + len(path)), path, loose)


@lru_cache(maxsize=2_048)
def _find(text: str, bare: bool, cell: bool) -> tuple[tuple[int, str], ...]:
    """The places of paths in a text: after `path:`, else at its beginning, after an optional name. None if it is gone.

    A keystroke changes one of these texts.
    """
    return () if _GONE.search(text) else tuple(_places(text, bare=bare, cell=cell))


def _places(text: str, *, bare: bool, cell: bool) -> Iterator[tuple[int, str]]:
    resolved = list(_RESOLVED.finditer(text))
    for match in resolved:
        path = clear_path(match[1], bare=True)
        if path is not None:
            yield match.start(1), path
    if resolved:
        return
    at = _BEFORE.match(text).end()  # type: ignore[union-attr]  # it matches nothing, too
    named = _NAMED.match(text, at)
    if named is not None:
        at = named.end()
    while at < len(text):
        lead = _LEAD.match(text, at)
        if lead is None or lead.lastgroup is None:
            return
        token, start = lead[lead.lastgroup], lead.start(lead.lastgroup)
        quote = 1 if token[:1] in "\"'" and len(token) > 1 and token[-1] == token[0] else 0
        path = clear_path(token[quote : len(token) - quote], bare=bare)
        following = _AND.match(text, lead.end())
        ended = text[lead.end() :].strip() == "" if cell else _DETAIL.match(text, lead.end()) is not None
        plain = lead.lastgroup == "plain"
        if path is None or not (following or ended or (not plain and not cell) or token.endswith((":", "："))):
            return
        yield start + quote, path
        if following is None:
            return
        at = following.end()


def clear_path(token: str, *, bare: bool) -> str | None:
    """A token as the relative path that it clearly is, without the place in the file; else None."""
    path = token[: _PLACE.search(token).start()]  # type: ignore[union-attr]  # it matches nothing, too
    if _PATH.fullmatch(path) is None or "..." in path or path.startswith("-") or _HOST.match(path):
        return None
    if path.startswith("path/to/") or path.strip("./") == "":
        return None
    last = path.rsplit("/", 1)[-1]
    suffix = _SUFFIX.search(last)
    if "/" not in path:
        return path if bare and suffix is not None and _FILE.fullmatch(suffix[1]) else None
    hidden = last.startswith(".") and last.strip(".") != ""
    return path if suffix is not None or hidden or path.endswith("/") else None
