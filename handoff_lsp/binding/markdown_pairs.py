"""The `key: value` pairs of Markdown's blocks: lines, fences, tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import NameTable
from handoff_lsp.syntax.lines.keyvalue import Pair, inner_pairs, read_pairs
from handoff_lsp.syntax.lines.yaml import read_yaml_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node, Section
from handoff_lsp.text import Span


def line_pairs(nodes: Iterable[Node], tree: MarkdownTree, *, comments: bool = False) -> list[Pair]:
    """The pairs in the lines of some blocks, without fences and tables, which may quote a tool's output.

    ``comments``: the lines may be YAML without a fence, so a `` #`` ends the value. Labels of Markdown keep it.
    """
    text = tree.source.text
    lines = (node for node in nodes if node.kind not in {"fence", "table"})
    return [
        pair for node in lines for pair in read_pairs(text, node.span, comments=comments and node.kind == "paragraph")
    ]


def table_pairs(section: Section, tree: MarkdownTree, names: NameTable) -> Iterator[Pair]:
    """The pairs of a section's tables: name and value side by side, or names above a single row of values."""
    text = tree.source.text
    for table in section.whole({"table"}):
        heads = [row.cells for row in table.children if row.header]
        rows = [row.cells for row in table.children if not row.header]
        across = any(fold_name(cell.of(text)) in names.folded for cells in heads for cell in cells)
        sides = zip(heads[0], rows[0], strict=False) if across and len(rows) == 1 else ()
        cells = sides if across else ((row[0], row[1]) for row in rows if len(row) > 1)
        for key, value in cells:
            line = Span(min(key.start, value.start), max(key.end, value.end))
            yield Pair(key, value, line, key.of(text), value.of(text), None)


def row_pairs(section: Section, tree: MarkdownTree) -> Iterator[Pair]:
    """The first two cells of each row of a section's tables as pairs."""
    text = tree.source.text
    for table in section.whole({"table"}):
        for one in (row.cells for row in table.children if len(row.cells) > 1):
            yield Pair(one[0], one[1], Span(one[0].start, one[1].end), one[0].of(text), one[1].of(text), None)


def column_pairs(section: Section, tree: MarkdownTree) -> Iterator[Pair]:
    """The cells of a section's tables below the first row, each with the name of its column as the key."""
    text = tree.source.text
    for table in section.whole({"table"}):
        heads = next((row.cells for row in table.children if row.header), [])
        for row in (row.cells for row in table.children if not row.header):
            for key, value in zip(heads, row, strict=False):
                yield Pair(key, value, value, key.of(text), value.of(text), None)


def head_pairs(section: Section, tree: MarkdownTree) -> Iterator[Pair]:
    """The header rows of a section's two-column tables as pairs: without column names, the first row is data."""
    text = tree.source.text
    for table in section.whole({"table"}):
        for one in (row.cells for row in table.children if row.header and len(row.cells) == 2):
            yield Pair(one[0], one[1], Span(one[0].start, one[1].end), one[0].of(text), one[1].of(text), None)


def fence_pairs(fence: Node) -> list[Pair]:
    """The pairs of a fence, in YAML or in plain lines; cached until the fence changes."""
    fragment = fence.fragment()
    return [
        pair._replace(
            key=fragment.outer_span(*pair.key),
            value=fragment.outer_span(*pair.value),
            line=fragment.outer_span(*pair.line),
        )
        for pair in fence.once(_read_fence)
    ]


def _read_fence(fence: Node) -> Sequence[Pair]:
    """The pairs of a fence in offsets of its body."""
    text = fence.fragment().text
    pairs = read_yaml_pairs(text)
    # A text that is not valid YAML, such as `outcome: a: b`, is read as plain lines, as its author meant it.
    return read_pairs(text, Span(0, len(text)), comments=True) if pairs is None else pairs


def each_pair(pairs: Iterable[Pair], names: NameTable) -> Iterator[Pair]:
    """The pairs, with a line of several, such as `Total: 3 / Pass: 2 / Fail: 1`, split into each of them."""
    for pair in pairs:
        if fold_name(pair.key_text) in names.folded:
            yield from inner_pairs(pair, lambda key: fold_name(key) in names.folded)
        else:
            yield pair


def any_known(pairs: Iterable[Pair], names: NameTable) -> bool:
    """Whether any of the pairs has a key that the contract knows."""
    return any(fold_name(pair.key_text) in names.folded for pair in pairs)
