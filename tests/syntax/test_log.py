"""Activity logs."""

from __future__ import annotations

from unittest.mock import patch

import cpu
import pytest
from hypothesis import given
from hypothesis import strategies as st

from handoff_lsp.syntax.lines import log as log_module
from handoff_lsp.syntax.lines.log import Log, LogEntries, looks_like_log, read_log
from handoff_lsp.text import LineIndex, Span

T = "2026-02-08T10:00:00Z"

SEED = """\
2026-02-08T10:00:00Z [START] Task: Implement auth middleware
2026-02-08T10:05:00Z [READ] src/utils/auth.ts
2026-02-08T10:10:00Z [FINDING] Existing token service at src/services/token.ts
2026-02-08T10:20:00Z [COMMIT] wip: add middleware skeleton
2026-02-08T10:30:00Z [TEST] npm test -- PASS
2026-02-08T10:35:00Z [COMMIT] checkpoint: middleware + tests passing
2026-02-08T10:40:00Z [ERROR] Database connection timeout - out of scope
2026-02-08T10:40:00Z [STATUS] blocked
"""

SOMEBODY_ELSES = """\
# Agent activity
# ISO | AGENT | ACTION | RESOURCE
2025-12-01T10:00:00Z | AGENT | ACTION | RESOURCE
2025-12-01T10:01:00Z | builder | EDIT | src/a.ts
"""


def entries(text: str) -> list[tuple[str, ...]]:
    """Time, tag, text and continuation lines of every entry, as strings."""
    return [
        (entry.time.of(text), entry.tag.of(text), entry.text.of(text), *(span.of(text) for span in entry.more))
        for entry in read_log(text).entries
    ]


def broken(text: str) -> list[tuple[int, str, str]]:
    """Line, kind and text of every broken line."""
    return [(line, kind, span.of(text)) for line, span, kind in read_log(text).broken]


def test_the_documented_example() -> None:
    log = read_log(SEED)
    assert log.broken == ()
    assert [entry.line for entry in log.entries] == list(range(8))
    assert [entry.span.of(SEED) for entry in log.entries] == SEED.splitlines()
    assert entries(SEED)[0] == (T, "START", "Task: Implement auth middleware")
    assert entries(SEED)[-1] == ("2026-02-08T10:40:00Z", "STATUS", "blocked")
    assert looks_like_log(SEED)


@pytest.mark.parametrize(
    ("line", "when", "tag", "text"),
    [
        (f"{T} [START] go", T, "START", "go"),
        (f"{T} [Edit] src/a.ts", T, "Edit", "src/a.ts"),
        (f"{T} [mcp__x__y]", T, "mcp__x__y", ""),
        (f"{T} [Glob]  ", T, "Glob", ""),
        (f"{T}\t[BASH]\t ls  -l \t", T, "BASH", "ls  -l"),
        (f"{T}   [BASH]ls", T, "BASH", "ls"),
        (f"{T}[BASH] ls", T, "BASH", "ls"),
        (f"{T} [BASH] [ -f x ] && echo ]", T, "BASH", "[ -f x ] && echo ]"),
        (f"{T} [two words] x", T, "two words", "x"),
        (f"{T} [状态] 完成 🙂", T, "状态", "完成 🙂"),
        (f"{T} [{'x' * 40}] y", T, "x" * 40, "y"),
        (f"{T} [A] b\u2028c\x0cd\x85e", T, "A", "b\u2028c\x0cd\x85e"),
        ("2026-02-08T10:00:00.5Z [A] b", "2026-02-08T10:00:00.5Z", "A", "b"),
        ("2026-02-08T10:00:00.123456789Z [A] b", "2026-02-08T10:00:00.123456789Z", "A", "b"),
        ("2024-02-29T23:59:59Z [A] b", "2024-02-29T23:59:59Z", "A", "b"),
        ("2026-02-08T10:00:00.5+00:00 [A] b", "2026-02-08T10:00:00.5+00:00", "A", "b"),
        ("2026-02-08T10:00:00-00:00 [A] b", "2026-02-08T10:00:00-00:00", "A", "b"),
    ],
)
def test_an_entry(line: str, when: str, tag: str, text: str) -> None:
    around = (("", ""), ("\n", "\n"), ("\r\n", "\r\n"), ("\r", "\r"), (f"{T} [X]\n", f"\n{T} [Y]"), ("\ufeff", "\n"))
    for before, after in around:
        whole = before + line + after
        log = read_log(whole)
        assert log.broken == ()
        (entry,) = (entry for entry in log.entries if entry.span.of(whole) == line)
        assert (entry.time.of(whole), entry.tag.of(whole), entry.text.of(whole)) == (when, tag, text)
        assert entry.line == LineIndex(whole).line_of(entry.span.start)
        assert entry.more == ()
        if not text:
            assert entry.text == Span(entry.span.end, entry.span.end)


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("2026-02-08 10:00:00 [X]", "2026-02-08 10:00:00"),
        ("2026-02-08 10:00:00Z [X] y", "2026-02-08 10:00:00Z"),
        ("2026-02-08 10:00:00,123 [X] y", "2026-02-08 10:00:00,123"),
        ("2026-02-08 10:00:00 +0100 [X] y", "2026-02-08 10:00:00 +0100"),
        ("2026-02-08T10:00:00 UTC [X] y", "2026-02-08T10:00:00 UTC"),
        ("2026-02-08T10:00:00 [X] y", "2026-02-08T10:00:00"),
        ("2026-02-08T10:00Z [X] y", "2026-02-08T10:00Z"),
        ("2026-02-08T10:00:00z [X] y", "2026-02-08T10:00:00z"),
        ("2026-02-08T10:00:00+01:00 [X] y", "2026-02-08T10:00:00+01:00"),
        ("2026-02-08T10:00:00+00:30 [X] y", "2026-02-08T10:00:00+00:30"),
        ("2026-02-08T10:00:00,5Z [X] y", "2026-02-08T10:00:00,5Z"),
        ("2026-02-08T10:00:00.Z [X] y", "2026-02-08T10:00:00.Z"),
        ("2026-02-08T10:00:00Zulu [X] y", "2026-02-08T10:00:00Zulu"),
        ("2026-13-08T10:00:00Z [X] y", "2026-13-08T10:00:00Z"),
        ("2026-02-29T10:00:00Z [X] y", "2026-02-29T10:00:00Z"),
        ("2026-02-08T24:00:00Z [X] y", "2026-02-08T24:00:00Z"),
        ("2026-02-08T10:60:00Z [X] y", "2026-02-08T10:60:00Z"),
        ("2026-02-08T10:00:60Z [X] y", "2026-02-08T10:00:60Z"),
        ("0000-02-08T10:00:00Z [X] y", "0000-02-08T10:00:00Z"),
        ("2026-02-08 [X] y", "2026-02-08"),
        ("2026-02-08[X] y", "2026-02-08"),
        ("2026-02-08 was a Sunday", "2026-02-08"),
        ("2026-02-08T10:4", "2026-02-08T10:4"),
    ],
)
def test_a_broken_timestamp(line: str, wrong: str) -> None:
    assert entries(line) == []
    assert broken(line) == [(0, "timestamp", wrong)]
    between = f"{T} [A] b\r\n{line}\r\n{T} [C] d"
    assert entries(between) == [(T, "A", "b"), (T, "C", "d")]
    assert broken(between) == [(1, "timestamp", wrong)]


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("10:00:00 [X] y", "10:00:00"),
        ("2026/02/08 10:00:00 [X] y", "2026/02/08 10:00:00"),
        ("2/8/2026 10:00:00 AM [X] y", "2/8/2026 10:00:00 AM"),
        ("20260208T100000Z [X] y", "20260208T100000Z"),
    ],
)
def test_other_dates_and_times_are_broken_too_but_not_in_an_open_command(line: str, wrong: str) -> None:
    assert broken(f"{line}\n{line}\n") == [(0, "timestamp", wrong), (1, "timestamp", wrong)]
    assert broken(f"{T} [A] b\n{line}\n") == [(1, "timestamp", wrong)]
    for command in ('git commit -m "b', "cat <<END", "sed 's/a/b/", "a \\"):
        assert entries(f"{T} [A] {command}\n{line}\n") == [(T, "A", command, line)]
    assert broken(f'{T} [A] "{"b" * 200}\n{line}\n') == [(1, "timestamp", wrong)]


@pytest.mark.parametrize(
    "line", ["10:30 is free", "1/2/3", "08/02 and 09/02", "3.2.1", "2026 was a year", "12:00:01,5"]
)
def test_parts_of_dates_and_times_begin_an_entry_only_before_the_first_one(line: str) -> None:
    assert entries(f"{T} [A] b\n{line}\n") == [(T, "A", "b", line)]


@pytest.mark.parametrize(
    ("after", "place", "wrong"),
    [
        ("", 0, ""),
        ("  ", 1, ""),
        (" START go", 1, ""),
        ("   START go", 3, ""),
        (" | AGENT | ACTION", 1, ""),
        ("|AGENT", 0, ""),
        (" START] go", 1, ""),
        (" [START go", 7, ""),
        (" [START", 7, ""),
        (" [", 2, ""),
        (" [A[B] go", 3, ""),
        (" [] go", 1, "[]"),
        (" [ ] go", 1, "[ ]"),
        (f" [{'x' * 41}] go", 2, "x" * 41),
    ],
)
def test_a_broken_tag(after: str, place: int, wrong: str) -> None:
    for before, behind in (("", ""), ("\ufeff", "\n"), (f"{T} [A] b\r\n", f"\r\n{T} [C]")):
        text = before + T + after + behind
        (line,) = read_log(text).broken
        start = len(before) + len(T) + place
        assert (line.kind, line.span) == ("tag", Span(start, start + len(wrong)))
        assert line.span.of(text) == wrong


def test_lines_before_the_first_entry() -> None:
    text = f"\ufeff# Log\n\n  by me  \n{T} [A] b\nc\n"
    assert broken(text) == [(0, "text", "# Log"), (2, "text", "by me")]
    assert entries(text) == [(T, "A", "b", "c")]


def test_continuation_lines() -> None:
    text = f'{T} [COMMIT] git commit -m "$(cat <<EOF\n  wip: x\n\n  10:30 [no] entry\n{T} [BASH] ls\nEOF'
    assert entries(text) == [
        (T, "COMMIT", 'git commit -m "$(cat <<EOF', "  wip: x", "  10:30 [no] entry"),
        (T, "BASH", "ls", "EOF"),
    ]
    assert broken(text) == []


def test_lines_after_a_broken_line_belong_to_it() -> None:
    text = f"{T} BASH cat <<EOF\nx\n{T} [A] b\n2026-02-08 [BASH] cat <<EOF\ny\n{T} [C] d\nz\n"
    assert entries(text) == [(T, "A", "b"), (T, "C", "d", "z")]
    assert [(line, kind) for line, kind, _ in broken(text)] == [(0, "tag"), (3, "timestamp")]


@pytest.mark.parametrize("length", range(1, len(T)))
def test_a_write_cut_short(length: int) -> None:
    cut = T[:length]
    text = f"{T} [A] b\n{cut}"
    assert entries(text) == [(T, "A", "b")]
    assert broken(text) == [(1, "timestamp", cut)]
    assert broken(cut) == [(0, "timestamp", cut)]


@pytest.mark.parametrize("line", ["2026", "2026-0", "7"])
def test_digits_in_an_ended_line_are_a_continuation(line: str) -> None:
    assert entries(f"{T} [A] b\n{line}\n") == [(T, "A", "b", line)]


@pytest.mark.parametrize("text", ["", "\ufeff", "\n", " \t\r\n\r\n", "\r"])
def test_nothing(text: str) -> None:
    assert read_log(text) == Log((), ())
    assert not looks_like_log(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (SEED, True),
        ("\ufeff\r\n" + SEED.replace("\n", "\r\n"), True),
        (SOMEBODY_ELSES, False),
        (f"{T} [A] b", True),
        (f"# Log\n{T} [A] b\n", True),
        (f"# Log\n# of mine\n{T} [A] b\n", False),
        (f"{T} [A] b\n2026-02-08 10:00:00 [B] c\n# x\n# y\n", True),
        (f"{T} [A] b\n{T} [B c\n{T} | C\n", False),
        ("2026-02-08 10:00:00 [A] b\n" * 5, False),
        ("2026-02-08T10:00:00 no [tag] here\n", False),
        ("\n" * 30 + f"{T} [A] b\n", True),
        (f"{T} [A] b\n" * 10 + "x\n" * 100, True),
        (f"{T} [A] b\n" * 9 + "x\n" * 100, False),
        ("x\n" * 20 + f"{T} [A] b\n" * 100, False),
        ("plain text", False),
        ('{"status": "running"}', False),
    ],
)
def test_whether_it_is_one_of_ours(text: str, expected: bool) -> None:
    assert looks_like_log(text) is expected


WORDS = [T, "2026-02-08", "2026-13-08T10:00:00Z", "20", "10:00:00", "[", "]", "[TAG]", "[]", "x", "🙂", ".5Z", "+01:00"]
SIGNS = [" ", "\t", "\n", "\r\n", "\r", "\ufeff", "\u2028", "\x85", "\x1f", "\0", "\ud800", "٣", f"\n{T} [A] b\n"]
PIECES = st.sampled_from([*WORDS, *SIGNS])
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=40).map("".join))


@given(TEXTS)
def test_never_raises_and_every_span_is_in_its_line(text: str) -> None:
    log = read_log(text)
    looks_like_log(text)
    index = LineIndex(text)
    for entry in log.entries:
        line = index.line_span(entry.line)
        assert entry.span == (Span(1, line.end) if line.start == 0 and text[0] == "\ufeff" else line)
        assert entry.span.start == entry.time.start < entry.time.end < entry.tag.start < entry.tag.end
        assert entry.tag.end < entry.text.start <= entry.text.end <= entry.span.end
        assert text[entry.tag.start - 1] == "[" and text[entry.tag.end] == "]"
        assert entry.text.of(text) == text[entry.tag.end + 1 : entry.span.end].strip()
        for more in entry.more:
            assert more == index.line_span(index.line_of(more.start))
            assert more.of(text).strip()
    for bad in log.broken:
        line = index.line_span(bad.line)
        assert line.start <= bad.span.start <= bad.span.end <= line.end
    lines = [entry.line for entry in log.entries]
    lines += [index.line_of(more.start) for entry in log.entries for more in entry.more]
    lines += [bad.line for bad in log.broken]
    assert len(lines) == len(set(lines))
    # The other lines are blank or come after a broken line.
    for number in sorted(set(range(index.count)) - set(lines)):
        owners = [claimed for claimed in lines if claimed < number]
        blank = not index.line_text(number).removeprefix("\ufeff" if number == 0 else "").strip()
        assert blank or max(owners) in {bad.line for bad in log.broken}
    assert [entry.line for entry in log.entries] == sorted(entry.line for entry in log.entries)
    assert [bad.line for bad in log.broken] == sorted(bad.line for bad in log.broken)


@given(TEXTS)
def test_usual_lines_are_read_like_any_other(text: str) -> None:
    known = read_log(text)
    with patch.object(log_module, "_usual", lambda _line: None):
        one_by_one = read_log(text)
    assert tuple(known.entries) == tuple(one_by_one.entries) and known.broken == one_by_one.broken
    if known.entries:
        assert isinstance(known.entries, LogEntries)
        lines = known.entries.each(str)
        assert [lines[entry.line].removeprefix("\ufeff") for entry in known.entries] == [
            entry.span.of(text) for entry in known.entries
        ]
        assert list(known.entries.numbers) == [entry.line for entry in known.entries]


def test_a_line_that_stays_is_not_read_again_in_a_log_of_any_length() -> None:
    seen: list[str] = []
    for count in (3, 300):
        text = "".join(f"{T} [A] step {number}\n" for number in range(count))
        for state in (text, text.replace("step 1\n", "step 1x\n")):
            seen.clear()
            entries = read_log(state).entries
            assert isinstance(entries, LogEntries)
            entries.each(seen.append)
        assert seen == [f"{T} [A] step 1x"]


@given(TEXTS, TEXTS)
def test_what_is_appended_changes_no_ended_line(text: str, appended: str) -> None:
    old = read_log(text + "\n")
    new = read_log(text + "\n" + appended)
    assert new.broken[: len(old.broken)] == old.broken
    count = len(old.entries)
    assert new.entries[: max(count - 1, 0)] == old.entries[: max(count - 1, 0)]
    if count:
        last, same = old.entries[-1], new.entries[count - 1]
        assert same._replace(more=()) == last._replace(more=())
        assert same.more[: len(last.more)] == last.more


@given(st.integers(0, len(SEED)))
def test_a_seed_cut_anywhere_keeps_its_whole_lines(length: int) -> None:
    whole = SEED.count("\n", 0, length)
    log = read_log(SEED[:length])
    assert log.entries[:whole] == read_log(SEED).entries[:whole]
    assert all(bad.line == whole and bad.kind in ("timestamp", "tag") for bad in log.broken)


@pytest.mark.parametrize(
    "piece", [f"{T} [A] b\n", "2026-02-08 ", "[", " ", "\r", "x\n", f"{T} [", "20", "a:", "\n\n", f"{T} [A"]
)
def test_linear(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    with cpu.at_most(10):
        for whole in (text, T + text, f"{T} {text}", f"{T} [{text}", f"{T} [A] {text}", f"2026-02-08 {text}"):
            read_log(whole)
            looks_like_log(whole)
