"""Where an editor goes from the cursor: `file:line: text with «the place»`, after what was asked about, `«text» →`."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """Nothing for no definition."""
    found = editor.request("textDocument/definition", position=editor.position()) or []
    lines = []
    for link in found:
        path = editor.path_of(link["targetUri"])
        asked = editor.slice(link["originSelectionRange"])
        lines.append(f"«{asked}» → {path}:{editor.shown(link['targetSelectionRange'], path)}")
    return "\n".join(lines) or "nothing"
