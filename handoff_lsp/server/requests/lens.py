"""Code lenses: what the orchestrator does with each handoff, above it."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.decision import lens as feature
from handoff_lsp.features.diagnostics import diagnostics
from handoff_lsp.server.commands.execute import GO_TO
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.session.session import Opened
from handoff_lsp.server.wire.convert import plain_range, to_range


def code_lenses(server: HandoffServer, params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses of a document; none where the config switches them off."""
    at = server.opened(params)
    if at is None or not server.resolver.config(at.document.path).editor.code_lens:
        return []
    # What waits until a line is finished is not counted before.
    found = diagnostics(at.analysis)
    shown = {id(item) for item in server.typing.shown(at.document, found)}
    findings = [each for each, item in zip(at.analysis.findings, found, strict=True) if id(item) in shown]
    return [_lens(server, at, lens) for lens in feature.lenses(at.analysis, findings)]


def _lens(server: HandoffServer, at: Opened, lens: feature.Lens) -> types.CodeLens:
    source, encoding = at.document.source, server.client.encoding
    target = to_range(source, lens.target, encoding)
    command = types.Command(lens.title, GO_TO, arguments=[at.uri, plain_range(target)])
    return types.CodeLens(to_range(source, lens.span, encoding), command)


def register(server: HandoffServer) -> None:
    """Hook the handler in. Everything is known at once, so that nothing is left to resolve."""
    server.on_request(
        types.TEXT_DOCUMENT_CODE_LENS, code_lenses, lambda _: [], types.CodeLensOptions(resolve_provider=False)
    )
