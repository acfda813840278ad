"""The command that inserts a new handoff."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import Any

from lsprotocol import types

from handoff_lsp.contracts.model import Mode
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.features.new.suggestions import Suggestion, decided_profile, suggestions
from handoff_lsp.features.new.template_insertion import CannotInsert, insert, profile_of
from handoff_lsp.language import say
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.server.commands.arguments import Arguments
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.session.workspace_edits import workspace_edit
from handoff_lsp.server.wire.convert import path_of
from handoff_lsp.text import Edit
from handoff_lsp.writing.skeleton_document import form_of

_MODES: dict[str, Mode] = {"handoff": "handoff", "template": "template"}


async def insert_template(server: HandoffServer, arguments: Arguments) -> dict[str, Any] | None:
    """Insert a new handoff into an open document: as all of an empty one, else at ``position`` or at the end.

    Without ``contract`` the document's path and the config decide, else the user, and the answer is null if the user
    chooses none. The answer is only the text if the client cannot apply edits, or names no document, and for an empty
    one if it asks for a ``snippet`` to insert itself.
    """
    uri = arguments.text("uri")
    mode = _MODES[arguments.one_of("mode", list(_MODES)) or "handoff"]
    if uri is None or (arguments.flag("snippet") and server.documents.get(uri) is None):
        return _text_only(server, arguments, mode, path_of(uri) if uri is not None else None)
    if server.documents.get(uri) is None:
        raise arguments.wrong(f"{uri} is not open: open it first")
    request = arguments.opened(server, uri)
    name = arguments.one_of("contract", request.registry.names) or await _choose(server, request)
    if name is None:
        return None
    if server.documents.get(uri) is None:
        raise arguments.failed(f"{uri} was closed in the meantime")
    request = arguments.opened(server, uri)  # the user may have typed before answering
    entry = request.registry[name]
    profile = arguments.one_of("profile", list(entry.contract.profiles)) or profile_of(request.analysis, entry)
    position = arguments.position()
    offset = len(request.source) if position is None else request.to_offset(position)
    try:
        inserted = insert(request.analysis, offset, request.registry, entry, profile, mode)
    except CannotInsert as error:
        raise arguments.failed(str(error)) from error
    text = "".join(edit.text for edit in inserted.edits)
    answer = _template(entry, profile, mode, text, inserted.lacks)
    if arguments.flag("snippet") and inserted.snippet:
        return {**answer, "snippet": inserted.snippet, "applied": False, "reason": "the client inserts the snippet"}
    applied, reason = await _apply(server, request, inserted.edits, say("Insert {title}", title=entry.contract.title))
    return {**answer, "snippet": None, "applied": applied, "reason": reason}


def _text_only(server: HandoffServer, arguments: Arguments, mode: Mode, path: Path | None) -> dict[str, Any]:
    """A new handoff for no open document, of a contract that applies at ``path``, else in any of the open folders."""
    resolver = server.resolver
    named = arguments.text("contract") or ""
    innermost = (each for each in reversed(resolver.places) if named in resolver.registry(each))
    where = path if path is not None else next(innermost, None)
    registry, options = resolver.registry(where), resolver.options(where)
    name = arguments.one_of("contract", registry.names)
    if name is None:
        raise arguments.wrong("a `uri` or a `contract` is missing")
    entry, at = registry[name], resolver.name(path)
    fallback = decided_profile(entry.contract, at, options) or entry.contract.default_profile
    profile = arguments.one_of("profile", list(entry.contract.profiles)) or fallback
    handoff = new_handoff(registry, entry, profile, mode, at, options)
    answer = {
        **_template(entry, profile, mode, handoff.text, handoff.lacks),
        "snippet": f"{handoff.snippet}\n",
    }
    file = entry.contract.file if form_of(entry.spec(profile)) == "file" else None
    language = file.syntax if file is not None else "markdown"
    return {**answer, "language": language, "applied": False, "reason": "no open document is named"}


def _template(entry: ContractEntry, profile: str, mode: Mode, text: str, lacks: str) -> dict[str, Any]:
    return {"contract": entry.name, "profile": profile, "mode": mode, "text": text, "lacks": lacks or None}


async def suggested(server: HandoffServer, path: Path | None, *, named: bool = True) -> list[Suggestion]:
    """The contracts for a new handoff in a document, best first; a single one is decided.

    ``path`` is None for a document without a name. Without ``named``, no document is chosen yet.
    """
    resolver = server.resolver
    name = resolver.name(path) if path is not None else ""
    rows = await server.handoffs.rows()
    used = Counter(row["contract"] for row in rows)
    beside = {row["contract"] for row in rows if path is not None and _folder(path_of(row["uri"])) == _folder(path)}
    where = path if path is not None else next(iter(resolver.places), None)
    return suggestions(resolver.registry(where), name if named else None, resolver.options(where), used, beside)


def _folder(path: Path | None) -> str:
    return os.path.dirname(os.path.abspath(path)) if path is not None else ""


async def _choose(server: HandoffServer, request: Request) -> str | None:
    """The contract that the path and the config suggest; the user chooses if there are several."""
    names = [each.contract for each in await suggested(server, request.document.path)]
    if len(names) < 2:
        return names[0] if names else None
    actions = [types.MessageActionItem(name) for name in names]
    asked = types.ShowMessageRequestParams(types.MessageType.Info, say("Select a contract"), actions)
    answer = await server.window_show_message_request_async(asked)
    return answer.title if answer is not None and answer.title in names else None


async def _apply(
    server: HandoffServer, request: Request, edits: tuple[Edit, ...], label: str
) -> tuple[bool, str | None]:
    """Whether the client applied the edits, and if not, the reason."""
    if not request.client.applies_edits:
        return False, "this editor applies no edits of a server"
    text_edits = [request.to_text_edit(edit) for edit in edits]
    edit = workspace_edit(server, [(request.uri, text_edits)])
    answer = await server.workspace_apply_edit_async(types.ApplyWorkspaceEditParams(edit, label))
    return answer.applied, None if answer.applied else answer.failure_reason or "the editor refused the edit"
