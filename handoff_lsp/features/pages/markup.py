"""Text as Markdown for an editor to render: nothing from a document or a contract becomes a link, an image or HTML."""

from __future__ import annotations

from handoff_lsp.text.lazy import lazy_pattern

_TICKS = lazy_pattern(r"`+")
_CODE = lazy_pattern(r"((?<!`)`[^`\n]+`(?!`))")
# What begins a heading, a list or a line of its own.
_FIRST = lazy_pattern(r"^(\d{1,9}(?=[.)]\s)|(?=[#+=-]))")
# Characters of Markdown marks, HTML, entities and autolinks.
_LIVE = lazy_pattern(r"[\\`<>\[\]!*|~@]|&(?=[\w#])|_(?!\w)|(?<!\w)_|:(?=//)|(?<=[wW]{3})\.")


def code(text: str, limit: int = 80) -> str:
    """A piece of a document as a code span that cannot contain other markup, on one line, shortened to ``limit``."""
    line = " ".join(text.split())
    line = line if len(line) <= limit else line[: limit - 1] + "…"
    if not line:
        return "` `"
    longest = max((len(run) for run in _TICKS.findall(line)), default=0)
    ticks = "`" * (longest + 1)
    pad = " " if line[0] == "`" or line[-1] == "`" else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def prose(text: str) -> str:
    """A sentence of a contract with its code spans; all other Markdown marks are escaped."""
    parts = _CODE.split(" ".join(text.split()))
    line = "".join(part if index % 2 else _LIVE.sub(r"\\\g<0>", part) for index, part in enumerate(parts))
    return _FIRST.sub(r"\1\\", line)


def fenced(text: str, language: str) -> str:
    """Lines of text as a fence that nothing in them can close."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{language}\n{text}\n{ticks}"


def paragraphs(*parts: str) -> str:
    """The non-empty parts, separated by blank lines."""
    return "\n\n".join(part for part in parts if part)
