"""Handoffs that end in the middle: those whose own JSON does, and those cut off before they can be recognized."""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.syntax.json.parse import JsonTree, parse_json
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node


def ends_early(handoff: Handoff) -> bool:
    """Whether a handoff is JSON that ends before its last bracket, in a fence without an end or in none."""
    fence = handoff.own_fence
    return handoff.json is not None and (fence is None or not fence.closed) and _is_open(handoff.json.tree)


def is_begun(tree: MarkdownTree, text: str, entries: Sequence[ContractEntry]) -> bool:
    """Whether a text ends in the middle of a handoff of one of the contracts, too early to be recognized."""
    last = next((fence for fence in reversed(tree.fences()) if not fence.closed), None)
    if last is not None:
        return any(_begins(last, entry) for entry in entries)
    start = text.strip()
    return start.startswith("{") and any(_is_open_json(start, entry) for entry in entries)


def _begins(fence: Node, entry: ContractEntry) -> bool:
    """Whether a fence without an end is the beginning of a handoff: by its tag, or by one of the contract's keys."""
    form = entry.contract.fence
    if form is None:
        return False
    tag, text = fence.info.partition(" ")[0], fence.fragment().text
    if not text.strip():  # even the tag may be cut off
        return bool(tag) and any(own.startswith(tag) for own, role in form.tags.items() if role == "own")
    if form.tags.get(tag) == "own":
        return True
    return form.holds_json and tag in form.tags and _is_open_json(text, entry)


def _is_open_json(text: str, entry: ContractEntry) -> bool:
    """Whether a text is JSON that ends early, with a key of the contract."""
    contract = entry.contract
    if not any(form is not None and form.holds_json for form in (contract.fence, contract.file)):
        return False
    tree = parse_json(text)
    if not _is_open(tree) or tree.root is None:
        return False
    keys = {str(member.key.value) for member in tree.root.members}
    known = {written for name, field in contract.fields.items() for written in (name, field.title, *field.aliases)}
    return not keys.isdisjoint(known)


def _is_open(tree: JsonTree) -> bool:
    return tree.root is not None and tree.root.kind == "object" and not tree.root.closed
