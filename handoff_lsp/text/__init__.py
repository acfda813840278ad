"""Text and positions, the lowest layer: offsets, lines, encodings and edits, and nothing else.

Everywhere in handoff-lsp an *offset* is an index of code points into the whole text, a *span* is a half-open
pair of offsets, and a *position* is a zero-based line with a column. Columns are code points unless a function
says "in the client's encoding". Lines end at ``\\n``, ``\\r\\n`` or a lone ``\\r``, as in LSP and CommonMark, and
nowhere else: U+2028, U+0085, form feed and vertical tab are ordinary characters.
"""

from handoff_lsp.text.draft import Draft
from handoff_lsp.text.edit import Edit, EditConflict, apply_edits, difference, eol_of, with_eol
from handoff_lsp.text.encoding import ENCODINGS, Encoding, column_to_units, units_to_column
from handoff_lsp.text.fragment import Fragment
from handoff_lsp.text.indent import line_indent, line_start, own_indent
from handoff_lsp.text.lines import LineIndex
from handoff_lsp.text.source import Source
from handoff_lsp.text.span import Span
from handoff_lsp.text.width import width, widths

__all__ = [
    "ENCODINGS",
    "Draft",
    "Edit",
    "EditConflict",
    "Encoding",
    "Fragment",
    "LineIndex",
    "Source",
    "Span",
    "apply_edits",
    "column_to_units",
    "difference",
    "eol_of",
    "line_indent",
    "line_start",
    "own_indent",
    "units_to_column",
    "width",
    "widths",
    "with_eol",
]
