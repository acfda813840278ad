"""Bad input is normal input: no prefix of a sample crashes anything, nor do texts that no author would write."""

from __future__ import annotations

from pathlib import Path

import pytest
from case_files import CASES, read_cases
from hypothesis import given, settings
from hypothesis import strategies as st

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import MAX_LENGTH, Analysis, Options, analyze
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown, reparse_markdown
from handoff_lsp.text import Source, Span

EXAMPLES = Path(__file__).parent.parent / "examples"
SAMPLES = {case.name: (case.path, case.text, case.options) for case in read_cases()} | {
    path.name: (path.as_posix(), path.read_text(encoding="utf-8"), Options()) for path in EXAMPLES.rglob("*.md")
}


def _check(text: str, path: str, options: Options, tree: MarkdownTree | None = None) -> Analysis:
    source = tree.source if tree is not None else Source(text)
    parse = parse_markdown if tree is None else lambda _: tree
    analysis = analyze(source, path, builtin(), options, parse=parse)
    for finding in analysis.findings:
        assert finding.code != "internal-error", finding
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
        assert finding.message
    return analysis


def _unlike_from() -> dict[str, int]:
    """The samples, each with the length of the prefix shared with an earlier one of the same path and options."""
    seen: set[tuple[str, str, str]] = set()
    found = {}
    for name, (path, text, options) in SAMPLES.items():
        alike = [(path, repr(options), text[:length]) for length in range(len(text))]
        found[name] = next((length for length, key in enumerate(alike) if key not in seen), len(text))
        seen.update(alike)
    return found


UNLIKE_FROM = _unlike_from()


@pytest.mark.parametrize("name", SAMPLES)
def test_every_prefix_survives(name: str) -> None:
    """As it is typed: the tree after an edit equals a newly parsed one. Now and then compare the findings, too."""
    path, text, options = SAMPLES[name]
    source = Source(text[: UNLIKE_FROM[name]])
    tree = parse_markdown(source)
    for length in range(UNLIKE_FROM[name], len(text) + 1):
        if length > len(source):
            source = source.replaced(Span(length - 1, length - 1), text[length - 1])
            tree = reparse_markdown(tree, source, Span(length - 1, length - 1), 1)
        typed = _check(source.text, path, options, tree)
        if length % 41 == 0 or length == len(text):
            opened = _check(source.text, path, options)
            assert [repr(finding) for finding in typed.findings] == [repr(finding) for finding in opened.findings]


ODD_LINES = ["```", "~~~", "", "> x", "- [ ] y", "\u2028", "\x00", "\ufeff"]
LINES = sorted({line for _, text, _ in SAMPLES.values() for line in text.splitlines()}) + ODD_LINES


@given(st.lists(st.sampled_from(LINES), max_size=40), st.sampled_from(["\n", "\r\n", "\r"]))
@settings(max_examples=300, deadline=None)
def test_lines_in_any_order_survive(lines: list[str], eol: str) -> None:
    _check(eol.join(lines), "handoffs/x/backend-dev-handoff.md", Options())


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_in_a_fence_survives(text: str) -> None:
    _check(f"```agent_contract_handoff\n{text}\n```\n", "", Options())


def test_a_document_that_is_too_large_gets_one_finding_that_says_so() -> None:
    analysis = analyze(Source("x" * (MAX_LENGTH + 1)), "", builtin(), Options())
    assert [finding.code for finding in analysis.findings] == ["too-large"]


def test_depth_and_count_are_survived() -> None:
    _check("```agent_contract_handoff\n" + "[" * 100_000 + "\n```\n", "", Options())
    _check("> " * 5_000 + "x", "", Options())
    _check("```agent_contract_handoff\n{" + '"agent_status": {},' * 5_000 + "}\n```\n", "", Options())


def test_the_cases_folder_is_read() -> None:
    assert len(list(CASES.glob("*.md"))) >= 5
