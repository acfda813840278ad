"""The reports of all documents of the workspace, open or not, and the wait for a change of one."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from time import monotonic

from lsprotocol import types

from handoff_lsp.engine import Analysis
from handoff_lsp.features.diagnostics import Diagnostic, diagnostics
from handoff_lsp.features.own_files import problems as own_problems
from handoff_lsp.server.publishing.handoff_list import HandoffList, Row, rows_of
from handoff_lsp.server.publishing.report import (
    NOTHING,
    DocumentReport,
    Known,
    handoffs_in,
    problems_of,
    result_id,
    uri_of_file,
)
from handoff_lsp.server.session.session import Session
from handoff_lsp.server.wire.convert import to_diagnostic, to_problem
from handoff_lsp.server.wire.scheduling import TimeSlice
from handoff_lsp.text.digest import text_digest
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.disk.walking import SUFFIXES
from handoff_lsp.workspace.memo import Reads
from handoff_lsp.workspace.store import OpenDocument

log: logging.Logger = logging.getLogger(__name__)

# Seconds. Changes in close succession are reported together, but no change waits longer than ``PATIENCE``.
QUIET = 0.1
PATIENCE = 0.5

# Takes the number of documents that are done, and the number of all.
Step = Callable[[int, int], None]


class _Found(NamedTuple):
    """The report and the rows of a file that is not open."""

    report: DocumentReport
    text: str  # the digest of its text
    rows: tuple[Row, ...]


class _Listed(NamedTuple):
    """The files on disk to check, and the problems of their configs, at a revision of the memo."""

    revision: int
    all_paths: tuple[str, ...]
    paths: tuple[str, ...]  # those whose config allows workspace diagnostics
    problems: tuple[ConfigError, ...]


class Reports:
    """The reports of a session, and the list of its handoffs.

    ``refresh`` asks a client to pull again; ``notify`` sends the client a notification without content.
    """

    def __init__(self, session: Session, refresh: Callable[[], object], notify: Callable[[str], object]) -> None:
        self._session = session
        self._refresh = refresh
        self.handoffs: HandoffList = HandoffList(session, self, notify)
        self._memo = session.documents.memo
        self._listed = _Listed(-1, (), (), ())
        self.revision: int = 0  # grows whenever any report may have changed
        self._changed = asyncio.Event()
        self.published: dict[str, Known] = {}  # of files that are not open, for a client that does not pull
        self.followed = False  # whether that is kept up to date
        self.asked = False  # whether a client has asked for all documents
        self.left: dict[str, str] = {}  # the URIs of files that were closed since the last answer about all documents
        self.notify_on_change: bool = False  # notify the client once when an answer that it has may be outdated

    def changed(self, document: OpenDocument) -> None:
        """The text of a document changed, or it was opened or closed."""
        if document.full:
            self.published.pop(document.full, None)  # since it was opened or closed, something else was published
            closed = self._session.documents.get(document.uri) is None
            if self.asked and closed:
                self.left[document.full] = document.uri
            others = self._session.documents.changed(document)
            if others:
                self.handoffs.changed(None)
            self._notify(others or closed)  # of a closed document its file counts from now on
        self.handoffs.changed(document)

    def disk_changed(self) -> None:
        """Files, configs, settings or the open folders may have changed."""
        self._session.documents.disk_changed()
        self.handoffs.changed(None)
        self._notify(others=True)

    async def after(self, revision: int) -> None:
        """Wait until some report may have changed since a revision, and the changes pause."""
        while self.revision == revision:
            await self._changed.wait()
        until, seen = monotonic() + PATIENCE, -1
        while seen != self.revision and monotonic() < until:
            seen = self.revision
            await asyncio.sleep(QUIET)

    def items(self, document: OpenDocument, analysis: Analysis) -> list[types.Diagnostic]:
        """The diagnostics of an open document, without those held back while it is being typed in."""
        session = self._session
        own = session.own_file(document)
        found = diagnostics(analysis) if own is None else own_problems(own)
        shown = session.typing.shown(document, found)
        items = self._items(document.uri, document, shown)
        if own is not None:
            return items
        # Problems beyond the end are about an earlier text.
        last = document.source.lines.count - 1
        return items + [one for one in problems_of(session, document.path) if one.range.start.line <= last]

    def of_open(self, document: OpenDocument, analysis: Analysis) -> DocumentReport:
        """The report of an open document."""
        items = self.items(document, analysis)
        report_id = result_id(text_digest(document.source.text), items)
        return DocumentReport(document.uri, document.full, document.version, items, report_id, handoffs_in(analysis))

    def of_file(self, full: str) -> DocumentReport | None:
        """The report of a file that is not open, at a client's request; None if its name is not one to check."""
        path = Path(full)
        if not full or not (full.lower().endswith(SUFFIXES) or self._session.resolver.is_data_file(path)):
            return None
        return self.of_closed(full, verify=True)

    def of_closed(self, full: str, *, verify: bool = False) -> DocumentReport | None:
        """The report of a file that is not open; None if it cannot be read. ``verify``: look at the disk now."""
        found = self._of(full, verify=verify)
        if found is None:
            return None
        report = found.report
        problems = problems_of(self._session, Path(full)) if self._session.problems else []
        if not problems:
            return report
        items = report.items + problems
        return report._replace(items=items, id=result_id(found.text, items))

    def at(self, full: str) -> DocumentReport | None:
        """The report of a document, open or not."""
        documents = self._session.documents
        document = documents.at(full)
        if document is None:
            return self.of_closed(full)
        return self.of_open(document, document.analysis(documents.resolver, documents.files))

    async def each(
        self, failed: set[str], step: Step = lambda _done, _all: None
    ) -> AsyncGenerator[DocumentReport, None]:
        """The reports of all documents in the open folders that hold handoffs or have diagnostics.

        Other messages are handled in between. ``step`` takes the number of checked documents, and of all;
        ``failed`` takes the paths of those whose check crashed.
        """
        turns = TimeSlice()
        await self.paths(turns)
        listed = self._listed
        opened = [full for full in self._opened() if self._is_wanted(full)]
        paths = dict.fromkeys([*listed.paths, *opened])
        for done, full in enumerate(paths):
            try:
                report = self.at(full)
            except Exception:
                log.exception("The check of %s failed", full)
                failed.add(full)
                report = None
            if report is not None and (report.handoffs or report.items):
                yield report
            if turns.is_over:
                step(done + 1, len(paths))
                await turns.rest()
        for path in dict.fromkeys(error.path for error in listed.problems):
            if path.is_absolute() and str(path) not in paths:
                items = [to_problem(error, self._session.client) for error in listed.problems if error.path == path]
                yield DocumentReport(self._session.uri_of(path), str(path), None, items, result_id("", items), 0)

    async def differing(
        self, known: Mapping[str, Known], step: Step = lambda _done, _all: None
    ) -> AsyncGenerator[tuple[DocumentReport, bool], None]:
        """Each report, and whether it differs from the one that a client has, by the ids in ``known``.

        A file that the client has a report of, and that no longer has one, gets an empty one with the id ``NOTHING``.
        """
        gone = dict(known)  # documents published meanwhile are still there
        failed: set[str] = set()
        async for report in self.each(failed, step):
            before = gone.pop(report.full, None)
            yield report, before is None or before.id != report.id
        for full, before in gone.items():
            if full in failed:
                continue  # an empty report would say that it is clean
            yield DocumentReport(before.uri, full, None, [], NOTHING, 0), True

    async def paths(self, turns: TimeSlice) -> tuple[str, ...]:
        """The absolute paths of all documents in the open folders. Other messages are handled in between."""
        for _ in self._list():
            if turns.is_over:
                await turns.rest()
        return self._listed.all_paths

    def rows_of_closed(self, full: str) -> tuple[Row, ...]:
        """The rows of a file that is not open, for the list of all handoffs."""
        found = self._of(full)
        return found.rows if found is not None else ()

    def _opened(self) -> Iterator[str]:
        for uri in self._session.documents.uris:
            document = self._session.documents.get(uri)
            if document is not None and document.full:
                yield document.full

    def _is_wanted(self, full: str) -> bool:
        return self._session.resolver.config(Path(full)).editor.workspace_diagnostics

    def _list(self) -> Iterator[None]:
        """List the files and the problems of their configs again, if the memo has a new revision."""
        revision, resolver = self._memo.revision, self._session.resolver
        if self._listed.revision == revision:
            return
        yield from self._session.project.list_in_steps()
        on_disk = dict.fromkeys(self._session.project.on_disk())  # without open documents, which may be closed by then
        wanted: list[str] = []
        problems: dict[ConfigError, None] = {}
        for folder, names in groupby(self._session.project.paths(), os.path.dirname):
            problems.update(dict.fromkeys(resolver.problems(Path(folder) / "_")))
            wanted += [full for full in names if full in on_disk and self._is_wanted(full)]
            yield
        self._listed = _Listed(revision, tuple(on_disk), tuple(wanted), tuple(problems))

    def _notify(self, others: bool) -> None:
        """Wake the requests that wait for a change; ``others``: documents that are not open may have changed, too."""
        if others and self.notify_on_change:
            self.notify_on_change = False
            self._refresh()
        self.revision += 1
        event, self._changed = self._changed, asyncio.Event()
        event.set()

    def _of(self, full: str, *, verify: bool = False) -> _Found | None:
        """The report and the rows of a file that is not open; None if it cannot be read."""

        def check(reads: Reads) -> _Found | None:
            closed = self._session.documents.closed(full, reads)
            reads.ask(Reports._folders, self)  # a row has the path from there
            return self._found(*closed) if closed is not None else None

        return self._memo.until_event(full, check, verify=verify)

    def _folders(self) -> tuple[str, ...]:
        return self._session.resolver.workspaces

    def _found(self, document: OpenDocument, analysis: Analysis) -> _Found:
        text, uri = text_digest(document.source.text), uri_of_file(document.full)
        items = self._items(uri, document, diagnostics(analysis))
        report = DocumentReport(uri, document.full, None, items, result_id(text, items), handoffs_in(analysis))
        return _Found(report, text, rows_of(self._session, uri, document, analysis))

    def _items(self, uri: str, document: OpenDocument, found: list[Diagnostic]) -> list[types.Diagnostic]:
        client, beside = self._session.client, self._session.uri_beside(document)
        return [to_diagnostic(item, document.source, uri, client, beside) for item in found]
