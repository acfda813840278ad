"""Code actions: quick fixes, refactorings, and source actions on the whole document."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from lsprotocol import types

from handoff_lsp.features.actions import offered as feature
from handoff_lsp.features.actions.action import Change
from handoff_lsp.features.actions.fix_all import TITLE, why_none
from handoff_lsp.language import translated
from handoff_lsp.server.commands.as_actions import KIND as COMMANDS
from handoff_lsp.server.commands.as_actions import command_actions
from handoff_lsp.server.handlers import on_document, on_request
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.session.workspace_edits import TextEdit, creation, workspace_edit
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.convert import to_text_edit
from handoff_lsp.text import Edit, Source, Span
from handoff_lsp.workspace.config.edit import turning_off

QUICK_FIX: feature.ActionKind = "quickfix"
# The command of a client that declares `experimental.handoff.choose`: it lets the user pick one of `choices`, resolves
# its code action and applies it.
CHOOSE = "handoff-lsp.choose"
# A move of the cursor alone never asks for a change of the whole document.
_ONLY_ASKED_FOR = "source."


def _offer(client: Client) -> types.CodeActionOptions | None:
    """The kinds of code actions on offer; None for a client without code action literals."""
    if not client.action_literals:
        return None
    kinds: list[types.CodeActionKind | str] = [*feature.KINDS, COMMANDS]
    return types.CodeActionOptions(code_action_kinds=kinds, resolve_provider=client.resolves_edits)


@on_document(
    types.TEXT_DOCUMENT_CODE_ACTION,
    empty=[],
    options=_offer,
    row=90,
    summary=(
        "Quick fixes and suppression comments; `source.fixAll.handoff` for all safe fixes and "
        "`source.organize.handoff` for the contract's order; `refactor.rewrite.handoff`: set the status with "
        "the fields it requires, put labels into a fence and back, convert to another profile; "
        "`refactor.extract.handoff`: to JSON. Equal choices are one action for a client that declares "
        "`experimental.handoff.choose`: its command `handoff-lsp.choose` gets `{title, choices: [{label, about, "
        "action}]}` and applies the code action that the user picks. Other clients list at most four of them."
    ),
    since="0.1",
)
def code_actions(request: Request, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The code actions for a range."""
    if not request.client.action_literals:
        return []
    context = params.context
    automatic = context.trigger_kind == types.CodeActionTriggerKind.Automatic and not context.only
    span = request.to_span(params.range)
    found: list[feature.Action] = []
    for kind in feature.KINDS:
        if is_wanted(kind, context) and not (automatic and kind.startswith(_ONLY_ASKED_FOR)):
            found += feature.offered(request.analysis, span, kind, _is_free(request))
    if not context.only and any(action.kind == QUICK_FIX for action in found):
        found = [action for action in found if _has_room(request.client, action, found)]
        commands = []
    else:
        commands = command_actions(request, context)
    found.sort(key=lambda action: action.last)
    if not request.client.chooses:
        found = list(feature.spread(found))
    actions = [_action(request, action, context.diagnostics) for action in found]
    if context.only and not found:
        commands += _disabled(request, context)
    return [*(action for action in actions if action is not None), *commands]


def _disabled(request: Request, context: types.CodeActionContext) -> Iterator[types.CodeAction]:
    """What a user asks for and does not get, with the reason, for a client that shows it."""
    kind: feature.ActionKind = "source.fixAll.handoff"
    by_user = context.trigger_kind != types.CodeActionTriggerKind.Automatic
    if request.client.disabled_actions and by_user and is_wanted(kind, context):
        reason = types.CodeActionDisabled(why_none(request.analysis))
        yield types.CodeAction(translated(TITLE), kind=kind, disabled=reason)


def _has_room(client: Client, action: feature.Action, found: Sequence[feature.Action]) -> bool:
    """Whether an action is listed beside the quick fixes of a place, if the client asks for no kind.

    A client that can choose shows source actions elsewhere; in the list of another one, choices take too many lines.
    """
    fixes = [other for other in found if other.kind == QUICK_FIX]
    if action in fixes:
        return True
    if client.chooses:
        twice = any(action.title == other.title for other in fixes)
        return not twice and not action.kind.startswith(_ONLY_ASKED_FOR)
    return not action.choices or all(other.last for other in fixes)


@on_request(
    types.CODE_ACTION_RESOLVE,
    failed=lambda action: action,
    row=90,
    summary="The edit of a refactoring or source action, for the current text.",
    since="0.1",
)
def resolve(server: HandoffServer, action: types.CodeAction) -> types.CodeAction:
    """The action with its edit, computed for the current text; without one if it is no longer offered."""
    data = action.data
    uri, kind, key = (_text(data, name) for name in ("uri", "kind", "key"))
    request = server.opened(uri)
    if request is None or kind not in feature.KINDS:
        return action
    found = feature.find(request.analysis, kind, key, _is_free(request))
    if found is not None:
        action.edit = _workspace_edit(request, found.change, snippets=False)
    return action


def is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Whether a client wants a kind of action: it names the kind, a parent of it, or no kinds."""
    asked = [each.value if isinstance(each, types.CodeActionKind) else str(each) for each in context.only or ()]
    return not asked or any(not each or f"{kind}.".startswith(f"{each}.") for each in asked)


def _text(data: Any, name: str) -> str:
    """A text in the data that a client returns with an action; empty if missing."""
    found = data.get(name) if isinstance(data, dict) else getattr(data, name, None)
    return found if isinstance(found, str) else ""


def _is_free(request: Request) -> Callable[[str], bool]:
    """A test whether a name is free beside the document; always false if the client cannot create files."""
    path = request.path
    if path is None or not request.client.creates_files:
        return lambda _: False
    return lambda name: not os.path.lexists(os.path.join(path.parent, name))


def _action(request: Request, action: feature.Action, shown: Sequence[types.Diagnostic]) -> types.CodeAction | None:
    """An action in the form that the client supports; None if it has no edit."""
    code_action = types.CodeAction(action.title, kind=action.kind)
    mended = [(each.code, request.to_range(each.span)) for each in (action.finding, *action.also) if each is not None]
    code_action.diagnostics = [item for item in shown if (item.code, item.range) in mended] or None
    if action.choices:
        return _with_choices(request, action, code_action)
    code_action.is_preferred = True if action.preferred and request.client.preferred else None
    if request.client.resolves_edits and action.key:
        code_action.data = {
            "uri": request.uri,
            "version": request.document.version,
            "kind": action.kind,
            "key": action.key,
        }
        return code_action
    if action.change.off:
        code_action.edit = _config_edit(request, action.change.off)
        return code_action if code_action.edit is not None else None
    if not action.edits and action.change.file is None:
        return None
    snippets = request.client.snippet_edits and action.kind == QUICK_FIX
    code_action.edit = _workspace_edit(request, action.change, snippets=snippets)
    return code_action


def _with_choices(request: Request, action: feature.Action, code_action: types.CodeAction) -> types.CodeAction | None:
    """An action that lets the user choose among others, in the client; None if none of them is possible."""
    found = [(choice, _action(request, choice.action, ())) for choice in action.choices]
    choices = [{"label": one.label, "about": one.about, "action": made} for one, made in found if made is not None]
    arguments = [{"title": action.title, "choices": choices}]
    code_action.command = types.Command(action.title, CHOOSE, arguments=arguments)
    return code_action if choices else None


def _config_edit(request: Request, rule: str) -> types.WorkspaceEdit | None:
    """The edit that turns a rule off in the document's config; None if no config file can be written."""
    session, path = request.session, request.path
    addition = turning_off(session.resolver, path, rule) if path is not None else None
    if addition is None:
        return None
    uri = session.uri_of(addition.path)
    if addition.before is None:
        created = creation(uri, addition.text) if request.client.creates_files else []
        return workspace_edit(session, [], created) if created else None
    source = Source(addition.before)
    end = Edit(Span(len(source), len(source)), addition.text)
    return workspace_edit(session, [(uri, [to_text_edit(source, end, request.client.encoding)])])


def _workspace_edit(request: Request, change: Change, *, snippets: bool) -> types.WorkspaceEdit:
    edits = [_edit(request, edit, snippets=snippets) for edit in change.edits]
    file, path = change.file, request.path
    created = (
        creation(request.session.uri_of(path.parent / file.name), file.text)
        if file is not None and path is not None
        else []
    )
    return workspace_edit(request.session, [(request.uri, edits)] if edits else [], created)


def _edit(request: Request, edit: Edit, *, snippets: bool) -> TextEdit:
    if snippets and edit.snippet is not None:
        return types.SnippetTextEdit(request.to_range(edit.span), types.StringValue(edit.snippet))
    return request.to_text_edit(edit)
