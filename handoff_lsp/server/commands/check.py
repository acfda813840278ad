"""The command that checks all handoffs of the workspace."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from handoff_lsp.language import counted, say
from handoff_lsp.server.commands.arguments import Arguments
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.publishing.workspace_check import WorkspaceSummary
from handoff_lsp.server.publishing.workspace_check import check_workspace as check


async def check_workspace(server: HandoffServer, arguments: Arguments) -> dict[str, Any]:
    """Check all documents of the open folders, with progress. A message shows the summary, unless ``quiet``."""
    quiet = arguments.flag("quiet")
    if not server.resolver.workspaces:
        raise arguments.failed("no folder is open")
    summary = await check(server, work_done_token=arguments.progress)
    if not quiet:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, _summary_text(summary)))
    return summary._asdict()


def _summary_text(summary: WorkspaceSummary) -> str:
    """A summary as a sentence, which leaves out zero warnings but not zero errors."""
    counts = [counted(summary.errors, "error")]
    counts += [counted(summary.warnings, "warning")] if summary.warnings else []
    text = say(
        "{handoffs} in {files}: {counts}",
        handoffs=counted(summary.handoffs, "handoff"),
        files=counted(summary.files, "file"),
        counts=", ".join(counts),
    )
    return say("Cancelled after {summary}", summary=text) if summary.cancelled else text
