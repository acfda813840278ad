"""The folds as they look when folded: ``first–last: line …`` with its kind, inner ones indented."""

from __future__ import annotations

from editing.editor import Editor
from server.client import Message


def view(editor: Editor, words: str) -> str:
    """The folds in order; empty without any."""
    around: list[Message] = []
    shown = []
    for fold in editor.request("textDocument/foldingRange"):
        while around and fold["startLine"] > around[-1]["endLine"]:
            around.pop()
        kind = f" ({fold['kind']})" if "kind" in fold else ""
        first, last = fold["startLine"] + 1, fold["endLine"] + 1
        shown.append(f"{'  ' * len(around)}{first}–{last}: {_folded(editor, fold)}{kind}")
        around.append(fold)
    return "\n".join(shown)


def _folded(editor: Editor, fold: Message) -> str:
    """The visible part of a fold: its first line, or the text before and after its brackets."""
    if "startCharacter" not in fold:
        start = {"line": fold["startLine"], "character": 0}
        return editor.shown({"start": start, "end": start}).split("«»")[1].strip() + " …"
    start = {"line": fold["startLine"], "character": fold["startCharacter"]}
    end = {"line": fold["endLine"], "character": fold["endCharacter"]}
    before = editor.shown({"start": start, "end": start}).split(": ", 1)[1].split("«»")[0]
    behind = editor.shown({"start": end, "end": end}).split("«»")[1]
    return f"{before.strip()}…{behind}"
