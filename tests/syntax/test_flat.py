"""Flat outlines: each line cut at its first colon, nothing more."""

from __future__ import annotations

import pytest

from handoff_lsp.syntax.lines.flat import read_flat


def pairs(text: str, end: int | None = None) -> list[tuple[str, str]]:
    found = read_flat(text, end)
    for entry in found.entries:
        assert entry.key.of(text) == entry.key_text
        assert entry.value.span.of(text) == entry.value.text
        assert entry.span.start <= entry.key.start <= entry.value.span.start <= entry.value.span.end <= entry.line.end
    return [(entry.key_text, entry.value.text) for entry in found.entries]


@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_lines_are_cut_at_their_first_colon(eol: str) -> None:
    text = eol.join(["a: 1", "", "  b :  x: y # z  ", '- **c**: "q"', "d:"])
    assert pairs(text) == [("a", "1"), ("b", "x: y # z"), ("- **c**", '"q"'), ("d", "")]
    assert read_flat(text).stray == ()
    assert read_flat(text).end == len(text)


def test_a_line_without_a_colon_or_a_name_is_stray() -> None:
    text = "a: 1\n words here \n: x\n---\nb: 2\n\n"
    found = read_flat(text)
    assert [span.of(text) for span in found.stray] == ["words here", ": x", "---"]
    assert found.end == text.index("b: 2") + 4


@pytest.mark.parametrize("text", ["", "\n", ":", " : ", "a:\t", "a: ", "a:b", "\x00:\ud800", "：", "a：b"])
def test_nothing_breaks_it(text: str) -> None:
    for end in range(len(text) + 1):
        pairs(text, end)
        assert 0 <= read_flat(text, end).end <= len(text)
