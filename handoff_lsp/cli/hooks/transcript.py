"""The end of a transcript as Claude Code writes it: one JSON object a line, for each message of the agent."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from typing import Any, NamedTuple

from handoff_lsp.cli.hooks.event import written_paths

# The tools that write files.
WRITES = ("Write", "Edit", "MultiEdit")

# The most bytes to read from the end of a transcript.
_TAIL = 4_000_000


class Told(NamedTuple):
    """The content of a transcript: the files that the agent wrote, in order, and its last words."""

    files: tuple[str, ...] = ()
    message: str = ""


def read_transcript(path: str) -> Told:
    """The content of a transcript's end; empty if it cannot be read. Truncated and malformed lines are skipped."""
    try:
        data = _tail(os.path.expanduser(path))
    except (OSError, ValueError):
        return Told()
    files: dict[str, None] = {}
    message = ""
    for line in data.splitlines():
        texts = []
        for part in _parts(line):
            if part.get("type") == "tool_use" and part.get("name") in WRITES:
                for file in written_paths(part.get("input")):
                    files.pop(file, None)
                    files[file] = None
            elif part.get("type") == "text" and isinstance(part.get("text"), str):
                texts.append(part["text"])
        message = "\n".join(texts) or message
    return Told(tuple(files), message)


def _parts(line: bytes) -> Iterator[dict[str, Any]]:
    """The parts of an agent's message."""
    if b'"assistant"' not in line:
        return
    try:
        entry = json.loads(line)
    except (ValueError, RecursionError):
        return
    message = entry.get("message") if isinstance(entry, dict) and entry.get("type") == "assistant" else None
    content = message.get("content") if isinstance(message, dict) else None
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if isinstance(content, list):
        yield from (part for part in content if isinstance(part, dict))


def _tail(path: str) -> bytes:
    # Reading a pipe in its place would block.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode):
            return b""
        if about.st_size > _TAIL:
            file.seek(about.st_size - _TAIL)
        return file.read(_TAIL)
