"""The definitions of the text at the cursor: `«text» →`, then `file:line: text with «the place»`."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The definitions; empty without any."""
    found = editor.request("textDocument/definition", position=editor.position()) or []
    lines = []
    for link in found:
        path = editor.path_of(link["targetUri"])
        asked = editor.slice(link["originSelectionRange"])
        lines.append(f"«{asked}» → {path}:{editor.shown(link['targetSelectionRange'], path)}")
    return "\n".join(lines) or "nothing"
