"""Code lenses: what the orchestrator does with each handoff, above it; what a prompt has its agent write."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features.decision import lens as feature
from handoff_lsp.features.diagnostics import diagnostics
from handoff_lsp.features.prompts.lens import PromptLens, findings_lens, prompt_lenses
from handoff_lsp.server.commands.execute import GO_TO, SHOW_PROMPT
from handoff_lsp.server.handlers import on_document
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.wire.convert import plain_range


# A lens is complete when it is sent, so there is nothing to resolve.
@on_document(
    types.TEXT_DOCUMENT_CODE_LENS,
    empty=[],
    options=types.CodeLensOptions(resolve_provider=False),
    row=170,
    summary=(
        "The orchestrator's action above each handoff, with the number of errors that block it; a click goes "
        "to the cause. Above a prompt: the values that its agent writes, who reads them, and its findings; a click "
        "shows them all. `code-lens` in the config turns it off."
    ),
    since="0.1",
)
def code_lenses(request: Request, _params: types.CodeLensParams) -> list[types.CodeLens]:
    """The lenses of a document; empty if the config switches them off."""
    if not request.editor.code_lens:
        return []
    # Findings that are held back until a line is finished do not count yet.
    found = diagnostics(request.analysis)
    shown = {id(item) for item in request.session.typing.shown(request.document, found)}
    findings = [each for each, item in zip(request.analysis.findings, found, strict=True) if id(item) in shown]
    return [
        *(_prompt_lens(request, lens) for lens in prompt_lenses(request)),
        *(_lens(request, lens) for lens in findings_lens(request, findings)),
        *(_lens(request, lens) for lens in feature.lenses(request.analysis, findings)),
    ]


def _prompt_lens(request: Request, lens: PromptLens) -> types.CodeLens:
    command = types.Command(lens.title, SHOW_PROMPT, arguments=[{"uri": request.uri}])
    return types.CodeLens(request.to_range(lens.span), command)


def _lens(request: Request, lens: feature.Lens) -> types.CodeLens:
    command = types.Command(lens.title, GO_TO, arguments=[request.uri, plain_range(request.to_range(lens.target))])
    return types.CodeLens(request.to_range(lens.span), command)
