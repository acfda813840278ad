"""The list of all handoffs in the open folders, for an editor's own view, and the notification of its changes.

Only a client that declares ``experimental.handoff.didChangeHandoffs`` is notified, after its first request.
"""

from __future__ import annotations

import logging
import math
import os
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Protocol

from handoff_lsp.contracts.field_types import timestamp_of
from handoff_lsp.decide.words import isolated, urgency
from handoff_lsp.engine import Analysis
from handoff_lsp.features.decision.overview import ListedHandoff, overviews
from handoff_lsp.rules.rule import shown
from handoff_lsp.server.session.session import Session
from handoff_lsp.server.wire.convert import plain_range, to_range
from handoff_lsp.server.wire.scheduling import Debounce, TimeSlice
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.workspace.config.config_file import relative_to
from handoff_lsp.workspace.store import OpenDocument

log: logging.Logger = logging.getLogger(__name__)

CHANGED = "handoff/didChangeHandoffs"

# Seconds. All changes within this time cause one notification.
MOMENT = 0.3

# Nobody numbers more files; `int` has a limit of its own.
_NUMBER = lazy_pattern(r"(?a:(\d{1,18}))")

Row = dict[str, Any]


class _Reports(Protocol):
    """The part of a session's reports that the list uses."""

    async def paths(self, turns: TimeSlice) -> tuple[str, ...]: ...
    def rows_of_closed(self, full: str) -> tuple[Row, ...]: ...


class HandoffList:
    """The list of a session, with the last rows of each document by its path; by its URI if it is no file."""

    def __init__(self, session: Session, reports: _Reports, notify: Callable[[str], object]) -> None:
        self._session = session
        self._reports = reports
        self._notify = notify
        self._soon = Debounce(MOMENT, self._notify_change)
        self._sent: dict[str, tuple[Row, ...]] | None = None  # None before the first request
        self._changed: set[str] = set()  # documents that were opened, changed or closed since
        self._others = False  # whether others may have changed, too

    async def rows(self) -> list[Row]:
        """The handoffs of the open folders and of the open documents, those that need a person first.

        Other messages are handled in between. For a client that does not watch files, all files are verified.
        """
        session = self._session
        if not session.client.watch:
            session.documents.disk_changed()
        self._others = False
        sent = self._sent = self._sent or {}  # changes from here on cause a notification
        found: dict[str, tuple[Row, ...]] = {}
        turns = TimeSlice()
        for key in dict.fromkeys([*await self._reports.paths(turns), *self._open()]):
            found[key] = sent[key] = self._of(key)
            if turns.is_over:
                await turns.rest()
        self._sent = {key: rows for key, rows in sent.items() if key in found}
        return _told_apart(sorted((row for rows in found.values() for row in rows), key=_order))

    def changed(self, document: OpenDocument | None) -> None:
        """A document was opened, edited or closed; None: any other may have changed. Notifies soon if rows differ."""
        if self._sent is not None and self._session.client.lists_handoffs:
            if document is not None:
                self._changed.add(document.full or document.uri)
            self._others |= document is None
            self._soon.ask()

    def _notify_change(self) -> None:
        changed, self._changed = self._changed, set()
        sent, differs = self._sent or {}, self._others
        self._others = False
        for key in changed | self._open():
            rows = self._of(key)
            differs = differs or rows != sent.get(key, ())
            sent[key] = rows
        if differs:
            self._notify(CHANGED)

    def _open(self) -> set[str]:
        documents = self._session.documents
        return {document.full or uri for uri in documents.uris if (document := documents.get(uri)) is not None}

    def _of(self, key: str) -> tuple[Row, ...]:
        """The rows of a document, open or not; none if its check crashes."""
        documents = self._session.documents
        document = documents.get(key) or documents.at(key)
        try:
            if document is None:
                listed = key in self._session.project.paths(listed_for=math.inf)  # not in a folder: closed and gone
                return self._reports.rows_of_closed(key) if listed else ()
            analysis = document.analysis(documents.resolver, documents.files)
            return rows_of(self._session, document.uri, document, analysis)
        except Exception:
            log.exception("The check of %s failed", key)
            return ()


def rows_of(session: Session, uri: str, document: OpenDocument, analysis: Analysis) -> tuple[Row, ...]:
    """The rows of a document's handoffs, ready to be sent."""
    found = overviews(analysis)
    if not found:
        return ()
    path, changed = _path(session, uri, document), _changed(document)
    return tuple(_row(session, uri, path, document, each, changed) for each in found)


def _row(
    session: Session, uri: str, path: str, document: OpenDocument, listed: ListedHandoff, changed: str | None
) -> Row:
    return {
        "uri": uri,
        "path": path,
        "range": plain_range(to_range(document.source, listed.span, session.client.encoding)),
        "contract": listed.contract,
        "title": listed.title,
        "profile": listed.profile,
        "label": listed.label or _name(path),
        "status": listed.status,
        "statusText": listed.status_text,
        "unread": listed.unread,
        "agent": listed.agent,
        "openQuestions": listed.open_questions,
        "changed": listed.changed or changed,
        "action": listed.action,
        "needsPerson": listed.needs_person,
        "reason": listed.reason,
        "brief": listed.brief,
        "markdown": listed.markdown,
        "errors": listed.errors,
        "warnings": listed.warnings,
        "unfilled": listed.unfilled,
    }


def _path(session: Session, uri: str, document: OpenDocument) -> str:
    """A document's path from its open folder, else from its root; its URI if it is no file."""
    inner = (relative_to(document.full, folder) for folder in session.resolver.workspaces)
    return next((name for name in inner if name), None) or session.resolver.name(document.path) or uri


def _changed(document: OpenDocument) -> str | None:
    """The time at which a document's file was last changed; None without a file."""
    try:
        seconds = os.stat(document.full).st_mtime
    except (OSError, ValueError):
        return None
    return timestamp_of(datetime.fromtimestamp(seconds, UTC))


def _told_apart(rows: list[Row]) -> list[Row]:
    """The rows with the file's name in labels that are the same: an agent may write two files in a folder."""
    labels = Counter(row["label"] for row in rows)
    return [{**row, "label": _with_file(row)} if labels[row["label"]] > 1 else row for row in rows]


def _with_file(row: Row) -> str:
    label, name = row["label"], _name(row["path"])
    return label if name in label else f"{label} · {name}"


def _name(path: str) -> str:
    """The last part of a path, or of the URI of a document that is no file, for a label."""
    return isolated(shown(path.rpartition("/")[2], 40))


def _order(row: Row) -> tuple[int, tuple[tuple[int, str], ...], int, str]:
    """The key of a row's place in the list: what needs a person first, then by path with its numbers as numbers."""
    path = tuple((int(part), "") if part.isdecimal() else (-1, part) for part in _NUMBER.split(row["path"].casefold()))
    return urgency(row["action"]), path, row["range"]["start"]["line"], row["uri"]
