"""The command that checks all handoffs of the workspace."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from handoff_lsp.rules.rule import counted
from handoff_lsp.server.commands.arguments import Arguments
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.publishing.workspace_check import WorkspaceSummary
from handoff_lsp.server.publishing.workspace_check import check_workspace as check


async def check_workspace(server: HandoffServer, arguments: Arguments) -> dict[str, Any]:
    """Check all documents of the open folders, with progress. A message tells what was found, unless ``quiet``."""
    quiet = arguments.flag("quiet")
    if not server.resolver.workspaces:
        raise arguments.failed("no folder is open")
    summary = await check(server, work_done_token=arguments.progress)
    if not quiet:
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, _told(summary)))
    return summary._asdict()


def _told(summary: WorkspaceSummary) -> str:
    """A summary in words; what there is none of is left out, except for errors."""
    found = [counted(summary.errors, "error")]
    found += [counted(summary.warnings, "warning")] if summary.warnings else []
    told = f"{counted(summary.handoffs, 'handoff')} in {counted(summary.files, 'file')}: {', '.join(found)}"
    return f"Cancelled after {told}" if summary.cancelled else told
