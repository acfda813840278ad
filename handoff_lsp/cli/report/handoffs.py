"""The sections about the handoffs: where the pipeline stopped, the hand-overs, and the list."""

from __future__ import annotations

from collections import Counter

from handoff_lsp.cli.report.data import Collected, HandoffRow
from handoff_lsp.cli.report.drawing import drawing_of
from handoff_lsp.cli.report.flow import HandOver, hand_overs, most_urgent, ordered
from handoff_lsp.cli.report.markup import Html, joined, marked, quoted, tag
from handoff_lsp.cli.report.section import PageSection, badge, path_of, section, table
from handoff_lsp.cli.report.words import SIGNS, counts_of, left_out
from handoff_lsp.decide.words import ORDER, needs_person
from handoff_lsp.features.decision.hand_over import NamedAgent
from handoff_lsp.language import number_of

# The most handoffs in the two lists, and the most hand-overs in the drawing and in its table.
MOST_STOPPED, MOST_HANDOFFS, MOST_ARROWS, MOST_HAND_OVERS = 100, 500, 24, 200


def stopped_section(collected: Collected) -> PageSection | None:
    """The handoffs that need a person; the most urgent first."""
    if not collected.handoffs:
        return None
    waiting = [row for row in collected.handoffs if needs_person(row.action)]
    if not waiting:
        return section("stopped", "Where it stopped", tag("p", "Nowhere: no handoff waits for a person."))
    more = len(waiting) - MOST_STOPPED
    return section(
        "stopped",
        "Where it stopped",
        tag("p", "These handoffs wait for a person, the most urgent first.", class_="soft"),
        tag("ul", *(_card(row) for row in waiting[:MOST_STOPPED]), class_="cards"),
        tag("p", left_out(more, "handoff", "they come later in this order")) if more > 0 else None,
    )


def _card(row: HandoffRow) -> Html:
    held = (" · names ", _names(row.receivers), " as next") if row.receivers else ()
    return tag(
        "li",
        tag("p", tag("span", quoted(row.sender.name), class_="who"), " ", badge(row.action), " ", marked(row.decision)),
        tag("p", marked(row.rest), class_="soft") if row.rest else None,
        tag("p", path_of(row.path, row.line), *held, class_="soft"),
        class_=row.action,
    )


def flow_section(collected: Collected) -> PageSection | None:
    """The hand-overs between agents, as a drawing and as a table."""
    edges = hand_overs(collected.handoffs)
    if not edges:
        return None
    listed = ordered(most_urgent(edges, MOST_HAND_OVERS))
    drawn = most_urgent(listed, MOST_ARROWS)
    used: Counter[str | None] = Counter()
    for edge in drawn:
        used.update(edge.actions)
    legend = joined((f"{SIGNS[action]} {action or 'no decision'}" for action in (*ORDER, None) if used[action]), " · ")
    notes = [f"{len(drawn)} of {len(edges):,} are drawn: those that need a person, and the most frequent."] * (
        len(drawn) < len(edges)
    )
    return section(
        "flow",
        "Hand-overs between agents",
        tag(
            "p",
            "An arrow leads to the next agent that a handoff names; dashed: not all of its handoffs advance.",
            class_="soft",
        ),
        tag("p", legend, class_="soft"),
        *(tag("p", note) for note in notes),
        tag(
            "div", drawing_of(drawn), class_="scroll", tabindex=0, role="region", aria_label="Drawing of the hand-overs"
        ),
        table("Hand-overs", ("From", "To", "Handoffs"), [_hand_over(edge) for edge in listed]),
        tag("p", left_out(len(edges) - len(listed), "hand-over", "the most urgent ones are above"))
        if len(listed) < len(edges)
        else None,
    )


def _hand_over(edge: HandOver) -> tuple[Html, Html, str]:
    return quoted(edge.sender.name), quoted(edge.receiver.name), counts_of(edge.actions)


def handoffs_section(collected: Collected) -> PageSection | None:
    """All handoffs in a table, those that need a person first."""
    rows = collected.handoffs
    if not rows:
        return None
    more = rows[MOST_HANDOFFS:]
    counts = Counter(row.action for row in more)
    return section(
        "handoffs",
        "Handoffs",
        table(
            f"{number_of(len(rows), 'handoff')}: {counts_of(Counter(row.action for row in rows))}",
            ("Handoff", "Status", "Decision", "To", "Findings"),
            [_cells(row) for row in rows[:MOST_HANDOFFS]],
        ),
        tag("p", left_out(len(more), "handoff", counts_of(counts))) if more else None,
    )


def _cells(row: HandoffRow) -> tuple[Html | str, ...]:
    who = quoted(row.sender.name) if row.is_named else Html("")
    return (
        joined((who, " ", tag("span", path_of(row.path, row.line), f" · {row.contract}", class_="cell-path"))),
        quoted(row.status) if row.status else "–",
        joined((badge(row.action), " ", marked(row.decision))),
        _names(row.receivers),
        _findings(row),
    )


def _names(agents: tuple[NamedAgent, ...]) -> Html | str:
    return joined((quoted(agent.name) for agent in agents), ", ") if agents else "–"


def _findings(row: HandoffRow) -> str:
    parts = [number_of(n, noun) for n, noun in ((row.errors, "error"), (row.warnings, "warning")) if n]
    return ", ".join(parts) or "–"
