"""Which findings wait while a line is being typed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from features.documents import SAMPLES, analysed, markdown
from features.test_contract_files import file_of

from handoff_lsp.features.config_files.file import config_file
from handoff_lsp.features.config_files.file import problems as config_problems
from handoff_lsp.features.contract_files.problems import problems
from handoff_lsp.features.diagnostics import Diagnostic, diagnostics
from handoff_lsp.features.typing import MAX_TYPED, Typed, begun, typed, waiting
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.config.resolver import Resolver

TEXT = "one\r\ntwo 🙂\nthree"


def at(source: Source, piece: str) -> Span:
    """The span of a piece of a text."""
    start = source.text.index(piece)
    return Span(start, start + len(piece))


@pytest.mark.parametrize(
    ("piece", "text", "expected"),
    [
        ("two", "x", Typed(1, 1)),
        ("two", "", Typed(1, 1)),
        ("🙂", "日本語", Typed(1, 1)),
        ("🙂", "\n- ", Typed(1, 2)),
        ("e\r\nt", "", Typed(0, 0)),
        ("two", "a\nb\nc", None),
        ("one\r\ntwo 🙂\nthree", "", None),
        ("e\r\nt", "\n", None),
        ("two", "x" * (MAX_TYPED + 1), None),
    ],
)
def test_what_is_typing(piece: str, text: str, expected: Typed | None) -> None:
    source = Source(TEXT)
    assert typed(source, at(source, piece), text) == expected


def held(before: str, piece: str, text: str) -> tuple[list[str], list[str]]:
    """The rules that wait, and those that do not, after a piece of a document was replaced by typing."""
    old = analysed(before)
    span = at(old.source, piece)
    change = typed(old.source, span, text)
    assert change is not None
    new = analysed(before[: span.start] + text + before[span.end :])
    found = diagnostics(new)
    wait = waiting(begun(change, old.source, diagnostics(old)), new.source, found)
    return [item.code for item in wait], [item.code for item in found if item not in wait]


ABSTRACT = "outcome: x\nverdict: n/a\nfiles: 1 created, 0 modified, 0 deleted\nnext_phase: tester\nopen_questions: 0"
REST = (
    "## Iteration\n\niter 1\n\n## Files Created\n\n- a.py\n\n## Files Modified\n\n"
    "## Quality-Gate Results\n\nok\n\n## DoD coverage\n\n- ✓ it works\n"
)
SOUND = markdown(abstract=ABSTRACT, rest=REST)
WRONG = markdown("donne", abstract=ABSTRACT, rest=REST)


@pytest.mark.parametrize(
    ("before", "piece", "text", "waits", "comes"),
    [
        # a value, half typed or deleted, after any text
        (SOUND, "complete", "comp", ["invalid-value"], []),
        (SOUND, "complete", "", ["empty-value"], []),
        (SOUND, "verdict: n/a", "verdict: 🙂 日", ["invalid-value"], []),
        # a finding that the line had before is still shown
        (WRONG, "donne", "donn", [], ["invalid-value"]),
        # but a new one waits, although one of its kind is elsewhere
        (WRONG, "verdict: n/a", "verdict: n", ["invalid-value"], ["invalid-value"]),
        # a heading: its missing section is reported in a different line
        (SOUND, "## Abstract", "## Abs", ["missing-section"], []),
        # a new item, still empty
        (SOUND, "- ✓ it works", "- ✓ it works\n- ", [], []),
    ],
)
def test_what_waits(before: str, piece: str, text: str, waits: list[str], comes: list[str]) -> None:
    assert held(before, piece, text) == (waits, comes)


def test_a_section_that_a_value_asks_for_is_waited_for_below_it() -> None:
    """Typed from top to bottom: the verdict is complete, and the section it asks for comes further down."""
    lines = ABSTRACT.replace("n/a", "REQUEST").splitlines()
    before = markdown(title="Reviewer", abstract="\n".join(lines[:2]))
    wait, come = held(before, "REQUEST", "REQUEST_CHANGES\n")
    assert "contradiction" in wait
    assert "contradiction" not in come


def test_what_was_shown_stays_where_the_same_rule_finds_something_new_above_it() -> None:
    members = '"commands_run": [],\n  "files_checked": [],\n  "open_gaps": [],\n'
    text = f'```agent_contract_handoff\n{{\n"evidence_report": {{\n  {members}  }},\n}}\n```\n'
    old = analysed(text)
    change = typed(old.source, Span(text.index("[]") + 1, text.index("[]") + 1), '"a')
    assert change is not None
    new = analysed(text.replace("[]", '["a]', 1))
    wait = waiting(begun(change, old.source, diagnostics(old)), new.source, diagnostics(new))
    commas = [item.message for item in diagnostics(old) if item.message.startswith("Trailing comma")]
    assert len(commas) == 2
    shown = [item.message for item in diagnostics(new) if item not in wait and item.code == "invalid-json"]
    assert shown == commas


def test_a_further_change_goes_on_only_in_the_same_line() -> None:
    typing = begun(Typed(3, 3), Source(""), [])
    assert typing.continues(Typed(3, 3))
    assert not any(typing.continues(change) for change in (Typed(2, 2), Typed(3, 4), Typed(2, 3)))


def test_every_rule_says_whether_its_findings_may_be_about_what_is_unfinished() -> None:
    never = {code for code, rule in all_rules().items() if rule.unfinished == "no"}
    # Findings that hold for any rest of the line, and those about other files or ourselves.
    assert never == {
        "illegal-transition",
        "internal-error",
        "legacy-duplicate",
        "too-large",
        "unexpected-field",
    }


@pytest.mark.parametrize("name", SAMPLES)
def test_no_finding_waits_that_was_there_before(name: str) -> None:
    analysis = analysed(SAMPLES[name])
    found: list[Diagnostic] = diagnostics(analysis)
    for line in range(analysis.source.lines.count):
        assert waiting(begun(Typed(line, line), analysis.source, found), analysis.source, found) == []


def shown_while_typing(text: str, found: Callable[[str], list[Diagnostic]]) -> list[str]:
    """The messages that appear while a new file is typed without a pause, each time that one does."""
    typing, source, shown, appeared = None, Source(""), found(""), []
    for end in range(1, len(text) + 1):
        change = typed(source, Span(end - 1, end - 1), text[end - 1])
        assert change is not None
        if typing is None or not typing.continues(change):
            typing = begun(change, source, shown)
        source, before = Source(text[:end]), {item.message for item in shown}
        now = found(text[:end])
        wait = waiting(typing, source, now)
        shown = [item for item in now if item not in wait]
        appeared += [item.message for item in shown if item.message not in before]
    return appeared


def test_a_new_contract_is_typed_without_an_error() -> None:
    text = "contract: block\nextends: status-block\ntitle: x\nfields:\n  status:\n    +values: [x]\n"
    assert shown_while_typing(text, lambda typed: problems(file_of(typed))) == []


def test_a_new_config_is_typed_without_an_error(tmp_path: Path) -> None:
    resolver = Resolver()

    def found(text: str) -> list[Diagnostic]:
        file = config_file(Source(text), tmp_path / ".handoff-lsp.toml", resolver, lambda _: None)
        assert file is not None
        return config_problems(file)

    text = 'exclude = ["a/*.md"]\n[rules]\nmissing-field = "warning"\n'
    assert shown_while_typing(text, found) == []
