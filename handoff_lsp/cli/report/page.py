"""The page of the report: its head, its sections in order, and what it leaves out."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from handoff_lsp import __version__
from handoff_lsp.cli.report.agents import agents_section
from handoff_lsp.cli.report.data import Collected
from handoff_lsp.cli.report.findings import findings_section
from handoff_lsp.cli.report.handoffs import flow_section, handoffs_section, stopped_section
from handoff_lsp.cli.report.markup import Html, joined, quoted, tag, text
from handoff_lsp.cli.report.section import PageSection
from handoff_lsp.cli.report.timeline import timeline_section
from handoff_lsp.cli.report.words import left_out, moment
from handoff_lsp.contracts.field_types import timestamp_of
from handoff_lsp.decide.words import needs_person
from handoff_lsp.language import number_of
from handoff_lsp.rules.pages import SITE

# The most files that could not be read, as listed.
_UNREAD = 50


def page_of(collected: Collected) -> str:
    """The page of a report."""
    sections = [
        section
        for section in (
            stopped_section(collected),
            agents_section(collected),
            flow_section(collected),
            handoffs_section(collected),
            timeline_section(collected),
            findings_section(collected.findings, checked=bool(collected.handoffs)),
        )
        if section is not None
    ]
    return framed(f"Handoffs: {collected.title}", _header(collected), sections, _footer(collected))


def framed(title: str, header: Html, sections: Sequence[PageSection], footer: Html) -> str:
    """A whole page. It loads nothing and runs nothing: its policy allows only its own style."""
    style = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    digest = b64encode(hashlib.sha256(style.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; img-src data:; base-uri 'none'; form-action 'none'"
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        Html(f'<meta http-equiv="Content-Security-Policy" content="{text(policy)}">'),
        tag("meta", name_="viewport", content_="width=device-width, initial-scale=1"),
        tag("meta", name_="referrer", content_="no-referrer"),
        tag("title", title),
        tag("link", rel="icon", href="data:,"),
        Html(f"<style>{style}</style>"),
    )
    body = tag(
        "body",
        tag("a", "Skip to the report", class_="skip", href="#report"),
        header,
        tag("nav", _contents(sections), aria_label="Sections"),
        tag("main", joined((section.html for section in sections), Html("\n")), id="report"),
        footer,
    )
    return f"<!DOCTYPE html>\n{tag('html', head, Html(chr(10)), body, lang='en')}\n"


def _contents(sections: Sequence[PageSection]) -> Html:
    return tag("ul", *(tag("li", tag("a", section.title, href=f"#{section.name}")) for section in sections))


def _header(collected: Collected) -> Html:
    waiting = sum(needs_person(row.action) for row in collected.handoffs)
    severities = collected.severities
    numbers = [
        (len(collected.handoffs), "handoff", "handoffs"),
        (waiting, "needs a person", "need a person"),
        *([(len(collected.rows), "work tree", "work trees")] if collected.rows is not None else []),
        (severities["error"], "error", "errors"),
        (severities["warning"], "warning", "warnings"),
    ]
    tiles = (tag("div", tag("dt", one if n == 1 else many), tag("dd", f"{n:,}")) for n, one, many in numbers)
    if not collected.handoffs:
        lead = "No handoff was found."
    elif waiting:
        verb = "waits" if waiting == 1 else "wait"
        lead = f"{waiting:,} of {number_of(len(collected.handoffs), 'handoff')} {verb} for a person."
    else:
        lead = "No handoff waits for a person."
    time = moment(collected.now)
    return tag(
        "header",
        tag("h1", "Handoffs: ", quoted(collected.title)),
        tag("p", lead, class_="lead"),
        tag(
            "p",
            f"{number_of(collected.files, 'file')} checked on ",
            tag("time", f"{time:%Y-%m-%d %H:%M} UTC", datetime=timestamp_of(time)),
            ".",
            class_="soft",
        ),
        tag("dl", *tiles, class_="numbers"),
    )


def _footer(collected: Collected) -> Html:
    shared = f"{number_of(collected.same, 'file')} that several work trees share counted once."
    return footer_of(collected.unread, tag("p", shared) if collected.same else None)


def footer_of(unread: Sequence[tuple[str, str]], *more: Html | None) -> Html:
    """The end of a page: the files that could not be checked, with the reasons, and by what it was made."""
    parts: list[Html | None] = []
    if unread:
        parts.append(tag("p", f"{number_of(len(unread), 'file')} could not be checked:"))
        parts.append(
            tag(
                "ul", *(tag("li", tag("code", quoted(path)), ": ", quoted(reason)) for path, reason in unread[:_UNREAD])
            )
        )
        if len(unread) > _UNREAD:
            parts.append(tag("p", left_out(len(unread) - _UNREAD, "file", "`handoff-lsp check` lists all")))
    parts += more
    made = tag("p", "Made by ", tag("a", f"handoff-lsp {__version__}", href=f"{SITE}/"), ". Times are in UTC.")
    return tag("footer", *parts, made)
