"""Code actions: quick fixes, and all safe fixes at once."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from handoff_lsp.features import actions as feature
from handoff_lsp.server.convert import to_range, to_span, to_text_edit
from handoff_lsp.server.session import HandoffServer, Opened
from handoff_lsp.text import Edit

FIX_ALL = "source.fixAll.handoff"
QUICK_FIX = types.CodeActionKind.QuickFix.value


def code_actions(server: HandoffServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done about a range."""
    at = server.opened(params) if server.client.action_literals else None
    if at is None:
        return []
    found: list[types.CodeAction] = []
    if _wanted(QUICK_FIX, params.context):
        span = to_span(at.document.source, params.range, server.client.encoding)
        shown = params.context.diagnostics
        found += [_action(server, at, action, shown) for action in feature.actions(at.analysis, span)]
    # Nobody asked for a fix of the whole document who only moved the cursor.
    automatic = params.context.trigger_kind == types.CodeActionTriggerKind.Automatic and not params.context.only
    if not automatic and _wanted(FIX_ALL, params.context):
        every = feature.fix_all(at.analysis)
        if every is not None:
            edit = _workspace_edit(server, at, every.edits, snippets=False)
            found.append(types.CodeAction(every.title, kind=FIX_ALL, edit=edit))
    return found


def offer(server: HandoffServer) -> None:
    """Offer the kinds; a client without code action literals gets an empty answer and learns no kinds."""
    options = types.CodeActionOptions(code_action_kinds=[QUICK_FIX, FIX_ALL]) if server.client.action_literals else None
    server.on_request(types.TEXT_DOCUMENT_CODE_ACTION, code_actions, lambda _: [], options)


def _wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether a client asked for a kind: by none, by itself or by a parent of it."""
    asked = [_value(each) for each in context.only or ()]
    return not asked or any(not each or f"{kind}.".startswith(f"{each}.") for each in asked)


def _value(kind: str) -> str:
    return kind.value if isinstance(kind, types.CodeActionKind) else str(kind)


def _action(
    server: HandoffServer, at: Opened, action: feature.Action, shown: Sequence[types.Diagnostic]
) -> types.CodeAction:
    mended = None
    if action.finding is not None:
        where = to_range(at.document.source, action.finding.span, server.client.encoding)
        mended = [item for item in shown if item.code == action.finding.code and item.range == where] or None
    return types.CodeAction(
        title=action.title,
        kind=action.kind,
        diagnostics=mended,
        is_preferred=True if action.preferred and server.client.preferred else None,
        edit=_workspace_edit(server, at, action.edits, snippets=server.client.snippet_edits),
    )


def _workspace_edit(server: HandoffServer, at: Opened, edits: Sequence[Edit], *, snippets: bool) -> types.WorkspaceEdit:
    source, encoding = at.document.source, server.client.encoding
    if not server.client.document_changes:
        return types.WorkspaceEdit(changes={at.uri: [to_text_edit(source, edit, encoding) for edit in edits]})
    made: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = []
    for edit in edits:
        if snippets and edit.snippet is not None:
            made.append(types.SnippetTextEdit(to_range(source, edit.span, encoding), types.StringValue(edit.snippet)))
        else:
            made.append(to_text_edit(source, edit, encoding))
    document = types.OptionalVersionedTextDocumentIdentifier(at.uri, at.document.version)
    return types.WorkspaceEdit(document_changes=[types.TextDocumentEdit(document, made)])
