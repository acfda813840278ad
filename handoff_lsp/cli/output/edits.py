"""A fix written out in few words: the text to replace, or the new lines, each after a `+`."""

from __future__ import annotations

from handoff_lsp.features.feedback.changes import MOST_LINES, LineChange, has_placeholder, line_changes
from handoff_lsp.reports.place import offset_in
from handoff_lsp.reports.report import Edit, Finding, Fix
from handoff_lsp.text import Edit as TextEdit
from handoff_lsp.text import EditConflict, Source, Span, apply_edits
from handoff_lsp.text.named_tuple import NamedTuple

# A longer piece of a line is named by its columns.
_MOST_CHARACTERS = 40


class Written(NamedTuple):
    """The lines of a fix; ``to_fill``: they hold a new placeholder."""

    lines: list[str]
    to_fill: bool


def written_fix(fix: Fix, finding: Finding, source: Source) -> Written:
    """A fix as lines of output. Each line of the document that it has begins with `+`."""
    lead = "fix" if fix.safe else "possible fix"
    changes = _changes(fix, source)
    to_fill = has_placeholder(changes)
    if len(fix.edits) == 1 and len(changes) == 1 and len(changes[0].old) == len(changes[0].new) == 1:
        return Written([f"{lead}: {_replacement(fix.edits[0], finding, source)}"], to_fill)
    size = sum(len(change.new) for change in changes)
    if not changes or size > MOST_LINES:
        how = f" ({size} lines)" if size else ""
        return Written([f"{lead}: {fix.title}{how}"], False)
    lines = []
    for change in changes:
        lines.append(f"{lead}: {_instruction(change)}")
        lines += (f"+{line}" for line in change.new)
        lead = "and"
    return Written(lines, to_fill)


def _changes(fix: Fix, source: Source) -> list[LineChange]:
    """The lines that a fix changes; nothing if its edits have no place in the text."""
    if not fix.edits:
        return []
    first = min(edit.range.start.line for edit in fix.edits) - 1
    last = max(edit.range.end.line for edit in fix.edits) - 1
    try:
        start = source.lines.line_start(first)
        block = source.text[start : source.lines.line_end(last)]
        edits = [TextEdit(_span(edit, source, start), edit.text) for edit in fix.edits]
        changes = line_changes(block, apply_edits(block, edits))
    except (ValueError, IndexError, EditConflict):
        return []
    following = source.lines.line_text(last + 1) if last + 1 < source.lines.count else None
    return [
        change._replace(first=change.first + first, after=following if change.after is None else change.after)
        for change in changes
    ]


def _span(edit: Edit, source: Source, start: int) -> Span:
    """The span of an edit from an offset on."""
    low, high = ((place.line, place.column) for place in (edit.range.start, edit.range.end))
    return Span(offset_in(source, low) - start, offset_in(source, high) - start)


def _replacement(edit: Edit, finding: Finding, source: Source) -> str:
    """An edit within one line: the old and the new text, with its place unless that is the finding's."""
    old = source.text[(span := _span(edit, source, 0)).start : span.end]
    place = f"{edit.range.start.line}:{edit.range.start.column}"
    at = f" at {place}" if edit.range.start != finding.range.start else ""
    if not old:
        return f"insert `{edit.text}` at {place}"
    if len(old) > _MOST_CHARACTERS:
        old, at = f"{place}-{edit.range.end.column}", ""
    else:
        old = f"`{old}`"
    return f"delete {old}{at}" if not edit.text else f"{old} -> `{edit.text}`{at}"


def _instruction(change: LineChange) -> str:
    first, last = change.first + 1, change.first + len(change.old)
    if not change.old:
        return f"insert before line {first}:" if change.after is not None else "add at the end:"
    lines = f"line {first}" if last == first else f"lines {first}-{last}"
    return f"replace {lines} by:" if change.new else f"delete {lines}"
