"""Values of ``key: value`` lines in one column, and comments after them in another."""

from __future__ import annotations

from collections.abc import Container, Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.markdown_pairs import fence_pairs
from handoff_lsp.contracts.model import Carrier
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import children_of
from handoff_lsp.features.formatting.options import changed
from handoff_lsp.syntax.lines.keyvalue import Pair, read_pairs
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Edit, Span, width
from handoff_lsp.text.lazy import lazy_pattern

_LINE = lazy_pattern(r"[^\r\n]+")
_COMMENT = lazy_pattern(r"([ \t]+)#")
_CARRIERS: frozenset[Carrier | None] = frozenset({"yaml", "plain-label"})


def label_edits(handoff: Handoff) -> Iterator[Edit]:
    """The edits that align the values of each object of a Markdown handoff that is written as lines.

    They change only lines of one pair each, and there only the blanks after the colon and, in a fence, those before a
    comment. Readers of these formats accept any number of blanks there.
    """
    if not handoff.body.prose:
        return
    seen: set[Span] = set()
    for slot in handoff.root.walk():
        if slot.field.kind.holds != "fields" or not slot.children:
            continue
        for child in slot.children.values():
            if not child.written or child.key is None or child.carrier not in _CARRIERS:
                continue
            node = handoff.tree.block_at(child.key.start)
            if node is not None and node.span not in seen:
                seen.add(node.span)
                yield from _node_edits(node, children_of(slot.field).folded)


def _node_edits(node: Node, known: Container[str]) -> Iterator[Edit]:
    text = node.source.text
    if node.kind == "fence" and node.closed:
        body = node.fragment()
        lines = [body.outer_span(*line) for line in _lines(body.text, Span(0, len(body.text)))]
        yield from _aligned(text, lines, fence_pairs(node), comments=True)
    elif node.kind == "paragraph" and node.parent is None:
        pairs = read_pairs(text, node.span, comments=True)
        # A paragraph is prose unless each of its lines is a field.
        if all(fold_name(pair.key_text) in known for pair in pairs):
            yield from _aligned(text, list(_lines(text, node.span)), pairs, comments=False)


def _lines(text: str, span: Span) -> Iterator[Span]:
    """The lines that are neither blank nor only a comment."""
    for match in _LINE.finditer(text, *span):
        if match.group().strip(" \t") and not match.group().lstrip(" \t").startswith("#"):
            yield Span(*match.span())


def _aligned(text: str, lines: list[Span], pairs: list[Pair], *, comments: bool) -> Iterator[Edit]:
    """The edits that align pairs; none unless each line is one of the pairs."""
    if len(lines) < 2 or len(lines) != len(pairs):
        return
    if not all(_is_line(text, line, pair) for line, pair in zip(lines, pairs, strict=True)):
        return
    # All columns are counted in cells from the start of the line.
    column = max(width(pair.key.of(text)) for pair in pairs) + len(": ")
    ends: dict[Pair, int] = {}
    for pair in pairs:
        if pair.value.end > pair.value.start:
            blanks = " " * (column - width(pair.key.of(text)) - len(":"))
            yield from changed(text, Span(pair.key.end + 1, pair.value.start), blanks)
            ends[pair] = column + width(pair.value.of(text))
    if not comments:
        return
    tails = {pair: found for pair in ends if (found := _COMMENT.match(text, pair.value.end))}
    if tails:
        column = max(ends[pair] for pair in tails) + min(len(found[1]) for found in tails.values())
        for pair, found in tails.items():
            yield from changed(text, Span(*found.span(1)), " " * (column - ends[pair]))


def _is_line(text: str, line: Span, pair: Pair) -> bool:
    """Whether a line is one pair from its start, with the colon right after the key, and perhaps a comment."""
    colon = pair.key.end
    if pair.key.start != line.start or text[colon : colon + 1] != ":" or colon >= line.end:
        return False
    if pair.value.end == pair.value.start:
        behind = text[colon + 1 : line.end].strip()
        return not behind or behind.startswith("#")
    before, behind = text[colon + 1 : pair.value.start], text[pair.value.end : line.end]
    return bool(before) and not before.strip(" \t") and (not behind.strip() or _COMMENT.match(behind) is not None)
