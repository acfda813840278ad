"""Completion in a document that is no handoff yet: the sections a handoff begins with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from handoff_lsp.contracts.model import Contract, Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion.item import CompletionItem, make_edit
from handoff_lsp.features.completion.markdown.line import HEADING, CursorLine, line_at
from handoff_lsp.features.completion.markdown.sections import group_items
from handoff_lsp.features.pages.contract_pages import contract_key
from handoff_lsp.recognition.detect import read_modeline
from handoff_lsp.recognition.profiles import Facts, choose_profile, evidence
from handoff_lsp.workspace.disk.globs import Glob
from handoff_lsp.writing.owed_block import owed_block
from handoff_lsp.writing.skeleton import unclaimed
from handoff_lsp.writing.skeleton_document import new_document


def items(analysis: Analysis, offset: int, registry: Registry) -> list[CompletionItem]:
    """The items for a document without a handoff; none, unless it is empty or its path is that of one."""
    line = line_at(analysis, offset)
    heading = HEADING.fullmatch(line.text)
    node = analysis.tree.block_at(offset)
    if node is not None and node.kind not in {"heading", "paragraph"}:
        return []
    if not line.blank and (heading is None or line.offset < line.span.start + heading.end("signs")):
        return []
    modeline = read_modeline(analysis.tree)
    if modeline is not None and modeline.contract is None:
        return []
    text = analysis.source.text
    empty = not (text[: line.span.start] + text[line.span.end :]).strip("\ufeff \t\r\n")
    items: list[CompletionItem] = list(_whole(analysis, line, registry)) if empty and line.blank else []
    for entry in registry:
        contract = entry.contract
        if contract.detect is None or entry.name in analysis.options.disabled:
            continue
        if empty or path_says(contract, analysis.path):
            spec = likely_spec(analysis, entry, analysis.path)
            words = partial(_to_fill_in, spec)
            items += group_items(text, spec, line, heading, 2, _headings(analysis, spec, line), words)
    return items


def _whole(analysis: Analysis, line: CursorLine, registry: Registry) -> Iterator[CompletionItem]:
    """The handoffs that an agent owes here, else one of each contract of the workspace that names the folder."""
    returned = analysis.options.returned
    here = [owed for owed in returned.owed if owed.contract in registry] if returned is not None else []
    for owed in here:
        edit = make_edit(analysis.source.text, line.span, owed_block(registry, owed, analysis.options))
        title = registry[owed.contract].contract.title
        yield CompletionItem(title, "block", edit, "", key=contract_key(owed.contract), preselect=True)
    for entry in registry if not here else ():
        contract = entry.contract
        if entry.origin is None or contract.file is not None or entry.name in analysis.options.disabled:
            continue
        if names_place(contract, analysis.path):
            made = new_document(likely_spec(analysis, entry, analysis.path))
            edit = make_edit(analysis.source.text, line.span, made)
            title = contract.title
            yield CompletionItem(title, "block", edit, "", key=contract_key(entry.name), preselect=True)


def names_place(contract: Contract, path: str) -> bool:
    """Whether a contract names the place of a document (with ``/``): by a marker, a sign, a location or a glob."""
    signs = (sign.path for sign in contract.signs if sign.path and sign.weight > 0)
    return (
        path_says(contract, path)
        or any(search(pattern, path) for pattern in signs)
        or path in contract.locations
        or any(Glob(pattern).matches(path) for pattern in contract.usual)
    )


def _to_fill_in(spec: Spec, _: str, field: Field) -> Field:
    return unclaimed(field, spec.empty_words)


def path_says(contract: Contract, path: str) -> bool:
    """Whether a document's path (with ``/``) matches a sign of a contract for its path alone."""
    signs = contract.detect.signs if contract.detect is not None else []
    return bool(path) and any(search(sign.path, path) for sign in signs if sign.of_path and sign.weight > 0)


def likely_spec(analysis: Analysis, entry: ContractEntry, path: str) -> Spec:
    """The spec of a contract in the profile that path and title suggest, else the config's or the contract's own."""
    heads = analysis.tree.all_sections
    title = heads[0].title if heads and heads[0].level == 1 else ""
    seen = evidence(entry.contract, Facts(path, title, "document", lambda name: False, lambda name: None))
    return entry.spec(choose_profile(entry.contract, analysis.options.profiles.get(entry.name), seen))


def _headings(analysis: Analysis, spec: Spec, line: CursorLine) -> Callable[[str], bool]:
    names: NameTable = spec.names
    others = [item for item in analysis.tree.all_sections if not line.span.covers(item.heading.content)]
    there = {names.folded.get(fold_name(item.title)) for item in others}
    return lambda name: name in there
