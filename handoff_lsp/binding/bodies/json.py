"""A handoff in JSON: members of objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from handoff_lsp.binding.bodies.body import Body, root_slot
from handoff_lsp.binding.bodies.part import Part
from handoff_lsp.binding.json_fields import bind_members
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.json.parse import JsonMember, JsonNode, JsonTree
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
    def parts(self) -> Sequence[Part]:
        return [JsonPart(self.fragment, self.tree.root)] if self.tree.root is not None else []

    @property
    def comments(self) -> Sequence[Span]:
        return [self.fragment.outer_span(*one.span) for one in self.tree.defects if one.kind == "comment"]

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


class JsonPart(Part):
    """A member of an object, or a value that is none: the root, an item of a list."""

    typed = True
    blank = '""'

    def __init__(
        self, fragment: Fragment, node: JsonNode | None, member: JsonMember | None = None, number: int | None = None
    ) -> None:
        self._fragment = fragment
        self._node = node
        self._member = member
        self._number = number
        self.kind = node.kind if node is not None else "missing"

    @property
    def span(self) -> Span:
        whole = self._member or self._node
        assert whole is not None, "a part has a key or a value"
        return self._fragment.outer_span(whole.start, whole.end)

    @property
    def key(self) -> Span | None:
        return self._fragment.outer_span(*self._member.key.span) if self._member is not None else None

    @property
    def value(self) -> Span | None:
        return self._fragment.outer_span(*self._node.span) if self._node is not None else None

    @property
    def name(self) -> str | None:
        if self._member is not None:
            return str(self._member.key.value)
        return f"[{self._number}]" if self._number is not None and self.kind in {"object", "array"} else None

    @property
    def count(self) -> int | None:
        return len(self._node.items) if self._node is not None and self.kind == "array" else None

    @property
    def closed(self) -> bool:
        if self._node is None:
            return self._member is None or self._member.key.closed
        return self._node.closed

    @property
    def bracketed(self) -> bool:
        return self._node is not None and bool(self._node.members or self._node.items)

    @property
    def text(self) -> str:
        node = self._node
        if node is not None and node.kind == "object":
            # An object in a list is known by its first text.
            texts = (member.value for member in node.members if member.value is not None)
            node = next((one for one in texts if one.kind == "string"), None) if self._is_item(node) else None
        if node is None:
            return ""
        return str(node.value) if node.kind == "string" else self._fragment.text[node.start : node.end]

    @staticmethod
    def _is_item(node: JsonNode) -> bool:
        return node.parent is not None and node.parent.kind == "array"

    @property
    def folded(self) -> Span | None:
        return self.value if self.bracketed else None

    @property
    def spans(self) -> Iterator[Span]:
        yield from super().spans
        if self._member is not None:
            yield self._inside(self._member.key)
        if self._node is not None and self._node.kind in {"string", "object", "array"}:
            yield self._inside(self._node)

    def _inside(self, node: JsonNode) -> Span:
        """What is between quotes or brackets, without blanks."""
        start, end = node.start + 1, node.end - (1 if node.closed and node.end > node.start + 1 else 0)
        part = self._fragment.text[start:end]
        start += len(part) - len(part.lstrip())
        return self._fragment.outer_span(min(start, end), max(start, start + len(part.strip())))

    @property
    def children(self) -> Sequence[Part]:
        if self._node is None:
            return ()
        members = [JsonPart(self._fragment, member.value, member) for member in self._node.members]
        return members or [JsonPart(self._fragment, item, None, at) for at, item in enumerate(self._node.items)]


def key_of(slot: Slot, node: JsonNode) -> str:
    """The key that an object has for a field: its title, or the alias that is there."""
    return next((key for key in (slot.title, *slot.field.aliases) if node.member(key) is not None), slot.title)
