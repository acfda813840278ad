"""The matrix of a pack for terminals: a table for each field, with the speakers that emit and handle its values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.cli.output.format import Look
from handoff_lsp.cli.output.table import cells, cut
from handoff_lsp.cli.output.text import BOLD, COLORS, paint, wrapped
from handoff_lsp.cli.printable import printable
from handoff_lsp.language import say, say_count
from handoff_lsp.prompts.vocabulary import FILE, MARKER
from handoff_lsp.reports.pack import ContractMatrix, MatrixRow, PackReport, PromptPlace
from handoff_lsp.reports.report import Finding
from handoff_lsp.text.named_tuple import NamedTuple

# The cells of a line: those of a terminal, within bounds, or without one the default.
_NARROWEST, _DEFAULT, _WIDEST = 72, 100, 140
# The most rows of a table, and of one that also has values that no prompt names.
_MOST_ROWS, _SHORT = 40, 12
_LONGEST_VALUE = 24
# The most places of a finding that is repeated.
_MOST_PLACES = 5
_NOBODY = "–"
_DRIFT = "!"


class _TableColumn(NamedTuple):
    head: str
    texts: list[str]
    right: bool = False


def matrix_lines(packs: Sequence[PackReport], look: Look, *, whole: bool = True) -> Iterator[str]:
    """The matrices of packs. ``whole``: all fields, else only those with the status and those with drift."""
    width = min(max(look.width or _DEFAULT, _NARROWEST), _WIDEST)
    shown = [pack for pack in packs if pack.contracts or pack.unread]
    if not shown:
        yield say("No prompt says anything about a known contract, so there is nothing to compare.")
        return
    for number, pack in enumerate(shown):
        if number:
            yield ""
        if len(shown) > 1:
            yield paint(printable(pack.root), "1", look)
            yield ""
        yield from _pack_lines(pack, look, width, whole=whole)


def _pack_lines(pack: PackReport, look: Look, width: int, *, whole: bool) -> Iterator[str]:
    if pack.unread:
        yield say("Too many prompts: they are checked one by one, but not compared with each other.")
        return
    for number, matrix in enumerate(pack.contracts):
        if number:
            yield ""
        yield from _contract_lines(matrix, look, width, whole=whole)
    yield ""
    legend = say(
        "emitted by: prompts that have it written; handled by: prompts that react to it; docs, never: the number of "
        "prompts that only name it, or forbid it; seen: the number of handoffs with it"
    )
    if any(_drifts(matrix.rows) for matrix in pack.contracts):
        legend = say("{mark} drift, as in the findings; {rest}", mark=_DRIFT, rest=legend)
    yield from (paint(line, "2", look) for line in wrapped(legend, width, ""))


def _contract_lines(matrix: ContractMatrix, look: Look, width: int, *, whole: bool) -> Iterator[str]:
    counts = [say_count("{number} prompt", "{number} prompts", matrix.prompts)]
    if matrix.handoffs:
        counts.append(say_count("{number} handoff", "{number} handoffs", matrix.handoffs))
    yield f"{paint(printable(f'{matrix.title} ({matrix.contract})'), '1', look)}: {', '.join(counts)}"
    tables = _tables(matrix)
    named = [row for row in matrix.rows if not row.value and row.places]
    # Without a word about them, a reader of a check must know only where to look.
    shown = tables if whole else [each for each in tables if each[0] == matrix.status or _drifts(each[1])]
    fields = named if whole else [row for row in named if row.drift]
    for field, rows in shown:
        yield ""
        yield from _table(head_of(field), [row.value for row in rows], rows, matrix, look, width)
    if fields:
        yield ""
        yield from _table(say("field"), [row.field for row in fields], fields, matrix, look, width)
    more = len({row.field for row in (*named, *(row for _, rows in tables for row in rows))} - {MARKER, FILE})
    more -= len(({field for field, _ in shown} | {row.field for row in fields}) - {MARKER, FILE})
    if more:
        words = say_count(
            "{number} field without drift: `handoff-lsp graph` shows it",
            "{number} fields without drift: `handoff-lsp graph` shows them",
            more,
        )
        yield f"  {say('… and {more}', more=words) if shown or fields else words}"


def head_of(field: str) -> str:
    """The head of a table: a field, or the kind of other words that a contract has."""
    return say("marker") if field == MARKER else say("file name") if field == FILE else f"`{field}`"


def _drifts(rows: Sequence[MatrixRow]) -> bool:
    return any(row.drift for row in rows)


def _tables(matrix: ContractMatrix) -> list[tuple[str, list[MatrixRow]]]:
    """The fields with values that prompts name: the status, then those with drift, then the others."""
    found: dict[str, list[MatrixRow]] = {}
    for row in matrix.rows:
        if row.value:
            found.setdefault(row.field, []).append(row)
    kept = [(field, rows) for field, rows in found.items() if any(row.places for row in rows)]
    return sorted(kept, key=lambda item: (item[0] != matrix.status, not _drifts(item[1])))


def _table(
    head: str, names: list[str], rows: list[MatrixRow], matrix: ContractMatrix, look: Look, width: int
) -> Iterator[str]:
    """A table of at most ``width`` cells; those with drift are never left out."""
    kept = _kept(rows)
    names = [name for name, row in zip(names, rows, strict=True) if id(row) in kept]
    rows_shown = [row for row in rows if id(row) in kept]
    first = _TableColumn(head, [cut(name, _LONGEST_VALUE) for name in names])
    numbers = [_TableColumn(say("contract"), [say("yes") if row.known else say("no") for row in rows_shown])]
    after = [_TableColumn(say("docs"), [_number(len(_speakers(row.documented))) for row in rows_shown], right=True)]
    if any(row.forbidden for row in rows_shown):
        after.append(
            _TableColumn(say("never"), [_number(len(_speakers(row.forbidden))) for row in rows_shown], right=True)
        )
    if matrix.handoffs:
        after.append(_TableColumn(say("seen"), [_number(row.seen) for row in rows_shown], right=True))
    room = width - 2 - sum(_wide(column) + 2 for column in (first, *numbers, *after))
    who = _who(rows_shown, max(room - 2, 16))
    columns = [first, *numbers, *who, *after]
    wides = [_wide(column) for column in columns]
    yield paint("  " + _line([column.head for column in columns], columns, wides), "2", look)
    for number, row in enumerate(rows_shown):
        line = _line([column.texts[number] for column in columns], columns, wides)
        yield paint(f"{_DRIFT} {line}", "31", look) if row.drift else f"  {line}"
    if len(rows) > len(rows_shown):
        yield f"  {say('… and {more}', more=say('{number:,} more', number=len(rows) - len(rows_shown)))}"


def _kept(rows: list[MatrixRow]) -> set[int]:
    ranked = sorted(rows, key=lambda row: (not row.drift, not row.places))
    named = sum(bool(row.drift or row.places or row.seen) for row in rows)
    return {id(row) for row in ranked[: _MOST_ROWS if len(rows) <= _SHORT else min(named, _MOST_ROWS)]}


def _who(rows: list[MatrixRow], room: int) -> list[_TableColumn]:
    """The columns with names, which share the room; one that needs less than its half leaves it to the other."""
    heads = (say("emitted by"), say("handled by"))
    told = [[_speakers(places) for places in (row.emitted, row.handled)] for row in rows]
    needs = [max([cells(head), *(cells(", ".join(names[at])) for names in told)]) for at, head in enumerate(heads)]
    half = room // 2
    rooms = [
        min(needs[0], max(half, room - needs[1])),
        min(needs[1], max(room - half, room - needs[0])),
    ]
    return [
        _TableColumn(head, [_names(names[at], max(rooms[at], cells(head))) for names in told])
        for at, head in enumerate(heads)
    ]


def _names(names: list[str], room: int) -> str:
    """Names in so many cells, with the number of those that do not fit."""
    if not names:
        return _NOBODY
    shown = [printable(name) for name in names]
    if cells(", ".join(shown)) <= room:
        return ", ".join(shown)
    for count in range(len(shown) - 1, 0, -1):
        text = f"{', '.join(shown[:count])} +{len(shown) - count}"
        if cells(text) <= room:
            return text
    rest = f" +{len(shown) - 1}" if len(shown) > 1 else ""
    return cut(shown[0], room - len(rest)) + rest


def _speakers(places: Sequence[PromptPlace]) -> list[str]:
    return list(dict.fromkeys(place.speaker for place in places))


def _number(count: int) -> str:
    return f"{count:,}" if count else _NOBODY


def _wide(column: _TableColumn) -> int:
    return max(map(cells, (column.head, *column.texts)))


def _line(texts: list[str], columns: list[_TableColumn], wides: list[int]) -> str:
    parts = []
    for text, column, wide in zip(texts, columns, wides, strict=True):
        gap = " " * (wide - cells(text))
        parts.append(gap + text if column.right else text + gap)
    return "  ".join(parts).rstrip()


def text_of(packs: Sequence[PackReport], look: Look) -> str:
    """The matrices of packs, and after them the findings about their prompts, those with the same words together."""
    lines = list(matrix_lines(packs, look))
    findings = [finding for pack in packs for finding in pack.findings]
    if any(pack.contracts for pack in packs):
        lines.append("")
        lines += _finding_lines(findings, look) if findings else [say("No findings about prompts.")]
    return "".join(f"{line}\n" for line in lines)


def _finding_lines(findings: Sequence[Finding], look: Look) -> Iterator[str]:
    by_words: dict[tuple[str, str, str], list[str]] = {}
    for one in findings:
        place = f"{printable(one.path)}:{one.range.start.line}:{one.range.start.column}"
        by_words.setdefault((one.severity, one.rule, one.message), []).append(place)
    for (severity, rule, message), places in by_words.items():
        line = f"{severity}[{rule}] {printable(message)}"
        head, *more = [line] if look.width is None else wrapped(line, look.width, "  ")
        yield from (paint(head, COLORS.get(severity, BOLD), look), *more)
        yield from (f"  {place}" for place in places[:_MOST_PLACES])
        if len(places) > _MOST_PLACES:
            yield f"  {say('… and {more}', more=say('{number:,} more', number=len(places) - _MOST_PLACES))}"
    yield ""
    yield say_count(
        "{number:,} finding about prompts: `handoff-lsp check --drift` shows its line.",
        "{number:,} findings about prompts: `handoff-lsp check --drift` shows their lines.",
        len(findings),
    )
