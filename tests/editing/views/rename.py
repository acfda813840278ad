"""The documents after a rename at the cursor, below the old name that the editor proposes.

The words are the new name; with `…` the editor only prepares the rename. A refusal is shown as its message. Of each
file only the lines that change are shown, as `file:line: text`, then the renamed files and folders.
"""

from __future__ import annotations

from editing.editor import Editor
from server.client import ResponseError

REQUEST_FAILED = -32803


def view(editor: Editor, words: str) -> str:
    """The changes; empty without anything to rename."""
    try:
        asked = editor.request("textDocument/prepareRename", position=editor.position())
        if asked is None:
            return "nothing"
        assert editor.slice(asked["range"]) == asked["placeholder"]
        if words == "…":
            return editor.shown(asked["range"])
        edit = editor.request("textDocument/rename", position=editor.position(), newName=words)
    except ResponseError as error:
        return f"refused: {error}" if error.code == REQUEST_FAILED else f"error {error.code}: {error}"
    lines = []
    for change in edit["documentChanges"]:
        if change.get("kind") == "rename":
            lines.append(f"{editor.path_of(change['oldUri'])} becomes {editor.path_of(change['newUri'])}")
            continue
        path = editor.path_of(change["textDocument"]["uri"])
        before, after = editor.text_of(path), editor.edited(change["edits"], path)
        assert len(before.splitlines()) == len(after.splitlines())
        for number, (old, new) in enumerate(zip(before.splitlines(), after.splitlines(), strict=True), 1):
            if old != new:
                lines.append(f"{path}:{number}: {new}")
        opened = path in (editor.case.path, *editor.case.opened)
        assert (change["textDocument"]["version"] is not None) == opened
    return "\n".join(lines)
