"""The drawing of a field: who emits its values on the left, the values in the middle, who handles them on the right.

Speakers with the same values share a box. Coordinates are in pixels. The page has the same as a table, so the drawing
needs no more than a title.
"""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp.cli.report.markup import Html, joined, tag
from handoff_lsp.language import number_of
from handoff_lsp.reports.pack import MatrixRow, PromptPlace
from handoff_lsp.rules.rule import shown
from handoff_lsp.text import width
from handoff_lsp.text.named_tuple import NamedTuple

_BOX, _VALUE, _HEIGHT, _GAP, _LINKS, _EDGE, _HEAD = 200, 160, 32, 12, 95, 6, 28
# The most cells of a name in a box, and of a value in its own.
_NAME, _TEXT = 24, 18
# The most boxes in a column; the table has all.
MOST_BOXES = 30


class _Box(NamedTuple):
    """Speakers, and the numbers of the rows that they emit, or handle."""

    names: tuple[str, ...]
    rows: tuple[int, ...]


def drawing_of(rows: Sequence[MatrixRow], name: str, field: str) -> Html:
    """The drawing of a field as SVG; ``name`` is for its identifiers."""
    rows = rows[:MOST_BOXES]
    left = _boxes([row.emitted for row in rows])
    right = _boxes([row.handled for row in rows])
    most = max(len(left), len(rows), len(right), 1)
    height = _HEAD + most * (_HEIGHT + _GAP) + _EDGE
    values_at, right_at = _EDGE + _BOX + _LINKS, _EDGE + _BOX + _LINKS + _VALUE + _LINKS
    tops = [_top(number, len(rows), most) for number in range(len(rows))]
    parts: list[Html] = []
    for boxes, side in ((left, 0), (right, 1)):
        for number, box in enumerate(boxes):
            y = _top(number, len(boxes), most)
            for row in box.rows:
                ends = (
                    (_EDGE + _BOX, y, values_at, tops[row])
                    if not side
                    else (values_at + _VALUE, tops[row], right_at, y)
                )
                parts.append(_link(*ends, drift=bool(rows[row].drift)))
    for boxes, x in ((left, _EDGE), (right, right_at)):
        parts += (_box(box, x, _top(number, len(boxes), most)) for number, box in enumerate(boxes))
    parts += (_value(row, values_at, top) for row, top in zip(rows, tops, strict=True))
    heads = (("emitted by", _EDGE + _BOX / 2), ("values", values_at + _VALUE / 2), ("handled by", right_at + _BOX / 2))
    whole = right_at + _BOX + _EDGE
    return tag(
        "svg",
        tag("title", f"Who emits and who handles the values of {field}", id=f"{name}-drawing"),
        tag("desc", "The table below the drawing says the same.", id=f"{name}-drawing-desc"),
        *(tag("text", head, x=f"{x:g}", y=16, class_="column") for head, x in heads),
        *parts,
        role="img",
        aria_labelledby=f"{name}-drawing {name}-drawing-desc",
        viewBox=f"0 0 {whole:g} {height:g}",
        width=f"{whole:g}",
        height=f"{height:g}",
    )


def _boxes(columns: Sequence[Sequence[PromptPlace]]) -> list[_Box]:
    """The speakers with the same rows together, in the order of their first row, the larger groups first."""
    rows: dict[str, list[int]] = {}
    for number, places in enumerate(columns):
        for name in dict.fromkeys(place.speaker for place in places):
            rows.setdefault(name, []).append(number)
    groups: dict[tuple[int, ...], list[str]] = {}
    for name, numbers in rows.items():
        groups.setdefault(tuple(numbers), []).append(name)
    # Near the middle of what they lead to, so that few lines cross.
    ordered = sorted(groups.items(), key=lambda item: (sum(item[0]) / len(item[0]), -len(item[1]), item[1]))
    return [_Box(tuple(names), numbers) for numbers, names in ordered][:MOST_BOXES]


def _top(number: int, count: int, most: int) -> float:
    """The top of a box in a column that is centered beside the longest one."""
    return _HEAD + (most - count) * (_HEIGHT + _GAP) / 2 + number * (_HEIGHT + _GAP)


def _link(x: float, y: float, to_x: float, to_y: float, *, drift: bool) -> Html:
    bend, mid = (to_x - x) / 2, _HEIGHT / 2
    line = f"M{x:g} {y + mid:g}C{x + bend:g} {y + mid:g} {to_x - bend:g} {to_y + mid:g} {to_x - 6:g} {to_y + mid:g}"
    head = f"M{to_x - 7:g} {to_y + mid - 4:g}v8l7 -4z"
    paths = (tag("path", d=line, class_="line"), tag("path", d=head, class_="head"))
    return tag("g", *paths, class_="link stop" if drift else "link")


def _box(box: _Box, x: float, y: float) -> Html:
    first, *more = box.names
    label = f"{_cut(first, _NAME - (4 + len(str(len(more))) if more else 0))}{f' +{len(more)}' if more else ''}"
    title = tag("title", ", ".join(box.names)) if more or label != first else None
    rect = tag("rect", x=f"{x:g}", y=f"{y:g}", width=_BOX, height=_HEIGHT, rx=6)
    return tag("g", title, rect, _text(label, x + _BOX / 2, y), class_="agent")


def _value(row: MatrixRow, x: float, y: float) -> Html:
    sign = "! " if row.drift else ""
    label = sign + _cut(row.value, _TEXT - len(sign))
    told = "; ".join(one.message for one in row.drift) or (row.value if label != row.value else "")
    rect = tag("rect", x=f"{x:g}", y=f"{y:g}", width=_VALUE, height=_HEIGHT, rx=16)
    kind = "value drift" if row.drift else "value" if row.known else "value unknown"
    return tag("g", tag("title", told) if told else None, rect, _text(label, x + _VALUE / 2, y), class_=kind)


def _text(label: str, x: float, y: float) -> Html:
    return tag("text", label, x=f"{x:g}", y=f"{y + _HEIGHT / 2 + 4.5:g}")


def _cut(text: str, most: int) -> str:
    cut = shown(text, most)
    while width(cut) > most and len(cut) > 1:
        cut = shown(text, len(cut) - 1)
    return cut


def legend_of(rows: Sequence[MatrixRow]) -> Html:
    """What the signs of the drawing mean, as far as it has them."""
    parts = ["An arrow leads from who emits a value to it, and from it to who handles it."]
    if any(row.drift for row in rows):
        parts.append("! and dashed: prompts disagree, or the contract does.")
    if len(rows) > MOST_BOXES:
        parts.append(f"{number_of(len(rows) - MOST_BOXES, 'value')} left out: the table has all.")
    return joined(parts, " ")
