"""One handoff of a document, bound: what rules judge and features show."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from handoff_lsp.binding.json_fields import bind_members
from handoff_lsp.binding.markdown_fields import bind_document
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_placeholder
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
from handoff_lsp.contracts.model import Contract, Fence, Field, Mode
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
        return [] if self.node is None or fence is None else find_fence_faults(self, fence)

    @cached_property
    def readable(self) -> bool:
        """Whether the contract's own reader gets anything out of the block."""
        if self.json is None or self.node is None:
            return True
        return not (self.json.is_yaml or self.json.tree.fatal or self.fence_faults or not self.node.closed)

    @cached_property
    def absences_count(self) -> bool:
        """Whether what is not there can be told from what could not be read."""
        if self.json is None:
            return True
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


class FenceFault(NamedTuple):
    """Why a reader passes over a fence, where, and what would mend it (a replacement for ``span``, if one does)."""

    kind: str
    span: Span
    message: str
    replacement: str | None


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
    mode = choice.mode or _mode(root, title, path, about, node)
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


def _mode(root: Slot, title: str, path: str, about: bool, node: Node | None) -> Mode:
    if about:
        return "example"
    if node is not None:
        return "template" if _TEMPLATE_PATH.search(path) else "handoff"
    return "template" if _is_template(root, title, path) else "handoff"


_TEMPLATE_PATH = re.compile(r"(^|[/_.-])templates?([/_.-]|$)", re.IGNORECASE)


def _is_template(root: Slot, title: str, path: str) -> bool:
    """Whether a document is to be filled in: its title says so; or its name, or no title, and most is open."""
    if is_placeholder_in(title):
        return True
    if title and not _TEMPLATE_PATH.search(path):
        return False
    open_, filled = 0, 0
    for slot in root.walk():
        if slot.field.type in {"enum", "line", "pattern", "integer"} and slot.present:
            if slot.problem is not None and slot.problem.kind == "placeholder":
                open_ += 1
            elif slot.raw:
                filled += 1
    return open_ >= 2 and open_ > filled


def is_placeholder_in(title: str) -> bool:
    """Whether a title has a part that waits to be filled in."""
    return any(is_placeholder(part) for part in _placeholder_parts(title))


def _placeholder_parts(title: str) -> list[str]:
    parts = []
    for opening, closing in (("{", "}"), ("<", ">")):
        start = title.find(opening)
        if start >= 0 and title.find(closing, start) > start:
            parts.append(title[start : title.find(closing, start) + 1])
    return parts


def find_fence_faults(block: Block, fence: Fence) -> list[FenceFault]:
    """Everything about a fence that makes the contract's reader pass over it."""
    node = block.node
    assert node is not None
    words = node.info.split()
    word = words[0] if words else ""
    faults: list[FenceFault] = []
    lines = block.source.lines
    if not block.tagged:
        if word.lower() not in fence.shape_taken:
            span = node.info_span if node.info else node.opening
            replacement = fence.tag if node.info else node.marker + fence.tag
            faults.append(
                FenceFault(
                    "tag",
                    span,
                    f"This block has the keys of `{fence.tag}`, but its fence is tagged `{node.info or 'nothing'}`",
                    replacement,
                )
            )
    elif word != fence.tag:
        faults.append(
            FenceFault("tag", node.info_span, f"The fence is tagged `{node.info}`, not `{fence.tag}`", fence.tag)
        )
    elif len(words) > 1:
        faults.append(
            FenceFault(
                "info",
                node.info_span,
                f"The fence's info line says `{node.info}`, but it must be `{fence.tag}` alone",
                fence.tag,
            )
        )
    tilde_or_long = fence.marker and (
        node.marker[0] != fence.marker[0] or (node.marker != fence.marker and not fence.cut_at)
    )
    if tilde_or_long:
        opening = Span(node.opening.start, node.opening.start + len(node.marker))
        faults.append(
            FenceFault("marker", opening, f"The fence is made with `{node.marker}`, not with `{fence.marker}`", None)
        )
    if not fence.indented and node.opening.start != lines.starts[lines.line_of(node.opening.start)]:
        faults.append(
            FenceFault(
                "indented",
                Span(node.opening.start, node.opening.start + len(node.marker)),
                "The fence does not start at the beginning of its line",
                None,
            )
        )
    if fence.cut_at and block.json is not None:
        at = block.json.fragment.text.find(fence.cut_at)
        if at >= 0:
            span = block.json.fragment.outer_span(at, at + len(fence.cut_at))
            faults.append(
                FenceFault(
                    "cut", span, f"`{fence.cut_at}` inside the block: the reader takes the block to end here", None
                )
            )
    return faults
