"""Editing a handoff in the editor: problems, quick fixes, completion, hover, code lenses."""

from __future__ import annotations

from pathlib import Path

import pytest
from editors.vscode.workbench import Open, Problem, Workbench

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
EXAMPLE = EXAMPLES / "handoffs" / "board" / "backend-dev-handoff.md"
STATUS = "## Status\n\ncompleet\n\n## Status reason\n\n"


@pytest.fixture(scope="module")
def window(open_shared_window: Open, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    folder = tmp_path_factory.mktemp("board")
    (folder / "handoffs").mkdir()
    shown = open_shared_window(folder)
    shown.folder = folder
    return shown


@pytest.fixture
def handoff(window: Workbench, request: pytest.FixtureRequest) -> Path:
    """A handoff of the test's own with three mistakes: a misspelt status and two wrong counts."""
    file = window.folder / "handoffs" / f"{request.node.name.removeprefix('test_')}-handoff.md"
    file.write_text(EXAMPLE.read_text("utf-8"), "utf-8")
    return file


def opened(window: Workbench, file: Path) -> Workbench:
    """Open it, and wait until it is checked."""
    window.open_file(file.relative_to(window.folder).as_posix())
    window.eventually(window.squiggles, bool)
    return window


def test_opening_shows_squiggles_and_problems(window: Workbench, handoff: Path) -> None:
    opened(window, handoff)
    window.eventually(window.squiggles, [("error", "compleet"), ("error", "2"), ("error", "1")])
    problems = window.eventually(lambda: window.problems(handoff.name), lambda rows: len(rows) == 3)
    first = problems[0]
    assert first == Problem(handoff.name, "error", first.message, "handoff-lsp", "invalid-value", "Ln 5, Col 1")
    assert first.message == '`Status` is "compleet", but must be one of `complete`, `blocked`, `failed`, `incomplete`'
    assert [(problem.code, problem.at) for problem in problems[1:]] == [
        ("count-mismatch", "Ln 14, Col 8"),
        ("count-mismatch", "Ln 16, Col 17"),
    ]
    window.screenshot("problems")


def test_typing_clears_squiggle_and_problem(window: Workbench, handoff: Path) -> None:
    opened(window, handoff)
    window.eventually(lambda: window.problems(handoff.name), lambda rows: len(rows) == 3)
    window.focus()
    window.select_line(5)
    window.type("complete")
    window.eventually(window.squiggles, [("error", "2"), ("error", "1")])
    codes = window.eventually(
        lambda: [row.code for row in window.problems(handoff.name)], lambda codes: len(codes) == 2
    )
    assert codes == ["count-mismatch", "count-mismatch"]
    assert "compleet" in handoff.read_text("utf-8"), "it is the buffer that is judged: nothing was saved"


def test_a_quick_fix_inserts_the_status_block(window: Workbench, handoff: Path) -> None:
    text = handoff.read_text("utf-8")
    assert STATUS in text
    handoff.write_text(text.replace(STATUS, ""), "utf-8")
    opened(window, handoff)
    window.eventually(
        lambda: [row.code for row in window.problems(handoff.name)], lambda codes: "missing-status" in codes
    )
    window.focus()
    window.go_to(1)
    fixes = window.quick_fixes()
    window.screenshot("quick-fix")
    window.take(next(title for title in fixes if "Status" in title))
    window.eventually(window.lines, lambda lines: "## Status" in lines)
    window.eventually(
        lambda: [row.code for row in window.problems(handoff.name)],
        lambda codes: codes and "missing-status" not in codes,
    )


def test_a_quick_fix_corrects_a_value(window: Workbench, handoff: Path) -> None:
    opened(window, handoff)
    window.go_to(5)
    fixes = window.quick_fixes()
    assert fixes[0].startswith('Change "compleet" to `complete`'), fixes
    window.take(fixes[0])
    window.eventually(lambda: window.lines()[4], "complete")
    window.eventually(window.squiggles, [("error", "2"), ("error", "1")])


def test_completion_offers_the_values(window: Workbench, handoff: Path) -> None:
    opened(window, handoff)
    window.select_line(5)
    window.press("Delete")
    window.eventually(lambda: window.lines()[4], "")
    offered = window.complete()
    window.screenshot("completion")
    assert offered[:4] == ["complete", "blocked", "failed", "incomplete"]
    window.accept("blocked")
    window.eventually(window.lenses, lambda lenses: lenses[:1] == ["asks: 1 open question goes to the human"])
    assert window.lines()[4] == "blocked"


def test_hover_tells_what_is_wrong_and_what_it_is_for(window: Workbench, handoff: Path) -> None:
    opened(window, handoff)
    window.hover(5, 1)
    text = window.eventually(window.card, lambda text: "Note invalid-value — The orchestrator treats" in text)
    window.screenshot("hover")
    assert "invalid-value" in text
    assert text.count("The agent hit an ambiguity it could not resolve.") == 1


def test_a_code_lens_tells_the_decision_and_leads_to_its_cause(window: Workbench, handoff: Path) -> None:
    opened(window, handoff)
    decision = "stops: missing or unknown status: treated as failed"
    window.eventually(window.lenses, [decision, "3 errors"])
    window.screenshot("code-lens")
    window.click_lens("stops: ")
    window.eventually(window.status, lambda items: any(item.startswith("Ln 5, Col ") for item in items))
    window.select_line(5)
    window.type("blocked")
    window.eventually(window.lenses, lambda lenses: lenses[:1] == ["asks: 1 open question goes to the human"])


def test_all_that_is_safe_is_fixed_at_once(window: Workbench, handoff: Path) -> None:
    handoff.write_text((EXAMPLES / "turn-report.md").read_text("utf-8"), "utf-8")
    opened(window, handoff)
    window.run_command("Handoff: Fix All in This File")
    window.eventually(window.lines, lambda lines: '    "files_checked": ["charts/web/values.yaml"],' in lines)
    assert '    "next_action": "done"' in window.lines(), "the comma after it is gone"


def test_the_status_block_is_inserted_by_a_command(window: Workbench, handoff: Path) -> None:
    handoff.write_text(handoff.read_text("utf-8").replace(STATUS, ""), "utf-8")
    opened(window, handoff)
    window.run_command("Handoff: Insert Status Block")
    window.eventually(window.lines, lambda lines: "## Status" in lines)
