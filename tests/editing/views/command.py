"""A command's answer, and its requests to the editor: ``command NAME {"more": "arguments"}``.

The document's URI is passed along, and with ``at cursor`` the cursor's position. The requests to the editor come
first, then the answer with its keys in order, without those that are null.
"""

from __future__ import annotations

import json
from typing import Any

from editing.editor import Editor
from server.client import Message, ResponseError


def view(editor: Editor, words: str) -> str:
    """The effects and the answer of a command."""
    name, _, rest = words.partition(" ")
    arguments: Message = {"uri": editor.uri}
    if rest.startswith("at cursor"):
        rest = rest.removeprefix("at cursor").strip()
        arguments["position"] = editor.position()
    arguments |= json.loads(rest or "{}")
    told: list[str] = []

    def show_document(params: Message) -> Message:
        told.append(f"shows {editor.shown(params['selection'], editor.path_of(params['uri']))}")
        return {"success": True}

    def apply_edit(params: Message) -> Message:
        told.append(f"{params['label']}:\n{_changed(editor, params['edit'])}".rstrip("\n"))
        return {"applied": True}

    def choose(params: Message) -> Message:
        titles = [action["title"] for action in params["actions"]]
        told.append(f"asks: {params['message']} {' | '.join(titles)}")
        return {"title": "agent-contract"}

    editor.client.replies = {
        "window/showDocument": show_document,
        "workspace/applyEdit": apply_edit,
        "window/showMessageRequest": choose,
    }
    try:
        answer = editor.client.request("workspace/executeCommand", {"command": name, "arguments": [arguments]})
        answered = _answered(answer)
    except ResponseError as error:
        answered = f"error: {error}"
    finally:
        editor.client.replies = {}
    for message in editor.client.take_unread():
        if message["method"] == "window/showMessage":
            told.append(f"says: {message['params']['message']}")
    return "\n".join([*told, *([answered] if answered else [])])


def _changed(editor: Editor, edit: Message) -> str:
    """The result of a workspace edit, and the files that it creates."""
    created = [change for change in edit["documentChanges"] if change.get("kind") == "create"]
    if not created:
        return editor.changed(edit)
    (new,) = [change for change in edit["documentChanges"] if "edits" in change]
    assert created[0]["uri"] == new["textDocument"]["uri"]
    return f"--- new {editor.path_of(created[0]['uri'])}\n{new['edits'][0]['newText']}"


def _answered(answer: Any) -> str:
    """An answer in short: the routing of each handoff, or the inserted text."""
    if isinstance(answer, list):
        return "\n".join(_handoff(item) for item in answer) or "answers nothing"
    if isinstance(answer, dict) and "markdown" in answer:
        return str(answer["markdown"])
    if not isinstance(answer, dict) or "contract" not in answer:
        return "" if isinstance(answer, dict) else "answers nothing"
    kind = f"answers {answer['contract']} · {answer['profile']} · {answer['mode']}"
    applied = "" if answer["applied"] else f", not applied: {answer['reason']}"
    return kind + applied + (f", but {answer['lacks']}" if answer["lacks"] else "")


def _handoff(item: Message) -> str:
    routing = item["routing"]
    told = f"{routing['action']}, reads {', '.join(routing['reads'])}" if routing is not None else "nothing is decided"
    start = item["range"]["start"]
    line = start["line"] + 1 if "character" in start else start["line"]
    kind = f"{item['contract']} · {item['profile']} · {item['mode']}"
    return f"{line}: {kind}: {json.dumps(item['status'], ensure_ascii=False)} → {told}"
