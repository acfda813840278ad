"""Properties of the outline, the folds, the selections and the tokens of any document, however broken."""

from __future__ import annotations

from itertools import pairwise

import pytest
from case_files import read_cases
from features.documents import SAMPLES, analysed, markdown

from handoff_lsp.decide.value_effects import status_actions
from handoff_lsp.engine import Analysis
from handoff_lsp.features.names.workspace_symbols import match
from handoff_lsp.features.outline.document_symbols import symbols
from handoff_lsp.features.outline.folding import Fold, folds
from handoff_lsp.features.outline.selection import selections
from handoff_lsp.features.outline.semantic_token import Token, in_order
from handoff_lsp.features.outline.semantic_tokens import tokens
from handoff_lsp.features.outline.symbol import Symbol
from handoff_lsp.text import Source, Span

LOG = (
    "\ufeff2026-02-08T10:00:00Z [START] login 🙂\n2026-02-08T10:01:00Z [BASH] cat <<'EOF'\n  a\n  b\nEOF\n"
    "2026-02-08T10:02:00Z [Edit] a.py\n2026-02-08T10:03:00Z [Edit] b.py\n2026-02-08T10:04:00Z [Edit] c.py\n"
    "yesterday\n2026-02-09T08:00:00Z [STATUS] blocked\n2026-02-09T09:00:00Z [STATUS]\n"
)
STATUS = (
    '{\n  "agent_id": "dev 🙂", "status": "running",\n  "success_criteria": {"passed": false},\n'
    '  "last_checkpoint": null, "unknown": [{"a": [1,\n 2], "b": {\n}\n}, {}]\n}\n'
)
RUN = "STATUS: success\nAGENT: developer\nPHASE: x\nARTIFACT_PATHS:\n  - 成果/a.md\n  - b.md\nNEXT: tester\n"
DOCUMENTS = {
    **{name: ("handoffs/login-developer-handoff.md", text) for name, text in SAMPLES.items()},
    "log": (".agent/activity.log", LOG),
    "status file": (".agent/status.json", STATUS),
    "run": ("x.md", f"# Text 🙂\n\n```\n{RUN}```\n\n> quoted\n> more\n\n<!--\na\n-->\n"),
}
CASES = {case.name: (case.path, case.text) for case in read_cases()}


def check(analysis: Analysis, offsets: list[int]) -> None:
    """All properties together."""
    check_symbols(symbols(analysis), Span(0, len(analysis.source)))
    check_folds(analysis, folds(analysis))
    for offset in offsets:
        check_selection(analysis, offset)
    check_tokens(analysis)


def check_symbols(found: list[Symbol], around: Span) -> None:
    for symbol in found:
        assert symbol.name.strip() and "\n" not in symbol.name and "\r" not in symbol.name
        assert "\n" not in symbol.detail and "\r" not in symbol.detail
        assert around.covers(symbol.span), symbol
        assert symbol.span.covers(symbol.selection), symbol
        check_symbols(symbol.children, symbol.span)
    for one, other in pairwise(found):
        assert one.span.end <= other.span.start, (one, other)


def check_folds(analysis: Analysis, found: list[Fold]) -> None:
    lines = analysis.source.lines
    around: list[Fold] = []
    for one, other in pairwise(found):
        assert one.first < other.first
    for fold in found:
        assert 0 <= fold.first < fold.last < lines.count
        assert lines.line_text(fold.last).strip()
        while around and fold.first > around[-1].last:
            around.pop()
        assert not around or fold.last <= around[-1].last, (around[-1], fold)
        around.append(fold)
        if fold.inner is not None:
            assert lines.line_of(fold.inner.start) == fold.first
            assert fold.inner.start <= fold.inner.end


def check_selection(analysis: Analysis, offset: int) -> None:
    chain = selections(analysis, offset)
    assert bool(chain) == bool(analysis.handoffs)
    if chain:
        assert chain[-1] == Span(0, len(analysis.source))
        assert chain[0].holds(offset)
    for inner, outer in pairwise(chain):
        assert outer.covers(inner) and outer != inner


def check_tokens(analysis: Analysis) -> None:
    found = tokens(analysis)
    lines = analysis.source.lines
    for token in found:
        assert token.span.start < token.span.end <= lines.line_end(lines.line_of(token.span.start)), token
        assert len(set(token.modifiers)) == len(token.modifiers)
    for one, other in pairwise(found):
        assert one.span.end <= other.span.start, (one, other)


@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("name", DOCUMENTS)
def test_whole(name: str, eol: str) -> None:
    path, text = DOCUMENTS[name]
    text = text.replace("\n", eol)
    check(analysed(text, path), list(range(0, len(text) + 1, max(1, len(text) // 300))))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_beginning(name: str) -> None:
    path, text = DOCUMENTS[name]
    for end in range(0, len(text), max(1, len(text) // 120)):
        check(analysed(text[:end], path), [0, end // 2, end])


@pytest.mark.parametrize("name", CASES)
def test_handoffs_of_all_formats(name: str) -> None:
    path, text = CASES[name]
    for end in sorted({len(text), *range(0, len(text), max(1, len(text) // 8))}):
        check(analysed(text[:end], path), [end // 3, end])


def test_deep_and_wide_data_stays_small() -> None:
    deep = "```agent_contract_handoff\n" + '{"agent_status": ' * 3_000 + "[" * 3_000 + "\n```\n"
    analysis = analysed(deep)
    check(analysis, [len(deep) // 2])
    wide = '{"agent_status": {"plan_status": "COMPLETE"}, "evidence_report": [' + '{"a": 1},\n' * 8_000 + "]}"
    analysis = analysed(f"```agent_contract_handoff\n{wide}\n```\n")
    check(analysis, [])
    assert count(symbols(analysis)) == 2_000
    assert symbols(analysis)[0].children[-1].name == "evidence_report"


def test_a_long_log_stays_small() -> None:
    line = "2026-02-{:02d}T10:00:00Z [{}] {}\n"
    entries = [("BASH", "ls"), ("STATUS", "running"), ("TEST", "x -- PASS"), ("Edit", "a.py")]
    log = "".join(line.format(1 + number // 1000, *entries[number % 4]) for number in range(10_000))
    analysis = analysed(log, ".agent/activity.log")
    found = symbols(analysis)
    assert [day.name for day in found[0].children] == [f"2026-02-{day:02d}" for day in range(1, 11)]
    assert count(found) == 1_011
    assert found[0].children[-1].children[-1].name == "TEST x -- PASS"


def test_an_editor_that_takes_few_folds_gets_the_outermost() -> None:
    analysis = analysed(markdown(rest="## Files Created\n\n- a\n  b\n\n## Files Modified\n\n- c\n  d\n"))
    everything = folds(analysis)
    few = folds(analysis, 3)
    assert len(few) == 3 < len(everything)
    assert few[0] == everything[0]
    assert set(few) <= set(everything)
    assert few == sorted(few)


def test_ordinary_markdown_has_nothing() -> None:
    analysis = analysed(SAMPLES["ordinary"])
    assert (symbols(analysis), folds(analysis), selections(analysis, 5), tokens(analysis)) == ([], [], [], [])


def test_tokens_that_overlap_are_cut() -> None:
    text = "one two\r\n  three four"
    given = [
        Token(Span(0, 20), "string"),
        Token(Span(4, 7), "number"),
        Token(Span(4, 7), "class"),
        Token(Span(11, 16), "macro"),
        Token(Span(14, 18), "comment"),
    ]
    found = [(token.span.of(text), token.type) for token in in_order(given, Source(text))]
    assert found == [("one ", "string"), ("two", "class"), ("thr", "macro"), ("ee", "comment"), (" fou", "string")]


def test_a_token_over_several_lines_is_one_on_each_without_the_blanks_around() -> None:
    text = "one\r\n  two \n\n three"
    found = in_order([Token(Span(0, len(text)), "string")], Source(text))
    assert [token.span.of(text) for token in found] == ["one", "two", "three"]


def test_the_best_matches_go_first() -> None:
    names = ["dev", "dev-tester", "a dev", "redevelop", "dive", "do eve", "other"]
    ranks = {name: match("dev", name) for name in names}
    assert ranks.pop("other") is ranks.pop("dive") is None
    assert sorted(ranks, key=lambda name: ranks[name] or (0, 0)) == [
        "dev",
        "dev-tester",
        "a dev",
        "redevelop",
        "do eve",
    ]


def test_a_status_means_what_it_does_by_itself() -> None:
    handoff = analysed(SAMPLES["sound"]).handoffs[0]
    assert status_actions(handoff.spec) == {
        "complete": "advance",
        "blocked": "ask",
        "failed": "stop",
        "incomplete": "ask",
    }


def count(found: list[Symbol]) -> int:
    """The number of symbols, including those inside others."""
    return len(found) + sum(count(symbol.children) for symbol in found)


def test_a_symbol_without_a_visible_name_is_in_its_range() -> None:
    """A byte order mark precedes the item's name."""
    stack = list(symbols(analysed("<!--handoff:result-envelope-->\n\ufeff\n-\rSTATUS:")))
    assert stack
    while stack:
        symbol = stack.pop()
        assert symbol.span.covers(symbol.selection)
        stack += symbol.children
