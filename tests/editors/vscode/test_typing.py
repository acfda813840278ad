"""Typing headings: the typed text stays as it is, however fast, and whatever Enter could accept."""

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
    (folder / "handoffs").mkdir()
    shown = open_shared_window(folder)
    shown.folder = folder
    return shown


@pytest.mark.parametrize("delay", [15, 120], ids=["fast", "slowly"])
@pytest.mark.parametrize("path", FILES)
def test_headings_stay_as_they_are_typed(window: Workbench, path: str, delay: int) -> None:
    text = FILES[path]
    file = window.folder / path.replace("typing", f"typing-{delay}").replace("README", f"README-{delay}").replace(
        "-template", f"-{delay}-template"
    )
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")
    window.open_file(file.relative_to(window.folder).as_posix())
    if path.startswith("handoffs"):
        window.eventually(window.lenses, bool)
    window.press("Control+End")
    for title in HEADINGS:
        window.page.keyboard.type(f"## {title}", delay=delay)
        window.press("Enter")
    window.save()
    typed = file.read_text("utf-8").removeprefix(text)
    assert typed.split() == " ".join(f"## {title}" for title in HEADINGS).split()
