"""The commands that show something: the orchestrator's decision, a place in a document."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lsprotocol import types

from handoff_lsp.decide.routing import decision, status_of
from handoff_lsp.features.decision.lens import spot, title_of
from handoff_lsp.features.reading import routing_data
from handoff_lsp.features.unfilled import unfilled
from handoff_lsp.server.commands.arguments import Arguments
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.convert import plain_range
from handoff_lsp.text import Span

# The most lines of a message; users do not read longer ones.
_MOST_LINES = 10


async def show_routing(server: HandoffServer, arguments: Arguments) -> list[dict[str, Any]]:
    """What the orchestrator does with the handoffs of a document, or with the one at a position.

    Without a URI: of all open documents. A message shows the summary, unless ``quiet`` is set.
    """
    position, quiet = arguments.position(), arguments.flag("quiet")
    decisions: list[dict[str, Any]] = []
    lines: list[str] = []
    for request in documents(server, arguments):
        for data, line in _routings(request, position):
            decisions.append(data)
            lines.append(line)
    if not quiet:
        more = [f"… and {len(lines) - _MOST_LINES} more"] if len(lines) > _MOST_LINES else []
        text = "\n".join([*lines[:_MOST_LINES], *more]) or "There is no handoff here"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
    return decisions


def documents(server: HandoffServer, arguments: Arguments) -> Iterator[Request]:
    """The document that a command names; all open documents if it names none."""
    named = arguments.text("uri")
    for uri in [named] if named is not None else server.documents.uris:
        yield arguments.opened(server, uri)


def _routings(request: Request, position: types.Position | None) -> Iterator[tuple[dict[str, Any], str]]:
    handoffs, left = request.analysis.handoffs, unfilled(request.analysis)
    if position is not None:
        handoff = request.analysis.handoff_at(request.to_offset(position))
        handoffs = (handoff,) if handoff is not None else ()
    for handoff in handoffs:
        route = decision(handoff)
        data = {
            "uri": request.uri,
            "contract": handoff.spec.name,
            "profile": handoff.spec.profile,
            "mode": handoff.mode,
            "range": plain_range(request.to_range(handoff.span)),
            "status": status_of(handoff),
            "routing": routing_data(handoff),
            "unfilled": sum(finding.handoff is handoff for finding in left),
        }
        line = request.source.lines.line_of(handoff.span.start) + 1
        what = (
            title_of(handoff, route)
            if route is not None
            else f"{handoff.mode} of {handoff.spec.name}: nothing is decided"
        )
        yield data, f"{request.name}:{line}: {what}"


async def go_to(server: HandoffServer, arguments: Arguments) -> dict[str, Any]:
    """Show a range, a position, or the field of a path in the document's first handoff that has it."""
    request = arguments.opened(server, arguments.needed("uri"))
    range_ = _range(arguments, request)
    shown = False
    if server.client.shows_documents:
        params = types.ShowDocumentParams(request.uri, take_focus=True, selection=range_)
        answer = await server.window_show_document_async(params)
        shown = bool(answer and answer.success)
    if not shown:
        text = f"{request.name}, line {range_.start.line + 1}"
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
    return {"uri": request.uri, "range": plain_range(range_), "shown": shown}


def _range(arguments: Arguments, request: Request) -> types.Range:
    """The range that the arguments name, moved to the nearest valid place."""
    given, position, field = arguments.range(), arguments.position(), arguments.text("field")
    if position is not None:
        given = types.Range(position, position)
    if given is not None:
        start, end = sorted(request.to_offset(each) for each in (given.start, given.end))
        return request.to_range(Span(start, end))
    if field is None:
        raise arguments.wrong("a `range`, a `position` or a `field` is missing")
    for handoff in request.analysis.handoffs:
        found = handoff.root.find(field)
        if found:
            return request.to_range(spot(handoff, found[0]))
    raise arguments.wrong(f"no handoff of the document has a field `{field}`")
