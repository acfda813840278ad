"""The status item with its menu, and the commands of the palette."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from editors.vscode.workbench import Open, Workbench

ROOT = Path(__file__).resolve().parents[3]
DEV = "handoffs/board/backend-dev-handoff.md"
NEW = "handoffs/search/search-reviewer-handoff.md"


@pytest.fixture(scope="module")
def window(open_shared_window: Open, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    folder = tmp_path_factory.mktemp("commands") / "examples"
    shutil.copytree(ROOT / "examples", folder)
    (folder / NEW).parent.mkdir()
    (folder / NEW).write_text("\n\n", encoding="utf-8")
    shown = open_shared_window(folder, DEV)
    shown.eventually(shown.squiggles, bool)
    return shown


def test_the_status_item_shows_the_decision_and_has_a_menu(window: Workbench) -> None:
    window.open_file(DEV)
    window.eventually(
        window.status,
        lambda items: any(item.startswith("Handoff: status-block, profile developer, stop: ") for item in items),
    )
    window.click_status("Handoff: status-block")
    choices = window.eventually(window.choices, bool)
    window.screenshot("status-menu")
    assert [choice for choice in choices if "Doctor" in choice or "Restart the Server" in choice], choices
    window.choose("Show What the Orchestrator Does")
    told = window.eventually(window.choices, lambda rows: any("decides" in row for row in rows))
    window.screenshot("decision")
    assert told[0].startswith("stop: missing or unknown status: treated as failed"), told
    window.choose("decides")
    window.eventually(window.status, lambda items: any(item.startswith("Ln 5, Col ") for item in items))
    window.open_file("README.md")
    window.eventually(window.status, lambda items: not any(item.startswith("Handoff: ") for item in items))


def test_a_new_handoff_is_made_from_a_contract(window: Workbench) -> None:
    window.run_command("Handoff: New Handoff…")
    choices = window.eventually(window.choices, lambda rows: len(rows) > 5)
    assert any("status-block" in choice for choice in choices), choices
    window.screenshot("new-handoff")
    window.choose("status-block")
    window.eventually(window.choices, lambda rows: rows and "default" in rows[0])
    window.press("Enter")
    window.eventually(window.lines, lambda lines: "## Status" in lines)
    window.eventually(window.status, lambda items: any(item.endswith("10 to fill in") for item in items))
    assert {severity for severity, *_ in window.squiggles()} <= {"hint"}, "an unfinished handoff is not wrong"
    window.type("Search")  # the title is the first tab stop
    window.eventually(window.lines, lambda lines: lines[0].startswith("# Search — Handoff from "))
    window.view("Handoffs")
    window.eventually(lambda: window.groups("Handoffs").get("To fill in"), bool)
    (row,) = window.groups("Handoffs")["To fill in"]
    window.screenshot("draft-in-the-view")
    assert row.startswith("untitled:Untitled-1") and row.endswith("9 to fill in"), row


def test_the_path_of_an_empty_file_decides_what_a_new_handoff_is(window: Workbench) -> None:
    window.open_file(NEW)
    window.run_command("Handoff: New Handoff…")
    window.eventually(window.lines, lambda lines: lines[0] == "# <feature name…> — Handoff from Reviewer")
    window.type("Search")
    window.eventually(window.lines, lambda lines: lines[0] == "# Search — Handoff from Reviewer")
    window.screenshot("new-handoff-by-path")


def test_the_walkthrough_ticks_the_server_that_runs(window: Workbench) -> None:
    window.open_file(DEV)
    window.eventually(window.squiggles, bool)
    window.run_command("Handoff: Open the Walkthrough")
    step = window.page.locator('.getting-started-step [role="checkbox"][aria-checked="true"]')
    window.eventually(step.count, lambda count: count >= 1)
    window.screenshot("walkthrough")


def test_a_rule_is_explained(window: Workbench) -> None:
    window.open_file(DEV)
    window.eventually(window.squiggles, bool)
    window.run_command("Handoff: Explain a Rule, Contract or Field…")
    choices = window.eventually(window.choices, lambda rows: len(rows) > 5)
    window.screenshot("explain")
    assert "count-mismatch" in choices[0], "what was found in this file comes first"
    window.choose("invalid-value")
    window.eventually(window.active_file, lambda name: name and "invalid-value" in name)
    page = window.preview()
    window.eventually(page.inner_text, lambda text: "Checks for values that their enum does not list" in text)
    window.screenshot("explained")
    window.open_file(DEV)
    window.eventually(window.squiggles, bool)
    window.click_tab("invalid-value")  # the page stays unchanged while other documents are shown
    window.eventually(page.inner_text, lambda text: "Checks for values that their enum does not list" in text)


def test_the_doctor_shows_how_the_server_was_found(window: Workbench) -> None:
    window.open_file(DEV)
    window.run_command("Handoff: Doctor")
    window.eventually(window.active_file, "Handoff doctor.md")
    window.eventually(window.text, lambda text: "# Handoff doctor" in text and "| The settings | found |" in text)
    window.screenshot("doctor")
    window.dismiss()


def test_the_workspace_is_checked(window: Workbench) -> None:
    window.run_command("Handoff: Check the Workspace")
    said = window.eventually(window.notifications, lambda texts: any("handoffs" in text for text in texts))
    assert any("12 errors" in text for text in said), said
    window.dismiss()


def test_the_status_file_of_a_worker_has_each_problem_once(window: Workbench) -> None:
    window.open_file("worktree/.agent/status.json")
    rows = window.eventually(lambda: window.problems("status.json"), bool)
    window.screenshot("status-json")
    assert {row.source for row in rows} == {"handoff-lsp"}
    assert [(row.code, row.at) for row in rows] == [
        ("contradiction", "Ln 4, Col 13"),
        ("file-disagreement", "Ln 4, Col 13"),
        ("count-mismatch", "Ln 11, Col 15"),
        ("file-disagreement", "Ln 12, Col 22"),
    ]
    window.focus()
    window.select_line(4)
    window.type('  "status": "complet",')
    window.eventually(
        lambda: [row.message for row in window.problems("status.json") if row.at.startswith("Ln 4,")],
        lambda told: len(told) == 1 and "complet" in told[0],
    )
    window.select_line(4)
    window.type('  "status": "running",,')
    broken = window.eventually(
        lambda: [row for row in window.problems("status.json") if row.at.startswith("Ln 4,")],
        lambda rows: any(row.source == "json" for row in rows),
    )
    assert [row.code for row in broken if row.source == "handoff-lsp"] == [], "VS Code itself tells of the comma"
