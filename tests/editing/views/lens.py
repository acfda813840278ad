"""The code lenses, each above its line: ``line: title → where a click leads``."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The lenses in their order."""
    shown = []
    for lens in editor.request("textDocument/codeLens"):
        assert lens["range"]["start"]["line"] == lens["range"]["end"]["line"], "a lens is about one line"
        command = lens["command"]
        line = lens["range"]["start"]["line"] + 1
        if command["command"] == "handoff.showPrompt":
            assert len(command["title"]) <= 120
            assert command["arguments"] == [{"uri": editor.uri}]
            shown.append(f"{line}: {command['title']} → its page")
            continue
        assert command["command"] == "handoff.goTo"
        assert len(command["title"]) <= 80
        uri, target = command["arguments"]
        shown.append(f"{line}: {command['title']} → {editor.shown(target, editor.path_of(uri))}")
    return "\n".join(shown)
