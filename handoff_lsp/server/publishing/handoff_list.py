"""All handoffs of the open folders in one list, as an editor's own view shows them, and that it may be another.

A client is told only if it has declared ``experimental.handoff.didChangeHandoffs``, and only after it has asked once.
"""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Protocol

from handoff_lsp.engine import Analysis
from handoff_lsp.features.decision.overview import ListedHandoff, overviews
from handoff_lsp.server.session.session import Session
from handoff_lsp.server.wire.convert import plain_range, to_range
from handoff_lsp.server.wire.scheduling import Debounce, TimeSlice
from handoff_lsp.workspace.config.config_file import relative_to
from handoff_lsp.workspace.store import OpenDocument

log = logging.getLogger(__name__)

CHANGED = "handoff/didChangeHandoffs"

# All that happens within so many seconds is told at once.
MOMENT = 0.3

Row = dict[str, Any]


class _Reports(Protocol):
    """What the list asks the reports of a session."""

    async def paths(self, turns: TimeSlice) -> tuple[str, ...]: ...
    def rows_of_closed(self, full: str) -> tuple[Row, ...]: ...


class HandoffList:
    """The list of a session, and what was last told of each document (by path, where it is no file by URI)."""

    def __init__(self, session: Session, reports: _Reports, notify: Callable[[str], object]) -> None:
        self._session = session
        self._reports = reports
        self._notify = notify
        self._soon = Debounce(MOMENT, self._tell)
        self._told: dict[str, tuple[Row, ...]] | None = None  # None: nobody has asked
        self._changed: set[str] = set()  # documents that were opened, changed or closed since
        self._others = False  # whether others may have changed, too

    async def rows(self) -> list[Row]:
        """The handoffs of the open folders and of the open documents, by path and line.

        Messages are let through in between. Where nobody tells of changed files, all are looked at again.
        """
        session = self._session
        if not session.client.watch:
            session.documents.disk_changed()
        self._others = False
        told = self._told = self._told or {}  # what changes from here on is told
        found: dict[str, tuple[Row, ...]] = {}
        turns = TimeSlice()
        for key in dict.fromkeys([*await self._reports.paths(turns), *self._open()]):
            found[key] = told[key] = self._of(key)
            if turns.is_over:
                await turns.rest()
        self._told = {key: rows for key, rows in told.items() if key in found}
        return sorted((row for rows in found.values() for row in rows), key=_place)

    def changed(self, document: OpenDocument | None) -> None:
        """A document was opened, edited or closed, or (None) any other may have changed: notify soon, if it shows."""
        if self._told is not None and self._session.client.lists_handoffs:
            if document is not None:
                self._changed.add(document.full or document.uri)
            self._others |= document is None
            self._soon.ask()

    def _tell(self) -> None:
        changed, self._changed = self._changed, set()
        told, differs = self._told or {}, self._others
        self._others = False
        for key in changed | self._open():
            rows = self._of(key)
            differs = differs or rows != told.get(key, ())
            told[key] = rows
        if differs:
            self._notify(CHANGED)

    def _open(self) -> set[str]:
        documents = self._session.documents
        return {document.full or uri for uri in documents.uris if (document := documents.get(uri)) is not None}

    def _of(self, key: str) -> tuple[Row, ...]:
        """What the list tells of a document, open or not; nothing where its check crashes."""
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
    """What the list tells of a document's handoffs, ready to be sent."""
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
        "status": listed.status,
        "unread": listed.unread,
        "agent": listed.agent,
        "openQuestions": listed.open_questions,
        "changed": listed.changed or changed,
        "action": listed.action,
        "reason": listed.reason,
        "brief": listed.brief,
        "errors": listed.errors,
        "warnings": listed.warnings,
    }


def _path(session: Session, uri: str, document: OpenDocument) -> str:
    """A document's path from the folder that is open, else from its root; where it is no file its URI."""
    inner = (relative_to(document.full, folder) for folder in session.resolver.workspaces)
    return next((name for name in inner if name), None) or session.resolver.name(document.path) or uri


def _changed(document: OpenDocument) -> str | None:
    """The time of a document's file."""
    try:
        seconds = os.stat(document.full).st_mtime
    except (OSError, ValueError):
        return None
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _place(row: Row) -> tuple[str, int, str]:
    return row["path"], row["range"]["start"]["line"], row["uri"]
