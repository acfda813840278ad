"""The titles of the code actions of a kind at the selection, the one of "fix this" marked; ``none`` without any."""

from __future__ import annotations

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """One title per line."""
    context = {"diagnostics": [], "only": [words]}
    offered = editor.request("textDocument/codeAction", range=editor.range(), context=context)
    assert all(f"{action['kind']}.".startswith(f"{words}.") for action in offered), offered
    titles = [action["title"] + (" (preferred)" if action.get("isPreferred") else "") for action in offered]
    return "\n".join(titles) or "none"
