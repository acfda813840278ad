"""``key: value`` lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoff_lsp.syntax.lines.keyvalue import Pair, read_pairs
from handoff_lsp.text import Span


def pairs(text: str, *, comments: bool = False) -> list[Pair]:
    return read_pairs(text, Span(0, len(text)), comments=comments)


@pytest.mark.parametrize(
    ("line", "key", "value"),
    [
        ("status: done", "status", "done"),
        ("  status:   done  ", "status", "done"),
        ("status:\tdone", "status", "done"),
        ("- status: done", "status", "done"),
        ("* status: done", "status", "done"),
        ("+ status: done", "status", "done"),
        ("> status: done", "status", "done"),
        ("> - status: done", "status", "done"),
        ("- > status: done", "status", "done"),
        ("**Status**: done", "Status", "done"),
        ("**Status:** done", "Status", "done"),
        ("- **Status:** done", "Status", "done"),
        ("* **Status**: done", "Status", "done"),
        ("*status*: done", "status", "done"),
        ("***status***: done", "status", "done"),
        ("`status`: done", "status", "done"),
        ("**`status`**: done", "status", "done"),
        ("**`status`:** done", "status", "done"),
        ("Next step : go", "Next step", "go"),
        ("Created at: 10:30", "Created at", "10:30"),
        ("src/a.b-c_d: x", "src/a.b-c_d", "x"),
        ("_private: x", "_private", "x"),
        ("x: http://example.org/a: b", "x", "http://example.org/a: b"),
        ("状态: 完成", "状态", "完成"),
        ("状态：完成", "状态", "完成"),
        ("**状态：** 完成", "状态", "完成"),
        ("स्थिति: x", "स्थिति", "x"),
        ("cafe\u0301: x", "cafe\u0301", "x"),
        ("mood: 🙂🙂", "mood", "🙂🙂"),
        ("a" * 60 + ": x", "a" * 60, "x"),
        ("key: a # b", "key", "a # b"),
        ("key: a\u2028b", "key", "a\u2028b"),
    ],
)
def test_a_pair(line: str, key: str, value: str) -> None:
    for before, after in (("", ""), ("one\n", "\ntwo"), ("\r\n", "\r\nx"), ("\r", "\ry")):
        text = before + line + after
        (pair,) = pairs(text)
        assert (pair.key_text, pair.value_text) == (key, value)
        assert pair.key.of(text) == key
        assert pair.value.of(text) == value
        assert pair.line.of(text) == line
        assert pair.comment is None


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "no colon",
        ": x",
        "http://example.org",
        "see http://example.org",
        "at 10:30",
        "1: x",
        "-: x",
        "a" * 61 + ": x",
        "**Status: done",
        "**Status**",
        "`status: done",
        "*status**: done",
        "std::string",
        "call(x): y",
        "[a]: /url",
        "| a: b |",
        "# Title: x",
        '"status": 1',
    ],
)
def test_no_pair(line: str) -> None:
    assert pairs(line) == []


@pytest.mark.parametrize(
    ("text", "place"),
    [("key:", 4), ("key: ", 5), ("key:   ", 5), ("**key:** ", 9), ("- **key**:", 10), ("key: \nx", 5), ("key:\r\n", 4)],
)
def test_an_empty_value_is_a_place_after_the_colon(text: str, place: int) -> None:
    (pair,) = pairs(text)
    assert pair.value == Span(place, place)
    assert pair.value_text == ""


@pytest.mark.parametrize(
    ("text", "value", "comment"),
    [
        ("k: a # why", "a", "# why"),
        ("k: a  #why  ", "a", "#why"),
        ("k: # why", "", "# why"),
        ("k: a#b", "a#b", None),
        ('k: "a # b" # c', '"a # b"', "# c"),
        ("k: 'a # b' # c", "'a # b'", "# c"),
        ("k: 'a # b'", "'a # b'", None),
        ('k: "a \\" # b" # c', '"a \\" # b"', "# c"),
        ("k: don't # c", "don't", "# c"),
        ('k: 5" # c', '5"', "# c"),
        ("k: 'a # c", "'a", "# c"),
        ("**k**: a # c", "a # c", None),
    ],
)
def test_comments(text: str, value: str, comment: str | None) -> None:
    (pair,) = pairs(text, comments=True)
    assert pair.value_text == value == pair.value.of(text)
    assert (pair.comment and pair.comment.of(text)) == comment


def test_only_the_lines_of_the_span() -> None:
    text = "a: 1\nb: 2\nc: 3\n"
    assert [pair.key_text for pair in read_pairs(text, Span(5, 9))] == ["b"]
    assert read_pairs(text, Span(7, 7)) == []
    assert len(read_pairs(text, Span(-5, 99))) == 3


_PIECES = [
    "k",
    "key",
    ":",
    ": ",
    "：",
    " ",
    "\t",
    "*",
    "**",
    "`",
    "> ",
    "- ",
    "#",
    " # ",
    '"',
    "'",
    "\\",
    "\n",
    "\r",
    "\0",
    "é",
    "स्थि",
]


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=3), max_size=30).map("".join), st.booleans())
def test_any_text(text: str, comments: bool) -> None:
    at = 0
    for pair in pairs(text, comments=comments):
        line, key, value = pair.line, pair.key, pair.value
        assert at <= line.start <= key.start < key.end < value.start <= value.end <= line.end <= len(text)
        assert key.of(text) == pair.key_text == pair.key_text.strip()
        assert value.of(text) == pair.value_text == pair.value_text.strip()
        if pair.comment is not None:
            assert value.end <= pair.comment.start < pair.comment.end <= line.end
        at = line.end


@pytest.mark.parametrize(
    "piece", ["> ", "- ", "*", "`", "a ", "a: ", '"', '\\"', "'", " '", "#", " #", '" ', "**a", "k: 'a\n", "："]
)
def test_long_lines_are_read_to_their_end(piece: str) -> None:
    # A pattern that backtracks would not come back from these.
    for text in (piece * 40_000, "k: " + piece * 40_000, '**k:** "' + piece * 40_000):
        assert all(0 <= pair.value.start <= pair.value.end <= len(text) for pair in pairs(text, comments=True))
