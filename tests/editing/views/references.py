"""Every place that an editor lists for the cursor, a line each: `file:line: text with «the place»`.

With the word `uses` the editor asks to leave the declaration out.
"""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The places in the order in which they are answered."""
    context = {"includeDeclaration": words != "uses"}
    found = editor.request("textDocument/references", position=editor.position(), context=context) or []
    shown = [f"{editor.path_of(at['uri'])}:{editor.shown(at['range'], editor.path_of(at['uri']))}" for at in found]
    return "\n".join(shown) or "nothing"
