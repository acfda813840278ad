"""Completion and completionItem/resolve."""

from __future__ import annotations

from typing import Any

from lsprotocol import types

from handoff_lsp.features.completion import complete as completion
from handoff_lsp.server.handlers import on_document, on_request
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.convert import path_of, to_markup
from handoff_lsp.workspace.store import OpenDocument

# No `#`: over a heading, a list that opens late would turn the user's Enter into accepting its first item.
TRIGGERS = (":", '"', "`", "|", "[", "/")

# LSP's kind of each item, then the fallback for clients that do not know that kind.
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


@on_document(
    types.TEXT_DOCUMENT_COMPLETION,
    empty=None,
    options=types.CompletionOptions(trigger_characters=list(TRIGGERS), resolve_provider=True),
    row=30,
    summary=(
        "Sections, fields, values (also in tables and lists), JSON keys with a skeleton, whole blocks and "
        "files, names of agents, tasks and changes, paths folder by folder, rule names, and a log's next "
        "line; also inside broken JSON."
    ),
    since="0.1",
)
def complete(request: Request, _params: types.CompletionParams) -> types.CompletionList:
    """The completions at a position."""
    items = completion.complete(request, request.offset)
    # Clients ask again at each letter: a folder may have more entries than were sent.
    incomplete = any(item.kind in {"file", "folder"} for item in items)
    return types.CompletionList(is_incomplete=incomplete, items=[to_item(request, item) for item in items])


@on_request(
    types.COMPLETION_ITEM_RESOLVE,
    failed=lambda item: item,
    row=30,
    summary="The documentation of the item; for a name or a path, what the workspace knows about it.",
    since="0.1",
)
def resolve(server: HandoffServer, item: types.CompletionItem) -> types.CompletionItem:
    """Add the documentation to the item that the user has selected."""
    data: Any = item.data
    if isinstance(data, dict) and item.documentation is None and isinstance(data.get("key"), str):
        uri = str(data.get("uri", ""))
        # The text does not matter: the document may have been closed in the meantime.
        document = server.documents.get(uri) or OpenDocument(uri, path_of(uri), None, "")
        text = completion.resolve(data["key"], server.request(document))
        item.documentation = _documentation(text, server.client)
    return item


def to_item(request: Request, item: completion.CompletionItem) -> types.CompletionItem:
    client = request.client
    snippet = item.edit.snippet if client.snippets else None
    edit = types.TextEdit(request.to_range(item.edit.span), item.edit.text if snippet is None else snippet)
    completion_item = types.CompletionItem(
        label=item.label,
        kind=_kind(item, client),
        detail=item.detail or None,
        sort_text=f"{item.sort:05}",
        filter_text=item.filter or None,
        text_edit=edit,
        additional_text_edits=[request.to_text_edit(more) for more in item.more] or None,
        commit_characters=list(item.commit) if item.commit and client.commit_characters else None,
        insert_text_format=types.InsertTextFormat.PlainText if snippet is None else types.InsertTextFormat.Snippet,
        # Clients indent the lines of a snippet; plain text is indented already.
        insert_text_mode=types.InsertTextMode.AsIs if snippet is None and client.insert_as_is else None,
        preselect=True if item.preselect and client.preselect else None,
        documentation=_documentation(item.documentation, client),
        data={"key": item.key, "uri": request.uri} if item.key else None,
    )
    if client.label_details and item.detail:
        completion_item.label_details = types.CompletionItemLabelDetails(description=item.detail)
    return completion_item


def _kind(item: completion.CompletionItem, client: Client) -> types.CompletionItemKind:
    kinds = _KINDS[item.kind]
    return next((kind for kind in kinds if kind in client.item_kinds), kinds[-1])


def _documentation(text: str, client: Client) -> types.MarkupContent | str | None:
    if not text:
        return None
    content = to_markup(text, types.MarkupKind.Markdown in client.item_formats)
    return content if content.kind in client.item_formats else content.value
