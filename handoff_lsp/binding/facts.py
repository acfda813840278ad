"""The facts about a handoff, in any syntax, by which its profile is chosen."""

from __future__ import annotations

from collections.abc import Callable

from handoff_lsp.binding.handoff import HandoffPlace
from handoff_lsp.binding.region import region_of, whole
from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.recognition.fences import key_there
from handoff_lsp.recognition.markers import has_heading, heading_names
from handoff_lsp.recognition.profiles import Facts
from handoff_lsp.recognition.sections import section_labels
from handoff_lsp.syntax.json.parse import JsonNode
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree


def facts_of(place: HandoffPlace, tree: MarkdownTree, entry: ContractEntry, path: str, title: str) -> Facts:
    """The facts about a handoff before its profile is chosen. ``title`` is its document's or its section's."""
    return Facts(path, title, place.form, *_lookups(place, tree, entry))


def _lookups(
    place: HandoffPlace, tree: MarkdownTree, entry: ContractEntry
) -> tuple[Callable[[str], bool], Callable[[str], str | None]]:
    """Two lookups by name: whether a key or section exists, and the text of a root field (None without one)."""
    contract = entry.contract
    if place.json is not None:
        node = place.json.tree.root
        return (lambda key: key_there(node, key)), (lambda name: _json_text(node, contract, name))
    if place.outline is not None:
        outline = place.outline.lines
        texts: dict[str, str] = {}
        for item in outline.entries:
            name = entry.names.folded.get(fold_name(item.key_text))
            if name is not None:
                texts.setdefault(name, item.value.text)
        return texts.__contains__, texts.get
    if place.log is not None:
        return (lambda name: False), (lambda name: None)
    if place.section is not None:
        number = place.section.number
        below = {fold_name(tree.titles[at]) for at in range(number + 1, tree.number_after(number))}
        labels = section_labels(tree, number, entry.names)
        return (
            lambda name: name in labels or _has_section(contract, name, below),
            lambda name: _label_text(tree, region_of(tree, number).blocks, entry, name),
        )
    headings = heading_names(tree)
    return (
        lambda name: _has_section(contract, name, headings),
        lambda name: _label_text(tree, whole(tree).blocks, entry, name),
    )


def _json_text(node: JsonNode | None, contract: Contract, name: str) -> str | None:
    field = contract.fields.get(name)
    if node is None or node.kind != "object" or field is None:
        return None
    written = (node.get(title) for title in (field.title, *field.aliases))
    found = next((value for value in written if value is not None), None)
    return str(found.value) if found is not None and found.kind == "string" else None


def _label_text(tree: MarkdownTree, blocks: range, entry: ContractEntry, name: str) -> str | None:
    for index, _ in tree.labels:
        if index in blocks:
            for pair in read_pairs(tree.source.text, tree.block(index).span):
                if entry.names.folded.get(fold_name(pair.key_text)) == name:
                    return pair.value_text
    return None


def _has_section(contract: Contract, name: str, headings: set[str]) -> bool:
    field = contract.fields.get(name)
    return field is not None and has_heading(field, headings)
