"""The check of all documents of the workspace at a user's request, and the diagnostics of those that are not open.

From then on a client that does not pull gets every change of these diagnostics, on disk or by an edit of another
document. A client that pulls is asked to pull.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from lsprotocol import types

from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.publishing.report import DocumentReport, Known
from handoff_lsp.server.publishing.reports import Step
from handoff_lsp.server.publishing.work_progress import Progress, new_token
from handoff_lsp.text.named_tuple import NamedTuple

TITLE = "Checking the workspace's handoffs"

_COUNTED = {
    types.DiagnosticSeverity.Error: "errors",
    types.DiagnosticSeverity.Warning: "warnings",
    types.DiagnosticSeverity.Information: "information",
    types.DiagnosticSeverity.Hint: "hints",
}


class WorkspaceSummary(NamedTuple):
    """The numbers of files with handoffs or findings, of handoffs, and of findings by severity.

    ``cancelled``: the user has ended it before all files were checked.
    """

    files: int = 0
    handoffs: int = 0
    errors: int = 0
    warnings: int = 0
    information: int = 0
    hints: int = 0
    cancelled: bool = False

    def with_report(self, report: DocumentReport) -> WorkspaceSummary:
        """The summary with one more document."""
        counts = dict.fromkeys(_COUNTED.values(), 0)
        for item in report.items:
            if item.severity is not None:
                counts[_COUNTED[item.severity]] += 1
        return WorkspaceSummary(
            self.files + 1,
            self.handoffs + report.handoffs,
            self.errors + counts["errors"],
            self.warnings + counts["warnings"],
            self.information + counts["information"],
            self.hints + counts["hints"],
        )


async def check_workspace(
    server: HandoffServer, *, work_done_token: types.ProgressToken | None = None
) -> WorkspaceSummary:
    """Check all documents of the open folders as they are now, with progress that can be cancelled."""
    token = work_done_token if work_done_token is not None else await new_token(server)
    server.reports.disk_changed()
    summary = WorkspaceSummary()
    with Progress(server, token, TITLE) as progress:
        try:
            async with aclosing(_look(server, progress.step)) as reports:
                async for report in reports:
                    summary = summary.with_report(report)
        except asyncio.CancelledError:
            if not progress.cancelled:
                raise
            progress.end("Cancelled")
            return summary._replace(cancelled=True)
    if server.client.pull:
        server.refresh.ask()
    elif not server.reports.followed:
        server.reports.followed = True
        server.spawn(_follow(server))
    return summary


async def _look(server: HandoffServer, step: Step = lambda _done, _all: None) -> AsyncGenerator[DocumentReport, None]:
    """The reports of all documents. A client that does not pull gets the new ones of documents that are not open."""
    published = server.reports.published
    async with aclosing(server.reports.differing(published, step)) as reports:
        async for report, is_new in reports:
            if report.id:
                yield report
            if is_new and not server.client.pull and server.documents.at(report.full) is None:
                published.pop(report.full, None)
                if report.id:
                    published[report.full] = Known(report.uri, report.id)
                server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(report.uri, report.items))


async def _follow(server: HandoffServer) -> None:
    """Publish changed reports. After a failure, the next check publishes all of them."""
    try:
        while True:
            revision = server.reports.revision
            async for _ in _look(server):
                pass
            await server.reports.after(revision)
    finally:
        server.reports.followed = False
