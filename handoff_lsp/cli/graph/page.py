"""The page of a pack: where prompts and contracts disagree, and who emits and handles what."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from handoff_lsp.cli.graph.drawing import drawing_of, legend_of
from handoff_lsp.cli.report.findings import findings_section
from handoff_lsp.cli.report.markup import Html, joined, marked, quoted, tag
from handoff_lsp.cli.report.page import footer_of, framed
from handoff_lsp.cli.report.section import PageSection, path_of, section, severity_badge, table
from handoff_lsp.cli.report.words import left_out, moment
from handoff_lsp.contracts.field_types import timestamp_of
from handoff_lsp.language import number_of
from handoff_lsp.prompts.vocabulary import FILE, MARKER
from handoff_lsp.reports.pack import ContractMatrix, Drift, MatrixRow, PackEdge, PackReport, PromptPlace, PromptRow
from handoff_lsp.reports.report import Finding

# The most rows of a table, names and places in a cell, and prompts in the list.
MOST_ROWS, MOST_NAMES, MOST_PLACES, MOST_PROMPTS, MOST_ROUTES = 60, 12, 6, 400, 200
_NOBODY = "–"


@dataclass
class GraphPage:
    """All that the page is about."""

    title: str
    now: float
    packs: tuple[PackReport, ...]
    files: int = 0
    unread: list[tuple[str, str]] = field(default_factory=list)


def page_of(page: GraphPage) -> str:
    """The whole page."""
    findings: dict[str, list[Finding]] = {}
    for pack in page.packs:
        for finding in pack.findings:
            findings.setdefault(finding.path, []).append(finding)
    several = len(page.packs) > 1
    matrices = [
        _matrix_section(matrix, f"pack{number}-{matrix.contract}", pack.root if several else "")
        for number, pack in enumerate(page.packs)
        for matrix in pack.contracts
    ]
    found = findings_section(findings, checked=any(pack.prompts for pack in page.packs), opened=True)
    prompts = [prompt for pack in page.packs for prompt in pack.prompts]
    sections = [
        *([found] if found is not None else []),
        *matrices,
        *_routes([edge for pack in page.packs for edge in pack.edges if edge.kind == "route"]),
        *_prompts(prompts),
    ]
    return framed(f"Prompts: {page.title}", _header(page, prompts), sections, footer_of(page.unread))


def _header(page: GraphPage, prompts: Sequence[PromptRow]) -> Html:
    findings = [finding for pack in page.packs for finding in pack.findings]
    contracts = {matrix.contract for pack in page.packs for matrix in pack.contracts}
    numbers = [
        (len(prompts), "prompt", "prompts"),
        (len(contracts), "contract", "contracts"),
        (sum(finding.severity == "error" for finding in findings), "error", "errors"),
        (sum(finding.severity == "warning" for finding in findings), "warning", "warnings"),
    ]
    tiles = (tag("div", tag("dt", one if n == 1 else many), tag("dd", f"{n:,}")) for n, one, many in numbers)
    if any(pack.unread for pack in page.packs):
        lead = "Too many prompts: they were checked one by one, but not compared with each other."
    elif not contracts:
        lead = "No prompt says anything about a known contract, so there is nothing to compare."
    elif findings:
        lead = f"Prompts and contracts disagree in {number_of(len(findings), 'place')}."
    else:
        lead = "No prompt disagrees with its contract or with another prompt."
    time = moment(page.now)
    return tag(
        "header",
        tag("h1", "Prompts: ", quoted(page.title)),
        tag("p", lead, class_="lead"),
        tag(
            "p",
            f"{number_of(page.files, 'file')} checked on ",
            tag("time", f"{time:%Y-%m-%d %H:%M} UTC", datetime=timestamp_of(time)),
            ". Emitted: a prompt has its agent write the value. Handled: a prompt reacts to it. Documented: a prompt "
            "only names it.",
            class_="soft",
        ),
        tag("dl", *tiles, class_="numbers"),
    )


def _head(field: str) -> Html | str:
    """The head of a table: a field, or the kind of other words that a contract has."""
    return {MARKER: "Markers", FILE: "Files"}.get(field) or tag("code", quoted(field))


def _matrix_section(matrix: ContractMatrix, name: str, root: str) -> PageSection:
    """The tables of a contract; the status and the next agent are drawn, too."""
    counts = [number_of(matrix.prompts, "prompt")]
    if matrix.handoffs:
        counts.append(number_of(matrix.handoffs, "handoff"))
    by_field: dict[str, list[MatrixRow]] = {}
    for row in matrix.rows:
        if row.value:
            by_field.setdefault(row.field, []).append(row)
    parts: list[Html | None] = []
    tables = sorted(by_field.items(), key=lambda item: (item[0] != matrix.status, not _drifts(item[1])))
    shown = [(path, rows) for path, rows in tables if any(row.places or row.seen for row in rows)]
    for number, (path, rows) in enumerate(shown):
        is_drawn = path == matrix.status or _drifts(rows)
        content = [_drawing(rows, f"{name}-{number}", path) if is_drawn else None, *_table(path, rows, matrix)]
        heading = tag("h3", _head(path))
        if is_drawn:
            parts += [heading, *content]
        else:
            words = f"{number_of(sum(bool(row.places) for row in rows), 'value')} named"
            summary = tag("summary", _head(path), " ", tag("span", words, class_="soft"))
            parts.append(tag("details", summary, *content))
    fields = [row for row in matrix.rows if not row.value and (row.places or row.drift)]
    if fields:
        summary = tag("summary", "Fields ", tag("span", f"{number_of(len(fields), 'field')} named", class_="soft"))
        parts.append(tag("details", summary, *_table("", fields, matrix), open=_drifts(fields)))
    where = joined((" in ", tag("code", quoted(root)))) if root else None
    return section(
        name,
        f"{matrix.title}",
        tag("p", tag("code", quoted(matrix.contract)), where, f": {', '.join(counts)}", class_="soft"),
        *parts,
    )


def _drifts(rows: Sequence[MatrixRow]) -> bool:
    return any(row.drift for row in rows)


def _drawing(rows: Sequence[MatrixRow], name: str, path: str) -> Html:
    drawn = [row for row in rows if row.places or row.drift or row.seen or len(rows) <= 12]
    return joined(
        (
            tag("p", legend_of(drawn), class_="soft"),
            tag(
                "div",
                drawing_of(drawn, name, path),
                class_="scroll",
                tabindex=0,
                role="region",
                aria_label=f"Drawing of {path}",
            ),
        )
    )


def _table(path: str, rows: Sequence[MatrixRow], matrix: ContractMatrix) -> Iterator[Html | None]:
    ranked = sorted(rows, key=lambda row: (not row.drift, not row.places, not row.seen))
    kept = {id(row) for row in ranked[:MOST_ROWS]}
    heads = ["Value" if path else "Field", "In the contract", "Emitted by", "Handled by", "Documented in"]
    has_forbidden = any(row.forbidden for row in rows)
    heads += ["Forbidden in"] * has_forbidden + ["Seen in"] * bool(matrix.handoffs)
    cells = []
    for row in rows:
        if id(row) in kept:
            one: list[Html | str] = [_name(row), "yes" if row.known else "no"]
            one += (_who(places) for places in (row.emitted, row.handled, row.documented))
            one += [_who(row.forbidden)] * has_forbidden
            one += [number_of(row.seen, "handoff") if row.seen else _NOBODY] * bool(matrix.handoffs)
            cells.append(one)
    yield table(f"Values of {path}" if path else "Fields", heads, cells)
    if len(rows) > len(kept):
        yield tag("p", left_out(len(rows) - len(kept), "row", "the JSON of `handoff-lsp graph` has all"))


def _name(row: MatrixRow) -> Html:
    """The value or the field, with what was found about it and where; a message that is repeated is said once."""
    name = tag("code", quoted(row.value or row.field, 80))
    by_message: dict[str, list[Drift]] = {}
    for one in row.drift:
        by_message.setdefault(one.message, []).append(one)
    told = []
    for message, found in list(by_message.items())[:MOST_PLACES]:
        places = joined((path_of(one.path, one.range.start.line) for one in found[:MOST_PLACES]), ", ")
        more = f" and {len(found) - MOST_PLACES:,} more" if len(found) > MOST_PLACES else None
        told.append(tag("li", severity_badge(found[0].severity), " ", marked(message, 300), ": ", places, more))
    if len(by_message) > MOST_PLACES:
        told.append(tag("li", f"and {len(by_message) - MOST_PLACES:,} more"))
    return joined((name, " ", tag("ul", *told, class_="told")) if told else (name,))


def _who(places: Sequence[PromptPlace]) -> Html | str:
    """The speakers; what their titles show is in the JSON, too: the places."""
    by_name: dict[str, list[PromptPlace]] = {}
    for place in places:
        by_name.setdefault(place.speaker, []).append(place)
    if not by_name:
        return _NOBODY
    names = [tag("span", quoted(name, 80), title=_places(found)) for name, found in list(by_name.items())[:MOST_NAMES]]
    more = len(by_name) - MOST_NAMES
    return joined((joined(names, ", "), f" and {more:,} more" if more > 0 else None))


def _places(places: Sequence[PromptPlace]) -> str:
    shown = [f"{place.path}:{place.range.start.line}" for place in places[:MOST_PLACES]]
    return ", ".join(shown) + (f", and {len(places) - MOST_PLACES:,} more" if len(places) > MOST_PLACES else "")


def _routes(edges: Sequence[PackEdge]) -> Iterator[PageSection]:
    """The agents that prompts name as the next ones."""
    if not edges:
        return
    rows: list[list[Html | str]] = [
        [
            quoted(edge.sender, 80),
            quoted(edge.receiver, 80),
            joined((tag("code", quoted(edge.field)), " of ", tag("code", quoted(edge.contract)))),
            joined(marked(one.message, 300) for one in edge.drift[:1]) if edge.drift else _NOBODY,
        ]
        for edge in edges[:MOST_ROUTES]
    ]
    more = len(edges) - MOST_ROUTES
    yield section(
        "routes",
        "Next agents",
        table("Agents that prompts name as the next ones", ("From", "To", "By", "Drift"), rows),
        tag("p", left_out(more, "route", "the JSON of `handoff-lsp graph` has all")) if more > 0 else None,
    )


def _prompts(prompts: Sequence[PromptRow]) -> Iterator[PageSection]:
    """All prompts, those with drift first."""
    if not prompts:
        return
    ordered = sorted(prompts, key=lambda one: (not one.drift, one.path))
    names = {one.path: one.speaker for one in prompts}
    rows: list[list[Html | str]] = [
        [
            joined((quoted(one.speaker, 80), " ", tag("span", quoted(one.path), class_="cell-path"))),
            one.role,
            joined((tag("code", quoted(name)) for name in one.contracts), ", "),
            _refers([names[path] for path in one.refers]),
            f"{one.drift:,}" if one.drift else _NOBODY,
        ]
        for one in ordered[:MOST_PROMPTS]
    ]
    more = len(prompts) - MOST_PROMPTS
    yield section(
        "prompts",
        "Prompts",
        table("Prompts about a contract", ("Prompt", "Role", "Contracts", "Refers to", "Findings"), rows),
        tag("p", left_out(more, "prompt", "the JSON of `handoff-lsp graph` has all")) if more > 0 else None,
    )


def _refers(names: Sequence[str]) -> Html | str:
    listed = list(dict.fromkeys(names))
    if not listed:
        return _NOBODY
    more = len(listed) - MOST_NAMES
    return joined((", ".join(listed[:MOST_NAMES]), f" and {more:,} more" if more > 0 else None))
