"""The document after formatting; ``unchanged``, or ``nothing`` where the server leaves it to others.

Words: ``tabs`` or a number of blanks for one step of indent (2 else), and ``tidy`` for a client that wants lines and
the end of the file trimmed.
"""

from __future__ import annotations

from editing.editor import Editor
from server.client import Message


def view(editor: Editor, words: str) -> str:
    """All of the document."""
    return shown(editor, editor.request("textDocument/formatting", options=options(words)))


def options(words: str) -> Message:
    """The formatting options for some words."""
    given = words.split()
    sizes = [int(word) for word in given if word.isdigit()]
    tidy = dict.fromkeys(("trimTrailingWhitespace", "insertFinalNewline", "trimFinalNewlines"), "tidy" in given)
    return {"tabSize": sizes[0] if sizes else 2, "insertSpaces": "tabs" not in given, **tidy}


def shown(editor: Editor, edits: list[Message] | None) -> str:
    """The document after some edits."""
    if edits is None:
        return "nothing"
    made = editor.edited(edits)
    assert (made == editor.text_of()) == (not edits)
    return made if edits else "unchanged"
