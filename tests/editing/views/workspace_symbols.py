"""What a search in the workspace (the words behind the view) finds: ``name [Kind] container``, and below it where."""

from __future__ import annotations

from editing.editor import Editor
from lsprotocol.types import SymbolKind


def view(editor: Editor, words: str) -> str:
    """What is found, best first."""
    lines = []
    for found in editor.client.request("workspace/symbol", {"query": words}):
        path = editor.path_of(found["location"]["uri"])
        lines.append(f"{found['name']} [{SymbolKind(found['kind']).name}] {found['containerName']}")
        lines.append(f"  {path}:{editor.shown(found['location']['range'], path)}")
    return "\n".join(lines)
