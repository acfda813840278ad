"""The lines of a text that are kept from an earlier text are those of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoff_lsp.text import line_texts as module
from handoff_lsp.text.line_texts import LineTexts, line_texts

# More than is kept for shorter texts.
LONG = "".join(f"- item {number}\n" for number in range(500))
EDITS = st.lists(
    st.tuples(
        st.floats(0, 1),
        st.sampled_from((0, 0, 1, 12, 300)),
        st.sampled_from(("", "x", "\n", "\n\n", "a\nb", "\r\n", "é🙂\n")),
    ),
    max_size=12,
)


def starts_of(lines: LineTexts) -> list[int]:
    return lines.index.starts_in(0, lines.index.count)


def check(text: str) -> LineTexts:
    """The lines of a text, which are those that nothing was kept for."""
    found, alone = line_texts(text), LineTexts(text)
    assert (found.index.text, found.texts, starts_of(found)) == (text, alone.texts, starts_of(alone))
    assert found.each(len) == alone.each(len) == list(map(len, alone.texts))
    assert all(text.startswith(line, start) for start, line in zip(starts_of(found), found.texts, strict=True))
    return found


@given(EDITS)
def test_after_any_edits(edits: list[tuple[float, int, str]]) -> None:
    text = LONG
    check(text)
    for place, removed, added in edits:
        at = round(place * len(text))
        text = text[:at] + added + text[at + removed :]
        check(text)


@pytest.mark.parametrize(
    "edited", ["x" + LONG, LONG + "x", LONG + "\n", LONG[:-1], "\n" + LONG, LONG[1:], LONG.strip()]
)
def test_at_the_ends(edited: str) -> None:
    check(LONG)
    check(edited)
    check(LONG)


def test_a_line_that_stays_is_not_computed_again() -> None:
    seen: list[str] = []

    def length(line: str) -> int:
        seen.append(line)
        return len(line)

    line_texts(LONG).each(length)
    seen.clear()
    line_texts(LONG.replace("item 77\n", "item 77x\n")).each(length)
    assert seen == ["- item 77x"]


def test_few_results_are_kept() -> None:
    lines = line_texts(LONG)
    for _ in range(100):
        assert lines.each(lambda line: line[:1])[0] == "-"
    assert len(line_texts(LONG + "x")._made) <= 12


def test_few_texts_are_kept() -> None:
    for number in range(20):
        line_texts(f"{number}{LONG}{number}")
    assert len(module._kept) == 4
    assert line_texts(LONG) is line_texts(LONG)


@pytest.mark.parametrize("edited", ["- first\n" + LONG, LONG + "- last\n", "- first\n" + LONG.replace("77", "78")])
def test_an_edited_text_takes_the_place_of_the_earlier_one(edited: str) -> None:
    other = line_texts(LONG.upper() + "end")
    earlier = line_texts(LONG)
    later = line_texts(edited)
    assert earlier not in module._kept
    assert module._kept[:2] == [later, other]


def test_one_very_long_text_is_kept_beside_others() -> None:
    long, one, two = line_texts(LONG), *(line_texts(mark + LONG * 200 + mark) for mark in "#%")
    assert len(one.index.text) > 1_000_000
    assert module._kept[:2] == [two, long] and one not in module._kept


def test_a_result_that_the_caller_replaces_is_kept() -> None:
    line_texts(LONG).each(str.upper)[7] = "better"
    after = line_texts("- first\n" + LONG).each(str.upper)
    assert after[8] == "better" and after.count("better") == 1


def test_another_thread_may_ask_for_more_results_meanwhile() -> None:
    lines = line_texts(LONG)

    def slow(line: str) -> str:
        lines.each(lambda line: line[:2])  # what another thread does while this one computes
        return line

    assert lines.each(slow) == lines.texts
    assert line_texts(LONG + "x").each(slow)[-1] == "x"
    for _ in range(20):
        lines.each(lambda line: line[:3])
    assert lines.each(slow) == lines.texts
