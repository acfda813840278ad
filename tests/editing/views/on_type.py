"""The document after Enter was pressed right before the cursor, as ``formatting`` shows it."""

from __future__ import annotations

from editing.editor import Editor
from editing.views.formatting import options, shown


def view(editor: Editor, words: str) -> str:
    """All of the document."""
    typed = {"position": editor.position(), "ch": "\n", "options": options(words)}
    return shown(editor, editor.request("textDocument/onTypeFormatting", **typed))
