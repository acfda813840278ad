"""Document links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from handoff_lsp.features.names import links as feature
from handoff_lsp.language import say
from handoff_lsp.server.handlers import on_document, on_request
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request


@on_document(
    types.TEXT_DOCUMENT_DOCUMENT_LINK,
    empty=None,
    options=types.DocumentLinkOptions(resolve_provider=True),
    row=80,
    summary=("Paths of existing files, URLs in JSON, logs and `key: value` runs, and patterns from `[editor.links]`."),
    since="0.1",
)
def links(request: Request, _params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """The links of a document. A link to a heading of a file gets its line when it is resolved."""
    return [_link(request, link) for link in feature.links(request, request.editor.links)] or None


def _link(request: Request, link: feature.Link) -> types.DocumentLink:
    where = request.to_range(link.span)
    tooltips = request.client.link_tooltips
    if link.url:
        return types.DocumentLink(where, target=link.url, tooltip=say("Open the page") if tooltips else None)
    uri, name = request.uri_of(link.full), request.session.resolver.name(Path(link.full))
    tooltip = (
        say("Open {name} at {place}", name=name, place=link.place) if link.place else say("Open {name}", name=name)
    )
    document_link = types.DocumentLink(where, tooltip=tooltip if tooltips else None)
    if link.place:
        document_link.data = {"document": request.uri, "uri": uri, "full": link.full, "place": link.place}
    else:
        document_link.target = uri
    return document_link


@on_request(
    types.DOCUMENT_LINK_RESOLVE,
    failed=lambda link: link,
    row=80,
    summary="The line of a link to a heading.",
    since="0.1",
)
def resolve(server: HandoffServer, link: types.DocumentLink) -> types.DocumentLink:
    """Set the target of a link to a place in a file."""
    data: Any = link.data
    if isinstance(data, dict) and {"document", "uri", "full", "place"} <= data.keys():
        link.target = str(data["uri"])
        request = server.opened(str(data["document"]))
        if request is not None and str(data["uri"]) == request.uri_of(str(data["full"])):
            line = feature.line_of(request, str(data["full"]), str(data["place"]))
            link.target += f"#L{line}" if line is not None else ""
    return link
