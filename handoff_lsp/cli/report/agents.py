"""The section about the agents in the work trees, as `monitor` knows them."""

from __future__ import annotations

from handoff_lsp.cli.monitor.rows import WorktreeRow
from handoff_lsp.cli.monitor.words import (
    ago,
    commits_of,
    criteria_of,
    place_of,
    progress_of,
    status_of,
    summary_of,
)
from handoff_lsp.cli.report.data import Collected
from handoff_lsp.cli.report.markup import Html, joined, marked, quoted, tag
from handoff_lsp.cli.report.section import PageSection, section, table
from handoff_lsp.cli.report.words import left_out

# The most work trees in the table, and the most concerns about one.
MOST_ROWS, _MOST_CONCERNS = 200, 10


def agents_section(collected: Collected) -> PageSection | None:
    """The agents, those that need attention first; None if the report is not about work trees."""
    if collected.rows is None:
        return None
    rows = sorted(collected.rows, key=lambda row: not row.told)
    more = len(rows) - MOST_ROWS
    return section(
        "agents",
        "Agents in the work trees",
        table(
            " ".join(summary_of(collected.rows)),
            ("Agent", "Status", "Progress", "Criteria", "Updated", "Commits", "Needs attention"),
            [_cells(row) for row in rows[:MOST_ROWS]],
        ),
        tag("p", left_out(more, "work tree", "`handoff-lsp monitor` shows all")) if more > 0 else None,
    )


def _cells(row: WorktreeRow) -> tuple[Html | str, ...]:
    told = [tag("li", tag("strong", one.concern), ": ", marked(one.reason)) for one in row.told[:_MOST_CONCERNS]]
    place = place_of(row)
    where = tag("span", quoted(place), class_="cell-path") if place != row.agent else Html("")
    return (
        joined((quoted(row.agent, 80), " ", where)),
        quoted(status_of(row), 80),
        quoted(progress_of(row), 120),
        criteria_of(row),
        ago(row.age),
        quoted(commits_of(row.branch), 80),
        tag("ul", *told, class_="told") if told else "–",
    )
