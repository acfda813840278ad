"""Folding ranges of a document with handoffs: handoffs, sections, data, lists, runs of a log.

They cover the whole structure of the document, not only its handoffs: in many editors nothing else provides them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Literal

from handoff_lsp.binding.bodies.part import BodyPart
from handoff_lsp.engine import Analysis
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node
from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple

FoldKind = Literal["", "comment", "region"]

# The most folds; editors show no more.
_MOST = 5_000
# A run of a log has at least this many entries with the same tag.
_SHORTEST_RUN = 3
_BOXES = frozenset({"list", "item", "quote"})


class Fold(NamedTuple):
    """Lines (0-based) of which all but the first can be folded away.

    ``inner``: the span between brackets, for editors that can fold parts of lines; None without brackets.
    """

    first: int
    last: int
    kind: FoldKind = ""
    inner: Span | None = None


def folds(analysis: Analysis, most: int = 0) -> list[Fold]:
    """The folds in order, nested or disjoint, at most one for each first line.

    ``most``: the editor's limit, or zero without one. The outermost folds are kept.
    """
    if not analysis.handoffs:
        return []
    pairs = _nested(_all(analysis), analysis.source)
    limit = min(most, _MOST) if most else _MOST
    if len(pairs) > limit:
        pairs = sorted(pairs, key=lambda pair: pair[0])[:limit]
        pairs.sort(key=lambda pair: pair[1].first)
    return [fold for _, fold in pairs]


def _all(analysis: Analysis) -> Iterator[Fold]:
    """All folds. Of those with the same lines the first one counts."""
    lines = analysis.source.lines
    for handoff in analysis.handoffs:
        if handoff.is_part:
            first, last = (
                lines.line_of(handoff.span.start),
                lines.line_of(max(handoff.span.end - 1, handoff.span.start)),
            )
            yield Fold(first, last, "region")
        yield from _in_data(handoff.source, handoff.body.parts)
    tree = analysis.tree
    for number in range(len(tree.headings)):
        after = tree.heading_index(tree.number_after(number))
        end = tree.lines[after] if after < len(tree.lines) else lines.count
        yield Fold(tree.lines[tree.headings[number]], end - 1)
    for comment in tree.comments:
        yield Fold(lines.line_of(comment.start), lines.line_of(comment.end), "comment")
    yield from _in_markdown(tree)


def _in_markdown(tree: MarkdownTree) -> Iterator[Fold]:
    """Front matter, fences, tables, quotes, and list items with everything nested below them."""
    for index, green in enumerate(tree.greens):
        if green.kind in {"fence", "table", "front-matter", "html"}:
            yield Fold(tree.lines[index] + green.line, tree.lines[index] + green.last)
        elif green.kind in _BOXES and (green.last - green.line >= len(green.children) or green.fenced):
            yield from _in_box(tree.block(index))


def _in_box(box: Node) -> Iterator[Fold]:
    stack = [box]
    while stack:
        node = stack.pop()
        if node.last_line > node.first_line:
            if node.kind != "list":
                yield Fold(node.first_line, node.last_line)
            if node.kind in _BOXES:
                stack += node.children


def _in_data(source: Source, parts: Sequence[BodyPart]) -> Iterator[Fold]:
    """Objects and lists, values that continue below their keys, days of a log and runs of entries with one tag."""
    lines = source.lines
    stack = list(parts)
    while stack:
        part = stack.pop()
        span = part.folded
        if span is None:
            continue
        first, last = lines.line_of(span.start), lines.line_of(max(span.end - 1, span.start))
        if first == last:
            continue
        if not part.bracketed or not part.closed:
            yield Fold(first, last)
        else:
            # The line of the closing bracket stays visible, unless other text precedes the bracket.
            shared = source.text[lines.line_start(last) : span.end - 1].strip(" \t>")
            yield Fold(first, last if shared else last - 1, inner=Span(span.start + 1, span.end - 1))
        children = part.below
        stack += children
        if part.kind == "day":
            for _, run in groupby(children, key=lambda entry: entry.tag):
                entries = list(run)
                if len(entries) >= _SHORTEST_RUN:
                    yield Fold(lines.line_of(entries[0].span.start), lines.line_of(entries[-1].span.end))


def _nested(found: Iterable[Fold], source: Source) -> list[tuple[int, Fold]]:
    """The folds that hide a line, without blank lines at their ends, each with its depth."""
    folds: list[tuple[int, Fold]] = []
    around: list[Fold] = []
    for fold in sorted(found, key=lambda fold: (fold.first, -fold.last)):
        while around and fold.first > around[-1].last:
            around.pop()
        cut = around[-1].last if around and fold.last > around[-1].last else fold.last
        last = _without_blanks(source, fold.first, cut)
        if last <= fold.first or (around and around[-1].first == fold.first):
            continue
        # A fold that was cut no longer ends at its bracket.
        fold = fold if last == fold.last else fold._replace(last=last, inner=None)
        folds.append((len(around), fold))
        around.append(fold)
    return folds


def _without_blanks(source: Source, first: int, last: int) -> int:
    lines = source.lines
    last = min(last, lines.count - 1)
    while last > first and not lines.line_text(last).strip(" \t>"):
        last -= 1
    return last
