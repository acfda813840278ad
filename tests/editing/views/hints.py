"""The lines with inlay hints, each hint in ``⟦…⟧``; in the selection, without one in all of the document.

``taken``: the document after every hint with an edit was accepted. ``explained``: the tooltip of each. The number of
years in an age depends on the time of the test run, so it is ``N``.
"""

from __future__ import annotations

import re

from editing.editor import Editor

_AGE = re.compile(r"\d+ (\w+ ago)")


def view(editor: Editor, words: str) -> str:
    """The lines; empty without any."""
    first, last = editor.case.selection
    whole = (0, len(editor.text_of())) if first == last else ()
    found = editor.request("textDocument/inlayHint", range=editor.range(*whole))
    if words == "taken":
        return editor.edited([edit for hint in found for edit in hint.get("textEdits", ())])
    if words == "explained":
        resolved = [editor.client.request("inlayHint/resolve", hint) for hint in found]
        return "\n".join(f"⟦{_label(hint)}⟧\n{hint['tooltip']['value']}" for hint in resolved)
    text, lines = editor.text_of(), {}
    for hint in reversed(found):
        line, at = hint["position"]["line"], editor.offset(hint["position"])
        start = editor.offset({"line": line, "character": 0})
        content = lines.setdefault(line, text[start:].partition("\n")[0])
        lines[line] = f"{content[: at - start]} ⟦{_label(hint)}⟧{content[at - start :]}"
        assert hint["paddingLeft"]
    return "\n".join(f"{line + 1}: {lines[line]}" for line in sorted(lines)) or "nothing"


def _label(hint: dict[str, str]) -> str:
    return _AGE.sub(r"N \1", hint["label"])
