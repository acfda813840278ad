"""The commands that show something: the orchestrator's decision, a place in a document, a prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from lsprotocol import types

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.decide.routing import decision, status_of
from handoff_lsp.decide.words import decision_words, marked_line_of, rest_of, status_words
from handoff_lsp.features.decision.lens import spot
from handoff_lsp.features.decision.places import places_of
from handoff_lsp.features.pages.decision_page import decision_page
from handoff_lsp.features.prompts.lens import prompt_lenses
from handoff_lsp.features.prompts.page import prompt_page
from handoff_lsp.features.unfilled import unfilled
from handoff_lsp.language import say
from handoff_lsp.reports.data import data_of
from handoff_lsp.reports.make import routing_in
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
    named = arguments.text("uri") is not None
    decisions: list[dict[str, Any]] = []
    lines: list[str] = []
    for request in documents(server, arguments):
        handoffs = _handoffs(request, position)
        left = Counter(id(finding.handoff) for finding in unfilled(request.analysis))
        for handoff in handoffs:
            decisions.append({**_decision(request, handoff), "unfilled": left[id(handoff)]})
            line = request.source.lines.line_of(handoff.span.start) + 1
            where = f"{request.name}:{line}: " if not named else f"Line {line}: " if len(handoffs) > 1 else ""
            route = decision(handoff)
            told = marked_line_of(handoff, route) if named and route is not None else decision_words(handoff)
            lines += [f"{where}{told}", *(_reasons(request, handoff) if named else ())]
    if not quiet:
        more = [f"… and {len(lines) - _MOST_LINES} more lines"] if len(lines) > _MOST_LINES else []
        text = "\n".join([*lines[:_MOST_LINES], *more]) or say("There is no handoff here")
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
    return decisions


def documents(server: HandoffServer, arguments: Arguments) -> Iterator[Request]:
    """The document that a command names; all open documents if it names none."""
    named = arguments.text("uri")
    for uri in [named] if named is not None else server.documents.uris:
        yield arguments.opened(server, uri)


def _handoffs(request: Request, position: types.Position | None) -> Sequence[Handoff]:
    """The handoffs of a document, or the one at a position."""
    if position is None:
        return request.analysis.handoffs
    handoff = request.analysis.handoff_at(request.to_offset(position))
    return (handoff,) if handoff is not None else ()


def _decision(request: Request, handoff: Handoff) -> dict[str, Any]:
    places = [
        {"kind": place.kind, "text": place.text, "range": plain_range(request.to_range(place.span))}
        for place in places_of(handoff)
    ]
    return {
        "uri": request.uri,
        "contract": handoff.spec.name,
        "profile": handoff.spec.profile,
        "mode": handoff.mode,
        "range": plain_range(request.to_range(handoff.span)),
        "status": status_of(handoff),
        "statusText": status_words(handoff),
        "routing": data_of(routing_in(handoff)),
        "line": decision_words(handoff),
        "markdown": decision_page(handoff),
        "places": places,
    }


def _reasons(request: Request, handoff: Handoff) -> Iterator[str]:
    """The whole reason for a decision and the places behind it, a line each."""
    route = decision(handoff)
    if route is None:
        return
    if rest := rest_of(handoff, route):
        yield rest
    for place in places_of(handoff):
        yield f"{place.kind}: {place.text} (line {request.source.lines.line_of(place.span.start) + 1})"


async def show_prompt(server: HandoffServer, arguments: Arguments) -> dict[str, Any] | None:
    """What a prompt says about contracts and what the others of its workspace say; null if it says nothing.

    A message shows it in short, unless ``quiet`` is set.
    """
    request = arguments.opened(server, arguments.needed("uri"))
    markdown, titles = prompt_page(request), [lens.title for lens in prompt_lenses(request)]
    if not arguments.flag("quiet"):
        about = [f for f in request.analysis.findings if f.rule.group == "prompts"]
        places = [f"line {request.source.lines.line_of(each.span.start) + 1}: {each.message}" for each in about]
        lines = [*titles, *places]
        more = [f"… and {len(lines) - _MOST_LINES} more lines"] if len(lines) > _MOST_LINES else []
        text = "\n".join([*lines[:_MOST_LINES], *more]) or say("This document says nothing about a contract")
        server.window_show_message(types.ShowMessageParams(types.MessageType.Info, text))
    return {"uri": request.uri, "titles": titles, "markdown": markdown} if markdown else None


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
