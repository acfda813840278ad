"""The results of a search in the workspace (the words after the view): ``name [Kind] container``, then the place."""

from __future__ import annotations

from editing.editor import Editor
from lsprotocol.types import SymbolKind


def view(editor: Editor, words: str) -> str:
    """The results, best first."""
    lines = []
    for found in editor.client.request("workspace/symbol", {"query": words}):
        path = editor.path_of(found["location"]["uri"])
        lines.append(f"{found['name']} [{SymbolKind(found['kind']).name}] {found['containerName']}")
        lines.append(f"  {path}:{editor.shown(found['location']['range'], path)}")
    return "\n".join(lines)
