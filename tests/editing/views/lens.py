"""The code lenses, each above its line: ``line: title → where a click leads``."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The lenses in their order."""
    shown = []
    for lens in editor.request("textDocument/codeLens"):
        assert lens["range"]["start"]["line"] == lens["range"]["end"]["line"], "a lens is about one line"
        command = lens["command"]
        assert command["command"] == "handoff.goTo"
        assert len(command["title"]) <= 80
        uri, target = command["arguments"]
        line = lens["range"]["start"]["line"] + 1
        shown.append(f"{line}: {command['title']} → {editor.shown(target, editor.path_of(uri))}")
    return "\n".join(shown)
