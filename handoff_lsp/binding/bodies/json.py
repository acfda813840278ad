"""A handoff in JSON: members of objects."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from handoff_lsp.binding.bodies.body import Body, Lookups, Syntax, root_slot
from handoff_lsp.binding.bodies.part import BodyPart, PartKind
from handoff_lsp.binding.json_fields import bind_members
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Contract, Field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.recognition.fences import key_there
from handoff_lsp.syntax.json.parse import JsonMember, JsonNode, JsonTree
from handoff_lsp.text import Fragment, Source, Span

# After a defect of these kinds part of the JSON may be misplaced, so a missing field may be in that part.
_STRUCTURAL = {
    "missing-bracket",
    "missing-quote",
    "inner-quotes",
    "missing-value",
    "unexpected",
    "extra-text",
    "empty",
    "missing-colon",
}


class JsonBody(Body):
    """JSON: its tree, in offsets of ``fragment``. ``is_yaml``: it is YAML instead."""

    syntax: ClassVar[Syntax] = "json"
    only_keys = True
    quoted = True
    fragment: Fragment

    def __init__(self, fragment: Fragment, tree: JsonTree, is_yaml: bool) -> None:
        self.fragment = fragment
        self.tree = tree
        self.is_yaml = is_yaml

    def lookups(self, entry: ContractEntry) -> Lookups:
        root, contract = self.tree.root, entry.contract
        return Lookups(partial(key_there, root), lambda name: _string(root, contract, name))

    def bind(self, spec: Spec, source: Source) -> Slot:
        root, top, fence = root_slot(spec), self.tree.root, spec.contract.fence
        bind_members(root, top, spec.fields, self.fragment, any_case=fence is not None and "any-case" in fence.reader)
        if top is not None:
            at = self.fragment.outer(top.start)
            root.key = Span(at, at + 1)
        root.data = with_empties(root)
        return root

    @property
    def parts(self) -> Sequence[BodyPart]:
        return [JsonPart(self.fragment, self.tree.root)] if self.tree.root is not None else []

    @property
    def comments(self) -> Sequence[Span]:
        return [self.fragment.outer_span(*one.span) for one in self.tree.defects if one.kind == "comment"]

    @property
    def readable(self) -> bool:
        return self._is_object and not self.tree.fatal

    def shows_absence(self, *, cut: bool) -> bool:
        # Brackets mark its end, even in a fence that is not closed.
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


class JsonPart(BodyPart):
    """A member of an object, or a value without a key: the root, or the item of a list with that number."""

    __slots__ = ("_fragment", "_member", "_node", "_number", "kind")

    typed = True
    bracketed = True

    def __init__(
        self, fragment: Fragment, node: JsonNode | None, member: JsonMember | None = None, number: int = -1
    ) -> None:
        self._fragment = fragment
        self._node = node
        self._member = member
        self._number = number
        self.kind: PartKind = node.kind if node is not None else "missing"

    @property
    def span(self) -> Span:
        whole = self._member or self._node
        assert whole is not None, "a part has a key or a value"
        return self._fragment.outer_span(whole.start, whole.end)

    @property
    def key(self) -> Span | None:
        member = self._member
        return self._fragment.outer_span(member.key.start, member.key.end) if member is not None else None

    @property
    def value(self) -> Span | None:
        node = self._node
        return self._fragment.outer_span(node.start, node.end) if node is not None else None

    @property
    def name(self) -> str | None:
        if self._member is not None:
            return str(self._member.key.value)
        return f"[{self._number}]" if self._number >= 0 and self.kind in {"object", "array"} else None

    @property
    def text(self) -> str:
        node = self._node
        if node is None or node.kind == "array":
            return ""
        if node.kind == "object":
            if node.parent is None or node.parent.kind != "array":
                return ""
            # An object in a list is distinguished by its first string.
            values = (member.value for member in node.members if member.value is not None)
            return next((str(value.value) for value in values if value.kind == "string"), "")
        return str(node.value) if node.kind == "string" else self._fragment.text[node.start : node.end]

    @property
    def length(self) -> int | None:
        node = self._node
        return len(node.items) if node is not None and node.kind == "array" else None

    @property
    def closed(self) -> bool:
        if self._node is not None:
            return self._node.closed
        return self._member is None or self._member.key.closed

    @property
    def folded(self) -> Span | None:
        node = self._node
        if node is None or not (node.members or node.items):
            return None
        return self._fragment.outer_span(node.start, node.end)

    @property
    def insides(self) -> Sequence[Span]:
        nodes = [self._member.key] if self._member is not None else []
        if self._node is not None and self.kind in {"string", "object", "array"}:
            nodes.append(self._node)
        return [_inside(self._fragment, one) for one in nodes]

    @property
    def below(self) -> Sequence[BodyPart]:
        node, fragment = self._node, self._fragment
        if node is not None and node.members:
            return [JsonPart(fragment, member.value, member) for member in node.members]
        if node is not None and node.items:
            return [JsonPart(fragment, item, None, number) for number, item in enumerate(node.items)]
        return ()


def _inside(fragment: Fragment, node: JsonNode) -> Span:
    """The span between quotes or brackets, without blanks."""
    start, end = node.start + 1, node.end - (1 if node.closed and node.end > node.start + 1 else 0)
    part = fragment.text[start:end]
    start += len(part) - len(part.lstrip())
    return fragment.outer_span(min(start, end), max(start, start + len(part.strip())))


def _string(node: JsonNode | None, contract: Contract, name: str) -> str | None:
    """The value of a root field if it is a string."""
    field = contract.fields.get(name)
    if node is None or node.kind != "object" or field is None:
        return None
    written = (node.get(title) for title in (field.title, *field.aliases))
    found = next((value for value in written if value is not None), None)
    return str(found.value) if found is not None and found.kind == "string" else None


def key_of(slot: Slot, node: JsonNode) -> str:
    """The key that an object uses for a field: the title or an alias; the title if it has neither."""
    return next((key for key in (slot.title, *slot.field.aliases) if node.member(key) is not None), slot.title)
