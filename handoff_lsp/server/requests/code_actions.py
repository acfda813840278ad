"""Code actions: quick fixes, refactorings, and what mends or orders a whole document."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from lsprotocol import types

from handoff_lsp.features.actions import offered as feature
from handoff_lsp.features.actions.action import Change
from handoff_lsp.server.commands.as_actions import KIND as COMMANDS
from handoff_lsp.server.commands.as_actions import command_actions
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Opened
from handoff_lsp.server.session.workspace_edits import TextEdit, creation, workspace_edit
from handoff_lsp.server.wire.convert import to_range, to_span, to_text_edit
from handoff_lsp.text import Edit, Source, Span
from handoff_lsp.workspace.config.edit import turning_off

QUICK_FIX: feature.ActionKind = "quickfix"
# Nobody asked for a change of the whole document who only moved the cursor.
_ONLY_ASKED_FOR = "source."


def code_actions(server: HandoffServer, params: types.CodeActionParams) -> list[types.CodeAction]:
    """What can be done at a range."""
    at = server.opened(params) if server.client.action_literals else None
    if at is None:
        return []
    context = params.context
    automatic = context.trigger_kind == types.CodeActionTriggerKind.Automatic and not context.only
    span = to_span(at.document.source, params.range, server.client.encoding)
    found: list[types.CodeAction] = []
    for kind in feature.KINDS:
        if not is_wanted(kind, context) or (automatic and kind.startswith(_ONLY_ASKED_FOR)):
            continue
        for action in feature.offered(at.analysis, span, kind, _is_free(server, at)):
            made = _action(server, at, action, context.diagnostics)
            if made is not None:
                found.append(made)
    return [*found, *command_actions(server, at, context)]


def resolve(server: HandoffServer, action: types.CodeAction) -> types.CodeAction:
    """An action with its edit, made for the text as it is now; without one where it is not offered any more."""
    data = action.data
    uri, kind, key = (_text(data, name) for name in ("uri", "kind", "key"))
    at = server.opened(types.DocumentSymbolParams(types.TextDocumentIdentifier(uri)))
    if at is None or kind not in feature.KINDS:
        return action
    found = feature.find(at.analysis, kind, key, _is_free(server, at))
    if found is not None:
        action.edit = _workspace_edit(server, at, found.change, snippets=False)
    return action


def offer(server: HandoffServer) -> None:
    """Offer the kinds; a client without code action literals gets an empty answer and learns no kinds."""
    options = None
    if server.client.action_literals:
        kinds: list[types.CodeActionKind | str] = [*feature.KINDS, COMMANDS]
        options = types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=server.client.resolves_edits)
    server.on_request(types.TEXT_DOCUMENT_CODE_ACTION, code_actions, lambda _: [], options)
    server.on_request(types.CODE_ACTION_RESOLVE, resolve, lambda action: action)


def is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether a client asked for a kind: by none, by itself or by a parent of it."""
    asked = [each.value if isinstance(each, types.CodeActionKind) else str(each) for each in context.only or ()]
    return not asked or any(not each or f"{kind}.".startswith(f"{each}.") for each in asked)


def _text(data: Any, name: str) -> str:
    """A text in what a client sends back of an action; empty where it is not there."""
    found = data.get(name) if isinstance(data, dict) else getattr(data, name, None)
    return found if isinstance(found, str) else ""


def _is_free(server: HandoffServer, at: Opened) -> Callable[[str], bool]:
    """Whether the client can create a file beside a document, and nothing is there yet under a name."""
    path = at.document.path
    if path is None or not server.client.creates_files:
        return lambda _: False
    return lambda name: not os.path.lexists(os.path.join(path.parent, name))


def _action(
    server: HandoffServer, at: Opened, action: feature.Action, shown: Sequence[types.Diagnostic]
) -> types.CodeAction | None:
    """An action as the client takes it; None where it comes to nothing."""
    made = types.CodeAction(action.title, kind=action.kind)
    if action.finding is not None:
        where = to_range(at.document.source, action.finding.span, server.client.encoding)
        made.diagnostics = [item for item in shown if item.code == action.finding.code and item.range == where] or None
    made.is_preferred = True if action.preferred and server.client.preferred else None
    if server.client.resolves_edits and action.key:
        made.data = {"uri": at.uri, "version": at.document.version, "kind": action.kind, "key": action.key}
        return made
    if action.change.off:
        made.edit = _config_edit(server, at, action.change.off)
        return made if made.edit is not None else None
    if not action.edits and action.change.file is None:
        return None
    snippets = server.client.snippet_edits and action.kind == QUICK_FIX
    made.edit = _workspace_edit(server, at, action.change, snippets=snippets)
    return made


def _config_edit(server: HandoffServer, at: Opened, rule: str) -> types.WorkspaceEdit | None:
    """What turns a rule off for a document in its config; None where there is no file to write it into."""
    path = at.document.path
    addition = turning_off(server.resolver, path, rule) if path is not None else None
    if addition is None:
        return None
    uri = server.uri_of(addition.path)
    if addition.before is None:
        created = creation(uri, addition.text) if server.client.creates_files else []
        return workspace_edit(server, [], created) if created else None
    source = Source(addition.before)
    end = Edit(Span(len(source), len(source)), addition.text)
    return workspace_edit(server, [(uri, [to_text_edit(source, end, server.client.encoding)])])


def _workspace_edit(server: HandoffServer, at: Opened, change: Change, *, snippets: bool) -> types.WorkspaceEdit:
    edits = [_edit(server, at.document.source, edit, snippets=snippets) for edit in change.edits]
    file, path = change.file, at.document.path
    created = (
        creation(server.uri_of(path.parent / file.name), file.text) if file is not None and path is not None else []
    )
    return workspace_edit(server, [(at.uri, edits)] if edits else [], created)


def _edit(server: HandoffServer, source: Source, edit: Edit, *, snippets: bool) -> TextEdit:
    if snippets and edit.snippet is not None:
        where = to_range(source, edit.span, server.client.encoding)
        return types.SnippetTextEdit(where, types.StringValue(edit.snippet))
    return to_text_edit(source, edit, server.client.encoding)
