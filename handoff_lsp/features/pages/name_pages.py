"""What the workspace says of a name, as Markdown: who defines it, how the last handoff that names it stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.field_types import read_timestamp
from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.decide.routing import status_of
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.graph import defining_files
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.names.mentions import OCCURS, mentions_of
from handoff_lsp.rules.rule import times
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.syntax.lines.log import LogEntry
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source
from handoff_lsp.workspace.project import Project

# Of a definition no more characters than this are looked at, and of its description no more are shown.
_HEAD = 8_000
_LONGEST = 300


class _Told(NamedTuple):
    """Where a handoff names somebody: how it stands, and of when it is (ISO 8601; empty where it does not say)."""

    kind: str
    name: str
    title: str
    status: str
    time: str
    sure: bool


def name_page(kind: str, name: str, context: Context) -> str:
    """Who defines a name, and what was last said of it; empty for what only looks like one and that no field names."""
    known = context.project.kinds(context.full).get(kind) if context.full else None
    head = f"**{code(name)}** · {prose(known.about if known is not None else kind)}"
    if known is None:
        return head
    key = known.key(name)
    files = defining_files(context.project, context.full, known, key, loosely=True)
    defined = files[0] if files else None
    described = ""
    if defined is not None:
        described = paragraphs(
            prose(_description(context.project, defined)), f"Defined in {code(context.display_path(defined))}."
        )
    elif known.files and key not in known.also:
        described = f"No file of the workspace defines this {prose(known.about)}."
    mentions = _mentions(known, name, context)
    if mentions is None and defined is None:
        return ""
    return paragraphs(head, described, *(mentions or ()))


def _description(project: Project, full: str) -> str:
    """What the front matter of a file says that it is."""
    source = project.files.read(full).source
    matter = parse_markdown(Source(source.text[:_HEAD])).front_matter if source is not None else None
    if matter is None:
        return ""
    pairs = read_pairs(matter.tree.source.text, matter.content)
    said = next((pair.value_text for pair in pairs if pair.key_text == "description"), "").strip("\"'>|-").strip()
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"


def _mentions(known: Kind, name: str, context: Context) -> tuple[str, str] | None:
    """What was last said of a name elsewhere, and how often it is named; None for what only looks like one."""
    key = known.key(name)
    count, documents, all_seen, sure = 0, 0, True, False
    last: tuple[datetime, str, _Told] | None = None
    for full in context.documents():
        if full is None:
            all_seen = False
            break
        told_here = context.project.of(full, _told) or ()
        here = [told for told in told_here if told.kind == known.name and known.key(told.name) == key]
        count += len(here)
        sure = sure or any(told.sure for told in here)
        documents += bool(here)
        for told in here:
            when = read_timestamp(told.time) or _changed(context.project, full)
            # What the document that is asked about says stands before everybody's eyes.
            if told.title and full != context.full and (last is None or when >= last[0]):
                last = when, full, told
    if count and not sure:
        return None
    if not count:
        return "", ""
    about = ""
    if last is not None:
        when, full, told = last
        status = f", status {code(told.status)}" if told.status else ""
        about = (
            f"**Last** {prose(told.title)} in {code(context.display_path(full))}{status}, {when:%Y-%m-%d %H:%M} UTC."
        )
    where = "one document" if documents == 1 else f"{documents:,} documents"
    return about, f"Named {times(count)} in {where}{'' if all_seen else ', others not looked at yet'}."


def _told(source: Source, handoffs: Sequence[Handoff]) -> Sequence[_Told]:
    """The names that a document writes, each with how the handoff around it stands."""
    found: list[_Told] = []
    for handoff in handoffs:
        entries = handoff.body.entries
        if handoff.mode != "handoff":
            found += (_Told(each.kind, each.name, "", "", "", each.rank != OCCURS) for each in mentions_of([handoff]))
            continue
        status, time = status_of(handoff), _time_of(handoff)
        for mention in mentions_of([handoff]):
            number = bisect_right(entries, mention.span.start, key=_start_of) - 1
            at = source.slice(entries[number].time) if number >= 0 else time
            found.append(
                _Told(
                    mention.kind,
                    mention.name,
                    handoff.spec.contract.title,
                    str(status or ""),
                    at,
                    mention.rank != OCCURS,
                )
            )
    return found


def _start_of(entry: LogEntry) -> int:
    return entry.span.start


def _time_of(handoff: Handoff) -> str:
    """The latest time that a handoff tells."""
    times = [slot.data for slot in handoff.slots if slot.field.type == "timestamp" and isinstance(slot.data, str)]
    return max(times, default="")


def _changed(project: Project, full: str) -> datetime:
    """When a file was last written; now for one that is open."""
    content = project.files.content(full)
    return datetime.fromtimestamp(content[0] / 1e9, UTC) if isinstance(content, tuple) else datetime.now(UTC)
