"""The drawing of the hand-overs: the agents in a column, arrows down on the right, arrows back up on the left.

All arrows to one agent that pass others share a lane, so the drawing stays narrow. Coordinates are in pixels. The page
has the same as a table, so the drawing needs no more than a title.
"""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp.cli.report.flow import PERSON, HandOver, in_order
from handoff_lsp.cli.report.markup import Html, joined, tag
from handoff_lsp.cli.report.words import counts_of
from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.decide.words import urgency
from handoff_lsp.rules.rule import shown
from handoff_lsp.text import width

_BOX, _LEAST_HEIGHT, _GAP, _PORT, _EDGE = 190, 40, 38, 21, 6
_LANE, _TURN = 16, 8
_CELL = 7.5  # the width of a cell of a label
_NAME = 24  # the most cells of a name in a box

Edges = Sequence[HandOver]


def drawing_of(edges: Edges) -> Html:
    """The drawing as SVG."""
    return _Drawing(edges).svg()


class _Drawing:
    """The places of boxes and arrows. ``_row`` is the number of an agent's box, by its key."""

    def __init__(self, edges: Edges) -> None:
        self._agents = in_order(edges)
        row = self._row = {agent.key: number for number, agent in enumerate(self._agents)}
        steps = {id(edge): row[edge.receiver.key] - row[edge.sender.key] for edge in edges}
        ordered = sorted(edges, key=lambda edge: -urgency(_worst(edge)))  # the most urgent one is drawn last
        self._straight = [edge for edge in ordered if steps[id(edge)] == 1]
        self._down = [edge for edge in ordered if steps[id(edge)] > 1]
        self._up = [edge for edge in ordered if steps[id(edge)] < 1]
        ports = [max(_ports(side, agent.key) for side in (self._down, self._up)) for agent in self._agents]
        self._heights = [max(_LEAST_HEIGHT, _PORT * (most + 1)) if most > 1 else _LEAST_HEIGHT for most in ports]
        self._tops = [_EDGE + sum(self._heights[:n]) + n * _GAP for n in range(len(self._agents))]

    def svg(self) -> Html:
        """The drawing as SVG."""
        left_room, right_room = self._room(self._up), self._room(self._down)
        left = _EDGE + left_room
        whole, height = left + _BOX + right_room + _EDGE, self._tops[-1] + self._heights[-1] + _EDGE
        parts = [self._arrow_below(edge, left + _BOX / 2) for edge in self._straight]
        parts += self._arrows_around(self._down, left + _BOX, 1)
        parts += self._arrows_around(self._up, left, -1)
        parts += [self._box(number, left) for number in range(len(self._agents))]
        return tag(
            "svg",
            tag("title", "Agents and their hand-overs", id="drawing-title"),
            tag("desc", "The table below the drawing lists the same hand-overs.", id="drawing-desc"),
            *parts,
            role="img",
            aria_labelledby="drawing-title drawing-desc",
            viewBox=f"0 0 {whole:g} {height:g}",
            width=f"{whole:g}",
            height=f"{height:g}",
        )

    def _room(self, edges: Edges) -> float:
        lanes = self._lanes(edges)
        return _stub(edges) + _LANE * (max(lanes.values()) + 1) if lanes else 0

    def _lanes(self, edges: Edges) -> dict[str, int]:
        """The lane of each receiver: short ones inside, none that overlaps another in its lane."""
        reach: dict[str, tuple[int, int]] = {}
        for edge in edges:
            rows = self._row[edge.sender.key], self._row[edge.receiver.key]
            low, high = reach.get(edge.receiver.key, rows)
            reach[edge.receiver.key] = min(low, *rows), max(high, *rows)
        taken: list[list[tuple[int, int]]] = []
        lanes: dict[str, int] = {}
        for key, (low, high) in sorted(reach.items(), key=lambda item: (item[1][1] - item[1][0], item[1])):
            free = (n for n, used in enumerate(taken) if all(b < low or high < a for a, b in used))
            lane = next(free, len(taken))
            if lane == len(taken):
                taken.append([])
            taken[lane].append((low, high))
            lanes[key] = lane
        return lanes

    def _arrow_below(self, edge: HandOver, x: float) -> Html:
        number = self._row[edge.sender.key]
        begin, end = self._tops[number] + self._heights[number], self._tops[number + 1]
        line, head = f"M{x:g} {begin:g}V{end - 7:g}", f"M{x - 5:g} {end - 8:g}h10l-5 8z"
        return _arrow(edge, line, head, x, (begin + end) / 2 - 4)

    def _arrows_around(self, edges: Edges, side: float, sign: int) -> list[Html]:
        """The arrows at one side of the boxes; ``sign``: 1 to the right of them, -1 to the left."""
        lanes, stub = self._lanes(edges), _stub(edges)
        arrows: list[Html] = []
        for edge in edges:
            begin, end = self._port(edges, edge), self._port(edges, edge, incoming=True)
            x = side + sign * (stub + _LANE * (lanes[edge.receiver.key] + 0.5))
            turn = _TURN if end > begin else -_TURN
            line = (
                f"M{side:g} {begin:g}H{x - sign * _TURN:g}Q{x:g} {begin:g} {x:g} {begin + turn:g}"
                f"V{end - turn:g}Q{x:g} {end:g} {x - sign * _TURN:g} {end:g}H{side + sign * 7:g}"
            )
            head = f"M{side + sign * 8:g} {end - 5:g}v10l{-sign * 8:g} -5z"
            arrows.append(_arrow(edge, line, head, side + sign * (stub / 2), begin))
        return arrows

    def _port(self, edges: Edges, edge: HandOver, *, incoming: bool = False) -> float:
        """The height at which an arrow leaves its sender, or enters its receiver at the place that all share."""
        key = edge.receiver.key if incoming else edge.sender.key
        number = self._row[key]
        leaving = sorted((one for one in edges if one.sender.key == key), key=lambda one: self._row[one.receiver.key])
        # What comes from below enters at the bottom, what comes from above at the top.
        enters_first = any(one.receiver.key == key for one in edges) and edges is self._down
        if incoming:
            place = 0 if enters_first else len(leaving)
        else:
            place = next(n for n, one in enumerate(leaving) if one is edge) + enters_first
        return self._tops[number] + self._heights[number] * (place + 1) / (_ports(edges, key) + 1)

    def _box(self, number: int, x: float) -> Html:
        name, is_person = self._agents[number].name, self._agents[number].key == PERSON.key
        y, height = self._tops[number], self._heights[number]
        cut = shown(name, _NAME)
        while width(cut) > _NAME:
            cut = shown(cut, len(cut) - 1)
        return tag(
            "g",
            tag("title", name) if cut != name else None,
            tag("rect", x=f"{x:g}", y=f"{y:g}", width=_BOX, height=height, rx=20 if is_person else 6),
            tag("text", cut, x=f"{x + _BOX / 2:g}", y=f"{y + height / 2 + 4.5:g}"),
            class_="person" if is_person else "agent",
        )


def _ports(edges: Edges, key: str) -> int:
    """The number of places at one side of a box: one for each arrow that leaves, one for all that enter."""
    return sum(edge.sender.key == key for edge in edges) + any(edge.receiver.key == key for edge in edges)


def _worst(edge: HandOver) -> RouteAction | None:
    return min(edge.actions, key=urgency)


def _stub(edges: Edges) -> float:
    """The room for the labels beside the boxes."""
    return max((_plate(edge) for edge in edges), default=0) + 2 * _TURN


def _plate(edge: HandOver) -> float:
    return 12 + _CELL * width(counts_of(edge.actions, signs_only=True))


def _arrow(edge: HandOver, line: str, head: str, x: float, y: float) -> Html:
    """An arrow with the numbers of its handoffs, each with the sign of the decision."""
    wide = _plate(edge)
    plate = tag("rect", x=f"{x - wide / 2:g}", y=f"{y - 10:g}", width=f"{wide:g}", height=20, rx=10, class_="plate")
    label = tag("text", counts_of(edge.actions, signs_only=True), x=f"{x:g}", y=f"{y + 4.5:g}")
    paths = joined((tag("path", d=line, class_="line"), tag("path", d=head, class_="head")))
    return tag("g", paths, plate, label, class_=f"to {_worst(edge) or 'none'}")
