"""The document after the code action with a title, taken at the selection and resolved as an editor does it."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """The document afterwards; ``not offered`` without such an action."""
    context = {"diagnostics": [], "triggerKind": 1}
    offered = editor.request("textDocument/codeAction", range=editor.range(), context=context)
    found = [action for action in offered if action["title"] == words]
    if not found:
        return "not offered"
    assert len(found) == 1, f"{len(found)} actions are called {words!r}"
    action = found[0]
    if "edit" not in action:
        assert action["data"]["uri"] == editor.uri
        action = editor.client.request("codeAction/resolve", action)
    return editor.changed(action["edit"])
