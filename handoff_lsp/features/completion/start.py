"""Completion in a document that is no handoff yet: the sections a handoff begins with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from handoff_lsp.contracts.model import Contract, Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import NameTable, Spec
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion.item import CompletionItem, first_sentence, make_edit
from handoff_lsp.features.completion.markdown.line import HEADING, CursorLine, has_body, line_at
from handoff_lsp.features.completion.markdown.sections import group_items, section_item
from handoff_lsp.features.pages.contract_pages import contract_key
from handoff_lsp.recognition.detect import read_modeline
from handoff_lsp.recognition.profiles import Facts, choose_profile, evidence
from handoff_lsp.workspace.disk.globs import Glob
from handoff_lsp.writing.owed_block import owed_block
from handoff_lsp.writing.skeleton import Skeleton, unclaimed
from handoff_lsp.writing.skeleton_document import form_of, new_document


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
    usable = [entry for entry in registry if entry.name not in analysis.options.disabled]
    placed = [entry for entry in usable if entry.contract.file is None and names_place(entry.contract, analysis.path)]
    items: list[CompletionItem] = list(_whole(analysis, line, registry, placed)) if empty and line.blank else []
    if heading is not None or empty:
        items += [item for entry in placed for item in _summaries(analysis, entry, line, heading)]
    for entry in usable:
        contract = entry.contract
        if contract.detect is None:
            continue
        if path_says(contract, analysis.path) or (empty and not placed):
            spec = likely_spec(analysis, entry, analysis.path)
            words = partial(_to_fill_in, spec)
            if not has_body(analysis.tree, line):
                items += group_items(text, spec, line, heading, 2, _headings(analysis, spec, line), words)
    return items


def _whole(
    analysis: Analysis, line: CursorLine, registry: Registry, placed: list[ContractEntry]
) -> Iterator[CompletionItem]:
    """The handoffs that an agent owes here, else one of each contract that names the place."""
    returned = analysis.options.returned
    here = [owed for owed in returned.owed if owed.contract in registry] if returned is not None else []
    for owed in here:
        edit = make_edit(analysis.source.text, line.span, owed_block(registry, owed, analysis.options))
        title = registry[owed.contract].contract.title
        yield CompletionItem(title, "block", edit, "", key=contract_key(owed.contract), preselect=True)
    for entry in placed if not here else ():
        contract = entry.contract
        if entry.origin is not None or (not contract.groups and _is_its_place(contract, analysis.path)):
            made = new_document(likely_spec(analysis, entry, analysis.path))
            edit = make_edit(analysis.source.text, line.span, made)
            yield CompletionItem(contract.title, "block", edit, "", key=contract_key(entry.name), preselect=True)


def _is_its_place(contract: Contract, path: str) -> bool:
    """Whether a path is a place of this built-in contract alone: a location of it, or the file that an agent owes."""
    owed = (pattern for each in contract.returns.values() for pattern in each.files)
    return path in contract.locations or path_says(contract, path) or any(Glob(one).matches(path) for one in owed)


def _summaries(
    analysis: Analysis, entry: ContractEntry, line: CursorLine, heading: re.Match[str] | None
) -> Iterator[CompletionItem]:
    """The sections that are handoffs of a built-in contract, one for each heading that its profiles have."""
    specs = [entry.spec(profile) for profile in entry.contract.profiles] if entry.origin is None else []
    bare = heading is not None and has_body(analysis.tree, line)
    if bare and heading is not None and not heading["title"]:
        return  # nothing says that the text below belongs to a summary
    titles = dict.fromkeys(spec.contract.heading.lstrip("# ") for spec in specs if form_of(spec) == "section")
    for title in filter(None, titles):
        spec = _spec_by(analysis, entry, analysis.path, title)
        made = new_document(spec)
        if heading is not None and not made.plain.startswith(heading["signs"]):
            continue
        if bare:
            made = Skeleton(*(part.partition("\n")[0] for part in made))
        detail, key = first_sentence(entry.contract.profiles[spec.profile].about), contract_key(entry.name)
        yield from section_item(analysis.source.text, title, "block", made, line, heading, detail, key, bare)


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
    return _spec_by(analysis, entry, path, title)


def _spec_by(analysis: Analysis, entry: ContractEntry, path: str, title: str) -> Spec:
    seen = evidence(entry.contract, Facts(path, title, "document", lambda name: False, lambda name: None))
    return entry.spec(choose_profile(entry.contract, analysis.options.profiles.get(entry.name), seen))


def _headings(analysis: Analysis, spec: Spec, line: CursorLine) -> Callable[[str], bool]:
    names: NameTable = spec.names
    others = [item for item in analysis.tree.all_sections if not line.span.covers(item.heading.content)]
    there = {names.folded.get(fold_name(item.title)) for item in others}
    return lambda name: name in there
