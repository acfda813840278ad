"""One handoff of a document, bound: what rules judge and features show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import copy
from functools import cached_property
from typing import Any, Literal, NamedTuple

from handoff_lsp.binding.fence import FenceFault, find_fence_faults
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.surroundings import NOWHERE, Surroundings
from handoff_lsp.contracts.conditions import Values, names_in
from handoff_lsp.contracts.detect_fences import is_found
from handoff_lsp.contracts.growth import MAX_GROWN, grown
from handoff_lsp.contracts.model import Form, Mode
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.json import JsonTree
from handoff_lsp.syntax.log import Log
from handoff_lsp.syntax.markdown import MarkdownTree, Node, Section
from handoff_lsp.syntax.outline import Outline
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
# The beginning of a line that replaces what is not shown.
_DOTS = re.compile(r"(?:#|//|\(|\[)?[ \t]*(?:\.{3}|…|中略|省略)")


class JsonBody(NamedTuple):
    """The JSON of a block: its tree, in offsets of ``fragment``, and whether it is YAML instead."""

    fragment: Fragment
    tree: JsonTree
    is_yaml: bool


class OutlineBody(NamedTuple):
    """The ``key: value`` lines of a block, in offsets of ``fragment``; ``is_json``: there is JSON instead of them."""

    fragment: Fragment
    outline: Outline
    is_json: bool = False


class Place(NamedTuple):
    """Where a block stands: its form and span, the fence or the section that it is or is in, and what it holds."""

    form: Form
    span: Span
    node: Node | None = None
    section: Section | None = None
    json: JsonBody | None = None
    outline: OutlineBody | None = None
    log: Log | None = None


class Fault(NamedTuple):
    """A finding over which the pipeline does not go on. ``about_carrier``: it is about how the block is written."""

    rule: str
    message: str
    span: Span
    is_error: bool
    about_carrier: bool


class Block:
    """One handoff: its contract's profile, its mode, where it stands and its slots."""

    def __init__(
        self,
        spec: Spec,
        mode: Mode,
        tree: MarkdownTree,
        source: Source,
        root: Slot,
        place: Place,
        *,
        tagged: bool,
        settings: Mapping[str, Any],
        reasons: tuple[str, ...],
        pinned: Spec | None,
        path: str = "",
        evidence: Mapping[str, int] | None = None,
    ) -> None:
        self.spec = spec
        self.mode = mode
        self.source = source
        # Of a document that is not Markdown an empty one.
        self.tree = tree
        self.root = root
        self.form = place.form
        self.span = place.span
        self.node = place.node
        self.section = place.section
        self.json = place.json
        self.outline = place.outline
        self.log = place.log
        self.tagged = tagged
        self.reasons = reasons
        # By profile, the sum of what speaks for it, where anything does.
        self.evidence = evidence if evidence is not None else {}
        # The document's path from the root of the workspace, with `/`, or empty.
        self.path = path
        # What rules may ask of the files around this one.
        self.around: Surroundings = NOWHERE
        # The profile that the config names, where the block bears the marks of another one.
        self.pinned = pinned
        self.settings = settings
        # All handoffs of the document in order, this one among them.
        self.together: list[Block] = [self]
        # The handoff of any contract right behind this one, with nothing but blanks between them.
        self.following: Block | None = None
        # The one right before it.
        self.preceding: Block | None = None
        # Why the pipeline does not go on, once it has been judged: its errors, and doubts about its status.
        self.faults: tuple[Fault, ...] = ()
        # Whether something in it was not looked at, as it is beyond what is bounded.
        self.unseen = False
        # How many handoffs of the document right above it were not looked at.
        self.left_out = 0
        # The conditions so far that could not be asked, as they go through more items than CEL does.
        self.gave_up: dict[str, None] = {}
        # What the rules share with one another while they judge this block.
        self.memo: dict[str, Any] = {}

    def placed(self, around: Surroundings) -> Block:
        """The same handoff among other files, not yet judged there."""
        made = copy(self)
        for depends in ("data", "values"):
            made.__dict__.pop(depends, None)
        made.around, made.memo, made.faults, made.gave_up, made.unseen = around, {}, (), {}, False
        return made

    @property
    def syntax(self) -> Literal["markdown", "json", "outline", "log"]:
        """What the block is written in."""
        if self.json is not None:
            return "json"
        if self.outline is not None:
            return "outline"
        return "log" if self.log is not None else "markdown"

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The root and all slots below it, parents first; children of what is absent are left out."""
        return tuple(self.root.walk())

    @cached_property
    def fence_faults(self) -> list[FenceFault]:
        """What keeps the contract's reader from taking the block's fence."""
        fence = self.spec.contract.fence
        if self.form != "fence" or self.node is None or fence is None:
            return []
        body = self.json or self.outline
        fragment = body.fragment if body is not None else None
        example, is_json = self.mode == "example", self.outline is not None and self.outline.is_json
        faults = find_fence_faults(self.node, fragment, fence, tagged=self.tagged, example=example, is_json=is_json)
        return [] if faults and fence.reader and is_found(self.node, fence) else faults

    @cached_property
    def wrong_form(self) -> bool:
        """Whether the block has what its reader wants, but as JSON instead of lines, or in no fence of its own."""
        unfenced = self.form == "run" and self.spec.contract.run is None
        return unfenced or (self.outline is not None and self.outline.is_json)

    @cached_property
    def readable(self) -> bool:
        """Whether the contract's own reader gets anything out of the block."""
        if self.wrong_form:
            return False
        if self.json is not None:
            root = self.json.tree.root
            if root is None or root.kind != "object" or self.json.tree.fatal or self.json.is_yaml:
                return False
        if self.form != "fence" or self.node is None:
            return True
        return self.node.closed and not self.fence_faults

    @cached_property
    def unclosed(self) -> list[Node]:
        """The fences of a Markdown handoff that swallow what follows them."""
        if self.syntax != "markdown":
            return []
        return [fence for fence in self.tree.fences() if not fence.closed and self.span.holds(fence.span.start)]

    @cached_property
    def open_comment(self) -> bool:
        """Whether the block is a comment without an end, so that all below it is part of it."""
        run = self.spec.contract.run
        in_comment = self.form == "run" and run is not None and bool(run.comment)
        return in_comment and not self.source.text.endswith("-->", self.span.start, self.span.end)

    @cached_property
    def open_fence(self) -> bool:
        """Whether the block is a run that begins with a key of its own, in a fence that is not closed."""
        run = self.spec.contract.run
        opened = self.form == "run" and run is not None and bool(run.opening)
        return opened and self.node is not None and not self.node.closed

    @cached_property
    def elides(self) -> bool:
        """Whether it only shows a part, with a line of dots for the rest."""
        if self.mode == "handoff" or self.outline is None:
            return False
        text = self.outline.fragment.text
        return any(_DOTS.match(text, line.start) for line in self.outline.outline.stray)

    @cached_property
    def absences_count(self) -> bool:
        """Whether an absent field is missing, and neither unreadable nor left out on purpose."""
        if self.elides or self.wrong_form:
            return False
        if self.json is None:
            cut = self.form == "fence" and self.node is not None and not self.node.closed
            return not self.unclosed and not cut and not self.open_comment and not self.open_fence
        root = self.json.tree.root
        if self.json.is_yaml or root is None or root.kind != "object":
            return False
        return not any(defect.fatal and defect.kind in _STRUCTURAL for defect in self.json.tree.defects)

    @cached_property
    def values(self) -> Values:
        """The values that conditions see."""
        return self.values_of(self.data)

    def values_of(self, data: Mapping[str, Any]) -> Values:
        """Other values that conditions of this block see."""
        return self.spec.conditions.values(data, self.gave_up)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The values by root name, those of companions, terms and settings among them."""
        return self.data_with(self.root.data or {})

    def data_with(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The same for a handoff that says something else."""
        contract = self.spec.contract
        settings = {name: self.spec.setting(name, self.settings) for name in contract.settings}
        document = {"name": self.path.rpartition("/")[2], "title": self.tree.title, "head": self.tree.head}
        data = {"document": document, **said, "settings": settings}
        for name in contract.companions:
            other = self.companion(name)
            if other is not None:
                # Two neighbours may speak of one another: each sees what the other says, not what follows from it.
                data[name] = other.data if contract.companions[name].path else other.root.data or {}
            elif not contract.companions[name].path and self.absences_count:
                data[name] = {}
        for name, count in contract.counts.items():
            number = self.around.count(count.files, count.pattern)
            if number is not None:
                data[name] = number
        made = 0  # by all terms together
        for name, line in contract.terms.items():
            # Each is handed only what it speaks of: some of it, such as a long log, takes time to hand over.
            names = names_in(line)
            spoken_of = {key: known for key, known in data.items() if key in names}
            values = self.values_of(spoken_of)
            made += grown(line, spoken_of)
            if made > MAX_GROWN:
                values.give_up(line)
                continue
            value = values.evaluate(line)
            if value is not None:
                data[name] = value
        return data

    def companion(self, name: str) -> Block | None:
        """The handoff in a companion's document; None where there is no such document or it is none."""
        companion = self.spec.contract.companions[name]
        if companion.where == "above":
            return self._above(companion.contract)
        if not companion.path:
            other = self.preceding if companion.where == "before" else self.following
            return other if other is not None and other.spec.name == companion.contract else None
        return self.around.block(companion.path, companion.contract)

    @property
    def next_companion(self) -> Block | None:
        """The next handoff of the document if it belongs right behind this one, whatever is between the two."""
        companions = self.spec.contract.companions.values()
        wanted = {one.contract for one in companions if not one.path and one.where == "behind"}
        below = (one for one in self.together if one.span.start >= self.span.end and one.mode == "handoff")
        following = next(below, None) if wanted else None
        return following if following is not None and following.spec.name in wanted else None

    def _above(self, contract: str) -> Block | None:
        """The first handoff of a contract above this one."""
        before = (one for one in self.together if one.span.start < self.span.start and one.mode == "handoff")
        return next((one for one in before if one.spec.name == contract), None)

    @property
    def only_explains(self) -> bool:
        """Whether it has no status of its own, and a handoff above it has one that it explains."""
        # Not every profile has to do with what is above.
        asked = names_in(*self.spec.contract.terms.values())
        above = [name for name, one in self.spec.contract.companions.items() if one.where == "above" and name in asked]
        leads = any(self.companion(name) is not None for name in above)
        return leads and self.status is not None and not self.status.written

    @property
    def status(self) -> Slot | None:
        """The slot of the status, there or not; None where its parent is absent."""
        found = self.root.find(self.spec.contract.status)
        return found[0] if found else None

    def home(self) -> Span:
        """Where to tell something about the block as a whole: its title, its fence's tag, or its first line."""
        if self.form == "fence" and self.node is not None:
            return self.node.info_span if self.node.info else self.node.opening
        if self.root.key is not None:
            return self.root.key
        first = next((slot for slot in self.root.children.values() if slot.key is not None), None)
        if first is not None and first.key is not None:
            return first.key
        return self.source.lines.first_line_of(self.span)
