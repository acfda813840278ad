"""Outlines: runs of pairs with lists, maps and blocks in them."""

from __future__ import annotations

from textwrap import dedent
from unittest.mock import patch

import cpu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoff_lsp.syntax.lines import outline as outline_module
from handoff_lsp.syntax.lines import outline_reader
from handoff_lsp.syntax.lines.outline import Outline, OutlineEntry, OutlineValue, read_outline
from handoff_lsp.syntax.lines.outline_tree import LongItems, plain
from handoff_lsp.text import Span, line_texts


def shown(value: OutlineValue) -> object:
    """A value as plain data: text of a scalar, list, dict-like pairs, ``|`` and a block's text, None where empty."""
    if value.kind == "list":
        return [shown(item.value) for item in value.items]
    if value.kind == "map":
        return tuple((entry.key_text, shown(entry.value)) for entry in value.entries)
    if value.kind == "block":
        return "|" + value.text
    return value.text if value.kind == "scalar" else None


def outline(text: str, *, comments: bool = False) -> tuple[dict[str, object], list[str]]:
    found = read_outline(text, comments=comments)
    check(text, found)
    pairs = [(entry.key_text, shown(entry.value)) for entry in found.entries]
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs), [span.of(text) for span in found.stray]


def only(text: str, *, comments: bool = False) -> OutlineEntry:
    (entry,) = read_outline(text, comments=comments).entries
    return entry


def check(text: str, found: Outline, start: int = 0, end: int | None = None) -> None:
    """The invariants of every outline."""
    end = len(text) if end is None else end
    assert start <= found.end <= end

    def inside(span: Span, outer: Span) -> None:
        assert outer.covers(span) and span.start <= span.end

    def entries_of(entries: tuple[OutlineEntry, ...], outer: Span) -> None:
        last = outer.start
        for entry in entries:
            inside(entry.span, outer)
            inside(entry.key, entry.span)
            inside(entry.value.span, entry.span)
            assert last <= entry.span.start and entry.key.end <= entry.value.span.start
            assert entry.line.start <= entry.span.start <= entry.line.end
            assert entry.value.span.end == entry.span.end
            last = entry.span.end
            value_of(entry.value)

    def value_of(value: OutlineValue) -> None:
        raw = value.span.of(text)
        assert bool(value.items) <= (value.kind == "list") and bool(value.entries) <= (value.kind == "map")
        assert (raw == "") == (value.kind == "empty" or (value.kind == "block" and not value.text))
        assert raw == raw.lstrip()
        assert value.kind not in ("scalar", "block") or raw == raw.rstrip()
        assert value.kind not in ("list", "map") or value.text == raw
        last = value.span.start
        if isinstance(value.items, LongItems):
            assert value.items.data == [plain(item.value) for item in value.items]
        for item in value.items:
            inside(item.span, value.span)
            inside(item.marker, item.span)
            inside(item.value.span, item.span)
            assert last <= item.span.start and item.marker.end <= item.value.span.start
            assert item.marker.of(text) in ("-", "*", "+", "")
            last = item.span.end
            value_of(item.value)
        entries_of(value.entries, value.span)

    entries_of(found.entries, Span(start, found.end))
    last = start
    for span in found.stray:
        assert last <= span.start < span.end <= found.end
        last = span.end


BLOCK = dedent("""\
    AGENT_RESULT: developer
    STATUS: blocked
    BLOCKED_REASON: a text: with a colon
      and an indented continuation
      also: this
    ARTIFACT_PATHS:
      - SPEC: docs/SPEC.md
      - docs/OTHER.md
    OPEN:
    - one
      more of one
    - path: x
      kind: y
    DOCS_UPDATED:
      SPEC.md: updated
    HANDOFF_PAYLOAD: |
      slug: x

      intake_summary: |
        deep
    EMPTY:

    NEXT: done
    """)

ENVELOPE = dedent("""\
    ---
    # what it is
    status: complete   # a tail
    "quoted key": "a \\"b\\" # no tail"
    executive_summary: |
      One.
      # Not a comment.
    artifacts:
      - { backend: engram, path: "x" }
      - name: 'it''s'   # tail
        tags: [a, "b, c"]
      # between
      -
        name: z
      - - n1
        - n2
    nested:
      deep:
        deeper: 1
    risks: []
    none: {}
    long: [
      a, # why
      b
    ]
    summary: {one-line summary}
    choice: {a | b}
    ---
    """)

BOLD = dedent("""\
    **Status**: success
    **Summary:** text
      and more

    **Artifacts**:

    - a.md
    - `b.md`
      wrapped
    **次のステップ**：review 🙂
    - left over
      with: more
    A sentence.
    """)

BULLETS = dedent("""\
    - **status**: done
    - `summary`: text
      goes on
      - even so
    - **risks**:
      - a
      - b: c
    - **next**:
    - not a pair
    - **map**:
      x: 1
      y: 2
    * **last**: z
    - left over
    """)

QUOTED = dedent("""\
    > **STATUS**: done
    > PATHS:
    > - a
    >   - b
    > MAP:
    >   x: [1,
    >     2]
    > TEXT: |
    >   one
    >
    >   > two
    NEXT: lazy
    """)


def test_an_upper_snake_block() -> None:
    assert outline(BLOCK) == (
        {
            "AGENT_RESULT": "developer",
            "STATUS": "blocked",
            "BLOCKED_REASON": "a text: with a colon and an indented continuation also: this",
            "ARTIFACT_PATHS": [(("SPEC", "docs/SPEC.md"),), "docs/OTHER.md"],
            "OPEN": ["one more of one", (("path", "x"), ("kind", "y"))],
            "DOCS_UPDATED": (("SPEC.md", "updated"),),
            "HANDOFF_PAYLOAD": "|slug: x\n\nintake_summary: |\n  deep",
            "EMPTY": None,
            "NEXT": "done",
        },
        [],
    )


def test_an_envelope() -> None:
    assert outline(ENVELOPE, comments=True) == (
        {
            "status": "complete",
            "quoted key": 'a "b" # no tail',
            "executive_summary": "|One.\n# Not a comment.",
            "artifacts": [
                (("backend", "engram"), ("path", "x")),
                (("name", "it's"), ("tags", ["a", "b, c"])),
                (("name", "z"),),
                ["n1", "n2"],
            ],
            "nested": (("deep", (("deeper", "1"),)),),
            "risks": [],
            "none": (),
            "long": ["a", "b"],
            "summary": "{one-line summary}",
            "choice": "{a | b}",
        },
        [],
    )


def test_bold_keys() -> None:
    assert outline(BOLD) == (
        {
            "Status": "success",
            "Summary": "text and more",
            "Artifacts": ["a.md", "`b.md` wrapped"],
            "次のステップ": "review 🙂",
        },
        ["- left over", "with: more", "A sentence."],
    )


def test_bullets() -> None:
    assert outline(BULLETS) == (
        {
            "status": "done",
            "summary": "text goes on - even so",
            "risks": ["a", (("b", "c"),)],
            "next": ["not a pair"],
            "map": (("x", "1"), ("y", "2")),
            "last": "z",
        },
        ["- left over"],
    )


def test_quoted() -> None:
    assert outline(QUOTED) == (
        {
            "STATUS": "done",
            "PATHS": ["a - b"],
            "MAP": (("x", ["1", "2"]),),
            "TEXT": "|one\n\n> two",
            "NEXT": "lazy",
        },
        [],
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("k: v", "v"),
        ("\ufeffk: v", "v"),
        ("k:\tv", "v"),
        ("k： v", "v"),
        ("k:", None),
        ("k:\n  v\n  w", "v w"),
        ("k:\r\n  v\r\n\r\n  w\r\n", "v w"),
        ("k:\n\tv: w", (("v", "w"),)),
        ("k:\n  [a, b]", ["a", "b"]),
        ("k:\n  'a: b'", "a: b"),
        ('k: "a\n  b\\n"', "a b\n"),
        ("k: 'a''b'", "a'b"),
        ("k: ''", ""),
        ("k: 'a' or 'b'", "'a' or 'b'"),
        ('k: "a', '"a'),
        ('k: "a" b', '"a" b'),
        ("k: `a`", "`a`"),
        ("k: [x](y)", "[x](y)"),
        ("k: [x]", ["x"]),
        ("k: [x", "[x"),
        ("k: [x\n  y", "[x y"),
        ("k: [ ] todo", "[ ] todo"),
        ("k: [a, ]", ["a"]),
        ("k: [don't, can't]", ["don't", "can't"]),
        ("k: ['a ] b', \"c ] d\"]", ["a ] b", "c ] d"]),
        ("k: [#12, b #c]", ["#12", "b #c"]),
        ("k: [a\n  b, c]", ["a b", "c"]),
        ("k: [*a]", "[*a]"),
        ("k: [&a [x], *a]", "[&a [x], *a]"),
        ("k: [a: b]", [(("a", "b"),)]),
        ('k: ["a": ]', [(("a", None),)]),
        ('k: {\u3000": a}', (('"', "a"),)),
        ('k: {"a":1, b: {c: [d]}}', (("a", "1"), ("b", (("c", ["d"]),)))),
        ("k: {a: }", (("a", None),)),
        ("k: {a, b: c}", (("a", None), ("b", "c"))),
        ("k: {a, or b}", "{a, or b}"),
        ("k: {{a}}", "{{a}}"),
        ("k: {a} and\n  {b}", "{a} and {b}"),
        ("k: {a}\n  b", "{a} b"),
        ("k: [{a}, b]", ["{a}", "b"]),
        ("k: >-\n  a\n   b\n", "|a\n b"),
        ("k: |2+\n  a\n", "|a"),
        ("k: |", "|"),
        ("k: | x\n  y", "| x y"),
        ("k:\n  - |\n    a\n    b\n  - c", ["|a\nb", "c"]),
        ("k:\n  - a: |\n      b\n    c: d", [(("a", "|b"), ("c", "d"))]),
        ("k:\n  -   a: b\n    c: d", [(("a", "b"), ("c", "d"))]),
        ("k:\n  - a:\n    - b\n  - c", [(("a", ["b"]),), "c"]),
        ("k:\n  - a:\n  - c", [(("a", None),), "c"]),
        ("k:\n  -\n  - b", [None, "b"]),
        ("k:\n  -\n    - b", [["b"]]),
        ("k:\n- a\n- b", ["a", "b"]),
        ("k:\n* a\n+ b", ["a", "b"]),
        ("k:\n-a", None),
    ],
)
def test_a_value(text: str, value: object) -> None:
    found = read_outline(text)
    check(text, found)
    assert shown(found.entries[0].value) == value


@pytest.mark.parametrize(
    ("text", "value", "stray"),
    [
        ("k: v\n- a", "v", ["- a"]),
        ("k: v\n- a: b\n  c: d", "v", ["- a: b", "c: d"]),
        ("intro\n- x\n\nk: v", "v", ["intro", "- x"]),
        ("k: []\n  - a", [], ["- a"]),
        ("k:\n  a: b\n  junk\n  c: d", (("a", "b"), ("c", "d")), ["junk"]),
        ("k:\n  - a\n  junk", ["a"], ["junk"]),
        ("k: v\n# Title", "v", ["# Title"]),
        ("k: v\n---\n***", "v", []),
        ("k: v\n> q: w", "v", ["> q: w"]),
        ("- k: v\n-", "v", ["-"]),
    ],
)
def test_what_is_left_over(text: str, value: object, stray: list[str]) -> None:
    assert outline(text) == ({"k": value}, stray)


@pytest.mark.parametrize(
    ("text", "stray", "end"),
    [("", [], 0), ("\n\n", [], 0), ("some words\n- and\n", ["some words", "- and"], 16), ("\ufeff", [], 0)],
)
def test_no_pair(text: str, stray: list[str], end: int) -> None:
    found = read_outline(text)
    assert found.entries == () and [span.of(text) for span in found.stray] == stray and found.end == end


def test_spans() -> None:
    text = '> - **`key`**: "a  \n>     b"  \n> - x:  \n>   - m\n>   - n: [o, {p: q}]\n'
    first, second = read_outline(text).entries
    assert first.key.of(text) == "key" and first.key_text == "key"
    assert first.value.span.of(text) == '"a  \n>     b"' and first.value.text == "a b"
    assert first.line.of(text) == '> - **`key`**: "a  '
    assert first.span.of(text) == '- **`key`**: "a  \n>     b"'
    assert second.value.span.of(text) == second.value.text == "- m\n>   - n: [o, {p: q}]"
    m, n = second.value.items
    assert m.marker.of(text) == "-" and m.span.of(text) == "- m"
    assert n.value.span.of(text) == "n: [o, {p: q}]"
    (entry,) = n.value.entries
    assert entry.line.of(text) == ">   - n: [o, {p: q}]" and entry.span.of(text) == "n: [o, {p: q}]"
    o, p = entry.value.items
    assert o.marker == Span(o.span.start, o.span.start) and o.span.of(text) == "o"
    assert p.value.entries[0].span.of(text) == "p: q" and p.value.entries[0].line == entry.line


@pytest.mark.parametrize(
    ("text", "place"),
    [("k:", 2), ("k: ", 3), ("k:   \n\n", 3), ("k: # c", 3), ("**k:** ", 7), ('"k":  ', 5), ("k: {a:  }", 7)],
)
def test_the_place_of_an_empty_value(text: str, place: int) -> None:
    value = only(text, comments=True).value
    if value.kind == "map":
        value = value.entries[0].value
    assert (value.kind, value.span) == ("empty", Span(place, place))


def test_repeated_keys_and_a_part_of_the_text() -> None:
    text = "a: 1\nb: 2\nb: 3  \n\nc: 4"
    found = read_outline(text, 5, 18)
    assert [(entry.key_text, entry.value.text) for entry in found.entries] == [("b", "2"), ("b", "3")]
    assert found.end == text.index("\n\n")
    assert read_outline(text, -3, 99).end == len(text)
    assert read_outline(text, 9, 3) == Outline((), (), 3)


def test_comments_are_text_unless_asked_for() -> None:
    text = "a: b # c\n  # d\n  e"
    assert only(text).value.text == "b # c # d e"
    assert only(text, comments=True).value.text == "b e"
    text = 'a: "b\n  # c"'
    assert only(text, comments=True).value.text == "b # c"


def test_blocks_of_markdown_below_a_text_are_no_part_of_it() -> None:
    text = "- **a**: one:\n  - b: c\n  more\n- **d**: two\n```\ne: f\n```\n- **g**: three\n  | h |\n  four"
    found = read_outline(text, markdown=True)
    check(text, found)
    assert [(entry.key_text, shown(entry.value)) for entry in found.entries] == [
        ("a", "one:"),
        ("d", "two"),
        ("g", "three"),
    ]
    assert [span.of(text) for span in found.stray] == ["- b: c", "more", "```", "e: f", "```", "| h |", "four"]
    assert outline(text)[0]["a"] == "one: - b: c more"


def test_a_fence_without_an_end_goes_on_to_the_last_line_or_to_the_end_of_its_item() -> None:
    found = read_outline("a: b\n1. c\n   ```js\n   d: e\nf: g\n```\nh: i\n", markdown=True)
    assert [entry.key_text for entry in found.entries] == ["a", "f"]


def test_depth_is_bounded() -> None:
    text = "\n".join(" " * level + "k:" for level in range(3000))
    check(text, read_outline(text))
    for text in ("k:\n  " + "- " * 3000 + "x", "k: " + "[" * 3000 + "]" * 3000, "- " * 3000 + "k: v"):
        check(text, read_outline(text))


@pytest.mark.parametrize("text", [BLOCK, ENVELOPE, BOLD, BULLETS, QUOTED])
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("comments", [False, True])
def test_every_prefix(text: str, eol: str, comments: bool) -> None:
    text = text.replace("\n", eol)
    for end in range(len(text)):
        check(text[:end], read_outline(text[:end], comments=comments))
        check(text, read_outline(text, end, comments=comments), end)


@pytest.mark.parametrize("eol", ["\r\n", "\r"])
@pytest.mark.parametrize("text", [BLOCK, ENVELOPE, BOLD, BULLETS, QUOTED])
def test_any_line_end(text: str, eol: str) -> None:
    assert outline(text.replace("\n", eol), comments=True) == outline(text, comments=True)


_PIECES = [
    *(
        "k: ",
        "key:",
        "k: v",
        "**k**: ",
        "`k`: ",
        '"k": ',
        "'k':",
        "状態：",
        "- ",
        "* ",
        "-",
        "> ",
        ">",
        "# ",
        " # ",
        "---",
    ),
    *("\n", "\n", "\n  ", "\n    ", "\n\t", "\r\n", "\r\n  ", "\r", "\n- ", "\n  - ", "\n> ", "\n>   - ", " ", "  "),
    *("[", "]", "{", "}", ", ", ",", ": ", ":", "[a, b]", "{a: b}", "{a}", "[]", "|", ">-", '"', "'", "\\", "''"),
    *(
        "a",
        "x y",
        "é",
        "🙂",
        "\u2028",
        "\x85",
        "\x0b",
        "\u3000",
        "\xa0",
        "\ufeff",
        "\x00",
        "\ud800",
        "&a ",
        "*a",
        "!t ",
        "?",
        "? ",
    ),
]


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join), st.booleans())
def test_any_text(text: str, comments: bool) -> None:
    check(text, read_outline(text, markdown=True))
    check(text, read_outline(text, comments=comments))


@given(st.text(max_size=60), st.booleans())
def test_any_text_at_all(text: str, comments: bool) -> None:
    check(text, read_outline(text, comments=comments))


_ITEMS = (
    "a",
    "a: b",
    "a: [b, c]",
    "a: {b: c}",
    "- a",
    "- - a: b",
    "a: |",
    "a: 'b",
    "'a'",
    "a # b",
    "a: #1",
    "[a",
    "",
    "---",
)
_LINE_ITEM = st.builds(
    "{}{} {}\n".format, st.sampled_from(("", "  ", " ", "\t", "> ")), st.sampled_from("-*"), st.sampled_from(_ITEMS)
)
_OTHER = st.sampled_from(
    ("\n", "  \n", "k:\n", "- k:\n", "    b: c\n", "  # x\n", "---\n", "]\n", "  ]\n", "k: v\n", "\ufeff", "\r")
)


def whole(value: OutlineValue) -> OutlineValue:
    """A value with all its items."""
    items = tuple(item._replace(value=whole(item.value)) for item in value.items)
    return value._replace(
        items=items, entries=tuple(entry._replace(value=whole(entry.value)) for entry in value.entries)
    )


@given(
    st.lists(st.lists(_LINE_ITEM | _OTHER, max_size=3).map("".join) | _LINE_ITEM.map(lambda line: line * 3)).map(
        "".join
    ),
    st.sampled_from((("",) * 0, ("comments",), ("numbers",))),
)
def test_items_read_by_their_lines_are_those_read_one_by_one(text: str, style: tuple[str, ...]) -> None:
    options = dict.fromkeys(style, True)
    found = []
    # Lines alone, with those kept that any other text had; lines alone; all one by one.
    for many, long, beginning in ((1, 0, 0), (1, len(text) + 9, 9), (len(text), len(text) + 9, 9)):
        with (
            patch.object(outline_reader, "_MANY", many),
            patch.object(outline_module, "_SHORT", -1),
            patch.object(line_texts, "_LONG", long),
            patch.object(line_texts, "_EDGE", beginning),
        ):
            read = read_outline(f"k:\n{text}", **options)
        check(f"k:\n{text}", read)
        found.append(read._replace(entries=tuple(entry._replace(value=whole(entry.value)) for entry in read.entries)))
    assert found[0] == found[1] == found[2]


def test_a_long_list_is_plain_data() -> None:
    text = "k:\n" + "  - a: b\n" * 20 + "    c: d\n  - e\n"
    (entry,) = read_outline(text).entries
    items = entry.value.items
    assert isinstance(items, LongItems)
    assert items.data == [plain(item.value) for item in items] == [{"a": "b"}] * 19 + [{"a": "b", "c": "d"}, "e"]
    assert [item.span.of(text) for item in items[18:]] == ["- a: b", "- a: b\n    c: d", "- e"]


@pytest.mark.parametrize(
    "unit",
    [
        "k: v\n",
        "k:\n",
        "k: [\n",
        "k: [\n]\n",
        "k:\n- a\n",
        "- a: b\n  c: d\n",
        "# c\n",
        "k: [a, {b: c}]\n",
        "k: |\n  a\n",
        " k:\n",
        "  - a\n",
        "- ",
        "> ",
        "\t",
        ' "',
        "k: [ \"' ''\n  ",
        "k: \\\" '\n",
        "k: '",
        "\n",
        "a",
        "`",
        "*",
        ", '' \"\\\" ",
    ],
)
@pytest.mark.parametrize("before", ["", "k:\n  ", "k: [", "> - k: "])
def test_time_grows_with_the_text(unit: str, before: str) -> None:
    text = before + unit * (60_000 // len(unit))
    with cpu.at_most(10):
        read_outline(text, comments=True)
