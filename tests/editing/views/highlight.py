"""The highlights for the cursor, with the kind of each: `line: text with «the place» kind`."""

from __future__ import annotations

from editing.editor import Editor

KINDS = {1: "text", 2: "read", 3: "write"}


def view(editor: Editor, words: str) -> str:
    """The highlights in the order in which they are answered."""
    found = editor.request("textDocument/documentHighlight", position=editor.position()) or []
    return "\n".join(f"{KINDS[item['kind']]} {editor.shown(item['range'])}" for item in found) or "nothing"
