"""The page about a path from the workspace, as Markdown: the file, its handoffs, and other documents that name it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.decide.routing import decision, status_of
from handoff_lsp.decide.words import in_words, marked_line_of
from handoff_lsp.engine import judged
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.language import counted, say
from handoff_lsp.names.paths import named_paths
from handoff_lsp.text import Source
from handoff_lsp.workspace.disk.walking import SUFFIXES
from handoff_lsp.workspace.project import Project

# The most other documents, and the most handoffs of the file, to list.
_MOST_LISTED = 5


def path_page(path: str, context: Context) -> str:
    """The page about a path in a document: the file or folder there, and other documents that name it."""
    head = f"**{code(path, 200)}**"
    if not context.full:
        return head
    found = context.project.locate(context.full, path)
    if found is None:
        return paragraphs(
            say("{head} · not found", head=head), say("Looked in the workspace root and next to this file.")
        )
    if os.path.isdir(found):
        return paragraphs(
            say(
                "{head} · folder, {entries}",
                head=head,
                entries=counted(len(context.project.files.entries(found)), "entry", "entries"),
            )
        )
    may_be = found.lower().endswith(SUFFIXES) or context.project.resolver.is_data_file(Path(found))
    states = (context.project.of(found, _standing) or ()) if may_be else ()
    size = _size(context.project, found)
    display = context.display_path(found)
    return paragraphs(
        say("{head} · file, {size}", head=head, size=size) if size else say("{head} · file", head=head),
        say("At {path}.", path=code(display)) if display != path else "",
        *states[:_MOST_LISTED],
        _named_in(found, context),
    )


def _standing(source: Source, handoffs: Sequence[Handoff]) -> Sequence[str]:
    """The status and decision of each handoff of a document, a line each."""
    lines = []
    for handoff in judged(handoffs):
        if handoff.mode != "handoff":
            lines.append(f"**{prose(handoff.spec.contract.title)}** · {handoff.mode}")
            continue
        status, route = status_of(handoff), decision(handoff)
        known = status is not None
        state = say(" · status {status}", status=code(in_words(status))) if known else say(" · no readable status")
        then = f" · {prose(marked_line_of(handoff, route))}" if route is not None else ""
        lines.append(f"**{prose(handoff.spec.contract.title)}**{state}{then}")
    return tuple(lines)


def _named_in(target: str, context: Context) -> str:
    """The other documents that name a file, in words; empty without any."""
    name = os.path.basename(target)
    found: list[str] = []
    all_seen = True
    for full in context.documents():
        if full is None:
            all_seen = False
            break
        paths = context.project.of(full, _paths) if full not in {context.full, target} else None
        if any(
            os.path.basename(path.rstrip("/")) == name and context.project.locate(full, path) == target
            for path in paths or ()
        ):
            found.append(full)
    if not found:
        return ""
    listed = ", ".join(code(context.display_path(full)) for full in found[:_MOST_LISTED])
    more = say(" and {number} more", number=len(found) - _MOST_LISTED) if len(found) > _MOST_LISTED else ""
    return say(
        "Also named in {listed}{more}{others}.",
        listed=listed,
        more=more,
        others="" if all_seen else say(", others not looked at yet"),
    )


def _paths(source: Source, handoffs: Sequence[Handoff]) -> Sequence[str]:
    """The paths that a document names."""
    return tuple(dict.fromkeys(named.path for handoff in handoffs for named in named_paths(handoff)))


def _size(project: Project, full: str) -> str:
    content = project.files.content(full)
    if isinstance(content, Source):
        return say("open, {lines}", lines=counted(content.lines.count, "line"))
    if content is None:
        return ""
    size = content[1]
    return counted(size, "byte") if size < 1_000 else say("{size:,.1f} kB", size=size / 1000)
