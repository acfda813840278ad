"""The result of the negotiation with the client, with the abilities that it lacks and the consequences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handoff_lsp.features.pages.markup import code, prose
from handoff_lsp.server.wire.client import Client
from handoff_lsp.text import ENCODINGS
from handoff_lsp.text.named_tuple import NamedTuple


class Missing(NamedTuple):
    """An ability that a client has not declared, by its name in the protocol, and the consequence for the user."""

    ability: str
    therefore: str


# For each field of ``Client``: the name in the protocol, and the consequence if it is not declared.
_LACKED: dict[str, Missing] = {
    "watch": Missing(
        "workspace.didChangeWatchedFiles.dynamicRegistration",
        "changes on disk, of configs too, are seen when a document is next used or saved",
    ),
    "settings": Missing(
        "workspace.configuration", "settings count only as they are sent at the start or pushed, not for each folder"
    ),
    "code_links": Missing(
        "textDocument.publishDiagnostics.codeDescriptionSupport", "the code of a diagnostic is no link to its page"
    ),
    "related": Missing(
        "textDocument.publishDiagnostics.relatedInformation", "the other places of a contradiction are not shown"
    ),
    "snippets": Missing(
        "textDocument.completion.completionItem.snippetSupport", "what is inserted has no places to jump to"
    ),
    "hover_markdown": Missing("textDocument.hover.contentFormat: markdown", "pages are plain text"),
    "action_literals": Missing(
        "textDocument.codeAction.codeActionLiteralSupport", "there are no quick fixes and no refactorings"
    ),
    "resolves_edits": Missing(
        "textDocument.codeAction.resolveSupport: edit", "actions whose edits take long to find are computed at once"
    ),
    "applies_edits": Missing("workspace.applyEdit", "commands only answer with the text and insert nothing"),
    "document_changes": Missing(
        "workspace.workspaceEdit.documentChanges", "an edit does not say which version of a document it is for"
    ),
    "creates_files": Missing("workspace.workspaceEdit.resourceOperations: create", "no file can be created"),
    "renames_files": Missing(
        "workspace.workspaceEdit.resourceOperations: rename",
        "a rename of a change or task leaves its files as they are",
    ),
    "shows_documents": Missing("window.showDocument", "a click on a lens shows the line number in a message"),
    "progress": Missing(
        "window.workDoneProgress", "a check of the workspace shows no progress and cannot be cancelled"
    ),
    "symbol_trees": Missing("textDocument.documentSymbol.hierarchicalDocumentSymbolSupport", "the outline is flat"),
    "lens_refresh": Missing("workspace.codeLens.refreshSupport", "lenses follow other files only after an edit"),
    "hint_refresh": Missing("workspace.inlayHint.refreshSupport", "hints follow other files only after an edit"),
    "token_refresh": Missing("workspace.semanticTokens.refreshSupport", "colors follow other files only after an edit"),
    "lists_handoffs": Missing(
        "experimental.handoff.didChangeHandoffs", "a list of all handoffs is new only when it is asked for again"
    ),
    "chooses": Missing("experimental.handoff.choose", "each of at most four equal choices is a code action of its own"),
}


def negotiated(client: Client) -> dict[str, Any]:
    """The negotiated settings as plain data."""
    return {
        "name": client.name or None,
        "version": client.version or None,
        "encoding": client.encoding,
        "encodingWhy": _why_encoding(client),
        "diagnostics": "pull" if client.pull else "push",
        "diagnosticsWhy": _why_diagnostics(client),
        "declares": [missing.ability for name, missing in _LACKED.items() if getattr(client, name)],
        "missing": [missing._asdict() for name, missing in _LACKED.items() if not getattr(client, name)],
    }


def section(client: Client) -> Iterator[str]:
    """The negotiated settings as lines of Markdown."""
    data = negotiated(client)
    name = " ".join(filter(None, (client.name, client.version))) or "an editor that does not say its name"
    yield from ["## Editor", "", f"- {prose(name)}"]
    yield f"- positions in {code(client.encoding)}: {prose(data['encodingWhy'])}"
    yield f"- diagnostics by {data['diagnostics']}: {prose(data['diagnosticsWhy'])}"
    for missing in data["missing"]:
        yield f"- without {code(missing['ability'])}: {prose(missing['therefore'])}"


def _why_encoding(client: Client) -> str:
    if not client.offered:
        return "the editor names no encoding, and this is the protocol's own"
    offered = ", ".join(client.offered)
    if client.encoding in client.offered:
        return f"the first that the server knows of those that the editor offers: {offered}"
    known = ", ".join(ENCODINGS)
    return f"the protocol's own: of what the editor offers ({offered}) the server knows none, only {known}"


def _why_diagnostics(client: Client) -> str:
    if client.pull:
        return "the editor asks for them and supports refreshes"
    if client.pulls_only:
        return "the editor could ask for them, but does not support refreshes (workspace.diagnostics.refreshSupport)"
    return "the editor does not ask for them (textDocument.diagnostic)"
