"""The document after the code action with a title, taken at the selection and resolved as an editor does it."""

from __future__ import annotations

from typing import Any

from editing.editor import Editor
from editing.views.actions import choices


def view(editor: Editor, words: str) -> str:
    """The document afterward; ``not offered`` without such an action."""
    # In the list of all actions, or in the one of refactorings or source actions.
    lists: list[dict[str, Any]] = [{}, {"only": ["refactor"]}, {"only": ["source"]}]
    for each in lists:
        found = _found(editor, words, {"diagnostics": [], "triggerKind": 1, **each})
        if found:
            break
    else:
        return "not offered"
    assert len(found) == 1, f"{len(found)} actions are called {words!r}"
    action = found[0]
    if "edit" not in action:
        assert action["data"]["uri"] == editor.uri
        action = editor.client.request("codeAction/resolve", action)
    return editor.changed(action["edit"])


def _found(editor: Editor, words: str, context: dict[str, Any]) -> list[dict[str, Any]]:
    offered = editor.request("textDocument/codeAction", range=editor.range(), context=context)
    each = [action for one in offered for action in ([choice["action"] for choice in choices(one)] or [one])]
    return [action for action in each if action["title"] == words]
