"""Completion and completionItem/resolve."""

from __future__ import annotations

import os
from typing import Any

from lsprotocol import types

from handoff_lsp.features.completion import complete as completion
from handoff_lsp.features.near import NOWHERE, Near
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Opened
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.convert import path_of, to_markup, to_offset, to_range, to_text_edit

# No `#`: a list that opens by itself over a heading is accepted by Enter when it comes late, whatever is typed.
TRIGGERS = (":", '"', "`", "|", "[", "/")

# The kind of an item, and what it is for a client that does not know that one.
_KINDS = {
    "section": (types.CompletionItemKind.Module,),
    "field": (types.CompletionItemKind.Field,),
    "value": (types.CompletionItemKind.EnumMember, types.CompletionItemKind.Value),
    "snippet": (types.CompletionItemKind.Snippet,),
    "block": (types.CompletionItemKind.Struct, types.CompletionItemKind.Class),
    "name": (types.CompletionItemKind.Reference,),
    "file": (types.CompletionItemKind.File,),
    "folder": (types.CompletionItemKind.Folder, types.CompletionItemKind.File),
}


def complete(server: HandoffServer, params: types.CompletionParams) -> types.CompletionList | None:
    """What can be written at a place."""
    at = server.opened(params)
    if at is None:
        return None
    offset = to_offset(at.document.source, params.position, server.client.encoding)
    near = Near(server.project, at.document.full)
    items = completion.complete(at.analysis, offset, at.registry, at.analysis.path, near)
    # What is in a folder is asked for anew at each letter: there may be more than was told.
    incomplete = any(item.kind in {"file", "folder"} for item in items)
    return types.CompletionList(is_incomplete=incomplete, items=[_item(server, at, item) for item in items])


def resolve(server: HandoffServer, item: types.CompletionItem) -> types.CompletionItem:
    """Add the documentation to the item that is looked at."""
    data: Any = item.data
    if isinstance(data, dict) and item.documentation is None and isinstance(data.get("key"), str):
        path = path_of(str(data.get("uri", "")))
        near = Near(server.project, os.path.abspath(path)) if path is not None else NOWHERE
        text = completion.resolve(data["key"], server.resolver.registry(path), near)
        item.documentation = _documentation(text, server.client)
    return item


def _item(server: HandoffServer, at: Opened, item: completion.CompletionItem) -> types.CompletionItem:
    client = server.client
    snippet = item.edit.snippet if client.snippets else None
    edit = types.TextEdit(
        to_range(at.document.source, item.edit.span, client.encoding), item.edit.text if snippet is None else snippet
    )
    made = types.CompletionItem(
        label=item.label,
        kind=_kind(item, client),
        detail=item.detail or None,
        sort_text=f"{item.sort:05}",
        filter_text=item.filter or None,
        text_edit=edit,
        additional_text_edits=[to_text_edit(at.document.source, more, client.encoding) for more in item.more] or None,
        commit_characters=list(item.commit) if item.commit and client.commit_characters else None,
        insert_text_format=types.InsertTextFormat.PlainText if snippet is None else types.InsertTextFormat.Snippet,
        # Clients indent what a snippet adds; plain text has its indentation already.
        insert_text_mode=types.InsertTextMode.AsIs if snippet is None and client.insert_as_is else None,
        preselect=True if item.preselect and client.preselect else None,
        documentation=_documentation(item.documentation, client),
        data={"key": item.key, "uri": at.uri} if item.key else None,
    )
    if client.label_details and item.detail:
        made.label_details = types.CompletionItemLabelDetails(description=item.detail)
    return made


def _kind(item: completion.CompletionItem, client: Client) -> types.CompletionItemKind:
    kinds = _KINDS[item.kind]
    return next((kind for kind in kinds if kind in client.item_kinds), kinds[-1])


def _documentation(text: str, client: Client) -> types.MarkupContent | str | None:
    if not text:
        return None
    content = to_markup(text, types.MarkupKind.Markdown in client.item_formats)
    return content if content.kind in client.item_formats else content.value


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    options = types.CompletionOptions(trigger_characters=list(TRIGGERS), resolve_provider=True)
    server.on_request(types.TEXT_DOCUMENT_COMPLETION, complete, lambda _: None, options)
    server.on_request(types.COMPLETION_ITEM_RESOLVE, resolve, lambda item: item)
