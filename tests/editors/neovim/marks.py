"""Documents with the expected underlines written under the lines, as in `tests/cases`."""

from __future__ import annotations

import re
from typing import NamedTuple

from editors.neovim.driver import Neovim

_MARK = re.compile(r"^(?P<blank> *)(?P<carets>\^+) (?P<rule>[a-z-]+)$")


class Mark(NamedTuple):
    """A finding: its line from 1, the text before it on the line, the text it covers, and its rule."""

    line: int
    before: str
    covers: str
    rule: str


def read(marked: str) -> tuple[str, list[Mark]]:
    """A document without its marks, and the marks. A caret is under a code point."""
    lines: list[str] = []
    marks = []
    for line in marked.splitlines():
        mark = _MARK.match(line)
        if mark:
            start, end = mark.span("carets")
            marks.append(Mark(len(lines), lines[-1][:start], lines[-1][start:end], mark["rule"]))
        else:
            lines.append(line)
    return "".join(f"{line}\n" for line in lines), sorted(marks)


# The findings, and the text underlined on the screen: Neovim's own columns are bytes.
_SEEN = """
    local found, text = {}, function(row, col, end_row, end_col)
        return vim.api.nvim_buf_get_text(0, row, col, end_row, end_col, {})[1]
    end
    for namespace, about in pairs(vim.diagnostic.get_namespaces()) do
        local underlined = {}
        if about.user_data.underline_ns then
            local options = { details = true }
            for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, about.user_data.underline_ns, 0, -1, options)) do
                underlined[text(mark[2], mark[3], mark[4].end_row, mark[4].end_col)] = true
            end
        end
        for _, one in ipairs(vim.diagnostic.get(0, { namespace = namespace })) do
            local covers = text(one.lnum, one.col, one.end_lnum, one.end_col)
            if one.source == 'handoff-lsp' then
                local seen = underlined[covers] and covers or 'not underlined: ' .. covers
                table.insert(found, { one.lnum + 1, text(one.lnum, 0, one.lnum, one.col), seen, one.code })
            end
        end
    end
    return found
"""


def seen(editor: Neovim) -> list[Mark]:
    """The marks that Neovim shows in the current buffer."""
    return sorted(Mark(*found) for found in editor.lua(_SEEN))
