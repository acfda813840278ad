"""One handoff of a document, bound: what rules judge and features show."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from handoff_lsp.binding.fence import FenceFault, find_fence_faults
from handoff_lsp.binding.json_fields import bind_members
from handoff_lsp.binding.markdown_fields import bind_document
from handoff_lsp.binding.mode import choose_mode
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.conditions import Values
from handoff_lsp.contracts.detect import (
    Candidate,
    choose_profile,
    evidence,
    fence_json,
    heading_names,
    is_about,
    key_there,
)
from handoff_lsp.contracts.model import Contract, Field, Mode
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.json import JsonTree
from handoff_lsp.syntax.markdown import MarkdownTree, Node
from handoff_lsp.syntax.yaml import read_yaml_pairs
from handoff_lsp.text import Fragment, Source, Span

# A defect of these kinds says that part of the block is not where it belongs, so that absences mean nothing.
_STRUCTURAL = {
    "missing-bracket",
    "missing-quote",
    "missing-value",
    "unexpected",
    "extra-text",
    "empty",
    "missing-colon",
}


class Choice(NamedTuple):
    """What the config and the document's modeline say of a contract's blocks."""

    profile: str | None = None
    mode: Mode | None = None
    settings: Mapping[str, Any] = {}


class JsonBody(NamedTuple):
    """The JSON of a block: its tree, in offsets of ``fragment``, and whether it is YAML instead."""

    fragment: Fragment
    tree: JsonTree
    is_yaml: bool


class Block:
    """One handoff: its contract's profile, its mode, where it stands and its slots."""

    def __init__(
        self,
        spec: Spec,
        mode: Mode,
        source: Source,
        tree: MarkdownTree,
        root: Slot,
        *,
        node: Node | None,
        json: JsonBody | None,
        tagged: bool,
        settings: Mapping[str, Any],
        reasons: tuple[str, ...],
        pinned: Spec | None,
    ) -> None:
        self.spec = spec
        self.mode = mode
        self.source = source
        self.tree = tree
        self.root = root
        self.node = node
        self.json = json
        self.tagged = tagged
        self.reasons = reasons
        # The profile that the config names, where the block bears the marks of another one.
        self.pinned = pinned
        self.settings = settings
        self.earlier: list[Block] = []
        # How many of its findings are errors, once it has been judged.
        self.errors = 0
        # What the rules share with one another while they judge this block.
        self.memo: dict[str, Any] = {}

    @property
    def span(self) -> Span:
        """Where the block stands: its fence, or the whole document."""
        return self.node.span if self.node is not None else Span(0, len(self.source))

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The root and all slots below it, parents first; children of what is absent are left out."""
        return tuple(self.root.walk())

    @cached_property
    def fence_faults(self) -> list[FenceFault]:
        """What keeps the contract's reader from taking the block's fence."""
        fence = self.spec.contract.fence
        if self.node is None or fence is None:
            return []
        body = self.json.fragment if self.json is not None else None
        return find_fence_faults(self.node, body, fence, tagged=self.tagged)

    @cached_property
    def readable(self) -> bool:
        """Whether the contract's own reader gets anything out of the block."""
        if self.json is None or self.node is None:
            return True
        root = self.json.tree.root
        if root is None or root.kind != "object" or self.json.tree.fatal or self.json.is_yaml:
            return False
        return self.node.closed and not self.fence_faults

    @cached_property
    def unclosed(self) -> list[Node]:
        """The fences of a Markdown handoff that swallow what follows them."""
        return [fence for fence in self.tree.fences() if not fence.closed] if self.node is None else []

    @cached_property
    def absences_count(self) -> bool:
        """Whether what is not there can be told from what could not be read."""
        if self.json is None:
            return not self.unclosed
        root = self.json.tree.root
        if self.json.is_yaml or root is None or root.kind != "object":
            return False
        return not any(defect.fatal and defect.kind in _STRUCTURAL for defect in self.json.tree.defects)

    @cached_property
    def values(self) -> Values:
        """The values that conditions see."""
        return self.spec.conditions.values(self.data)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The values by root name, settings among them."""
        declared = self.spec.contract.settings
        settings = {name: self.spec.setting(name, self.settings) for name in declared}
        return {**(self.root.data or {}), "settings": settings}

    @property
    def status(self) -> Slot | None:
        """The slot of the status, there or not; None where its parent is absent."""
        found = self.root.find(self.spec.contract.status)
        return found[0] if found else None

    def home(self) -> Span:
        """Where to tell something about the block as a whole: its title, its fence's tag, or its first line."""
        if self.node is not None:
            return self.node.info_span if self.node.info else self.node.opening
        if self.root.key is not None:
            return self.root.key
        first = next((slot for slot in self.root.children.values() if slot.key is not None), None)
        if first is not None and first.key is not None:
            return first.key
        return self.source.lines.line_span(0)


def bind(candidate: Candidate, tree: MarkdownTree, path: str, choice: Choice, *, forced: str | None = None) -> Block:
    """Bind one handoff of a document. ``path`` is the document's, with ``/``, or empty.

    ``forced`` names the profile where the document itself says which it is; else evidence in it decides.
    """
    entry, node = candidate.entry, candidate.node
    contract = entry.contract
    title = tree.all_sections[0].title if tree.all_sections and tree.all_sections[0].level == 1 else ""
    json = None
    if node is not None:
        json = read_body(node)
        root_node = json.tree.root
        has: Callable[[str], bool] = lambda key: key_there(root_node, key)  # noqa: E731
    else:
        headings = heading_names(tree)
        has = lambda name: _has_section(contract, name, headings)  # noqa: E731
    profile = forced or choose_profile(contract, choice.profile, evidence(contract, path, title, has))
    spec = entry.spec(profile)
    if json is None:
        root = bind_document(tree, spec)
    else:
        root = Slot("", Field(type="object", closed=spec.contract.closed, upstream=spec.contract.upstream))
        root.present = root.written = True
        bind_members(root, json.tree.root, spec.fields, json.fragment)
        assert node is not None
        root.key = node.info_span if node.info else node.opening
        root.data = _with_empties(root)
    about = is_about(tree, path, contract) if choice.mode is None else False
    mode = choice.mode or choose_mode(root, spec.contract.status, title, path, about, node)
    return Block(
        spec,
        mode,
        tree.source,
        tree,
        root,
        node=node,
        json=json,
        tagged=candidate.tagged,
        settings=choice.settings,
        reasons=candidate.reasons,
        pinned=entry.spec(choice.profile)
        if choice.profile in contract.profiles and choice.profile != profile
        else None,
    )


def read_body(node: Node) -> JsonBody:
    """Parse the JSON in a fence."""
    fragment = node.fragment()
    tree = fence_json(node)
    start = fragment.text.lstrip()[:1]
    is_yaml = tree.fatal and start not in {"{", "[", ""} and bool(read_yaml_pairs(fragment.text))
    return JsonBody(fragment, tree, is_yaml)


def _with_empties(root: Slot) -> dict[str, Any]:
    empties: dict[str, Any] = {"object": {}, "list": [], "rows": [], "text": ""}
    data = dict(root.data or {})
    for name, slot in root.children.items():
        if name not in data and not slot.present and slot.field.type in empties:
            data[name] = empties[slot.field.type]
    return {name: value for name, value in data.items() if value is not None}


def _has_section(contract: Contract, name: str, headings: set[str]) -> bool:
    field = contract.fields.get(name)
    return field is not None and any(fold_name(title) in headings for title in (field.title or name, *field.aliases))
