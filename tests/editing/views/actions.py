"""The titles of the code actions of a kind at the selection; ``none`` without any.

The one of "fix this" is marked, and the choices behind an action are shown.
"""

from __future__ import annotations

from typing import Any

from editing.editor import Editor


def view(editor: Editor, words: str) -> str:
    """One title per line."""
    context = {"diagnostics": [], "only": [words]}
    offered = editor.request("textDocument/codeAction", range=editor.range(), context=context)
    assert all(f"{action['kind']}.".startswith(f"{words}.") for action in offered), offered
    return "\n".join(map(_line, offered)) or "none"


def choices(action: dict[str, Any]) -> list[dict[str, Any]]:
    """The choices behind an action; none if it is an edit."""
    command = action.get("command") or {}
    return command["arguments"][0]["choices"] if command.get("command") == "handoff-lsp.choose" else []


def _line(action: dict[str, Any]) -> str:
    behind = ", ".join(choice["label"] for choice in choices(action))
    return action["title"] + (f" ({behind})" if behind else "") + (" (preferred)" if action.get("isPreferred") else "")
