"""The commands as code actions, for editors without an extension of ours; only when the user asks for actions."""

from __future__ import annotations

import os
from collections.abc import Iterator

from lsprotocol import types

from handoff_lsp.decide.routing import decision
from handoff_lsp.features.new.suggestions import suggestions
from handoff_lsp.features.new.template_insertion import is_empty
from handoff_lsp.language import say
from handoff_lsp.server.commands.execute import CHECK_WORKSPACE, EXPORT_JSON, INSERT_TEMPLATE, SHOW_ROUTING
from handoff_lsp.server.session.session import Request

KIND = "source.handoff"


def command_actions(request: Request, context: types.CodeActionContext) -> list[types.CodeAction]:
    """The commands for a document as a whole. None for a mere move of the cursor.

    A document with text but without a handoff gets none, either.
    """
    return [
        types.CodeAction(command.title, kind=kind, command=command)
        for command in _commands(request)
        if _is_asked(kind := f"{KIND}.{command.command.partition('.')[2]}", context)
    ]


def _is_asked(kind: str, context: types.CodeActionContext) -> bool:
    """Whether the client names a kind or a parent of it, or names no kinds and the user invoked the list."""
    if not context.only:
        return context.trigger_kind == types.CodeActionTriggerKind.Invoked
    asked = [each.value if isinstance(each, types.CodeActionKind) else each for each in context.only]
    return any(each and f"{kind}.".startswith(f"{each}.") for each in asked)


def _commands(request: Request) -> Iterator[types.Command]:
    analysis, here = request.analysis, {"uri": request.uri}
    if is_empty(analysis) and request.client.applies_edits:
        made = suggestions(request.registry, analysis.path, analysis.options, {}, ())
        names = [each.contract for each in made]
        title = say("Insert a handoff ({contract})", contract=names[0]) if len(names) == 1 else say("Insert a handoff…")
        if names:
            yield types.Command(title, INSERT_TEMPLATE, arguments=[here])
    if not analysis.handoffs:
        return
    if any(decision(handoff) is not None for handoff in analysis.handoffs):
        yield types.Command(say("Show what the orchestrator does"), SHOW_ROUTING, arguments=[here])
    to = _free_name(request)
    if to is not None:
        yield types.Command(say("Export as JSON to `{path}`", path=to), EXPORT_JSON, arguments=[{**here, "to": to}])
    if request.session.resolver.workspaces:
        yield types.Command(say("Check all handoffs of the workspace"), CHECK_WORKSPACE)


def _free_name(request: Request) -> str | None:
    """The path from the root for an export beside a document; None if it exists or the client cannot create it."""
    path, client, session = request.path, request.client, request.session
    root = session.resolver.root(path) if path is not None else None
    if path is None or root is None or not (client.applies_edits and client.creates_files):
        return None
    name = f"{os.path.splitext(session.resolver.name(path))[0]}.handoffs.jsonl"
    full = session.documents.files.inside(str(root), name, str(root))
    return name if full is not None and not session.documents.files.exists(full) else None
