"""The drawing of the hand-overs: the agents in a column, arrows down on the right, arrows back up on the left.

Coordinates are in pixels. The page has the same as a table, so the drawing needs no more than a title.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from handoff_lsp.cli.report.flow import PERSON, HandOver, in_order
from handoff_lsp.cli.report.markup import Html, joined, tag
from handoff_lsp.cli.report.words import counts_of
from handoff_lsp.decide.words import urgency
from handoff_lsp.rules.rule import shown
from handoff_lsp.text import width

_BOX_WIDTH, _BOX_HEIGHT, _GAP = 190, 40, 36
_LANE, _EDGE = 46, 10
_NAME = 24  # the most cells of a name in a box


def drawing_of(edges: Sequence[HandOver]) -> Html:
    """The drawing as SVG."""
    agents = in_order(edges)
    row = {agent.key: number for number, agent in enumerate(agents)}

    def ends(edge: HandOver) -> tuple[int, int]:
        return row[edge.sender.key], row[edge.receiver.key]

    straight = [edge for edge in edges if ends(edge)[1] == ends(edge)[0] + 1]
    down = [edge for edge in edges if ends(edge)[1] > ends(edge)[0] + 1]
    up = [edge for edge in edges if ends(edge)[1] <= ends(edge)[0]]
    lanes_down, lanes_up = _lanes(down, ends), _lanes(up, ends)
    left = _EDGE + _LANE * (max(lanes_up, default=-1) + 1)
    right = left + _BOX_WIDTH
    whole = right + _LANE * (max(lanes_down, default=-1) + 1) + _EDGE
    height = len(agents) * (_BOX_HEIGHT + _GAP) - _GAP + 2 * _EDGE
    parts = [_straight(edge, ends(edge)[0], left + _BOX_WIDTH / 2) for edge in straight]
    for group, lanes, side, sign in ((down, lanes_down, right, 1), (up, lanes_up, left, -1)):
        ports = _ports(group, ends)
        for number, (edge, lane) in enumerate(zip(group, lanes, strict=True)):
            parts.append(_around(edge, ports[number], side, sign, side + sign * _LANE * (lane + 0.75)))
    parts += [_box(agent.name, agent.key, left, _top(number)) for number, agent in enumerate(agents)]
    return tag(
        "svg",
        tag("title", "Hand-overs between agents", id="drawing-title"),
        tag("desc", "The table below the drawing lists the same hand-overs.", id="drawing-desc"),
        *parts,
        role="img",
        aria_labelledby="drawing-title drawing-desc",
        viewBox=f"0 0 {whole:g} {height:g}",
        width=f"{whole:g}",
        height=f"{height:g}",
    )


def _top(number: int) -> float:
    return _EDGE + number * (_BOX_HEIGHT + _GAP)


def _lanes(edges: Sequence[HandOver], ends: Callable[[HandOver], tuple[int, int]]) -> list[int]:
    """The lane of each arrow: short ones inside, and none that overlaps another in its lane."""
    taken: list[list[tuple[int, int]]] = []
    lanes = {}
    for edge in sorted(edges, key=lambda edge: (abs(ends(edge)[1] - ends(edge)[0]), ends(edge))):
        low, high = sorted(ends(edge))
        lane = next((n for n, used in enumerate(taken) if all(b <= low or high <= a for a, b in used)), len(taken))
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        lanes[id(edge)] = lane
    return [lanes[id(edge)] for edge in edges]


def _ports(edges: Sequence[HandOver], ends: Callable[[HandOver], tuple[int, int]]) -> list[tuple[float, float]]:
    """The heights at which each arrow leaves and enters its boxes: those of a box at one side are spread over it."""
    at: dict[int, list[tuple[int, int, int]]] = {}
    for number, edge in enumerate(edges):
        for end, (own, other) in enumerate((ends(edge), ends(edge)[::-1])):
            at.setdefault(own, []).append((other, number, end))
    heights: dict[tuple[int, int], float] = {}
    for own, ports in at.items():
        for place, (_, number, end) in enumerate(sorted(ports)):
            heights[number, end] = _top(own) + _BOX_HEIGHT * (place + 1) / (len(ports) + 1)
    return [(heights[number, 0], heights[number, 1]) for number in range(len(edges))]


def _straight(edge: HandOver, number: int, x: float) -> Html:
    begin, end = _top(number) + _BOX_HEIGHT, _top(number + 1)
    line = tag("path", d=f"M{x:g} {begin:g}V{end - 7:g}", class_="line")
    head = tag("path", d=f"M{x - 5:g} {end - 8:g}h10l-5 8z", class_="head")
    return _arrow(edge, line, head, x, (begin + end) / 2 - 3)


def _around(edge: HandOver, heights: tuple[float, float], side: float, sign: int, x: float) -> Html:
    begin, end = heights
    turn = 8 if end > begin else -8
    line = (
        f"M{side:g} {begin:g}H{x - sign * 8:g}Q{x:g} {begin:g} {x:g} {begin + turn:g}"
        f"V{end - turn:g}Q{x:g} {end:g} {x - sign * 8:g} {end:g}H{side + sign * 7:g}"
    )
    head = f"M{side + sign * 8:g} {end - 5:g}v10l{-sign * 8:g} -5z"
    return _arrow(edge, tag("path", d=line, class_="line"), tag("path", d=head, class_="head"), x, (begin + end) / 2)


def _arrow(edge: HandOver, line: Html, head: Html, x: float, y: float) -> Html:
    """An arrow with the numbers of its handoffs at the middle, each with the sign of the decision."""
    worst = min(edge.actions, key=urgency)
    label = counts_of(edge.actions, signs_only=True)
    wide = 10 + 7.5 * width(label)
    plate = tag("rect", x=f"{x - wide / 2:g}", y=f"{y - 10:g}", width=f"{wide:g}", height=20, rx=10, class_="plate")
    return tag("g", line, head, plate, tag("text", label, x=f"{x:g}", y=f"{y + 4.5:g}"), class_=f"to {worst or 'none'}")


def _box(name: str, key: str, x: float, y: float) -> Html:
    cut = shown(name, _NAME)
    while width(cut) > _NAME:
        cut = shown(cut, len(cut) - 1)
    box = tag("rect", x=f"{x:g}", y=f"{y:g}", width=_BOX_WIDTH, height=_BOX_HEIGHT, rx=20 if key == PERSON.key else 6)
    label = tag("text", cut, x=f"{x + _BOX_WIDTH / 2:g}", y=f"{y + _BOX_HEIGHT / 2 + 5:g}")
    full = tag("title", name) if cut != name else None
    return tag("g", joined((full, box, label)), class_="person" if key == PERSON.key else "agent")
