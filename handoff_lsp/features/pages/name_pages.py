"""The page about a name from the workspace, as Markdown: its definition, and the last handoff that mentions it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from datetime import UTC, datetime

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.field_types import read_timestamp
from handoff_lsp.contracts.kinds import Kind
from handoff_lsp.decide.routing import status_of
from handoff_lsp.decide.words import in_words
from handoff_lsp.features.context import Context
from handoff_lsp.features.names.graph import defining_files
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.language import say
from handoff_lsp.names.mentions import INTRODUCED, OCCURS, mentions_of
from handoff_lsp.rules.rule import times
from handoff_lsp.syntax.lines.log import LogEntry
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.project import Project

# The characters of a definition to read, and those of its description to show.
_HEAD = 8_000
_LONGEST = 300


class _NameUse(NamedTuple):
    """A mention of a name in a handoff, with the handoff's status and time (ISO 8601; empty if unknown)."""

    kind: str
    name: str
    title: str
    status: str
    time: str
    sure: bool
    introduces: bool


def name_page(kind: str, name: str, context: Context) -> str:
    """The page about a name: its definition and last mention; empty for text that no field confirms as a name."""
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
            prose(_description(context.project, defined)),
            say("Defined in {path}.", path=code(context.display_path(defined))),
        )
    elif known.files and key not in known.also:
        described = say("No file of the workspace defines this {kind}.", kind=prose(known.about))
    mentions = _mentions(known, name, context)
    if mentions is not None and mentions.defined and not described.startswith("Defined"):
        described = say("Defined in {path}.", path=code(context.display_path(mentions.defined)))
    if mentions is None and defined is None:
        return ""
    return paragraphs(head, described, *((mentions.last, mentions.number) if mentions is not None else ()))


def _description(project: Project, full: str) -> str:
    """The description in a file's front matter; empty without one."""
    source = project.files.read(full).source
    front = front_matter(parse_markdown(Source(source.text[:_HEAD]))) if source is not None else None
    entry = front.entry("description") if front is not None else None
    if entry is None or entry.value.kind not in {"scalar", "block"}:
        return ""
    text = " ".join(entry.value.text.split())
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


class _Mentions(NamedTuple):
    """The last mention of a name and the number of them, in words, and the document with a field that defines it."""

    last: str
    number: str
    defined: str = ""


def _mentions(known: Kind, name: str, context: Context) -> _Mentions | None:
    """The last mention of a name elsewhere and the number of mentions, in words; None if none of them is sure."""
    key = known.key(name)
    count, documents, all_seen, sure, defined = 0, 0, True, False, ""
    last: tuple[datetime, str, _NameUse] | None = None
    for full in context.documents():
        if full is None:
            all_seen = False
            break
        found = context.project.of(full, _uses) or ()
        here = [mention for mention in found if mention.kind == known.name and known.key(mention.name) == key]
        count += len(here)
        sure = sure or any(mention.sure for mention in here)
        documents += bool(here)
        defined = defined or next((full for mention in here if mention.introduces), "")
        for mention in here:
            when = read_timestamp(mention.time) or _changed(context.project, full)
            # The user already sees the document itself.
            if mention.title and full != context.full and (last is None or when >= last[0]):
                last = when, full, mention
    if count and not sure:
        return None
    if not count:
        return _Mentions("", "")
    about = ""
    if last is not None:
        when, full, mention = last
        status = say(", status {status}", status=code(mention.status)) if mention.status else ""
        about = say(
            "**Last** {title} in {path}{status}, {when:%Y-%m-%d %H:%M} UTC.",
            title=prose(mention.title),
            path=code(context.display_path(full)),
            status=status,
            when=when,
        )
    where = say("one document") if documents == 1 else say("{documents:,} documents", documents=documents)
    number = say(
        "Named {times} in {where}{more}.",
        times=times(count),
        where=where,
        more="" if all_seen else say(", others not looked at yet"),
    )
    return _Mentions(about, number, defined if known.inside else "")


def _uses(source: Source, handoffs: Sequence[Handoff]) -> Sequence[_NameUse]:
    """The mentions in a document, each with the status and time of its handoff."""
    found: list[_NameUse] = []
    for handoff in handoffs:
        entries = handoff.body.entries
        if handoff.mode != "handoff":
            found += (
                _NameUse(each.kind, each.name, "", "", "", each.rank != OCCURS, introduces=False)
                for each in mentions_of([handoff])
            )
            continue
        status, time = status_of(handoff), _time_of(handoff)
        for mention in mentions_of([handoff]):
            number = bisect_right(entries, mention.span.start, key=_start_of) - 1
            when = source.slice(entries[number].time) if number >= 0 else time
            found.append(
                _NameUse(
                    mention.kind,
                    mention.name,
                    handoff.spec.contract.title,
                    in_words(status) if status is not None else "",
                    when,
                    mention.rank != OCCURS,
                    mention.rank == INTRODUCED,
                )
            )
    return found


def _start_of(entry: LogEntry) -> int:
    return entry.span.start


def _time_of(handoff: Handoff) -> str:
    """The latest time in a handoff's fields; empty without any."""
    times = [slot.data for slot in handoff.slots if slot.field.kind.is_time and isinstance(slot.data, str)]
    return max(times, default="")


def _changed(project: Project, full: str) -> datetime:
    """The time when a file was last written; now for an open one."""
    content = project.files.content(full)
    return datetime.fromtimestamp(content[0] / 1e9, UTC) if isinstance(content, tuple) else datetime.now(UTC)
