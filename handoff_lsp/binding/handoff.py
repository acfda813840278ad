"""One handoff of a document, bound: what rules judge and features show, and what it may ask of other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, NamedTuple, Protocol

from handoff_lsp.binding.bodies.body import Body, Syntax
from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.bodies.log import LogBody
from handoff_lsp.binding.bodies.outline import OutlineBody
from handoff_lsp.binding.fence import FenceFault, find_fence_faults
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.conditions import Values, names_in
from handoff_lsp.contracts.growth import MAX_GROWN, grown
from handoff_lsp.contracts.model import Fence, Form, Mode, RunForm
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.recognition.fences import is_found
from handoff_lsp.syntax.lines.log import Log
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node, Section
from handoff_lsp.text import Source, Span


class HandoffPlace(NamedTuple):
    """Where a block stands: its form and span, the fence or the section that it is or is in, and what it holds."""

    form: Form
    span: Span
    body: Body
    node: Node | None = None
    section: Section | None = None

    @property
    def json(self) -> JsonBody | None:
        """The body where it is JSON, for what concerns JSON alone."""
        return self.body if isinstance(self.body, JsonBody) else None

    @property
    def outline(self) -> OutlineBody | None:
        """The body where it is an outline, for what concerns outlines alone."""
        return self.body if isinstance(self.body, OutlineBody) else None

    @property
    def log(self) -> Log | None:
        """The log that it is, for what concerns logs alone."""
        return self.body.log if isinstance(self.body, LogBody) else None


class Fault(NamedTuple):
    """A finding over which the pipeline does not go on. ``judges_form``: it is about how the block is written."""

    rule: str
    message: str
    span: Span
    is_error: bool
    judges_form: bool


class Surroundings(Protocol):
    """Answers about other files of the workspace, open ones as their editors have them.

    Paths are written with ``/``. One that leads out of the workspace, or an absolute one, is never looked at.
    """

    def exists(self, path: str) -> bool | None:
        """Whether there is a file or folder at a path from the workspace's root; None where nobody can tell."""

    def exists_beside(self, path: str) -> bool | None:
        """Whether there is one at a path from the folder of this document; None where nobody can tell."""

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """The first handoff of a contract in the document at a path from the folder of this one."""

    def before(self, contract: str, mentioning: str) -> Sequence[Handoff]:
        """The handoffs of a contract in the files of this folder that come before this one, in their order.

        Only those of files that have ``mentioning`` in their text.
        """

    def defined(self, globs: Sequence[str]) -> frozenset[str]:
        """The names, without suffix, of the files that match globs from the workspace's root."""

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """How often a pattern is found in files below the folder of this document: those that match the first glob \
        that matches any. None where none does, or not all could be looked at."""

    def name_of(self, handoff: Handoff) -> str:
        """How to call the document that a block from here is in: its path from the folder of this one."""

    def limits(self) -> Sequence[str]:
        """What was asked but is too much to look at all of it, a sentence each."""


class Note(str):
    """A limit of a folder as a whole, which is no doubt about one handoff."""

    __slots__ = ()


class Nowhere:
    """No surroundings: a text that nobody has put anywhere."""

    def exists(self, path: str) -> bool | None:
        """Nobody can tell."""
        return None

    def exists_beside(self, path: str) -> bool | None:
        """Nobody can tell."""
        return None

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """There is none."""
        return None

    def before(self, contract: str, mentioning: str) -> Sequence[Handoff]:
        """There are none."""
        return ()

    def defined(self, globs: Sequence[str]) -> frozenset[str]:
        """There are none."""
        return frozenset()

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """There are none."""
        return None

    def name_of(self, handoff: Handoff) -> str:
        """It has no name."""
        return ""

    def limits(self) -> Sequence[str]:
        """There are none."""
        return ()


NOWHERE = Nowhere()


class Handoff:
    """One handoff: its contract's profile, its mode, where it stands and its slots."""

    def __init__(
        self,
        spec: Spec,
        mode: Mode,
        tree: MarkdownTree,
        source: Source,
        root: Slot,
        place: HandoffPlace,
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
        self.body = place.body
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
        self.together: list[Handoff] = [self]
        # The handoff of any contract right behind this one, with nothing but blanks between them.
        self.following: Handoff | None = None
        # The one right before it.
        self.preceding: Handoff | None = None
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

    def placed(self, around: Surroundings) -> Handoff:
        """The same handoff among other files, not yet judged there."""
        made = copy(self)
        for depends in ("data", "values"):
            made.__dict__.pop(depends, None)
        made.around, made.memo, made.faults, made.gave_up, made.unseen = around, {}, (), {}, False
        return made

    @property
    def syntax(self) -> Syntax:
        """What the block is written in."""
        return self.body.syntax

    @property
    def own_fence(self) -> Node | None:
        """The fence that the handoff is; None for a handoff of another form, even in a fence."""
        return self.node if self.form == "fence" else None

    @property
    def fence_form(self) -> Fence | None:
        """What the contract wants of its fences, where the handoff is one."""
        return self.spec.contract.fence if self.form == "fence" else None

    @property
    def run_form(self) -> RunForm | None:
        """What the contract wants of its runs of lines, where the handoff is one."""
        return self.spec.contract.run if self.form == "run" else None

    @property
    def heading(self) -> Node | None:
        """The heading that the handoff has for itself: that of its section, or of its document."""
        if self.section is not None:
            return self.section.heading
        return self.tree.all_sections[0].heading if self.form == "document" and self.tree.title else None

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The root and all slots below it, parents first; children of what is absent are left out."""
        return tuple(self.root.walk())

    @cached_property
    def fence_faults(self) -> list[FenceFault]:
        """What keeps the contract's reader from taking the block's fence."""
        node, fence = self.own_fence, self.fence_form
        if node is None or fence is None:
            return []
        example = self.mode == "example"
        faults = find_fence_faults(
            node, self.body.fragment, fence, tagged=self.tagged, example=example, is_json=self.body.is_json
        )
        return [] if faults and fence.reader and is_found(node, fence) else faults

    @cached_property
    def wrong_form(self) -> bool:
        """Whether the block has what its reader wants, but as JSON instead of lines, or in no fence of its own."""
        unfenced = self.form == "run" and self.spec.contract.run is None
        return unfenced or self.body.is_json

    @cached_property
    def readable(self) -> bool:
        """Whether the contract's own reader gets anything out of the block."""
        if self.wrong_form or not self.body.readable:
            return False
        fence = self.own_fence
        return fence is None or (fence.closed and not self.fence_faults)

    @cached_property
    def unclosed(self) -> list[Node]:
        """The fences of a Markdown handoff that swallow what follows them."""
        if not self.body.prose:
            return []
        return [fence for fence in self.tree.fences() if not fence.closed and self.span.holds(fence.span.start)]

    @cached_property
    def open_comment(self) -> bool:
        """Whether the block is a comment without an end, so that all below it is part of it."""
        in_comment = self.run_form is not None and bool(self.run_form.comment)
        return in_comment and not self.source.text.endswith("-->", self.span.start, self.span.end)

    @cached_property
    def open_fence(self) -> bool:
        """Whether the block is a run that begins with a key of its own, in a fence that is not closed."""
        opened = self.run_form is not None and bool(self.run_form.opening)
        return opened and self.node is not None and not self.node.closed

    @cached_property
    def elides(self) -> bool:
        """Whether it only shows a part, with a line of dots for the rest."""
        return self.mode != "handoff" and self.body.elides

    @cached_property
    def absence_is_certain(self) -> bool:
        """Whether an absent field is missing, and neither unreadable nor left out on purpose."""
        if self.elides or self.wrong_form:
            return False
        fence = self.own_fence
        open_end = bool(self.unclosed) or (fence is not None and not fence.closed)
        return self.body.shows_absence(cut=open_end or self.open_comment or self.open_fence)

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
            elif not contract.companions[name].path and self.absence_is_certain:
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

    def companion(self, name: str) -> Handoff | None:
        """The handoff in a companion's document; None where there is no such document or it is none."""
        companion = self.spec.contract.companions[name]
        if companion.where == "above":
            return self._above(companion.contract)
        if not companion.path:
            other = self.preceding if companion.where == "before" else self.following
            return other if other is not None and other.spec.name == companion.contract else None
        return self.around.handoff(companion.path, companion.contract)

    @property
    def next_companion(self) -> Handoff | None:
        """The next handoff of the document if it belongs right behind this one, whatever is between the two."""
        companions = self.spec.contract.companions.values()
        wanted = {one.contract for one in companions if not one.path and one.where == "behind"}
        below = (one for one in self.together if one.span.start >= self.span.end and one.mode == "handoff")
        following = next(below, None) if wanted else None
        return following if following is not None and following.spec.name in wanted else None

    def _above(self, contract: str) -> Handoff | None:
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

    @property
    def title_span(self) -> Span | None:
        """The heading that stands for the handoff as a whole, without its marks; None where none does."""
        return self.root.key if self.body.prose else None

    def home(self) -> Span:
        """Where to tell something about the block as a whole: its title, its fence's tag, or its first line."""
        fence = self.own_fence
        if fence is not None:
            return fence.info_span if fence.info else fence.opening
        if self.root.key is not None:
            return self.root.key
        first = next((slot for slot in self.root.children.values() if slot.key is not None), None)
        if first is not None and first.key is not None:
            return first.key
        return self.source.lines.first_line_of(self.span)
