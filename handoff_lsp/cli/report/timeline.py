"""The section with the timeline: the entries of logs, and the handoffs that state their time."""

from __future__ import annotations

from itertools import groupby

from handoff_lsp.cli.report.data import Collected, TimelineEntry
from handoff_lsp.cli.report.markup import Html, joined, marked, quoted, tag
from handoff_lsp.cli.report.section import PageSection, badge, section
from handoff_lsp.cli.report.words import left_out, moment
from handoff_lsp.contracts.field_types import timestamp_of

# The most entries, and the most characters of one.
MOST_EVENTS, _LONGEST = 300, 240


def timeline_section(collected: Collected) -> PageSection | None:
    """The entries by day, the newest first; None without any."""
    events = collected.events[:MOST_EVENTS]
    if not events:
        return None
    more = len(collected.events) - len(events)
    days: list[Html] = []
    for day, found in groupby(events, key=lambda event: moment(event.time).date()):
        days.append(tag("h3", tag("time", f"{day:%A}, {day}", datetime=day.isoformat())))
        days.append(tag("ol", *(_entry(event) for event in found), class_="events"))
    return section(
        "timeline",
        "Timeline",
        tag("p", "From the logs, and the handoffs that state a time; the newest first.", class_="soft"),
        *days,
        tag("p", left_out(more, "older line", "the logs have them")) if more else None,
    )


def _entry(event: TimelineEntry) -> Html:
    time = moment(event.time)
    decision = joined((badge(event.action), " ")) if event.action is not None else None
    label = tag("span", quoted(event.tag, 40), class_="tag") if event.tag else None
    words = (quoted if event.action is None else marked)(event.text, _LONGEST)
    return tag(
        "li",
        tag("time", f"{time:%H:%M:%S}", datetime=timestamp_of(time)),
        " ",
        tag("span", quoted(event.agent, 80)),
        " ",
        tag("div", label, " ", decision, words),
    )
