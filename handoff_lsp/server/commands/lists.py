"""The commands behind an editor's views and pickers: handoffs, contracts, topics and their pages."""

from __future__ import annotations

from typing import Any

from handoff_lsp.contracts.registry import Registry
from handoff_lsp.features.new.contract_list import contracts
from handoff_lsp.features.pages.topics import UnknownTopic, page, topics
from handoff_lsp.server.commands.arguments import Arguments
from handoff_lsp.server.commands.template import suggested
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.wire.convert import path_of
from handoff_lsp.server.wire.scheduling import TimeSlice


async def list_handoffs(server: HandoffServer, _arguments: Arguments) -> list[dict[str, Any]]:
    """All handoffs of the open folders and documents, with what the orchestrator does with each."""
    return await server.handoffs.rows()


async def list_contracts(server: HandoffServer, arguments: Arguments) -> list[dict[str, Any]]:
    """The contracts that apply in the open folders, including those of the workspace; the most used ones first.

    With ``uri``, only those for a new handoff in that document, which need not be open or exist; a single one is
    decided. ``profile`` is the profile that its path or the config decides, else null.
    """
    uri = arguments.text("uri")
    path = path_of(uri) if uri is not None else None
    registries = [server.resolver.registry(path)] if path is not None else _registries(server)
    found: dict[str, dict[str, Any]] = {}
    for registry in registries:
        for contract in contracts(registry):
            profiles = [profile._asdict() for profile in contract.profiles]
            found.setdefault(contract.name, {**contract._asdict(), "profiles": profiles, "profile": None})
    fitting = await suggested(server, path, named=uri is not None)
    ordered = [{**found[each.contract], "profile": each.profile} for each in fitting if each.contract in found]
    if uri is not None:
        return ordered
    return ordered + [found[name] for name in found if name not in {each.contract for each in fitting}]


async def list_topics(server: HandoffServer, _arguments: Arguments) -> list[dict[str, Any]]:
    """The topics that ``handoff.explain`` has a page for."""
    found: dict[str, dict[str, Any]] = {}
    turns = TimeSlice()
    for registry in _registries(server):
        for topic in topics(registry):
            found.setdefault(topic.name, {"topic": topic.name, "kind": topic.kind, "title": topic.title})
            if turns.is_over:
                await turns.rest()
    return list(found.values())


async def explain(server: HandoffServer, arguments: Arguments) -> dict[str, Any]:
    """The page about a rule, a contract, a field or a value."""
    topic = arguments.needed("topic")
    reason = ""
    for registry in _registries(server):
        try:
            found = page(topic, registry)
        except UnknownTopic as error:
            reason = reason or str(error)
        else:
            return {"topic": topic, "title": found.title, "markdown": found.markdown}
    raise arguments.wrong(reason)


def _registries(server: HandoffServer) -> list[Registry]:
    """The registries of the open folders, each once; without an open folder, the one for all other documents."""
    return list(dict.fromkeys(server.resolver.registry(path) for path in server.resolver.places))
