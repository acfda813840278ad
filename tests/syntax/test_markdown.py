"""The Markdown tree: exact places, and reading again after edits."""

from __future__ import annotations

import cpu
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from handoff_lsp.syntax.markdown import incremental as markdown
from handoff_lsp.syntax.markdown.incremental import (
    MarkdownTree,
    Node,
    dump,
    parse_markdown,
    reparse_markdown,
    same_tree,
)
from handoff_lsp.text import Source, Span

EOLS = pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])


def parse(text: str) -> MarkdownTree:
    return parse_markdown(Source(text))


def only(tree: MarkdownTree, kind: str) -> Node:
    (node,) = (node for node in tree.walk() if node.kind == kind)
    return node


def outline(tree: MarkdownTree) -> list[tuple[str, str]]:
    """Kind and span text of every node, line endings made ``\\n``."""
    slices = ((node.kind, tree.source.slice(node.span)) for node in tree.walk())
    return [(kind, text.replace("\r\n", "\n").replace("\r", "\n")) for kind, text in slices]


@EOLS
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("\n \n\t\n", []),
        ("   ", []),
        ("one\ntwo\n\nthree", [("paragraph", "one\ntwo"), ("paragraph", "three")]),
        ("# a\n  ## b ##  \nc", [("heading", "# a"), ("heading", "## b ##  "), ("paragraph", "c")]),
        ("a\nb\n===\nc\n---\n", [("heading", "a\nb\n==="), ("heading", "c\n---")]),
        ("***\n\n- - -", [("rule", "***"), ("rule", "- - -")]),
        ("    a\n\n    b\n\nc", [("code", "a\n\n    b"), ("paragraph", "c")]),
        ("<div>\na\n\nb", [("html", "<div>\na"), ("paragraph", "b")]),
        ("[a]: /u\n[b]: /v\nc", [("paragraph", "[a]: /u"), ("paragraph", "[b]: /v"), ("paragraph", "c")]),
        (
            "- a\n- b\n\n  c\n\nd",
            [
                ("list", "- a\n- b\n\n  c"),
                ("item", "- a"),
                ("paragraph", "a"),
                ("item", "- b\n\n  c"),
                ("paragraph", "b"),
                ("paragraph", "c"),
                ("paragraph", "d"),
            ],
        ),
        (
            "> a\nlazy\n> - b\n\nc",
            [
                ("quote", "> a\nlazy\n> - b"),
                ("paragraph", "a\nlazy"),
                ("list", "- b"),
                ("item", "- b"),
                ("paragraph", "b"),
                ("paragraph", "c"),
            ],
        ),
        (
            "| a | b |\n|---|:-:|\n| 1 | 2 |\n\nc",
            [
                ("table", "| a | b |\n|---|:-:|\n| 1 | 2 |"),
                ("row", "| a | b |"),
                ("row", "| 1 | 2 |"),
                ("paragraph", "c"),
            ],
        ),
        ("```py\na\n```\nb", [("fence", "```py\na\n```"), ("paragraph", "b")]),
        ("-\n\n  a", [("list", "-"), ("item", "-"), ("paragraph", "a")]),
    ],
)
def test_blocks_and_their_spans(text: str, expected: list[tuple[str, str]], eol: str) -> None:
    assert outline(parse(text.replace("\n", eol))) == expected


@pytest.mark.parametrize(
    ("text", "level", "title"),
    [
        ("# a", 1, "a"),
        ("###### a", 6, "a"),
        ("#", 1, ""),
        ("## ##", 2, ""),
        ("#\ta b \t## ", 1, "a b"),
        ("# a#", 1, "a#"),
        ("# a \\#", 1, "a \\#"),
        ("# `a` *b* 🙂", 1, "`a` *b* 🙂"),
        (" a \n==", 1, "a"),
        ("a\n-", 2, "a"),
        ("> # a", 1, "a"),
        ("- ## a", 2, "a"),
        ("\ufeff# a", 1, "a"),
    ],
)
def test_headings(text: str, level: int, title: str) -> None:
    node = only(parse(text), "heading")
    assert (node.level, node.text) == (level, title)
    assert node.children == []


def test_a_heading_without_a_title_has_a_place_for_one() -> None:
    assert parse("##").blocks[0].content == Span(2, 2)


@EOLS
def test_paragraph_content_is_trimmed_and_its_span_is_not(eol: str) -> None:
    tree = parse(eol + "  a" + eol + " b  " + eol)
    (node,) = tree.blocks
    assert tree.source.slice(node.span) == "a" + eol + " b  "
    assert node.text == "a" + eol + " b"
    assert (node.first_line, node.last_line) == (1, 2)


# Lists


@EOLS
def test_items(eol: str) -> None:
    tree = parse("- [ ] do\n- [x]  done\n  more\n- [X] Done\n- plain [x]\n1) one\n22) two\n".replace("\n", eol))
    marks, numbers = tree.blocks
    assert [(item.checkbox, item.text) for item in marks.children] == [
        (" ", "do"),
        ("x", "done"),
        ("X", "Done"),
        (None, "plain [x]"),
    ]
    spans = [item.checkbox_span for item in marks.children]
    assert [tree.source.slice(span) for span in spans if span] == ["[ ]", "[x]", "[X]"]
    assert [tree.source.slice(item.marker_span) for item in numbers.children] == ["1)", "22)"]
    assert numbers.ordered and numbers.children[0].ordered
    assert not marks.ordered and not marks.children[0].ordered


@pytest.mark.parametrize(
    ("text", "content", "box"),
    [
        ("-", Span(1, 1), None),
        ("- ", Span(2, 2), None),
        ("- [ ]", Span(5, 5), " "),
        ("- [ ] ", Span(5, 5), " "),
        ("- [x]y", Span(2, 6), None),
        ("- [x]: /u", Span(2, 9), None),
        ("-     [x] code", Span(6, 6), None),
        ("- # h", Span(2, 2), None),
        ("-\n  later", Span(4, 9), None),
        ("-\n  [x] later", Span(4, 13), None),
        ("1. a", Span(3, 4), None),
        ("> - [x] a", Span(8, 9), "x"),
    ],
)
def test_item_content(text: str, content: Span, box: str | None) -> None:
    node = only(parse(text), "item")
    assert (node.content, node.checkbox) == (content, box)


def test_list_levels_parents_and_lines() -> None:
    tree = parse("x\n\n- a\n  1. b\n     > - c\n- d\n")
    lists = [node for node in tree.walk() if node.kind == "list"]
    assert [node.level for node in lists] == [0, 1, 2]
    assert [(node.first_line, node.last_line) for node in lists] == [(2, 5), (3, 4), (4, 4)]
    chain: list[str] = []
    node: Node | None = lists[2]
    while node is not None:
        chain.append(node.kind)
        node = node.parent
    assert chain == ["list", "quote", "item", "list", "item", "list"]


# Fences


@EOLS
def test_a_top_level_fence(eol: str) -> None:
    tree = parse("a\n\n```` yaml  x \nk: 1\n```\n\n`````  \nb".replace("\n", eol))
    fence = only(tree, "fence")
    source = tree.source
    assert (fence.marker, fence.info, fence.closed) == ("````", "yaml  x", True)
    assert source.slice(fence.info_span) == "yaml  x"
    assert source.slice(fence.opening) == "```` yaml  x "
    assert fence.closing is not None and source.slice(fence.closing) == "`````  "
    assert fence.text == f"k: 1{eol}```{eol}{eol}"
    assert fence.fragment().text == fence.text
    assert fence.fragment().outer(0) == fence.content.start
    assert source.slice(fence.span).startswith("````") and source.slice(fence.span).endswith("`````  ")
    assert [node.kind for node in tree.blocks] == ["paragraph", "fence", "paragraph"]


@EOLS
@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("  ```\n  a\n    b\n c\n\n  ```", "a\n  b\nc\n\n"),
        ("- ```\n  a\n\n    b\n  ```", "a\n\n  b\n"),
        ("1. x\n\n   ~~~ y\n   a\n   ~~~", "a\n"),
        ("> ```\n> a\n>  b\n>\n> ```", "a\n b\n\n"),
        (">```\n>a\n>```", "a\n"),
        ("> - ```\n>   a\n>     b\n>   ```", "a\n  b\n"),
        ("- > ```\n  > a\n  > ```", "a\n"),
        ("- - - ```\n      a\n      ```", "a\n"),
        ("> ```\n> a\n\nb", "a\n"),
        ("- ```\n  a\nb", "a\n"),
        ("- ```\n\ta\n  ```", "\ta\n"),
        ("> ```\n> ```", ""),
        ("- ```\n  🙂é\0漢\u2028x\n  ```", "🙂é\0漢\u2028x\n"),
    ],
)
def test_fragments(text: str, body: str, eol: str) -> None:
    tree = parse(text.replace("\n", eol))
    (fence,) = tree.fences()
    fragment = fence.fragment()
    assert fragment.text == body.replace("\n", eol)
    for offset, char in enumerate(fragment.text):
        outer = fragment.outer(offset)
        assert tree.source.text[outer] == char
        assert fence.content.start <= outer < fence.content.end
        assert fragment.inner(outer) == offset
    assert fragment.outer(0) >= fence.content.start


@EOLS
@pytest.mark.parametrize(("tail", "last"), [("", 0), ("\n", 0), ("\na", 1), ("\na\n", 1), ("\na\n\n  \n", 3)])
def test_an_unclosed_fence_reaches_to_the_end(tail: str, last: int, eol: str) -> None:
    tree = parse("```x" + tail.replace("\n", eol))
    (fence,) = tree.blocks
    assert not fence.closed and fence.closing is None
    assert fence.span == Span(0, len(tree.source.text))
    assert fence.content.end == len(tree.source.text)
    assert fence.content.start == 4 + (len(eol) if tail else 0)
    assert fence.last_line == last
    assert tree.block_at(len(tree.source.text)) is fence


def test_info_may_be_empty() -> None:
    fence = parse("~~~\n~~~").blocks[0]
    assert (fence.info, fence.info_span, fence.marker, fence.text) == ("", Span(3, 3), "~~~", "")


def test_fences_at_any_depth_in_order() -> None:
    tree = parse("```a\n```\n- x\n  ```b\n  ```\n  > ```c\n  > ```\n\n> ```d\n")
    assert [fence.info for fence in tree.fences()] == ["a", "b", "c", "d"]


# Tables


@EOLS
@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| a | b |", ["a", "b"]),
        ("a|b", ["a", "b"]),
        ("|  a\\|b  |`c`|  ", ["a\\|b", "`c`"]),
        ("| | b |", ["", "b"]),
        ("|a|", ["a"]),
        ("|a|b|c|d|", ["a", "b", "c", "d"]),
        ("|", [""]),
        ("x", ["x"]),
    ],
)
def test_cells(row: str, cells: list[str], eol: str) -> None:
    tree = parse(f"> x | y{eol}> --|--{eol}> {row}{eol}")
    header, body = only(tree, "table").children
    assert (header.header, body.header) == (True, False)
    assert [tree.source.slice(cell) for cell in header.cells] == ["x", "y"]
    assert [tree.source.slice(cell) for cell in body.cells] == cells
    assert (header.first_line, body.first_line) == (0, 2)


# Comments and front matter


@EOLS
@pytest.mark.parametrize(
    ("text", "comments"),
    [
        ("<!-- a -->", ["<!-- a -->"]),
        ("<!-- a\n\nb -->\nc", ["<!-- a\n\nb -->"]),
        ("x <!-- a --> y <!--b-->", ["<!-- a -->", "<!--b-->"]),
        ("x <!-- a\nb --> y", ["<!-- a\nb -->"]),
        ("<!-- a --> <!-- b -->", ["<!-- a -->", "<!-- b -->"]),
        ("<!-- a\nb", ["<!-- a\nb"]),
        ("<div><!-- a\n\n-->", ["<div><!-- a"[5:]]),
        ("x <!-- a\n\n-->", []),
        ("<!-->\n<!--->", ["<!-->", "<!--->"]),
        ("# h <!-- a -->", ["<!-- a -->"]),
        ("- i <!-- a -->\n\n  <!-- b -->", ["<!-- a -->", "<!-- b -->"]),
        ("> <!-- a -->", ["<!-- a -->"]),
        ("|a <!-- b -->|\n|-|\n| <!-- c --> |", ["<!-- b -->", "<!-- c -->"]),
        ("```\n<!-- a -->\n```\n<!-- b -->", ["<!-- b -->"]),
        ("    <!-- a -->\n\n<!-- b -->", ["<!-- b -->"]),
        ("`<!-- a -->` <!-- b -->", ["<!-- b -->"]),
        ("`` ` <!-- a --> `` <!-- b -->", ["<!-- b -->"]),
        ("` <!-- a --> ``", ["<!-- a -->"]),
        ("\\`<!-- a -->`", ["<!-- a -->"]),
        ("\\<!-- a -->", []),
        ("---\n# <!-- a -->\n---\n<!-- b -->", ["<!-- b -->"]),
    ],
)
def test_comments(text: str, comments: list[str], eol: str) -> None:
    tree = parse(text.replace("\n", eol))
    assert [tree.source.slice(span) for span in tree.comments] == [text.replace("\n", eol) for text in comments]


@EOLS
@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("---\na: 1\n---\n# h", "a: 1\n"),
        ("---\na: 1\n...\n# h", "a: 1\n"),
        ("--- \n\na\n---  ", "\na\n"),
        ("---\n---\n", ""),
        ("\ufeff---\na\n---", "a\n"),
    ],
)
def test_front_matter(text: str, content: str, eol: str) -> None:
    tree = parse(text.replace("\n", eol))
    front = tree.front_matter
    assert front is not None and front is tree.blocks[0] and front is tree.preamble[0]
    assert front.text == content.replace("\n", eol)
    assert tree.source.text[front.span.start : front.span.start + 3] == "---"
    assert tree.source.slice(front.span).rstrip()[-3:] in ("---", "...")
    assert front.first_line == 0 and front.last_line == tree.source.lines.line_of(front.span.end)


@pytest.mark.parametrize("text", ["---\na", "\n---\na\n---", "a\n---\n", " ---\n---", "----\n----", "---", "``\n---\n"])
def test_no_front_matter(text: str) -> None:
    assert parse(text).front_matter is None


def test_a_byte_order_mark_is_outside_of_all_blocks() -> None:
    tree = parse("\ufeff```a\nb\n```\n")
    (fence,) = tree.blocks
    assert fence.span == Span(1, 11)
    assert fence.text == "b\n"
    assert parse("\ufeff").blocks == []


# Sections

_SECTIONS = "pre\n\n# A\na\n## B\n> # no\n\n### C\n\n## D\nx\n# E\n- # no\n"


@EOLS
def test_sections(eol: str) -> None:
    tree = parse(_SECTIONS.replace("\n", eol))
    text = tree.source.text
    assert [section.title for section in tree.all_sections] == list("ABCDE")
    first, last = tree.sections
    assert [section.title for section in first.subsections] == ["B", "D"]
    assert [section.title for section in first.subsections[0].subsections] == ["C"]
    assert first.subsections[0].subsections[0].parent is first.subsections[0]
    assert first.parent is None and first.level == 1
    assert first.span == Span(text.index("# A"), text.index("# E"))
    assert first.subsections[0].span == Span(text.index("## B"), text.index("## D"))
    assert first.body.of(text).startswith("a" + eol)
    assert last.span.end == last.body.end == len(text)
    assert [node.kind for node in first.blocks] == ["paragraph"]
    assert [node.kind for node in first.subsections[0].blocks] == ["quote"]
    assert [node.text for node in tree.preamble] == ["pre"]
    for section in tree.all_sections:
        assert tree.section_at(section.span.start) is section
        assert section.heading.kind == "heading" and section.heading.text == section.title
    assert tree.section_at(0) is None
    assert tree.section_at(len(text)) is last


def test_a_section_at_the_end_of_the_text_has_an_empty_body() -> None:
    (section,) = parse("# A").sections
    assert section.body == Span(3, 3)


# Places


def test_block_at() -> None:
    text = "# a\n\n- b\n  > c\n\n| d |\n|---|\n"
    tree = parse(text)

    def kind(offset: int) -> str | None:
        node = tree.block_at(offset)
        return node and node.kind

    assert kind(0) == kind(3) == "heading"
    assert kind(4) is None
    assert kind(text.index("- b")) == "item"
    assert kind(text.index("b")) == kind(text.index("b") + 1) == "paragraph"
    assert kind(text.index("> c")) == "quote"
    assert kind(text.index("d")) == "row"
    assert kind(text.index("|---") + 1) == "table"
    assert kind(len(text)) is None
    assert tree.block_at(0) is tree.blocks[0]


def test_attributes_of_other_kinds_are_empty() -> None:
    (node,) = parse("text").blocks
    assert (node.info, node.marker, node.closed, node.closing, node.cells) == ("", "", False, None, [])
    assert (node.ordered, node.checkbox, node.checkbox_span, node.header, node.level) == (False, None, None, False, 0)
    assert node.info_span == node.opening == node.marker_span == Span(0, 0)
    assert node.fragment().text == "text"


# Any text

_PIECES = [
    *("# h", "## h ##", "a", "b c", "", "  ", "\t", "- a", "- ", "* b", "1. x", "2) y", "   - n", "  - [ ] t", "- - a"),
    *("    c", "\tc", "> q", ">", "> > r", "> - z", "```", "````", "~~~", "```py a|b", "   ```", "> ```", "- ```"),
    *("  ```", "|a|b|", "|-|-|", "a|b", "-|-", "|1|2\\|3|", "<div>", "<!-- c -->", "<!--", "-->", "<?x", "?>", "<a>"),
    *("===", "---", "...", "***", "-", "=", "[a]: /x", "[a]: /x 't'", '"t', "[a", "b]: /u", "'t", "[a]:", "[x] y"),
    *("é🙂", "漢字", "a\u2028b", "\0x", "`<!-- n -->`", "\ufeff", "+ \t x", "-\tx", ">\tx", "  \t> x", "\ud800"),
]
_EOL = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"])
_PIECE = st.sampled_from(_PIECES) | st.text(max_size=4)
_LINE = st.tuples(st.sampled_from(["", "", "", "  ", "> ", "    "]), _PIECE, _EOL)
documents = st.builds(
    lambda lines, last: "".join("".join(line) for line in lines) + last,
    st.lists(_LINE, max_size=24),
    st.sampled_from(["", *_PIECES]),
)


def check(tree: MarkdownTree) -> None:
    """The invariants of every tree."""
    source = tree.source
    text = source.text

    def inside(nodes: list[Node], low: int, high: int) -> None:
        for node in nodes:
            span, content = node.span, node.content
            assert low <= span.start <= content.start <= content.end <= span.end <= high
            assert node.first_line == source.lines.line_of(span.start)
            past = source.lines.line_of(span.end) - node.last_line
            assert past == 0 or (past == 1 and node.kind in ("fence", "item", "list", "quote"))
            inside(node.children, span.start, span.end)
            for cell in node.cells:
                assert span.start <= cell.start <= cell.end <= span.end
            if node.kind == "fence":
                assert span.start <= node.info_span.start <= node.info_span.end <= node.opening.end <= content.start
                fragment = node.fragment()
                assert all(text[fragment.outer(at)] == char for at, char in enumerate(fragment.text))
            low = span.end

    inside(tree.blocks, 0, len(text))
    end = 0
    for comment in tree.comments:
        assert end <= comment.start < comment.end <= len(text)
        end = comment.end
    for offset in range(0, len(text) + 1, 5):
        tree.section_at(offset)
        node = tree.block_at(offset)
        assert node is None or node.span.holds(offset)


def _plain() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 40, "inline_definitions": True}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    parser.validateLink = lambda url: True  # type: ignore[method-assign]
    parser.normalizeLink = lambda url: url  # type: ignore[method-assign]
    return parser


_ORACLE = _plain()
_KINDS = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "definition": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "list_item_open": "item",
    "fence": "fence",
    "code_block": "code",
    "blockquote_open": "quote",
    "table_open": "table",
    "tr_open": "row",
    "html_block": "html",
    "hr": "rule",
}
# markdown-it counts blank lines after these in.
_LOOSE = ("list", "item", "quote", "html")

type_of_outline = list[tuple[str, int, int | None, str]]


def plain_outline(text: str) -> type_of_outline:
    """Kind, lines and fence body of every block, as markdown-it alone has them."""
    # A last line of blanks is no line to markdown-it, unless it is ended.
    tokens = _ORACLE.parse(text if text.endswith(("\n", "\r")) else text + "\n")
    return [
        (
            _KINDS[token.type],
            token.map[0],
            None if _KINDS[token.type] in _LOOSE else token.map[1] - 1,
            token.content.rstrip("\n") if token.type == "fence" and "\t" not in text else "",
        )
        for token in tokens
        if token.type in _KINDS and token.map
    ]


def our_outline(tree: MarkdownTree) -> type_of_outline:
    def body(node: Node) -> str:
        if node.kind != "fence" or "\t" in tree.source.text:
            return ""
        return node.fragment().text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").rstrip("\n")

    return [
        (node.kind, node.first_line, None if node.kind in _LOOSE else node.last_line, body(node))
        for node in tree.walk()
    ]


@settings(max_examples=300, suppress_health_check=list(HealthCheck), deadline=None)
@given(documents, st.sampled_from(["\n", "\r\n", "\r"]))
def test_blocks_are_those_of_markdown_it(text: str, eol: str) -> None:
    # One kind of line ending, as lines without their indentation may put a lone \r before a lone \n.
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", eol).lstrip("\ufeff")
    tree = parse(text)
    if tree.front_matter is None:
        assert our_outline(tree) == plain_outline(text)


@settings(max_examples=300, suppress_health_check=list(HealthCheck), deadline=None)
@given(documents)
def test_any_document(text: str) -> None:
    check(parse(text))


@given(st.text())
def test_any_text(text: str) -> None:
    check(parse(text))


_INSERTED = st.sampled_from(
    ["", "", "x", " ", "\n", "\r", "\r\n", "`", "```", "-", "\t", "|", ">", "#", "[", "]:", "=", *_PIECES]
)
_EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 0, 1, 1, 2, 5, 30, 300]), st.booleans(), _INSERTED | documents),
    min_size=1,
    max_size=10,
)


def check_edits(text: str, edits: list[tuple[float, int, bool, str]]) -> None:
    source = Source(text)
    tree = parse_markdown(source)
    for place, removed, at_line_start, inserted in edits:
        start = round(place * len(source.text))
        if at_line_start:
            start = source.lines.line_start(source.lines.line_of(start))
        edit = Span(start, min(start + removed, len(source.text)))
        before = dump(tree)
        new = source.replaced(edit, inserted)
        after = reparse_markdown(tree, new, edit, len(inserted))
        fresh = parse_markdown(Source(new.text))
        assert dump(after) == dump(fresh), (source.text, edit, inserted)
        assert same_tree(after, fresh)
        assert after.comments == fresh.comments
        assert [section.span for section in after.all_sections] == [section.span for section in fresh.all_sections]
        assert dump(tree) == before
        check_kept(tree, after)
        source, tree = new, after


def check_kept(old: MarkdownTree, new: MarkdownTree) -> None:
    """Neighbors that are kept have the same text, also between them; the end of the text is the last block's."""
    numbers = {id(green): number for number, green in enumerate(old.greens)}
    for number, green in enumerate(new.greens):
        was = numbers.get(id(green), -2)
        following = new.greens[number + 1 : number + 2]
        if was >= 0 and following == old.greens[was + 1 : was + 2]:
            texts = [
                tree.source.text[tree.block_start(at) : tree.block_start(at + 1)]
                for tree, at in ((old, was), (new, number))
            ]
            assert texts[0] == texts[1]


@settings(max_examples=300, suppress_health_check=list(HealthCheck), deadline=None)
@given(documents, _EDITS)
def test_reading_again_is_reading(text: str, edits: list[tuple[float, int, bool, str]]) -> None:
    check_edits(text, edits)


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(st.lists(documents, min_size=6, max_size=12).map("\n".join), _EDITS)
def test_reading_again_with_little_to_look_at(text: str, edits: list[tuple[float, int, bool, str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "_FIRST_REACH", 1)
        patch.setattr(markdown, "_LONG", 0)
        check_edits(text, edits)


_WORDS = st.sampled_from(
    [
        *("- a bc", "- [x] ab c ", "  - ab", "- `a` b", "- **a** b", "  - (b"),
        *("  ab", "ab", "", "> ab", "  ```", "1. ab"),
    ]
)


@settings(max_examples=60, suppress_health_check=list(HealthCheck), deadline=None)
@given(
    st.lists(_WORDS),
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.sampled_from([0, 0, 1, 2, 5]),
            st.just(False),
            st.sampled_from(["", "x", " ", "|", "xy z", "`", "*"]),
        ),
        max_size=10,
    ),
)
def test_reading_again_after_edits_of_words_in_lists(
    lines: list[str], edits: list[tuple[float, int, bool, str]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "_LONG", 0)
        check_edits("\n".join(["- a", *lines]), edits)


_ITEMS = st.sampled_from(["a", "b c", "[ ] t", "[x] u v", "", "`c` | d", "> q", "# h", "```", "[a", "- n", "    code"])
_BETWEEN = st.sampled_from(
    [
        *("", "lazy", "  more", "  - n", "    - nn", "\n  p", "\n", "  ```\n  x\n  ```", "  ```", "```", "  |---|---|"),
        *("* c", "+ c", "1. c", "2) c", "---", "# h", "> q", "<!-- c", "-->", "  ===", "[a]: /u", "  [b]: /x", "\t- t"),
    ]
)


@st.composite
def long_lists(draw: st.DrawFn) -> str:
    """A document that is mostly one list, with something else between some of its items."""
    marker = draw(st.sampled_from(["- ", "- ", "* ", "1. ", "1) ", " - ", "  + "]))
    lines = [draw(st.sampled_from(["", "", "# h", "p", "\ufeff", "---\nk: v\n---"]))]
    for text in draw(st.lists(_ITEMS, min_size=3, max_size=30)):
        lines.append(marker + text)
        if draw(st.integers(0, 3)) == 0:
            lines.append(draw(_BETWEEN))
    eol = draw(st.sampled_from(["\n", "\n", "\r\n", "\r"]))
    return "\n".join(lines).replace("\n", eol)


@settings(max_examples=300, suppress_health_check=list(HealthCheck), deadline=None)
@given(long_lists(), _EDITS, st.sampled_from([1, 16]), st.sampled_from([0, 2, 24]))
def test_reading_again_after_edits_of_long_lists(
    text: str, edits: list[tuple[float, int, bool, str]], reach: int, long: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(markdown, "_FIRST_REACH", reach)
        patch.setattr(markdown, "_LONG", long)
        check_edits(text, edits)


@settings(max_examples=100, suppress_health_check=list(HealthCheck), deadline=None)
@given(long_lists())
def test_any_long_list(text: str) -> None:
    check(parse(text))


@pytest.mark.parametrize(
    ("place", "removed", "inserted"),
    [
        *(("- item 1500\n", 0, "- new\n"), ("- item 1500\n", 12, ""), ("- item 1500\n", 1, "*"), ("item 1500", 0, "x")),
        *(("- item 1500", 1, ""), ("item 1500", 0, "\n"), ("- item 2\n", 0, "- "), ("- item 2999", 0, "x")),
        *(("# after", 0, "x"), ("\n# after", 0, "\n- y"), ("# before", 0, "x")),
    ],
)
def test_items_of_a_long_list_are_shared(place: str, removed: int, inserted: str) -> None:
    source = Source("# before\n\n" + "".join(f"- item {number}\n" for number in range(3000)) + "\n# after\n")
    tree = parse_markdown(source)
    at = source.text.index(place)
    edit = Span(at, at + removed)
    new = source.replaced(edit, inserted)
    after = reparse_markdown(tree, new, edit, len(inserted))
    assert same_tree(after, parse(new.text))
    old_items = {id(item) for green in tree.greens for item in green.children}
    items = [item for green in after.greens for item in green.children]
    assert sum(id(item) not in old_items for item in items) < 10


def test_what_is_made_of_titles_and_items_is_kept() -> None:
    seen: list[str] = []

    def of_title(title: str) -> int:
        seen.append(title)
        return len(title)

    def of_item(text: str, checkbox: str | None) -> str:
        seen.append(text)
        return f"{checkbox}{text}"

    source = Source("# a\n\n- [x] one\n- two\n- three\n- four\n- five\n\n## bc\n")
    tree = parse_markdown(source)
    assert tree.of_titles(of_title) == [1, 2]
    assert tree.blocks[1].of_items(of_item) == ["xone", "Nonetwo", "Nonethree", "Nonefour", "Nonefive"]
    seen.clear()
    at = source.text.index("five")
    tree = reparse_markdown(tree, source.replaced(Span(at, at), "f"), Span(at, at), 1)
    assert tree.of_titles(of_title) == [1, 2]
    assert tree.blocks[1].of_items(of_item)[4] == "Noneffive"
    assert set(seen) == {"three", "four", "ffive"}


def test_a_word_in_a_long_list_is_changed_without_reading_it() -> None:
    source = Source("- [ ] some words\n  - and more\n" * 500)
    tree = parse_markdown(source)
    for at in (source.text.index("words", 5000), source.text.index("more", 5000), 16):
        for edit, inserted in ((Span(at, at), "new "), (Span(at, at + 2), ""), (Span(at, at), " ")):
            new = source.replaced(edit, inserted)
            after = reparse_markdown(tree, new, edit, len(inserted))
            assert same_tree(after, parse(new.text))
            if at > 16:
                assert after.greens[0].children[0] is tree.greens[0].children[0]


_SAMPLE = (
    "---\nk: v\n---\n\n# Title #\n\nText <!-- c --> and\nmore.\n\n- [ ] a\n  1. b\n\n     ```yaml x\n     k: 1\n"
    "     ```\n- [x] c\n\n> q\n> ~~~\n> in\n\nSet\n---\n\n| a | b\\|c |\n|---|:-:|\n| 1 | 2 |\n\n<div>\n</div>\n\n"
    "    code\n\n[r]: /u 'title'\n\n```json\n{}\n```\nend"
)


@EOLS
def test_every_prefix_typed_and_deleted(eol: str) -> None:
    text = _SAMPLE.replace("\n", eol)
    source = Source("")
    tree = parse_markdown(source)
    for at, char in enumerate(text):
        source = source.replaced(Span(at, at), char)
        tree = reparse_markdown(tree, source, Span(at, at), 1)
        check(tree)
        assert same_tree(tree, parse(text[: at + 1]))
    for at in range(len(text) - 1, -1, -1):
        source = source.replaced(Span(at, at + 1), "")
        tree = reparse_markdown(tree, source, Span(at, at + 1), 0)
        assert same_tree(tree, parse(text[:at]))


@EOLS
def test_each_character_replaced(eol: str) -> None:
    text = _SAMPLE.replace("\n", eol)
    source = Source(text)
    tree = parse_markdown(source)
    for at in range(len(text)):
        for inserted in ("", "\n", "`", "|", "- "):
            new = source.replaced(Span(at, at + 1), inserted)
            assert same_tree(reparse_markdown(tree, new, Span(at, at + 1), len(inserted)), parse(new.text))


def test_untouched_blocks_are_shared() -> None:
    source = Source("# a\n\npara\n\n- x\n\n" * 50)
    tree = parse_markdown(source)
    at = source.text.index("para", 400)
    new = source.replaced(Span(at, at), "one\n\ntwo ")
    after = reparse_markdown(tree, new, Span(at, at), 9)
    assert len(after.greens) == len(tree.greens) + 1
    shared = {id(green) for green in tree.greens} & {id(green) for green in after.greens}
    assert len(shared) >= len(tree.greens) - 5


def test_a_fence_is_kept_when_its_body_changes() -> None:
    source = Source("# a\n\n```yaml\n" + "k: v\n" * 9 + "```\n\n# b\n")
    tree = parse_markdown(source)
    before = tree.greens[1]
    for inserted in ("x", "a\nb\n\nc", "``", "x ```"):
        new = source.replaced(Span(30, 33), inserted)
        after = reparse_markdown(tree, new, Span(30, 33), len(inserted))
        assert same_tree(after, parse(new.text))
        assert after.greens[0] is tree.greens[0] and after.greens[2] is tree.greens[2]
    assert tree.greens[1] is before


# Size and depth


@pytest.mark.parametrize("piece", [">", "> ", "- ", "1. ", "[", "`", "<!--", "<a ", "|", "*", "\t", "#", "> - "])
@pytest.mark.parametrize("count", [5_000, 100_000])
def test_deep_nesting_and_long_lines(piece: str, count: int) -> None:
    with cpu.at_most(10):
        tree = parse(piece * count + "x\n\n# after\n")
        assert len(list(tree.walk())) > 0
        assert tree.comments is not None
    if piece not in ("<!--", "`"):  # these run on
        assert tree.all_sections[-1].title == "after"


def test_text_after_deep_lists_is_not_lost() -> None:
    tree = parse("".join("  " * depth + "- a\n" for depth in range(60)) + "\n# after\n")
    assert tree.all_sections[0].title == "after"


@pytest.mark.parametrize(
    "text",
    [
        *("- a\n", "> \n", "> a\n", "|a|b|\n", "|a|\n|-|\n", "```\n", "`\n", "a\n", "\n", "<!--\n", "a <!-- b --> `\n"),
        *("[a\n", "[a]: /x\n", "[a]: b\n(c\n", "a\n===\n", "- - a\n", "1.\n", "<div>\n", "# a\n", "\t\n", "> - a\n"),
    ],
)
def test_many_lines_take_linear_time(text: str) -> None:
    with cpu.at_most(15):
        tree = parse(text * 20_000)
        assert tree.comments is not None
