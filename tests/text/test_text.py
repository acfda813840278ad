"""Positions, encodings, edits and fragments against the plainest ways to compute them."""

from __future__ import annotations

from bisect import bisect_left

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from handoff_lsp.text import (
    ENCODINGS,
    Edit,
    EditConflict,
    Encoding,
    Fragment,
    LineIndex,
    Source,
    Span,
    apply_edits,
    column_to_units,
    difference,
    eol_of,
    units_to_column,
    with_eol,
)

# Terminators, characters that only look like one, and characters of every width.
ALPHABET = [
    *("\n", "\r", "\r\n", "\u2028", "\u2029", "\x85", "\x0c", "\x0b", "\x1c"),
    *("a", " ", "\t", "\u00e9", "e\u0301", "\u6f22", "\U0001f600", "\U0001f469\u200d\U0001f4bb", "\ud800", "\udc00"),
]
texts = st.lists(st.sampled_from(ALPHABET), max_size=20).map("".join)
lines = st.lists(st.sampled_from(ALPHABET[9:]), max_size=12).map("".join)
encodings = st.sampled_from(ENCODINGS)


def naive_starts(text: str) -> list[int]:
    """Line starts, one character at a time."""
    starts = [0]
    for at, char in enumerate(text):
        if char == "\n" or (char == "\r" and text[at + 1 : at + 2] != "\n"):
            starts.append(at + 1)
    return starts


def naive_lines(text: str) -> list[str]:
    """Every line's content."""
    starts = naive_starts(text)
    ends = [*starts[1:], len(text)]
    found = []
    for start, end in zip(starts, ends, strict=True):
        line = text[start:end]
        if line.endswith("\r\n"):
            line = line[:-2]
        elif line.endswith(("\n", "\r")):
            line = line[:-1]
        found.append(line)
    return found


def units_of(text: str, encoding: Encoding) -> int:
    """How many code units a text takes, by encoding it."""
    if encoding == "utf-8":
        return sum(len(char.encode("utf-8", "surrogatepass")) for char in text)
    if encoding == "utf-16":
        return sum(len(char.encode("utf-16-le", "surrogatepass")) // 2 for char in text)
    return len(text)


# Lines


@given(texts)
@example("")
@example("a")
@example("a\n")
@example("\r\r\n\n")
def test_line_index_against_the_naive_one(text: str) -> None:
    index = LineIndex(text)
    assert index.starts_in(0, index.count) == naive_starts(text)
    assert index.count == len(index.starts_in(0, index.count)) >= 1
    assert [index.line_text(line) for line in range(index.count)] == naive_lines(text)
    for line in range(index.count):
        assert index.line_span(line).of(text) == index.line_text(line)
        assert index.line_end(line) == index.line_span(line).end


@given(texts)
def test_positions_round_trip(text: str) -> None:
    index = LineIndex(text)
    starts, contents = naive_starts(text), naive_lines(text)
    for offset in range(len(text) + 1):
        line = sum(start <= offset for start in starts) - 1
        column = min(offset - starts[line], len(contents[line]))
        assert index.line_of(offset) == line
        assert index.position(offset) == (line, column)
        # Only the place between \r and \n has no position of its own.
        between = text[offset - 1 : offset + 1] == "\r\n" and offset > 0
        assert index.offset(line, column) == offset - between


@given(texts, st.integers(-3, 30), st.integers(-3, 30))
def test_places_outside_are_clamped(text: str, line: int, column: int) -> None:
    index = LineIndex(text)
    contents = naive_lines(text)
    if line < 0:
        expected = 0
    elif line >= len(contents):
        expected = len(text)
    else:
        expected = naive_starts(text)[line] + min(max(column, 0), len(contents[line]))
    assert index.offset(line, column) == expected
    assert index.position(-5) == (0, 0) and index.line_of(-5) == 0
    assert index.position(len(text) + 5) == index.position(len(text))
    assert index.line_of(len(text) + 5) == len(contents) - 1


@pytest.mark.parametrize("char", ["\u2028", "\u2029", "\x85", "\x0c", "\x0b", "\x1c", "\x1d", "\x1e"])
def test_only_lf_and_cr_end_a_line(char: str) -> None:
    assert LineIndex(f"a{char}b").count == 1


# Replacing


@given(texts, st.data())
def test_replaced_is_the_same_as_built_anew(text: str, data: st.DataObject) -> None:
    source = Source(text)
    parts = data.draw(st.lists(texts.filter(bool), max_size=3)) + [text[at : at + 2] for at in range(len(text))]
    for _ in range(4):
        assert [source.holds(part) for part in parts] == [part in text for part in parts]
        assert source.commas == sum(text.count(char) for char in ",[{")
        start = data.draw(st.integers(0, len(source)))
        end = data.draw(st.integers(start, len(source)))
        new = data.draw(texts)
        text = source.text[:start] + new + source.text[end:]
        source = source.replaced(Span(start, end), new)
        assert source.text == text == source.lines.text
        check_lines(source.lines, text)
    assert [source.holds(part) for part in parts] == [part in text for part in parts]


@pytest.mark.parametrize(
    ("text", "span", "new"),
    [
        ("a\rx\nb", Span(2, 3), ""),  # \r and \n come together
        ("a\r\nb", Span(2, 2), "x"),  # and are torn apart
        ("a\r\nb", Span(1, 2), ""),
        ("a\r\nb", Span(2, 3), ""),
        ("a\nb", Span(1, 1), "\r"),
        ("a\rb", Span(2, 2), "\n"),
        ("a\rb", Span(2, 3), "\n"),
        ("", Span(0, 0), "\r\n"),
        ("\n\n\n", Span(0, 3), ""),
        ("\n", Span(0, 0), "\r"),
    ],
)
def test_replaced_at_line_ends(text: str, span: Span, new: str) -> None:
    source = Source(text).replaced(span, new)
    check_lines(source.lines, source.text)


def test_typing_in_one_line_and_then_in_others() -> None:
    source = Source("one\ntwo\r\nthree\rfour\n")
    for at, new in ((5, "x"), (6, "yz"), (5, ""), (16, "four"), (1, "0"), (7, "\n"), (8, "-"), (24, "!")):
        removed = 1 if not new else 0
        source = source.replaced(Span(at, at + removed), new)
        check_lines(source.lines, source.text)


def check_lines(lines: LineIndex, text: str) -> None:
    """Check all places of an index."""
    starts = naive_starts(text)
    assert lines.starts_in(0, lines.count) == starts
    assert [lines.line_start(number) for number in range(lines.count)] == starts
    assert [lines.line_of(at) for at in range(len(text) + 1)] == [
        sum(start <= at for start in starts) - 1 for at in range(len(text) + 1)
    ]
    for first in range(lines.count):
        assert lines.starts_in(first, lines.count) == starts[first:]
        assert lines.starts_in(0, first) == starts[:first]


# Encodings


@given(lines, encodings)
@example("\ud800\udc00", "utf-16")
@example("\udc00\ud800", "utf-8")
def test_columns_against_real_encodings(line: str, encoding: Encoding) -> None:
    for column in range(len(line) + 1):
        units = column_to_units(line, column, encoding)
        assert units == units_of(line[:column], encoding)
        assert units_to_column(line, units, encoding) == column
    total = units_of(line, encoding)
    assert column_to_units(line, -1, encoding) == 0
    assert column_to_units(line, len(line) + 3, encoding) == total
    assert units_to_column(line, -1, encoding) == 0
    assert units_to_column(line, total + 3, encoding) == len(line)


@given(lines, encodings)
def test_units_inside_a_character_mean_its_beginning(line: str, encoding: Encoding) -> None:
    for units in range(units_of(line, encoding) + 1):
        expected = max(column for column in range(len(line) + 1) if units_of(line[:column], encoding) <= units)
        assert units_to_column(line, units, encoding) == expected


@given(texts, encodings)
def test_source_round_trip(text: str, encoding: Encoding) -> None:
    source = Source(text)
    starts, contents = naive_starts(text), naive_lines(text)
    for offset in range(len(text) + 1):
        line, units = source.encode(offset, encoding)
        column = min(offset - starts[line], len(contents[line]))
        assert units == units_of(contents[line][:column], encoding)
        between = offset > 0 and text[offset - 1 : offset + 1] == "\r\n"
        assert source.decode(line, units, encoding) == offset - between


@given(texts, encodings, st.integers(-2, 30), st.integers(-2, 60))
def test_decode_clamps(text: str, encoding: Encoding, line: int, units: int) -> None:
    source = Source(text)
    offset = source.decode(line, units, encoding)
    contents = naive_lines(text)
    if line < 0:
        assert offset == 0
    elif line >= len(contents):
        assert offset == len(text)
    else:
        start = naive_starts(text)[line]
        assert start <= offset <= start + len(contents[line])
        if units <= 0:
            assert offset == start
        if units >= units_of(contents[line], encoding):
            assert offset == start + len(contents[line])


def test_known_columns() -> None:
    line = "a\U0001f600\u6f22e\u0301"
    assert [column_to_units(line, column, "utf-16") for column in range(6)] == [0, 1, 3, 4, 5, 6]
    assert [column_to_units(line, column, "utf-8") for column in range(6)] == [0, 1, 5, 8, 9, 11]
    assert [column_to_units(line, column, "utf-32") for column in range(6)] == [0, 1, 2, 3, 4, 5]
    assert units_to_column(line, 2, "utf-16") == 1


@given(texts, st.data())
def test_slice(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    assert Source(text).slice(Span(start, end)) == text[start:end] == Span(start, end).of(text)
    assert len(Source(text)) == len(text)


# Edits


@st.composite
def disjoint_edits(draw: st.DrawFn) -> tuple[str, list[Edit]]:
    """A text and edits of it that do not overlap, in text order; several may insert at one place."""
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    edits = []
    at = 0
    for start, end in zip(cuts[::2], cuts[1::2], strict=False):
        edits += [Edit(Span(start, start), draw(texts)) for _ in range(draw(st.integers(0, 2)))]
        if start < end:
            edits.append(Edit(Span(start, end), draw(texts)))
        at = end
    edits += [Edit(Span(at, at), "x")] if draw(st.booleans()) else []
    return text, edits


def naive_apply(text: str, edits: list[Edit]) -> str:
    """From right to left, so that no offset moves."""
    for edit in reversed(edits):
        text = text[: edit.span.start] + edit.text + text[edit.span.end :]
    return text


@given(disjoint_edits())
def test_apply_edits_against_the_naive_way(case: tuple[str, list[Edit]]) -> None:
    text, edits = case
    expected = naive_apply(text, edits)
    assert apply_edits(text, edits) == expected
    # Their order matters only where two begin at one place.
    by_start: dict[int, list[Edit]] = {}
    for edit in edits:
        by_start.setdefault(edit.span.start, []).append(edit)
    reordered = [edit for start in sorted(by_start, reverse=True) for edit in by_start[start]]
    assert apply_edits(text, reordered) == expected


def test_insertions_keep_their_order() -> None:
    at = Span(1, 1)
    assert apply_edits("ab", [Edit(at, "1"), Edit(at, "2"), Edit(Span(1, 2), "B")]) == "a12B"
    assert apply_edits("ab", [Edit(Span(0, 1), "A"), Edit(at, "1")]) == "A1b"
    assert apply_edits("ab", []) == "ab"


@given(texts.filter(lambda text: len(text) > 2), st.data())
def test_overlapping_edits_raise(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    end = data.draw(st.integers(start + 2, len(text)))
    inner = data.draw(st.integers(start + 1, end - 1))
    stop = data.draw(st.integers(inner, len(text)))
    edits = [Edit(Span(start, end), "x"), Edit(Span(inner, stop), "y")]
    for order in (edits, edits[::-1]):
        with pytest.raises(EditConflict):
            apply_edits(text, order)


def test_line_endings() -> None:
    assert [eol_of(text) for text in ("", "a\u2028", "a\nb\r\n")] == ["\n", "\n", "\n"]
    assert [eol_of(text) for text in ("a\r\nb\n", "a\rb\n")] == ["\r\n", "\r"]
    assert with_eol("a\nb\n", "\r\n") == "a\r\nb\r\n" and with_eol("a\n", "\n") == "a\n"


# Spans


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_spans(start: int, end: int, offset: int) -> None:
    start, end = sorted((start, end))
    span = Span(start, end)
    assert span.holds(offset) == (offset in range(start, end + 1))
    assert span.shift(offset) == (start + offset, end + offset)
    assert span.covers(span) and span.covers(Span(start, start)) and not span.covers(Span(start, end + 1))


# Fragments


@st.composite
def fragments(draw: st.DrawFn) -> tuple[str, list[Span]]:
    """A text and pieces of it in order, some of them empty, some adjacent."""
    text = draw(texts)
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=10)))
    return text, [Span(start, end) for start, end in zip(cuts[::2], cuts[1::2], strict=False)]


@given(fragments())
@example(("abc", []))
@example(("abcdef", [Span(0, 2), Span(4, 6)]))
@example(("abcdef", [Span(1, 2), Span(2, 2), Span(2, 4)]))
def test_fragment_against_a_character_map(case: tuple[str, list[Span]]) -> None:
    text, spans = case
    fragment = Fragment(text, spans)
    places = [place for span in spans for place in range(span.start, span.end)]
    assert fragment.text == "".join(text[place] for place in places)
    for offset, place in enumerate(places):
        assert fragment.outer(offset) == place
        assert fragment.inner(place) == offset
    for outer in range(len(text) + 1):
        # Between two pieces and outside all of them: the length of the fragment's text before it.
        assert fragment.inner(outer) == bisect_left(places, outer)
    if spans:
        assert fragment.outer(len(fragment.text)) == spans[-1].end
    for start in range(len(places)):
        for end in range(start, len(places) + 1):
            span = fragment.outer_span(start, end)
            if start == end:
                assert span == (places[start], places[start])
            else:
                assert span == (places[start], places[end - 1] + 1)


def test_fragment_of_a_quoted_fence() -> None:
    text = "> {\n>  1\n> }\n"
    fragment = Fragment(text, [Span(2, 4), Span(6, 9), Span(11, 13)])
    assert fragment.text == "{\n 1\n}\n"
    assert fragment.outer_span(0, 7) == Span(2, 13)
    assert fragment.outer_span(3, 4).of(text) == "1"
    assert [fragment.inner(offset) for offset in (0, 2, 4, 5, 6, 7, 13, 99)] == [0, 0, 2, 2, 2, 3, 7, 7]


@given(texts, texts, texts, texts)
def test_the_difference_of_two_texts_is_one_small_edit(head: str, old: str, new: str, tail: str) -> None:
    edit = difference(head + old + tail, head + new + tail)
    assert apply_edits(head + old + tail, [edit]) == head + new + tail
    assert len(edit.text) <= len(new)
    assert edit.span.end - edit.span.start <= len(old)


def test_equal_texts_have_an_empty_difference() -> None:
    edit = difference("aaa", "aaa")
    assert edit.text == ""
    assert edit.span.start == edit.span.end
    assert apply_edits("ab", [difference("ab", "aab")]) == "aab"
