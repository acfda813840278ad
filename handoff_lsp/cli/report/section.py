"""A section of the page, and the parts that several sections have."""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp.cli.report.markup import Html, quoted, tag
from handoff_lsp.cli.report.words import SIGNS
from handoff_lsp.contracts.model import RouteAction
from handoff_lsp.text.named_tuple import NamedTuple


class PageSection(NamedTuple):
    """A section: ``name`` is its anchor."""

    name: str
    title: str
    html: Html


def section(name: str, title: str, *content: Html | None) -> PageSection:
    """A section with its heading."""
    heading = tag("h2", title, id=f"{name}-title")
    return PageSection(name, title, tag("section", heading, *content, id=name, aria_labelledby=f"{name}-title"))


def badge(action: RouteAction | None) -> Html:
    """The action of a decision as its word with a sign."""
    sign = tag("span", SIGNS[action], aria_hidden="true")
    return tag("span", sign, action or "no decision", class_=f"badge {action or 'none'}")


def severity_badge(severity: str) -> Html:
    """A severity as its word."""
    return tag("span", severity, class_=f"badge {severity}")


def path_of(path: str, line: int | None = None) -> Html:
    """A place in a file."""
    return tag("span", quoted(path), f":{line}" if line is not None else None, class_="path")


def table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[Html | str]]) -> Html:
    """A table; the first cell of a row is its head. On a narrow screen, each cell is below its column's name.

    The roles keep it a table for a screen reader where the style lays it out otherwise.
    """
    head = tag("tr", *(tag("th", one, scope="col", role="columnheader") for one in heads), role="row")
    body = (
        tag(
            "tr",
            tag("th", cells[0], scope="row", role="rowheader"),
            *(
                tag("td", tag("div", cell), data_label=name, role="cell")
                for name, cell in zip(heads[1:], cells[1:], strict=True)
            ),
            role="row",
        )
        for cells in rows
    )
    return tag(
        "table",
        tag("caption", caption),
        tag("thead", head, role="rowgroup"),
        tag("tbody", *body, role="rowgroup"),
        role="table",
    )
