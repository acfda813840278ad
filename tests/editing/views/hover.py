"""The page about what stands at the cursor: ``line: text with «the range»``, then the page up to its footer."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The page, with ``whole`` its footer, too; empty where there is none."""
    found = editor.request("textDocument/hover", position=editor.position())
    if found is None:
        return ""
    page = found["contents"]["value"]
    shown = page if words == "whole" else page.partition("\n\n---\n")[0]
    return f"{editor.shown(found['range'])}\n{shown}"
