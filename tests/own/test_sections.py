"""Sections that are items of lists: as they are typed, in great number, and nested deep."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from cpu import at_most
from own.test_own_cases import CASES, registry_of

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.reports.make import fields_of
from handoff_lsp.rules.shared.bounded import MAX_FINDINGS
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown, reparse_markdown
from handoff_lsp.text import Source, Span

CASES_FOLDER = Path(__file__).parent / "cases"
REPEATED, NESTED = CASES_FOLDER / "repeated-sections.md", CASES_FOLDER / "nested-sections.md"


def _analysis(text: str, path: Path = REPEATED) -> Analysis:
    return analyze(Source(text), "", registry_of(path), Options())


def _handoff(text: str, path: Path = REPEATED) -> Handoff:
    found = _analysis(text, path).handoffs
    assert len(found) == 1
    return found[0]


def _given(tree: MarkdownTree, source: Source) -> MarkdownTree:
    return tree


def _plan(many: int) -> str:
    phases = (
        f"## Phase {number}: x\n\n**Goal**: g\n\n- [ ] T001 a\n  - [ ] b\n    - c\n\n### Risks\n\n- r\n\n"
        for number in range(many)
    )
    return "# Tasks: Login\n\n**State**: open\n\n" + "".join(phases)


def test_every_prefix_is_as_a_new_document() -> None:
    """As it is typed: what is bound to the tree after an edit is what is bound to a new one."""
    for path, name in ((REPEATED, "A whole plan"), (NESTED, "A delta")):
        case = next(case for at, case in CASES if at == path and case.name.endswith(name))
        source = Source("")
        tree = parse_markdown(source)
        seen: set[int] = set()
        for length, sign in enumerate(case.text):
            source = source.replaced(Span(length, length), sign)
            tree = reparse_markdown(tree, source, Span(length, length), 1)
            typed = analyze(source, case.path, registry_of(path), Options(), parse=partial(_given, tree))
            assert "internal-error" not in [finding.code for finding in typed.findings]
            if length % 23 == 0 or length == len(case.text) - 1:
                opened = analyze(Source(source.text), case.path, registry_of(path), Options())
                assert list(map(fields_of, typed.handoffs)) == list(map(fields_of, opened.handoffs))
                assert list(map(repr, typed.findings)) == list(map(repr, opened.findings))
            seen.update(len(one.root.children) for one in typed.handoffs)
        assert seen, "never recognised"


def test_an_item_has_its_place() -> None:
    text = _plan(3)
    handoff = _handoff(text)
    second = handoff.root.find("phases[1]")[0]
    assert second.key is not None and text[second.key.start : second.key.end] == "Phase 1: x"
    assert second.span is not None and text[second.span.start : second.span.end].startswith("## Phase 1: x\n")
    assert "Phase 2" not in text[second.span.start : second.span.end]
    step = handoff.root.find("phases[1].tasks[0].subtasks[0].steps[]")[0]
    assert step.path == "phases[1].tasks[0].subtasks[0].steps[0]"
    assert step.value is not None and text[step.value.start : step.value.end] == "c"
    assert fields_of(handoff)["phases"][1] == {
        "n": 1,
        "name": "x",
        "goal": "g",
        "tasks": [
            {
                "done": False,
                "text": "T001 a",
                "id": "T001",
                "what": "a",
                "subtasks": [{"done": False, "text": "b", "steps": ["c"]}],
            }
        ],
        "risks": ["r"],
    }


def test_many_sections_take_linear_time() -> None:
    with at_most(20):
        handoff = _handoff(_plan(2_000))
    assert len(handoff.root.children["phases"].items) == 2_000


def test_ten_thousand_sections_that_lack_everything() -> None:
    text = "# Tasks: Login\n\n" + "".join(f"## Phase {number}: x\n\n" for number in range(10_000))
    with at_most(20):
        found = _analysis(text).findings
    assert sum(finding.code == "missing-field" for finding in found) <= MAX_FINDINGS


def test_lists_are_read_as_deep_as_the_contract_goes() -> None:
    deep = "".join("  " * number + f"- [ ] T{number:03} a\n" for number in range(100))
    handoff = _handoff(f"# Tasks: Login\n\n## Phase 1: x\n\n**Goal**: g\n\n{deep}")
    task = handoff.root.find("phases[].tasks[]")
    below = handoff.root.find("phases[].tasks[].subtasks[]")
    assert [slot.raw for slot in (*task, *below)] == ["T000 a", "T001 a"]
    assert handoff.root.find("phases[].tasks[].subtasks[].steps[]") == [], "boxes are no steps"


def test_headings_of_every_level() -> None:
    text = "# Tasks: Login\n\n" + "".join("#" * (2 + at % 5) + f" Phase {at}: x\n\n" for at in range(500))
    with at_most(10):
        items = _handoff(text).root.children["phases"].items
    assert [item.raw for item in items] == [f"Phase {at}: x" for at in range(0, 500, 5)]
