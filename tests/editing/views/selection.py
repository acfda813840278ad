"""The steps in which a selection grows, one on each line: ``⏎`` is a new line, ``…`` the middle of a long text."""

from __future__ import annotations

from itertools import pairwise

from editing.editor import Editor

_LONGEST = 70


def view(editor: Editor, words: str) -> str:
    """The steps, the smallest first; empty without any."""
    found = editor.request("textDocument/selectionRange", positions=[editor.position()])
    if found is None:
        return ""
    steps = []
    step = found[0]
    while step is not None:
        steps.append((editor.offset(step["range"]["start"]), editor.offset(step["range"]["end"])))
        step = step.get("parent")
    assert steps[0][0] <= editor.cursor <= steps[0][1]
    assert all(outer[0] <= inner[0] and inner[1] <= outer[1] and inner != outer for inner, outer in pairwise(steps))
    return "\n".join(_shown(editor.text_of()[start:end]) for start, end in steps)


def _shown(text: str) -> str:
    line = text.replace("\n", "⏎")
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST // 2]}…{line[-_LONGEST // 2 :]}"
