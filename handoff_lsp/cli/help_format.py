"""The layout of `--help`: prose is wrapped to the terminal's width; examples, tables and configs keep their lines."""

from __future__ import annotations

import argparse
import re
import textwrap
from collections.abc import Iterator
from itertools import groupby

# A command or a value, and its meaning in a column of its own.
_ENTRY = re.compile(r"( *\S.*?  +)(\S.*)")
# The narrowest column for the meaning; if less is left, it goes below.
_NARROWEST = 20


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Wraps the prose of descriptions and of what follows the options."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = textwrap.indent(text, indent).splitlines()
        return "\n".join(line for key, group in groupby(lines, _layout) for line in _laid_out(key, [*group], width))

    def _split_lines(self, text: str, width: int) -> list[str]:
        return _wrapped(" ".join(text.split()), width, "", "")


def _layout(line: str) -> tuple[str, str]:
    """The kind of a line, and its indentation."""
    indent = line[: len(line) - len(line.lstrip())]
    if not line.strip() or len(indent) > 2:
        return "verbatim", ""
    if line.startswith("  handoff-lsp ") or _ENTRY.fullmatch(line):
        return "entry", ""
    return ("heading", "") if not indent and line.endswith(":") else ("prose", indent)


def _laid_out(key: tuple[str, str], lines: list[str], width: int) -> Iterator[str]:
    kind, indent = key
    if kind == "prose":
        yield from _wrapped(" ".join(map(str.strip, lines)), width, indent, indent)
        return
    for line in lines:
        if kind == "heading":
            yield from _wrapped(line, width, "", "")
            continue
        entry = _ENTRY.fullmatch(line) if kind == "entry" and len(line) > width else None
        if entry is None:
            yield line
        elif width - len(entry[1]) >= _NARROWEST:
            yield from _wrapped(entry[2], width, entry[1], " " * len(entry[1]))
        else:
            yield entry[1].rstrip()
            yield from _wrapped(entry[2], width, " " * 6, " " * 6)


def _wrapped(text: str, width: int, first: str, later: str) -> list[str]:
    """A text in lines between words, never within one."""
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=later,
        break_on_hyphens=False,
        break_long_words=False,
    )
