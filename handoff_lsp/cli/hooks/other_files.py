"""Ends the run of a hook for an edit of files that hold no handoff, by their names: most edits of an agent are such.

Reading these inputs must cost no more than starting Python, so this imports no module that is not loaded already.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as of `typing`
if TYPE_CHECKING:
    import argparse
    from typing import Any

# The largest input of a hook, in bytes; it holds the new text and the text before.
LARGEST = 64_000_000
# Files with other suffixes hold no handoff.
SUFFIXES = (".md", ".markdown", ".json", ".jsonc", ".jsonl", ".yaml", ".yml", ".log")
# The events after an edit, and the keys of a tool's arguments that may name files; `command` is a patch.
_OF_CURSOR = "afterFileEdit"
_EDITS = ("PostToolUse", "AfterTool")
_PATHS = ("file_path", "filePath", "path")


def is_about_other_files(arguments: argparse.Namespace) -> bool:
    """Whether there is nothing to do for the input. It is kept as ``input`` of the arguments, for one that has more."""
    try:
        if sys.stdin.isatty():
            return False
        arguments.input = sys.stdin.buffer.read(LARGEST + 1)
        return len(arguments.input) <= LARGEST and _is_of_others(_parsed(arguments.input))
    except Exception:  # noqa: BLE001  # whatever is wrong with it, the reader of events reports it
        return False


def _is_of_others(data: Any) -> bool:
    """Whether an input is of an edit, and none of its files may hold a handoff."""
    event = data.get("hook_event_name", data.get("hookEventName"))
    if event == _OF_CURSOR:
        return _is_other_file(data["file_path"])
    if event not in _EDITS:
        return False
    given = data["tool_input"]
    if isinstance(given, str):
        given = _parsed(given.encode())
    named = [given[key] for key in _PATHS if key in given]
    patch = given.get("command", "").lower()
    return "files" not in given and all(map(_is_other_file, named)) and not any(one in patch for one in SUFFIXES)


def _is_other_file(path: str) -> bool:
    """Whether a path ends in a name that no handoff has."""
    name = path.replace("\\", "/").rpartition("/")[2].lower()
    return name not in ("", ".", "..") and not name.endswith(SUFFIXES)


def _parsed(data: bytes) -> Any:
    """The value of an object of JSON. Raises an exception for anything else."""
    text = data.decode("utf-8", "replace").strip("\ufeff \t\r\n")
    try:
        from _json import make_scanner  # the one of `json`, which loads regular expressions
    except ImportError:
        import json

        return json.loads(text)
    reader: Any = _Plain()
    value, end = make_scanner(reader)(text, 0)
    if end != len(text):
        raise ValueError("more than one value")
    return value


class _Plain:
    """The defaults of `json.loads`, for its scanner."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float
    memo: dict[str, str] = {}  # noqa: RUF012  # the scanner's own
