"""The document after formatting the selection, as ``formatting`` shows it; ``several``: as one of two ranges."""

from __future__ import annotations

from editing.editor import Editor
from editing.views.formatting import options, shown


def view(editor: Editor, words: str) -> str:
    """All of the document."""
    if "several" in words:
        ranges = [editor.range(0, 0), editor.range()]
        return shown(editor, editor.request("textDocument/rangesFormatting", ranges=ranges, options=options(words)))
    return shown(editor, editor.request("textDocument/rangeFormatting", range=editor.range(), options=options(words)))
