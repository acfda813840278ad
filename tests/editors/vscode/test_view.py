"""The Handoffs view: all handoffs of a workspace, grouped by the orchestrator's action."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from editors.vscode.workbench import Open, Workbench

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


@pytest.fixture(scope="module")
def window(open_shared_window: Open, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    folder = shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("view") / "examples")
    shown = open_shared_window(folder)
    shown.folder = folder
    shown.eventually(lambda: shown.view("Handoffs"), lambda rows: len(rows) > 8)
    return shown


def group_of(window: Workbench, file: Path) -> str | None:
    """The group of a handoff."""
    groups = window.groups("Handoffs")
    return next((name for name, rows in groups.items() if any(file.name in row for row in rows)), None)


def test_handoffs_are_grouped_by_what_happens_next(window: Workbench) -> None:
    groups = window.groups("Handoffs")
    window.screenshot("handoffs-view")
    assert list(groups) == ["Stop", "Ask", "Retry", "Advance"]
    (stops,) = groups["Stop"]
    assert stops.startswith("board · Backend Developer")
    assert "no valid Status" in stops
    assert "backend-dev-handoff.md" in stops
    window.run_command("Handoff: Group by Folder")
    window.eventually(lambda: list(window.groups("Handoffs")), lambda names: "handoffs/board" in names)
    window.run_command("Handoff: Group by What Happens Next")
    window.eventually(lambda: list(window.groups("Handoffs")), list(groups))


def test_the_view_follows_the_disk_and_the_typing(window: Workbench) -> None:
    file = window.folder / "handoffs" / "board" / "backend-dev-handoff.md"
    window.eventually(lambda: group_of(window, file), "Stop")
    file.write_text(file.read_text("utf-8").replace("compleet", "blocked"), "utf-8")
    window.eventually(lambda: group_of(window, file), "Ask")
    new = file.with_name("tester-handoff.md")
    new.write_text(file.read_text("utf-8").replace("blocked", "failed"), "utf-8")
    window.eventually(lambda: group_of(window, new), "Stop")
    new.unlink()
    window.eventually(lambda: group_of(window, new), None)
    window.row("Handoffs", file.name).click()
    window.eventually(window.active_file, file.name)
    window.focus()
    window.select_line(5)
    window.type("failed")
    window.eventually(lambda: group_of(window, file), "Stop")


def test_the_view_follows_the_active_editor(window: Workbench) -> None:
    window.open_file("developer-report.md")
    selected = window.page.locator('.pane:has(.pane-header[aria-label^="Handoffs"]) .monaco-list-row.selected').last
    window.eventually(lambda: "developer-report.md" in selected.inner_text(), True)
    window.open_file("backend-dev-handoff.md")
    window.eventually(lambda: "backend-dev-handoff.md" in selected.inner_text(), True)
    window.screenshot("handoffs-followed")


def test_a_click_opens_the_handoff(window: Workbench) -> None:
    window.row("Handoffs", "developer-report.md").click()
    window.eventually(window.active_file, "developer-report.md")
    window.eventually(window.squiggles, bool)
