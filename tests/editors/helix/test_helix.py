"""Helix, the real one, on a terminal with `editors/helix/languages.toml`, as a user sees it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import editors.workspace as made
import pytest
from editors.programs import program
from editors.terminal import Terminal, underlined

HERE = made.ROOT / "editors" / "helix"


@pytest.fixture
def workspace(tmp_path: Path) -> made.Workspace:
    """A workspace, and the configuration from the page."""
    workspace = made.make(tmp_path)
    config = Path(workspace.environment["XDG_CONFIG_HOME"]) / "helix"
    config.mkdir(parents=True)
    shutil.copy(HERE / "languages.toml", config)
    settings = (HERE / "config.toml").read_text().replace("[editor]\n", "[editor]\nundercurl = true\n", 1)
    (config / "config.toml").write_text(settings)
    return workspace


def opened(workspace: made.Workspace, path: Path, name: str) -> Terminal:
    """Helix with a file open."""
    return Terminal(f"helix-{name}", [program("helix"), "-v", str(path)], workspace.root, workspace.environment)


@pytest.fixture
def helix(workspace: made.Workspace, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """Helix with the handoff open."""
    with opened(workspace, workspace.handoff, request.node.name.removeprefix("test_")) as it:
        it.wait_for("Missing status `Status`")
        yield it


def line_of(screen: str, words: str) -> str:
    """The line of the screen that has these words."""
    return next(line for line in screen.splitlines() if words in line)


def test_squiggles_are_under_the_right_characters(helix: Terminal) -> None:
    assert underlined(line_of(helix.styled(), "verdict")) == [made.WRONG]


def test_the_quick_fix_inserts_the_status_block(helix: Terminal, workspace: made.Workspace) -> None:
    helix.keys("Space", "a")
    helix.wait_for(made.STATUS_FIX)
    helix.keys("Enter")
    helix.wait_for("## Status reason")
    helix.type(":write")
    helix.keys("Enter")
    helix.wait_for("written")
    before, after = workspace.handoff.read_text(encoding="utf-8").split("## Status\n")
    assert before.startswith("# Board title 🚀") and made.WRONG in after


def test_completion_and_what_is_corrected(helix: Terminal) -> None:
    helix.type(f":{made.VERDICT_LINE}")
    helix.keys("Enter", "g", "h", "v", "g", "l", "c")
    helix.type("verdict: ")
    helix.keys("C-x")
    helix.wait_for(lambda screen: re.search(r"n/a +value", screen))
    helix.keys("C-n", "Enter", "Escape")
    screen = helix.wait_for(lambda screen: "verdict: n/a" in screen and "`verdict` is" not in screen)
    assert "Missing section" in screen


def test_json_and_ordinary_markdown(workspace: made.Workspace) -> None:
    with opened(workspace, workspace.status, "json") as helix:
        helix.wait_for("Trailing comma")
        helix.type(f":open {workspace.ordinary.name}")
        helix.keys("Enter")
        helix.wait_for("not a handoff")
        helix.type(":lsp-workspace-command handoff.checkWorkspace")
        helix.keys("Enter")
        screen = helix.wait_for("2 handoffs in 2 files")
        assert "●" not in screen  # no finding in the note


def test_nothing_is_left_running(helix: Terminal, workspace: made.Workspace) -> None:
    helix.type(":quit!")
    helix.keys("Enter")
    assert helix.ended()
    assert len(workspace.servers()) == 1
    assert workspace.ended()
