"""The completions at the cursor, and their results. The time now is shown as ``NOW``.

- without words: the labels, a line each, in the order in which an editor shows them; ``…`` after them if the editor
  must ask again during typing
- ``like TEXT``: the same, but only those that match the typed text
- ``details``: each label with the text beside it
- ``take LABEL``: the document after the item was accepted, its tab stops unchanged
- ``snippet LABEL``: the inserted text, with its tab stops
- ``page LABEL``: its documentation, requested when it is selected, up to its footer
"""

from __future__ import annotations

import re
from typing import Any

from editing.editor import Editor

_NOW = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_STOP = re.compile(r"(?<!\\)\$(?:\d+|\{\d+:(?P<hint>(?:\\.|[^}\\])*)\}|\{\d+\|(?P<first>(?:\\.|[^,|\\])*)[^}]*\|\})")
_ESCAPED = re.compile(r"\\([\\$}|,])")


def view(editor: Editor, words: str) -> str:
    """The answer as an editor with snippets applies it."""
    verb, _, label = words.partition(" ")
    found = editor.request("textDocument/completion", position=editor.position()) or {"items": []}
    items = sorted(found["items"], key=lambda item: item["sortText"])
    for item in items:
        _is_sound(editor, item)
    if verb in {"", "like"}:
        typed = label.casefold()
        shown = [item["label"] for item in items if item.get("filterText", item["label"]).casefold().startswith(typed)]
        return _timeless(editor, "\n".join([*shown, *(["…"] if found.get("isIncomplete") else [])]))
    if verb == "details":
        return _timeless(editor, "\n".join(f"{item['label']} · {item.get('detail', '')}" for item in items))
    named = [item for item in items if _timeless(editor, item["label"]) == label]
    assert len(named) == 1, f"{label} is not one of {[item['label'] for item in items]}"
    item = named[0]
    if verb == "snippet":
        return _timeless(editor, item["textEdit"]["newText"])
    if verb == "page":
        resolved = editor.client.request("completionItem/resolve", item)
        return str(resolved.get("documentation", {}).get("value", "")).partition("\n\n---\n")[0]
    assert verb == "take", words
    return _timeless(editor, editor.edited([*item.get("additionalTextEdits", []), _expanded(editor, item)]))


def _is_sound(editor: Editor, item: Any) -> None:
    """An edit stays on the cursor's line and holds the cursor; its typed part passes the filter."""
    range_, here = item["textEdit"]["range"], editor.position()
    assert range_["start"]["line"] == range_["end"]["line"] == here["line"], item
    assert range_["start"]["character"] <= here["character"] <= range_["end"]["character"], item
    assert item["label"].strip() and "\n" not in item["label"], item


def _expanded(editor: Editor, item: Any) -> Any:
    """The edit as an editor makes it of a snippet: with the indentation of the line it begins on."""
    edit = item["textEdit"]
    if item.get("insertTextFormat") != 2:
        return edit
    start = editor.offset(edit["range"]["start"])
    line = editor.text_of()[:start].rpartition("\n")[2]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    text = _STOP.sub(lambda stop: stop["hint"] or stop["first"] or "", edit["newText"])
    return {**edit, "newText": _ESCAPED.sub(r"\1", text).replace("\n", f"\n{indent}")}


def _timeless(editor: Editor, text: str) -> str:
    """A text with the time that is now, and in none of the files, as a word."""
    written = set(_NOW.findall("".join([editor.case.text, *(text for _, text in editor.case.files)])))
    return _NOW.sub(lambda time: time[0] if time[0] in written else "NOW", text)
