"""The client's abilities, read once from its capabilities."""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types
from pygls.capabilities import get_capability

from handoff_lsp.text import ENCODINGS, Encoding
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

# The kinds that every client knows: items from Text to Reference, symbols from File to Array.
_FIRST_ITEM_KINDS: frozenset[types.CompletionItemKind | int] = frozenset(
    kind for kind in types.CompletionItemKind if kind.value <= types.CompletionItemKind.Reference.value
)
_FIRST_KINDS = frozenset(kind for kind in types.SymbolKind if kind.value <= types.SymbolKind.Array.value)


@lazy_dataclass(frozen=True, slots=True)
class Client:
    """The abilities that answers depend on. The defaults are those of a client that declares nothing."""

    name: str = ""
    version: str = ""
    encoding: Encoding = "utf-16"
    offered: tuple[str, ...] = ()
    pull: bool = False
    pulls_only: bool = False  # it can pull, but the server cannot ask it to pull again
    related: bool = False
    tags: frozenset[types.DiagnosticTag] = frozenset()
    data: bool = False
    code_links: bool = False
    watch: bool = False
    snippets: bool = False
    insert_as_is: bool = False
    label_details: bool = False
    preselect: bool = False
    commit_characters: bool = False
    item_formats: tuple[types.MarkupKind, ...] = ()
    item_kinds: frozenset[types.CompletionItemKind | int] = _FIRST_ITEM_KINDS
    hover_markdown: bool = False
    action_literals: bool = False
    preferred: bool = False
    document_changes: bool = False
    snippet_edits: bool = False
    renames_files: bool = False
    previews_edits: bool = False
    creates_files: bool = False
    resolves_edits: bool = False
    applies_edits: bool = False
    shows_documents: bool = False
    progress: bool = False
    settings: bool = False
    settings_change: bool = False
    symbol_trees: bool = False
    symbol_kinds: frozenset[types.SymbolKind] = _FIRST_KINDS
    symbol_tags: bool = False
    whole_line_folds: bool = False
    fold_limit: int = 0
    definition_links: bool = False
    link_tooltips: bool = False
    lens_refresh: bool = False
    hint_refresh: bool = False
    resolves_hints: frozenset[str] = frozenset()
    token_refresh: bool = False
    lists_handoffs: bool = False
    chooses: bool = False
    disabled_actions: bool = False


def read_client(
    capabilities: types.ClientCapabilities, encoding: str | None, info: types.ClientInfo | None = None
) -> Client:
    """The abilities that a client declares. ``encoding`` is the negotiated one, ``info`` has its name and version."""
    document = capabilities.text_document or types.TextDocumentClientCapabilities()
    # Pull needs a way to ask for another pull: without it, a change of the config would have no effect.
    refresh = bool(get_capability(capabilities, "workspace.diagnostics.refresh_support"))
    pull = refresh and document.diagnostic is not None
    declared = document.diagnostic if pull else document.publish_diagnostics
    related = bool(declared and declared.related_information)
    tags = frozenset(declared.tag_support.value_set) if declared and declared.tag_support else frozenset()
    data = bool(declared and declared.data_support)
    links = bool(declared and declared.code_description_support)
    if pull and document.publish_diagnostics is not None:
        # Before LSP 3.18 these abilities were only ever declared for push.
        pushed = document.publish_diagnostics
        related = related or bool(pushed.related_information)
        tags = tags or (frozenset(pushed.tag_support.value_set) if pushed.tag_support else frozenset())
        data = data or bool(pushed.data_support)
        links = links or bool(pushed.code_description_support)
    item = (document.completion and document.completion.completion_item) or types.ClientCompletionItemOptions()
    item_kinds = (document.completion and document.completion.completion_item_kind) or None
    action = document.code_action or types.CodeActionClientCapabilities()
    edit = get_capability(capabilities, "workspace.workspace_edit") or types.WorkspaceEditClientCapabilities()
    hint = document.inlay_hint or types.InlayHintClientCapabilities()
    outline = document.document_symbol or types.DocumentSymbolClientCapabilities()
    known_kinds = (outline.symbol_kind.value_set or ()) if outline.symbol_kind else ()
    resolves = action.resolve_support.properties if action.resolve_support and action.data_support else ()

    def can(name: str) -> bool:
        return bool(get_capability(capabilities, name))

    offered = (capabilities.general and capabilities.general.position_encodings) or ()
    return Client(
        name=info.name if info is not None else "",
        version=(info.version or "") if info is not None else "",
        encoding=encoding if encoding in ENCODINGS else "utf-16",
        offered=tuple(each.value if isinstance(each, types.PositionEncodingKind) else each for each in offered),
        pull=pull,
        pulls_only=document.diagnostic is not None and not refresh,
        related=related,
        tags=tags,
        data=data,
        code_links=links,
        watch=can("workspace.did_change_watched_files.dynamic_registration"),
        snippets=bool(item.snippet_support),
        insert_as_is=bool(item.insert_text_mode_support),
        label_details=bool(item.label_details_support),
        preselect=bool(item.preselect_support),
        commit_characters=bool(item.commit_characters_support),
        item_formats=tuple(item.documentation_format or ()),
        item_kinds=frozenset((item_kinds and item_kinds.value_set) or _FIRST_ITEM_KINDS),
        hover_markdown=types.MarkupKind.Markdown in ((document.hover and document.hover.content_format) or ()),
        action_literals=action.code_action_literal_support is not None,
        preferred=bool(action.is_preferred_support),
        # File operations exist only in document changes, so a client that declares them (Neovim 0.11) takes both.
        document_changes=bool(edit.document_changes or edit.resource_operations),
        snippet_edits=bool(edit.document_changes and edit.snippet_edit_support),
        creates_files=types.ResourceOperationKind.Create in (edit.resource_operations or ()),
        renames_files=types.ResourceOperationKind.Rename in (edit.resource_operations or ()),
        previews_edits=bool(edit.document_changes and edit.change_annotation_support is not None),
        resolves_edits="edit" in resolves,
        applies_edits=can("workspace.apply_edit"),
        shows_documents=can("window.show_document.support"),
        progress=can("window.work_done_progress"),
        settings=can("workspace.configuration"),
        settings_change=can("workspace.did_change_configuration.dynamic_registration"),
        symbol_trees=can("text_document.document_symbol.hierarchical_document_symbol_support"),
        symbol_kinds=frozenset(known_kinds) or _FIRST_KINDS,
        symbol_tags=outline.tag_support is not None and types.SymbolTag.Deprecated in outline.tag_support.value_set,
        fold_limit=(document.folding_range and document.folding_range.range_limit) or 0,
        whole_line_folds=can("text_document.folding_range.line_folding_only"),
        definition_links=can("text_document.definition.link_support"),
        link_tooltips=can("text_document.document_link.tooltip_support"),
        lens_refresh=can("workspace.code_lens.refresh_support"),
        hint_refresh=can("workspace.inlay_hint.refresh_support"),
        resolves_hints=frozenset(hint.resolve_support.properties if hint.resolve_support else ()),
        token_refresh=can("workspace.semantic_tokens.refresh_support"),
        lists_handoffs=_own(capabilities, "didChangeHandoffs"),
        chooses=_own(capabilities, "choose"),
        disabled_actions=bool(action.disabled_support),
    )


def _own(capabilities: types.ClientCapabilities, name: str) -> bool:
    """Whether a client declares an ability specific to this server: ``experimental.handoff.NAME``."""
    own = capabilities.experimental
    for key in ("handoff", name):
        own = own.get(key) if isinstance(own, Mapping) else getattr(own, key, None)
    return own is True
