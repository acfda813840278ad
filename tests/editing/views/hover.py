"""The hover page at the cursor: ``line: text with «the range»``, then the page up to its footer."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from editing.editor import Editor

_TIME = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d(?= UTC)")


def view(editor: Editor, words: str) -> str:
    """The page, with ``whole`` its footer, too; empty without one."""
    found = editor.request("textDocument/hover", position=editor.position())
    if found is None:
        return ""
    page = found["contents"]["value"]
    page = page.replace(editor.folder.as_uri(), "file://…")  # the folder of the case
    shown = page if words == "whole" else page.partition("\n\n---\n")[0]
    return f"{editor.shown(found['range'])}\n{_TIME.sub(_timeless, shown)}"


def _timeless(time: re.Match[str]) -> str:
    """A time as it is; ``NOW`` for the time when the files of the case were written."""
    age = datetime.now(UTC) - datetime.strptime(time[0], "%Y-%m-%d %H:%M").replace(tzinfo=UTC)
    return "NOW" if age < timedelta(hours=1) else time[0]
