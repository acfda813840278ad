"""Document links."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lsprotocol import types

from handoff_lsp.features.names import links as feature
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.requests.documents import document_of, uri_of
from handoff_lsp.server.session.session import Opened
from handoff_lsp.server.wire.convert import to_range


def links(server: HandoffServer, params: types.DocumentLinkParams) -> list[types.DocumentLink] | None:
    """The links of a document. One to a heading of a file learns its line when it is followed."""
    at = server.opened(params)
    if at is None:
        return None
    patterns = server.resolver.config(at.document.path).editor.links
    found = feature.links(document_of(server, at), patterns)
    return [_link(server, at, link) for link in found] or None


def _link(server: HandoffServer, at: Opened, link: feature.Link) -> types.DocumentLink:
    where = to_range(at.document.source, link.span, server.client.encoding)
    tooltips = server.client.link_tooltips
    if link.url:
        return types.DocumentLink(where, target=link.url, tooltip="Open the page" if tooltips else None)
    uri, name = uri_of(server, at, link.full), server.resolver.name(Path(link.full))
    told = f"Open {name}" + (f" at {link.place}" if link.place else "")
    made = types.DocumentLink(where, tooltip=told if tooltips else None)
    if link.place:
        made.data = {"document": at.uri, "uri": uri, "full": link.full, "place": link.place}
    else:
        made.target = uri
    return made


def resolve(server: HandoffServer, link: types.DocumentLink) -> types.DocumentLink:
    """Give a link to a place in a file its target."""
    data: Any = link.data
    if isinstance(data, dict) and {"document", "uri", "full", "place"} <= data.keys():
        link.target = str(data["uri"])
        params = types.DocumentLinkParams(types.TextDocumentIdentifier(str(data["document"])))
        at = server.opened(params)
        if at is not None and str(data["uri"]) == uri_of(server, at, str(data["full"])):
            line = feature.line_of(document_of(server, at), str(data["full"]), str(data["place"]))
            link.target += f"#L{line}" if line is not None else ""
    return link


def register(server: HandoffServer) -> None:
    """Hook the handlers in."""
    options = types.DocumentLinkOptions(resolve_provider=True)
    server.on_request(types.TEXT_DOCUMENT_DOCUMENT_LINK, links, lambda _: None, options)
    server.on_request(types.DOCUMENT_LINK_RESOLVE, resolve, lambda link: link)
