"""The pictures of the README. Their content is checked first, so that they never show something else.

`make screenshots` writes them to docs/images ($HANDOFF_LSP_IMAGES); else they are test output like all others.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from editors.vscode.workbench import Open, Workbench

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
DEV = "handoffs/board/backend-dev-handoff.md"
SIZE = {"width": 1200, "height": 720}


@pytest.fixture(scope="module")
def window(open_shared_window: Open, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    folder = shutil.copytree(EXAMPLES, tmp_path_factory.mktemp("pictures") / "my-project")
    look = {"editor.fontSize": 14, "workbench.layoutControl.enabled": False, "workbench.hover.delay": 60_000}
    shown = open_shared_window(folder, DEV, look)
    shown.page.set_viewport_size(SIZE)
    shown.eventually(lambda: shown.view("Handoffs"), lambda rows: len(rows) > 8)
    shown.widen_side_bar(420)
    shown.focus()
    return shown


def picture(window: Workbench, name: str, height: int = SIZE["height"]) -> None:
    """Keep a picture of the window; one for the README gets few colors, so that the file is small."""
    shot = window.screenshot(name)
    images = os.environ.get("HANDOFF_LSP_IMAGES")
    if images:
        from PIL import Image  # needed only to remake the pictures

        target = Path(images) / f"{name}.png"
        target.parent.mkdir(parents=True, exist_ok=True)
        with Image.open(shot) as image:
            image.convert("RGB").crop((0, 0, SIZE["width"], height)).quantize(128).save(target, optimize=True)
        assert target.stat().st_size < 150_000


def test_all_at_a_glance(window: Workbench) -> None:
    window.eventually(lambda: window.problems(Path(DEV).name), lambda rows: len(rows) == 3)
    window.focus()
    window.go_to(2)
    window.eventually(window.squiggles, [("error", "compleet"), ("error", "2"), ("error", "1")])
    window.eventually(window.lenses, lambda lenses: len(lenses) == 2)
    window.eventually(
        window.status,
        lambda items: any(item.startswith("Handoff: status-block, profile developer, stop: ") for item in items),
    )
    assert "Stop" in window.groups("Handoffs")
    picture(window, "vscode")
    window.run_command("View: Hide Panel")


def test_a_quick_fix(window: Workbench) -> None:
    window.go_to(5)
    assert window.quick_fixes()[0].startswith('Change "compleet" to `complete`')
    picture(window, "vscode-quick-fix", 480)
    window.press("Escape")


def test_a_hover(window: Workbench) -> None:
    window.hover(5, 3)
    window.eventually(window.card, lambda text: "Note invalid-value" in text)
    picture(window, "vscode-hover", 480)
    window.press("Escape")


def test_completion(window: Workbench) -> None:
    window.select_line(5)
    window.press("Delete")
    assert window.complete()[:4] == ["complete", "blocked", "failed", "incomplete"]
    picture(window, "vscode-completion", 480)
