"""Requests about contract files."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.contract_files.problems import Correction, corrections
from handoff_lsp.server.handlers import in_contract_file
from handoff_lsp.server.requests.code_actions import QUICK_FIX, is_wanted
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.session.workspace_edits import workspace_edit


@in_contract_file(
    types.TEXT_DOCUMENT_CODE_ACTION, row=90, summary="a quick fix for a name that is almost right.", since="0.1"
)
def code_actions(request: Request, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The quick fixes for a range."""
    file, context = request.contract_file, params.context
    if file is None or not request.client.action_literals or not is_wanted(QUICK_FIX, context):
        return []
    found = corrections(file, request.to_span(params.range))
    return [_action(request, item, context) for item in found]


def _action(request: Request, item: Correction, context: types.CodeActionContext) -> types.CodeAction:
    where = request.to_range(item.problem.span)
    shown = [each for each in context.diagnostics if each.range == where and each.message == item.problem.message]
    return types.CodeAction(
        item.title,
        kind=QUICK_FIX,
        diagnostics=shown or None,
        is_preferred=True if request.client.preferred else None,
        edit=workspace_edit(request.session, [(request.uri, [request.to_text_edit(item.edit)])]),
    )
