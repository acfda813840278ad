"""The end of a transcript as Claude Code writes it: one JSON object a line, for each message."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from handoff_lsp.cli.hooks.event import text_at, time_at, written_paths
from handoff_lsp.text.named_tuple import NamedTuple

# The tools that write files, and those that run a shell.
WRITES = ("Write", "Edit", "MultiEdit")
_SHELLS = ("Bash", "PowerShell")
# The parts of a message.
_PARTS = ("text", "tool_use", "thinking", "redacted_thinking", "server_tool_use", "web_search_tool_result")

# The most bytes to read from the end of a transcript, and from its beginning for the first time.
_TAIL = 4_000_000
_HEAD = 64_000
_TIME = re.compile(rb'"timestamp"\s*:\s*"([^"\\]{10,40})"')
# The most earlier messages, and characters of each, that are searched for a handoff.
_MESSAGES = 20
_CHARACTERS = 100_000


class Told(NamedTuple):
    """The content of a transcript, as far as it can be read.

    ``files``: the files that the agent wrote, in order. ``message``: its last words. Since the last prompt:
    ``earlier``: its words before those; ``commands``: what it ran in a shell, None if that is not known; ``began``: the
    time of the prompt (seconds since 1970). ``spoke``: whether the last message of the agent has a known form, perhaps
    without a word. ``cut_off``: whether it ended at the limit of its length. ``whole``: whether all of it was read.
    """

    files: tuple[str, ...] = ()
    message: str = ""
    earlier: tuple[str, ...] = ()
    commands: tuple[str, ...] | None = None
    began: float | None = None
    spoke: bool = False
    cut_off: bool = False
    whole: bool = False


def read_transcript(path: str) -> Told:
    """The content of a transcript's end; empty if it cannot be read. Truncated and malformed lines are skipped."""
    try:
        head, data, whole = _ends(os.path.expanduser(path))
    except (OSError, ValueError):
        return Told()
    files: dict[str, None] = {}
    said: list[str] = []
    commands: list[str] = []
    began: float | None = None
    message, spoke, cut_off = "", False, False
    for entry in _entries(data):
        if entry.get("type") == "user":
            if not entry.get("isMeta"):
                began = time_at(text_at(entry, "timestamp")) or began
                said, commands = [], []
            continue
        spoke = _is_readable(entry)
        texts = []
        for part in _parts(entry):
            if part.get("type") == "tool_use":
                if part.get("name") in WRITES:
                    for file in written_paths(part.get("input")):
                        files.pop(file, None)
                        files[file] = None
                elif part.get("name") in _SHELLS and isinstance(part.get("input"), dict):
                    commands.append(text_at(part["input"], "command"))
            elif part.get("type") == "text" and isinstance(part.get("text"), str):
                texts.append(part["text"])
        if texts:
            message = "\n".join(texts)
            said.append(message)
        cut_off = entry["message"].get("stop_reason") == "max_tokens"
    if began is None and (first := _TIME.search(head)) is not None:
        began = time_at(first[1].decode("ascii", "replace"))
    earlier = [text for text in said if text != message and len(text) <= _CHARACTERS]
    return Told(tuple(files), message, tuple(earlier[-_MESSAGES:]), tuple(commands), began, spoke, cut_off, whole)


def _entries(data: bytes) -> Iterator[dict[str, Any]]:
    """The agent's messages, and the prompts: not the results of tools, which may be long."""
    for line in data.splitlines():
        if b'"assistant"' not in line and (b'"user"' not in line or b'"tool_result"' in line):
            continue
        with suppress(ValueError, RecursionError):
            entry = json.loads(line)
            if not isinstance(entry, dict) or not isinstance(entry.get("message"), dict):
                continue
            if entry.get("type") in ("assistant", "user"):
                yield entry


def _is_readable(entry: dict[str, Any]) -> bool:
    """Whether a message has a known form: else its words, if any, are not known."""
    content = entry["message"].get("content")
    if isinstance(content, list):
        return all(isinstance(part, dict) and part.get("type") in _PARTS for part in content)
    return isinstance(content, str)


def _parts(entry: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The parts of a message."""
    content = entry["message"].get("content")
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if isinstance(content, list):
        yield from (part for part in content if isinstance(part, dict))


def _ends(path: str) -> tuple[bytes, bytes, bool]:
    """The beginning and the end of a file, which may overlap, and whether the end is all of it."""
    # Reading a pipe in its place would block.
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(number, "rb") as file:
        about = os.fstat(number)
        if not stat.S_ISREG(about.st_mode):
            return b"", b"", False
        head = b""
        if about.st_size > _TAIL:
            head = file.read(_HEAD)
            file.seek(about.st_size - _TAIL)
        data = file.read(_TAIL)
        return head or data[:_HEAD], data, not head
