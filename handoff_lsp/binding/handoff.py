"""One handoff of a document, bound, for rules and features; and its questions about other files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, Protocol

from handoff_lsp.binding.bodies.body import Body, Syntax
from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.bodies.log import LogBody
from handoff_lsp.binding.bodies.outline import OutlineBody
from handoff_lsp.binding.fence import FenceFault, find_fence_faults
from handoff_lsp.binding.introduced import Introduced, Nothing
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.lines import names_in
from handoff_lsp.contracts.model import PARTS, Fence, Form, Mode, RunForm
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.contracts.values import Values
from handoff_lsp.prompts.pack import Pack, StatementPlace
from handoff_lsp.prompts.statement import Enumeration, PromptStatement
from handoff_lsp.recognition.fences import is_found
from handoff_lsp.syntax.lines.log import Log
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Node, Section
from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple


class HandoffPlace(NamedTuple):
    """The place of a handoff: form, span, body, and the fence or section that it is or is in."""

    form: Form
    span: Span
    body: Body
    node: Node | None = None
    section: Section | None = None

    @property
    def own_fence(self) -> Node | None:
        """The fence that it is; None for a handoff of another form, even in a fence."""
        return self.node if self.form == "fence" else None

    @property
    def json(self) -> JsonBody | None:
        """The body if it is JSON, for code that concerns only JSON."""
        return self.body if isinstance(self.body, JsonBody) else None

    @property
    def outline(self) -> OutlineBody | None:
        """The body if it is an outline, for code that concerns only outlines."""
        return self.body if isinstance(self.body, OutlineBody) else None

    @property
    def log(self) -> Log | None:
        """The body if it is a log, for code that concerns only logs."""
        return self.body.log if isinstance(self.body, LogBody) else None


class Fault(NamedTuple):
    """A finding that stops the pipeline. ``judges_form``: it is about the handoff's notation, not its content."""

    rule: str
    message: str
    span: Span
    is_error: bool
    judges_form: bool


class Surroundings(Protocol):
    """Answers about other files of the workspace; of an open file the editor's text counts.

    Paths are written with ``/``. A path that leads out of the workspace, or is absolute, is never read.
    """

    def exists(self, path: str) -> bool | None:
        """Whether a file or folder exists at a path from the workspace's root; None if that is unknown."""

    def exists_beside(self, path: str) -> bool | None:
        """Whether one exists at a path from the folder of this document; None if that is unknown."""

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """The first handoff of a contract in the document at a path from the folder of this one."""

    def before(self, contract: str, mentioning: str) -> Sequence[Handoff]:
        """The handoffs of a contract in the files of this folder that come before this one, in their order.

        Only those of files that have ``mentioning`` in their text.
        """

    def defined(self, globs: Sequence[str], naming: Sequence[str] = ()) -> frozenset[str]:
        """The names, without suffix, of the files that match globs from the workspace's root.

        ``naming``: patterns of the names in those.
        """

    def introduced(self, kind: str, globs: Sequence[str]) -> Introduced:
        """The names of a kind that the documents which match globs introduce, except for this one."""

    def pack(self) -> Pack | None:
        """The prompts of the workspace; None if that is unknown, or there are too many."""

    def agents(self) -> frozenset[str]:
        """The names of the agents, commands and skills that the workspace defines, as they are compared.

        Empty where it defines no agents, or not all of them may be known.
        """

    def places(self, path: str, one: PromptStatement | Enumeration) -> Sequence[StatementPlace]:
        """The places of a statement in the prompt at a path from the root."""

    def example(self, registry: Registry, entry: ContractEntry, profile: str) -> str | None:
        """An example of a contract's handoffs, the same one each time; None if there is nobody to make it."""

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """The number of matches of a pattern in the files of the first glob that matches any below this folder.

        None if no glob matches, or if some of the files could not be read.
        """

    def name_of(self, handoff: Handoff) -> str:
        """The name of another handoff's document in messages: its path from the folder of this one."""

    def limits(self) -> Sequence[str]:
        """The limits that kept questions from being answered in full, one sentence each."""


class Note(str):
    """A limit that concerns a folder as a whole and casts no doubt on one handoff."""

    __slots__ = ()


class Nowhere:
    """The surroundings of a text that is in no workspace: nothing is known."""

    def exists(self, path: str) -> bool | None:
        """Unknown."""
        return None

    def exists_beside(self, path: str) -> bool | None:
        """Unknown."""
        return None

    def handoff(self, path: str, contract: str) -> Handoff | None:
        """Always None."""
        return None

    def before(self, contract: str, mentioning: str) -> Sequence[Handoff]:
        """Always empty."""
        return ()

    def defined(self, globs: Sequence[str], naming: Sequence[str] = ()) -> frozenset[str]:
        """Always empty."""
        return frozenset()

    def introduced(self, kind: str, globs: Sequence[str]) -> Introduced:
        """Nothing of other documents."""
        return Nothing()

    def example(self, registry: Registry, entry: ContractEntry, profile: str) -> str | None:
        """Always None."""
        return None

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """Unknown."""
        return None

    def pack(self) -> Pack | None:
        """Unknown."""
        return None

    def agents(self) -> frozenset[str]:
        """Always empty."""
        return frozenset()

    def places(self, path: str, one: PromptStatement | Enumeration) -> Sequence[StatementPlace]:
        """Always empty."""
        return ()

    def name_of(self, handoff: Handoff) -> str:
        """Always empty."""
        return ""

    def limits(self) -> Sequence[str]:
        """Always empty."""
        return ()


NOWHERE = Nowhere()


class Handoff:
    """One handoff: its spec, its mode, its place and its slots."""

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
        # Empty if the document is not Markdown.
        self.tree = tree
        self.root = root
        self.form = place.form
        self.span: Span = place.span
        self.node: Node | None = place.node
        self.section: Section | None = place.section
        # The fence that the handoff is; None for a handoff of another form, even in a fence.
        self.own_fence: Node | None = place.own_fence
        self.body: Body = place.body
        self.json: JsonBody | None = place.json
        self.outline: OutlineBody | None = place.outline
        self.log: Log | None = place.log
        self.tagged = tagged
        self.reasons = reasons
        # The sum of the evidence for each profile that has any.
        self.evidence: Mapping[str, int] = evidence if evidence is not None else {}
        # The document's path from the root of the workspace, with `/`, or empty.
        self.path = path
        # The files around this one, for the rules' questions.
        self.around: Surroundings = NOWHERE
        # The profile that the config names, if the handoff was bound with a different one.
        self.pinned = pinned
        self.settings = settings
        # All handoffs of the document in order, this one among them.
        self.together: list[Handoff] = [self]
        # The handoff of any contract right after this one, with nothing but blanks between them.
        self.following: Handoff | None = None
        # The handoff right before this one.
        self.preceding: Handoff | None = None
        # The findings that withhold the handoff, once it is checked: its errors, and doubts about its status.
        self.faults: tuple[Fault, ...] = ()
        # Whether a part of it was not checked because of a limit.
        self.unseen = False
        # How many handoffs of the document right above it were not checked.
        self.left_out = 0
        # The conditions so far that could not be evaluated: they go through more items than CEL allows.
        self.gave_up: dict[str, None] = {}
        # Results that the rules share while they check this handoff.
        self.memo: dict[str, Any] = {}

    def placed(self, around: Surroundings) -> Handoff:
        """The same handoff among other files, not yet checked there."""
        other = copy(self)
        for cached in ("data", "values"):
            other.__dict__.pop(cached, None)
        other.around, other.memo, other.faults, other.gave_up, other.unseen = around, {}, (), {}, False
        return other

    @property
    def syntax(self) -> Syntax:
        """The syntax of the handoff."""
        return self.body.syntax

    @property
    def is_part(self) -> bool:
        """Whether it is a part of its document, which may hold other handoffs."""
        return self.form in PARTS

    @property
    def unfenced(self) -> bool:
        """Whether the lines or the JSON lack the fence that the contract requires; JSON needs none without a tag."""
        if self.form == "fence" and self.node is None:
            fence = self.spec.contract.fence
            return fence is not None and fence.tags.get("") not in {"own", "shared"}
        return self.form == "run" and self.spec.contract.run is None

    @property
    def fence_form(self) -> Fence | None:
        """The contract's demands on a fence; None unless the handoff is one."""
        return self.spec.contract.fence if self.own_fence is not None else None

    @property
    def run_form(self) -> RunForm | None:
        """The contract's demands on a run of lines; None unless the handoff is one."""
        return self.spec.contract.run if self.form == "run" else None

    @property
    def heading(self) -> Node | None:
        """The heading of the handoff's section or document; None without one."""
        if self.section is not None:
            return self.section.heading
        return self.tree.all_sections[0].heading if not self.is_part and self.tree.title else None

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """The root and all slots below it, parents first; children of an absent slot are left out."""
        return tuple(self.root.walk())

    @cached_property
    def to_judge(self) -> tuple[Slot, ...]:
        """The slots without the silent items of long lists, of which no rule has anything to say."""
        return tuple(self.root.walk(silent=False))

    @cached_property
    def refused(self) -> tuple[Slot, ...]:
        """Those of the slots whose value has a problem: most rules need no others."""
        return tuple([slot for slot in self.to_judge if slot.problem is not None])

    @cached_property
    def chosen(self) -> tuple[Slot, ...]:
        """Those of the slots to judge that have one of an enum's values."""
        return tuple([slot for slot in self.to_judge if slot.data is not None and slot.field.kind.is_choice])

    @cached_property
    def fence_faults(self) -> list[FenceFault]:
        """The faults for which the contract's reader ignores the handoff's fence."""
        node, fence = self.own_fence, self.fence_form
        if node is None or fence is None:
            return []
        example = self.mode == "example"
        faults = find_fence_faults(
            node, self.tree, self.body.fragment, fence, tagged=self.tagged, example=example, is_json=self.body.is_json
        )
        return [] if faults and fence.pattern and is_found(node, fence) else faults

    @cached_property
    def wrong_form(self) -> bool:
        """Whether the handoff has the right content, but as JSON instead of lines, or without a fence of its own."""
        return self.unfenced or self.body.is_json

    @cached_property
    def readable(self) -> bool:
        """Whether the contract's own reader can read anything in the handoff."""
        if self.wrong_form or not self.body.readable:
            return False
        fence = self.own_fence
        return fence is None or (fence.closed and not self.fence_faults)

    @cached_property
    def unclosed(self) -> list[Node]:
        """The fences of a Markdown handoff without an end, which swallow the text below them."""
        if not self.body.prose:
            return []
        return [fence for fence in self.tree.fences() if not fence.closed and self.span.holds(fence.span.start)]

    @cached_property
    def open_comment(self) -> bool:
        """Whether the handoff is a comment without an end, so that the rest of the document is part of it."""
        in_comment = self.run_form is not None and bool(self.run_form.comment)
        return in_comment and not self.source.text.endswith("-->", self.span.start, self.span.end)

    @cached_property
    def open_lines(self) -> bool:
        """Whether the handoff is a run between two lines of their own, and the last one is missing."""
        last = self.run_form.last_line if self.run_form is not None else ""
        return bool(last) and self.source.slice(self.span).splitlines()[-1].strip() != last

    @cached_property
    def open_fence(self) -> bool:
        """Whether the handoff is a run that begins with a key of its own, in a fence without an end."""
        opened = self.run_form is not None and bool(self.run_form.opening_field)
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
        open_end = open_end or self.open_comment or self.open_lines or self.open_fence
        return self.body.shows_absence(cut=open_end)

    @cached_property
    def values(self) -> Values:
        """The values that conditions see."""
        return self.values_of(self.data)

    def values_of(self, data: Mapping[str, Any]) -> Values:
        """Given data as the conditions of this handoff see them."""
        return Values(self.spec.conditions, data, self.gave_up)

    @cached_property
    def data(self) -> dict[str, Any]:
        """The values by root name, including those of companions and settings."""
        return self.data_with({**(self.root.data or {}), **self._arguments})

    @property
    def _arguments(self) -> dict[str, Any]:
        """The arguments of the values of enums, by their paths."""
        found = ((path, self.root.find(path)) for path in self.spec.arguments)
        return {path: slots[0].data for path, slots in found if slots and slots[0].data is not None}

    @property
    def data_and_terms(self) -> dict[str, Any]:
        """The values of its terms, too."""
        return self.data | self.values.of(frozenset(self.spec.contract.terms))

    def data_with(self, said: Mapping[str, Any]) -> dict[str, Any]:
        """The same values, with ``said`` in place of the handoff's own."""
        contract = self.spec.contract
        settings = {name: self.spec.setting(name, self.settings) for name in contract.settings}
        document = {"name": self.path.rpartition("/")[2], "title": self.tree.title, "head": self.tree.head}
        data = {"document": document, **said, "settings": settings}
        for name in contract.companions:
            other = self.companion(name)
            if other is not None:
                # Neighbors may refer to each other, so each sees only the other's own values, not what follows.
                data[name] = other.data_and_terms if contract.companions[name].path else other.root.data or {}
            elif not contract.companions[name].path and self.absence_is_certain:
                data[name] = {}
        for name, count in contract.counts.items():
            number = self.around.count(count.files, count.pattern)
            if number is not None:
                data[name] = number
        return data

    def companion(self, name: str) -> Handoff | None:
        """The companion of that name, in this document or another one; None if it is missing."""
        companion = self.spec.contract.companions[name]
        if companion.where == "above":
            return next(iter(self._above(companion.contract)), None)
        if companion.where == "nearest":
            nearest = next(reversed(self._above(companion.contract, self.spec.name)), None)
            return nearest if nearest is not None and nearest.spec.name == companion.contract else None
        if not companion.path:
            other = self.preceding if companion.where == "before" else self.following
            return other if other is not None and other.spec.name == companion.contract else None
        return self.around.handoff(companion.path, companion.contract)

    @property
    def next_companion(self) -> Handoff | None:
        """The next handoff of the document, however far below, if the contract wants it right after this one."""
        companions = self.spec.contract.companions.values()
        wanted = {one.contract for one in companions if one.where == "behind"}
        below = (one for one in self.together if one.span.start >= self.span.end and one.mode == "handoff")
        following = next(below, None) if wanted else None
        return following if following is not None and following.spec.name in wanted else None

    @property
    def leading(self) -> list[Handoff]:
        """The companions above it on which its profile depends."""
        above = [name for name, one in self.spec.contract.companions.items() if one.where == "above"]
        used = names_in(*self.spec.contract.terms.values()) if above else frozenset()
        return [other for name in above if name in used and (other := self.companion(name)) is not None]

    def _above(self, *contracts: str) -> list[Handoff]:
        """The handoffs of contracts that begin above this one."""
        before = (one for one in self.together if one.span.start < self.span.start and one.mode == "handoff")
        return [one for one in before if one.spec.name in contracts]

    @property
    def only_explains(self) -> bool:
        """Whether it has no status of its own and only explains a handoff above it."""
        return self.status is not None and not self.status.written and bool(self.leading)

    @property
    def status(self) -> Slot | None:
        """The slot of the status, present or not; None if its parent is absent."""
        found = self.root.find(self.spec.contract.status)
        return found[0] if found else None

    @property
    def title_span(self) -> Span | None:
        """The heading of the whole handoff, without its marks; None if it has none."""
        return self.root.key if self.body.prose else None

    def home(self) -> Span:
        """The place for findings about the whole handoff: its title, its fence's tag, its first key or first line."""
        fence = self.own_fence
        if fence is not None:
            return fence.info_span if fence.info else fence.opening
        if self.root.key is not None:
            return self.root.key
        first = next((slot for slot in self.root.children.values() if slot.key is not None), None)
        if first is not None and first.key is not None:
            return first.key
        return self.source.lines.first_line_of(self.span)
