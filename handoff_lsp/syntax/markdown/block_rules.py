"""The rules for the beginning of a block: markdown-it's block rules, with our own for breaks and tables.

Our own rules take linear time for any line. They have the signature of markdown-it's; ``build`` describes their state.
"""

from __future__ import annotations

from functools import cached_property
from types import ModuleType
from typing import Any

from handoff_lsp.syntax.markdown.markdown_it import (
    blockquote,
    fence,
    heading,
    helpers,
    html_block,
    list_block,
    mdTrim,
)
from handoff_lsp.text.lazy import lazy_pattern

# The deepest nesting of containers (a quote counts one, a list two); deeper ones are read as plain text.
DEEPEST = 40
# As many filled-in cells end a table in markdown-it.
_MOST_FILLED_CELLS = 0x10000

_RULE = lazy_pattern(r"(?>\*[ \t]*+){3,}+|(?>-[ \t]*+){3,}+|(?>_[ \t]*+){3,}+")
_DELIMITER_LINE = lazy_pattern(r"[-:|][-:| \t]+")
_DELIMITER_CELL = lazy_pattern(r":?-+:?")
_CELL_BREAK = lazy_pattern(r"(?<!\\)\|")


def thematic_break(state: Any, line: int, end: int, silent: bool) -> bool:
    """Whether a thematic break is on the line; one regular expression, as the line may be very long."""
    at = state.bMarks[line] + state.tShift[line]
    if state.is_code_block(line) or not _RULE.fullmatch(state.src, at, state.eMarks[line]):
        return False
    if not silent:
        state.line = line + 1
    return True


def _columns(line: str) -> int:
    """The number of cells in a trimmed row."""
    ended = line.endswith("|") and not line.endswith("\\|")
    return len(_CELL_BREAK.findall(line)) + 1 - line.startswith("|") - ended


def table(state: Any, line: int, end: int, silent: bool) -> bool:
    """Whether a table begins on the line, and its end. Builds no cells, so it is fast for any number of columns."""
    if line + 2 > end:
        return False
    under = line + 1
    src = state.src
    at = state.bMarks[under] + state.tShift[under]
    if src[at] not in "|-:":
        return False
    stop = state.eMarks[under]
    if state.sCount[under] < state.blkIndent or state.is_code_block(under) or state.is_code_block(line):
        return False
    if not _DELIMITER_LINE.fullmatch(src, at, stop) or (src[at] == "-" and src[at + 1] in " \t"):
        return False
    head = mdTrim(src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])
    if "|" not in head:
        return False
    marks = [cell.strip(" \t") for cell in src[at:stop].split("|")]
    if not all(marks[1:-1]) or not all(_DELIMITER_CELL.fullmatch(mark) for mark in marks if mark):
        return False
    columns = sum(1 for mark in marks if mark)
    if columns == 0 or columns != _columns(head):
        return False
    if silent:
        return True
    before, state.parentType = state.parentType, "table"
    row = line + 2
    filled = 0
    while row < end and state.sCount[row] >= state.blkIndent and not _interrupts_quote(state, row, end, True):
        text = mdTrim(src[state.bMarks[row] + state.tShift[row] : state.eMarks[row]])
        if not text or state.is_code_block(row):
            break
        filled += columns - _columns(text)
        if filled > _MOST_FILLED_CELLS:
            break
        row += 1
    state.parentType = before
    state.line = row
    return True


def _interrupts_list(state: Any, line: int, end: int, silent: bool) -> bool:
    """Whether a block begins on the line that ends a list, or reading ends there as the old items hold."""
    if state.level == 1 and state.sync is not None and state.goes_on_as_before(line):
        return True
    first = state.src[state.bMarks[line] + state.tShift[line]]
    if first in "*-_":
        return thematic_break(state, line, end, True)
    if first in "`~":
        return fence(state, line, end, True)
    return first == ">" and blockquote(state, line, end, True)


def _interrupts_quote(state: Any, line: int, end: int, silent: bool) -> bool:
    """Whether a block begins on the line that ends a quote or a table."""
    first = state.src[state.bMarks[line] + state.tShift[line]]
    if first in "*-+_0123456789":
        return thematic_break(state, line, end, True) or list_block(state, line, end, True)
    if first in "`~":
        return fence(state, line, end, True)
    if first == "#":
        return heading(state, line, end, True)
    if first == "<":
        return html_block(state, line, end, True)
    return first == ">" and blockquote(state, line, end, True)


def _interrupts_paragraph(state: Any, line: int, end: int, silent: bool) -> bool:
    """Whether a block begins on the line that ends a paragraph or a reference definition."""
    return _interrupts_quote(state, line, end, True) or table(state, line, end, True)


class _Engine:
    """The part of a parser that markdown-it's rules use."""

    options: dict[str, object] = {"html": True, "maxNesting": DEEPEST}  # noqa: RUF012 - never changed

    def __init__(self) -> None:
        self.block = self.ruler = self
        self._chains = {
            "paragraph": [_interrupts_paragraph],
            "reference": [_interrupts_paragraph],
            "blockquote": [_interrupts_quote],
            "list": [_interrupts_list],
        }

    @cached_property
    def helpers(self) -> ModuleType:
        """markdown-it's functions for reference definitions."""
        return helpers()

    def getRules(self, chain: str) -> list[Any]:
        """The rules that may end a block of this kind; one for each, choosing by the line's first character."""
        return self._chains[chain]

    def tokenize(self, state: Any, line: int, end: int) -> None:
        """Read the blocks in a container."""
        state.blocks(line, end)

    @staticmethod
    def normalizeLink(url: str) -> str:
        """The destination of a reference definition, unchanged: it is never followed."""
        return url

    @staticmethod
    def validateLink(url: str) -> bool:
        """CommonMark forbids no destination."""
        return True


ENGINE = _Engine()
