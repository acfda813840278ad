"""A handoff in JSON: members of objects."""

from __future__ import annotations

import json

from handoff_lsp.binding.bodies.body import Body, root_slot
from handoff_lsp.binding.json_fields import bind_members
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.json.parse import JsonNode, JsonTree
from handoff_lsp.text import Fragment, Source, Span

# With a defect of these kinds part of the JSON is not where it belongs: what is not found may be there.
_STRUCTURAL = {
    "missing-bracket",
    "missing-quote",
    "missing-value",
    "unexpected",
    "extra-text",
    "empty",
    "missing-colon",
}


class JsonBody(Body):
    """JSON: its tree, in offsets of ``fragment``, and whether it is YAML instead."""

    syntax = "json"
    only_keys = True
    quoted = True
    fragment: Fragment

    def __init__(self, fragment: Fragment, tree: JsonTree, is_yaml: bool) -> None:
        self.fragment = fragment
        self.tree = tree
        self.is_yaml = is_yaml
        self.json = self

    def bind(self, spec: Spec, source: Source) -> Slot:
        root, top, fence = root_slot(spec), self.tree.root, spec.contract.fence
        bind_members(root, top, spec.fields, self.fragment, any_case=fence is not None and fence.any_case)
        if top is not None:
            at = self.fragment.outer(top.start)
            root.key = Span(at, at + 1)
        root.data = with_empties(root)
        return root

    @property
    def readable(self) -> bool:
        return self._is_object and not self.tree.fatal

    def shows_absence(self, *, cut: bool) -> bool:
        # Brackets say where it ends, whatever is around it.
        return self._is_object and not any(one.fatal and one.kind in _STRUCTURAL for one in self.tree.defects)

    @property
    def _is_object(self) -> bool:
        return self.tree.root is not None and self.tree.root.kind == "object" and not self.is_yaml

    def node(self, slot: Slot) -> JsonNode | None:
        if slot.parent is None:
            return self.tree.root
        parent = self.node(slot.parent)
        if parent is None:
            return None
        if slot.name.endswith("]") and parent.kind == "array":
            number = int(slot.name[slot.name.rindex("[") + 1 : -1])
            return parent.items[number] if number < len(parent.items) else None
        return parent.get(key_of(slot, parent))

    def quote(self, value: object) -> str:
        return json.dumps(value, ensure_ascii=False)

    def read(self, field: Field, value: object, empty_words: frozenset[str]) -> object:
        return value

    def end(self) -> tuple[int, bool]:
        root = self.tree.root
        if root is not None and root.closed:
            return root.end, True
        return len(self.fragment.text.rstrip()), False


def key_of(slot: Slot, node: JsonNode) -> str:
    """The key that an object has for a field: its title, or the alias that is there."""
    return next((key for key in (slot.title, *slot.field.aliases) if node.member(key) is not None), slot.title)
