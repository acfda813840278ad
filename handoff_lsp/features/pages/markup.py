"""Text as Markdown for an editor to render: nothing from a document or a contract becomes a link, an image or HTML."""

from __future__ import annotations

import re

_TICKS = re.compile(r"`+")
_CODE = re.compile(r"(`[^`\n]*`)")
# What makes marks, HTML, entities, and the addresses that become links by themselves.
_LIVE = re.compile(r"[\\<>\[\]!*|~@]|&(?=[\w#])|_(?!\w)|(?<!\w)_|:(?=//)|(?<=[wW]{3})\.")


def code(text: str, limit: int = 80) -> str:
    """A piece of a document as a code span, in which nothing else can be; on one line, not too long."""
    line = " ".join(text.split())
    line = line if len(line) <= limit else line[: limit - 1] + "…"
    if not line:
        return "` `"
    longest = max((len(run) for run in _TICKS.findall(line)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def prose(text: str) -> str:
    """A sentence of a contract: its code spans stay, everything else that Markdown would take for a mark is escaped."""
    parts = _CODE.split(" ".join(text.split()))
    return "".join(part if index % 2 else _LIVE.sub(r"\\\g<0>", part) for index, part in enumerate(parts))


def fenced(text: str, language: str) -> str:
    """Lines of text as a fence that nothing in them can close."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def paragraphs(*parts: str) -> str:
    """The parts that are not empty, a blank line between them."""
    return "\n\n".join(part for part in parts if part)
