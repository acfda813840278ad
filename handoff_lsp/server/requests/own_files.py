"""Requests about contract files and configs."""

from __future__ import annotations

from lsprotocol import types

from handoff_lsp.features import own_files as feature
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.names import OldName
from handoff_lsp.features.contract_files.problems import ProblemFix
from handoff_lsp.features.own_files import OwnFile
from handoff_lsp.features.words import lookups
from handoff_lsp.features.words import rename as rename_words
from handoff_lsp.features.words.lookups import OwnContractWord
from handoff_lsp.server.handlers import in_own_file
from handoff_lsp.server.requests.code_actions import QUICK_FIX, is_wanted
from handoff_lsp.server.requests.completion import to_item
from handoff_lsp.server.requests.definition import to_targets
from handoff_lsp.server.requests.rename import to_workspace_edit
from handoff_lsp.server.session.session import Request
from handoff_lsp.server.session.workspace_edits import workspace_edit
from handoff_lsp.server.wire.convert import to_markup, to_text_edit
from handoff_lsp.workspace.project import FileSpan


@in_own_file(
    types.TEXT_DOCUMENT_COMPLETION,
    row=30,
    summary=("keys, words such as types and severities, rules, checks, fields and values, also in conditions."),
    since="0.1",
)
def complete(request: Request, file: OwnFile, _params: types.CompletionParams) -> types.CompletionList:
    """The completions at a position."""
    items = feature.complete(file, request.offset)
    # The names depend on what is left of the cursor, such as a dot in a condition.
    return types.CompletionList(is_incomplete=True, items=[to_item(request, item) for item in items])


@in_own_file(
    types.TEXT_DOCUMENT_HOVER,
    row=40,
    summary="the meaning of keys, fields, values, rules and other names.",
    since="0.1",
)
def hover(request: Request, file: OwnFile, _params: types.HoverParams) -> types.Hover | None:
    """The hover page for a position."""
    found = feature.hover(file, request.offset)
    if found is None:
        return None
    return types.Hover(to_markup(found.markdown, request.client.hover_markdown), request.to_range(found.span))


@in_own_file(
    types.TEXT_DOCUMENT_DEFINITION,
    row=50,
    summary=("the declaration of a field, a value, a term or another name, also in an extended contract."),
    since="0.1",
)
def definition(
    request: Request, file: OwnFile, _params: types.DefinitionParams
) -> list[types.Location] | list[types.LocationLink] | None:
    """The declarations of the name at a position."""
    return to_targets(request, feature.definition(file, request.offset))


@in_own_file(
    types.TEXT_DOCUMENT_REFERENCES,
    row=60,
    summary=(
        "the uses of a field, a value, a check or another name, also in other contracts and the config; fields and "
        "values in prompts, templates and handoffs, too."
    ),
    since="0.1",
)
def references(request: Request, file: OwnFile, params: types.ReferenceParams) -> list[types.Location] | None:
    """The uses of the name at a position."""
    found = feature.references(file, request.offset, declaration=bool(params.context.include_declaration))
    places = [FileSpan(str(one.path or ""), one.source, one.use.span) for one in found]
    if isinstance(file, ContractFile):
        places += lookups.own_references(request, file, request.offset)
    return [request.to_location(*place) for place in places] or None


@in_own_file(types.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT, row=60, summary="the same.", since="0.1")
def highlight(
    request: Request, file: OwnFile, _params: types.DocumentHighlightParams
) -> list[types.DocumentHighlight] | None:
    """The places of the name at a position."""
    kinds = types.DocumentHighlightKind
    return [
        types.DocumentHighlight(request.to_range(use.span), kinds.Write if use.declares else kinds.Read)
        for path, _, use in feature.references(file, request.offset)
        if path == request.path
    ] or None


@in_own_file(
    types.TEXT_DOCUMENT_PREPARE_RENAME,
    row=70,
    summary="the range of a name that can be renamed, or the reason why it cannot.",
    since="0.1",
)
def prepare(
    request: Request, file: OwnFile, _params: types.PrepareRenameParams
) -> types.PrepareRenamePlaceholder | None:
    """The name at a position. Raises Refusal if it cannot be renamed."""
    own = _written_word(file, request.offset)
    if own is not None and isinstance(file, ContractFile):
        found: OldName | None = rename_words.prepare(request, own.word, own.span, file.source)
    else:
        found = feature.prepare(file, request.offset)
    return types.PrepareRenamePlaceholder(request.to_range(found.span), found.name) if found is not None else None


@in_own_file(
    types.TEXT_DOCUMENT_RENAME,
    row=70,
    summary=(
        "a field, a term, a check, a profile or a definition in all contracts that use it, and in the config; a title "
        "or a value in prompts, templates and handoffs, too."
    ),
    since="0.1",
)
def rename(request: Request, file: OwnFile, params: types.RenameParams) -> types.WorkspaceEdit | None:
    """The edits that rename the name at a position. Raises Refusal if the result would be wrong."""
    own = _written_word(file, request.offset)
    if own is not None:
        return to_workspace_edit(request, rename_words.rename(request, own.word, own.written, params.new_name))
    found = feature.rename(file, request.offset, params.new_name)
    if found is None:
        return None
    encoding = request.client.encoding
    texts = [
        (request.uri_of(str(path or "")), [to_text_edit(source, edit, encoding) for edit in edits])
        for path, source, edits in found
    ]
    return workspace_edit(request.session, texts)


def _written_word(file: OwnFile, offset: int) -> OwnContractWord | None:
    """The word at an offset that documents write as it is written there; None for another name."""
    if not isinstance(file, ContractFile) or not lookups.is_written(file, offset):
        return None
    return lookups.own_word(file, offset)


@in_own_file(
    types.TEXT_DOCUMENT_CODE_ACTION,
    row=90,
    summary="a quick fix for a misspelled name, and for a contract of an earlier language.",
    since="0.1",
)
def code_actions(request: Request, file: OwnFile, params: types.CodeActionParams) -> list[types.CodeAction]:
    """The quick fixes for a range."""
    context = params.context
    if not request.client.action_literals or not is_wanted(QUICK_FIX, context):
        return []
    found = feature.corrections(file, request.to_span(params.range))
    return [_action(request, item, context) for item in found]


def _action(request: Request, item: ProblemFix, context: types.CodeActionContext) -> types.CodeAction:
    where = request.to_range(item.problem.span)
    shown = [each for each in context.diagnostics if each.range == where and each.message == item.problem.message]
    return types.CodeAction(
        item.title,
        kind=QUICK_FIX,
        diagnostics=shown or None,
        is_preferred=True if request.client.preferred else None,
        edit=workspace_edit(request.session, [(request.uri, [request.to_text_edit(edit) for edit in item.edits])]),
    )
