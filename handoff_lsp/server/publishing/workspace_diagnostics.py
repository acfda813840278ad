"""Diagnostics of all documents of the workspace, for a client that pulls.

A client may send the result ids of its last request and then gets only new reports. VS Code asks again two seconds
after each answer, so a request with partial results is answered only when there is something new.
"""

from __future__ import annotations

from time import monotonic

from lsprotocol import types

from handoff_lsp.server.handlers import on_request
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.publishing.report import NOTHING, DocumentReport, Known, file_of
from handoff_lsp.server.publishing.work_progress import Progress

# A part of the answer is sent with this many documents, or this many seconds after the one before.
PART = 100
EVERY = 0.1

TITLE = "Checking handoffs"


class _Parts:
    """The answer to a request: sent in parts where the client takes them, else collected."""

    def __init__(self, server: HandoffServer, token: types.ProgressToken | None) -> None:
        self.items: list[types.WorkspaceDocumentDiagnosticReport] = []
        self.sent = False
        self._server = server
        self._token = token
        self._last = monotonic()

    def add(self, item: types.WorkspaceDocumentDiagnosticReport) -> None:
        """Add the report of a document."""
        self.items.append(item)
        if self._token is not None and (len(self.items) >= PART or monotonic() - self._last >= EVERY):
            self.flush()

    def flush(self) -> None:
        """Send the reports so far, if the client takes partial results."""
        self._last = monotonic()
        if self._token is not None and self.items:
            part = types.WorkspaceDiagnosticReportPartialResult(self.items)
            self._server.protocol.notify(types.PROGRESS, types.ProgressParams(self._token, part))
            self.items = []
            self.sent = True


@on_request(
    types.WORKSPACE_DIAGNOSTIC,
    offered=lambda client: client.pull,
    row=20,
    summary=(
        "All documents of the open folders, in parts, with progress and immediate cancellation. For clients "
        "that accept partial results, a request waits for changes, so an idle editor costs nothing."
    ),
    since="0.1",
)
async def pull(server: HandoffServer, params: types.WorkspaceDiagnosticParams) -> types.WorkspaceDiagnosticReport:
    """The answer to a request for the diagnostics of all documents. Cancelling ends it at any point."""
    reports = server.reports
    known = {full: Known(each.uri, each.value) for each in params.previous_result_ids if (full := file_of(each.uri))}
    in_parts = params.partial_result_token is not None
    answer = _Parts(server, params.partial_result_token)
    reports.notify_on_change = False
    if not server.client.watch:  # the client notifies no changes on disk
        reports.disk_changed()
    with Progress(server, params.work_done_token, TITLE) as progress:
        while True:
            revision = reports.revision
            # VS Code asks no more about a closed document, but keeps showing its last diagnostics.
            left = dict(reports.left)
            for full, uri in left.items():
                known.setdefault(full, Known(uri, NOTHING))
            async for report, is_new in reports.differing(known, progress.step):
                if is_new or not in_parts:
                    answer.add(_full(report) if is_new else _unchanged(report))
            answer.flush()
            for full in left:
                reports.left.pop(full, None)
            progress.end()
            # The first request is always answered, so that an empty workspace keeps no client waiting.
            if not in_parts or answer.sent or not reports.asked:
                break
            await reports.after(revision)
    reports.asked = True
    reports.notify_on_change = not in_parts
    return types.WorkspaceDiagnosticReport(answer.items)


def _full(report: DocumentReport) -> types.WorkspaceFullDocumentDiagnosticReport:
    result_id = report.id if report.id != NOTHING else None
    return types.WorkspaceFullDocumentDiagnosticReport(report.uri, report.items, report.version, result_id=result_id)


def _unchanged(report: DocumentReport) -> types.WorkspaceUnchangedDocumentDiagnosticReport:
    return types.WorkspaceUnchangedDocumentDiagnosticReport(report.uri, report.id, report.version)
