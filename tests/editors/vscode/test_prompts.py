"""A prompt in the editor: its drift from the contract, the fix, and the rename of a value across four files."""

from __future__ import annotations

from pathlib import Path

import pytest
from editors.vscode.workbench import Open, Workbench

from editors import pack


@pytest.fixture(scope="module")
def window(open_shared_window: Open, tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    folder = pack.write(tmp_path_factory.mktemp("pack"))
    shown = open_shared_window(folder, pack.PROMPT)
    shown.folder = folder
    return shown


def go_to_the_value(window: Workbench) -> None:
    """Put the cursor into the value at the end of the line."""
    window.go_to(pack.DRIFT_LINE)
    window.press("End", *["ArrowLeft"] * 4)


def test_a_drift_is_underlined_and_its_fix_taken(window: Workbench) -> None:
    window.eventually(window.squiggles, [("error", pack.DRIFT)])
    (problem,) = window.eventually(lambda: window.problems(Path(pack.PROMPT).name), lambda rows: len(rows) == 1)
    assert (problem.code, problem.at) == ("unknown-value-in-prompt", f"Ln {pack.DRIFT_LINE}, Col 39")
    window.screenshot("prompt-drift")
    window.focus()
    go_to_the_value(window)
    fixes = window.quick_fixes()
    assert fixes[0].startswith("Change `complted` to `completed`"), fixes
    window.screenshot("prompt-fix")
    window.take(fixes[0])
    window.eventually(lambda: window.lines()[pack.DRIFT_LINE - 1], "When all tests pass, 🚀 write `State: completed`.")
    window.eventually(window.squiggles, [])
    window.save()
    assert pack.lines_with(window.folder, "completed") == pack.SAID


def test_a_value_is_renamed_in_four_files_after_a_preview(window: Workbench) -> None:
    window.run_command("View: Hide Panel")
    window.focus()
    go_to_the_value(window)
    window.rename("closed", preview=True)
    files = {Path(path).name for path in pack.SAID}
    window.eventually(
        window.preview_rows, lambda rows: all(any(row.startswith(name) for row in rows) for name in files)
    )
    window.screenshot("prompt-rename")
    window.page.get_by_role("button", name="Apply").first.click()
    window.eventually(lambda: pack.lines_with(window.folder, "completed"), dict.fromkeys(pack.SAID, 0))
    assert window.lines()[pack.DRIFT_LINE - 1].endswith("`State: closed`.")
    assert pack.lines_with(window.folder, "closed") == {**pack.SAID, pack.CONTRACT: 2}
    window.eventually(window.squiggles, [])
    window.screenshot("prompt-renamed")


def test_a_prompt_to_which_vs_code_gives_a_language_of_its_own(open_window: Open, tmp_path: Path) -> None:
    prompts = [".claude/agents/reviewer.md", "skills/review/SKILL.md", ".github/prompts/review.prompt.md"]
    folder = pack.write(tmp_path)
    for prompt in prompts:
        (folder / prompt).parent.mkdir(parents=True)
        (folder / prompt).write_text(pack.FILES[pack.PROMPT], "utf-8")
    window = open_window(folder, prompts[0])
    for prompt, language in zip(prompts, ["Agent", "Skill", "Prompt"], strict=True):
        if prompt != prompts[0]:
            window.open_file(prompt)
        window.eventually(window.status, lambda items, language=language: language in items)
        window.eventually(window.squiggles, lambda marks: ("error", pack.DRIFT) in marks)
        window.eventually(window.lenses, bool)
        go_to_the_value(window)
        window.take(window.quick_fixes()[0])
        window.eventually(window.squiggles, [])
