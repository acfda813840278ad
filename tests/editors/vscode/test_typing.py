"""Headings that a person types: what is typed stays what it is, however fast, and whatever Enter could accept."""

from __future__ import annotations

from pathlib import Path

import pytest
from editors.vscode.workbench import Open, Workbench

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
FILES = {
    "handoffs/typing-handoff.md": (EXAMPLES / "handoffs" / "board" / "backend-dev-handoff.md").read_text("utf-8"),
    "templates/handoff-template.md": "# {Feature name} — Handoff from Developer\n\n## Status\n\n"
    "<complete | blocked | failed | incomplete>\n\n## Abstract\n\n```yaml\noutcome: <what>\n```\n",
    "README.md": "# Board\n\nA board of tasks.\n",
}
HEADINGS = (
    "Summary", "Result", "Results", "Design", "Apply", "Testing", "Delivery", "Verify", "State", "Status",
    "Next", "Developer notes", "Log", "Discovery", "Files", "Open", "Abstract", "Quality", "Coverage", "Questions",
)  # fmt: skip


@pytest.fixture(scope="module")
def window(open_shared_window: Open, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    folder = tmp_path_factory.mktemp("typing")
    for path, text in FILES.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    shown = open_shared_window(folder)
    shown.folder = folder
    return shown


@pytest.mark.parametrize("delay", [15, 120], ids=["fast", "slowly"])
@pytest.mark.parametrize("path", FILES)
def test_headings_stay_as_they_are_typed(window: Workbench, path: str, delay: int) -> None:
    window.open_file(path)
    if path.startswith("handoffs"):
        window.eventually(window.lenses, bool)
    window.press("Control+A", "Delete")
    window.page.keyboard.insert_text(FILES[path] + "\n")
    window.eventually(lambda: window.lines()[0], FILES[path].split("\n")[0])
    for title in HEADINGS:
        window.press("Control+End")
        window.page.keyboard.type(f"## {title}", delay=delay)
        window.press("Enter")
    window.save()
    written = (window.folder / path).read_text("utf-8")
    assert written.removeprefix(FILES[path]).split() == " ".join(f"## {title}" for title in HEADINGS).split()
