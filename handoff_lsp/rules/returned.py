"""A text that an agent returned, what it owes there, and the debts that it does not pay, each with the exact reason."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import cached_property
from typing import Any, Literal

from handoff_lsp.binding.begun import ends_early, is_begun
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.owed import Owed
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

# The reason why a debt is not paid, in the order in which they are tried.
Reason = Literal[
    "empty",  # nothing but blanks and marks
    "cut off",  # it ends in the middle
    "several",  # the reader takes none of several
    "contradiction",  # the handoff that the reader takes contradicts another one
    "other profile",  # the handoff of another agent
    "not last",  # text follows it
    "unfilled",  # an unfilled template
    "quoted",
    "fenced",  # in a fence where no reader looks
    "earlier",  # in an earlier message
    "other contract",
    "absent",
]

# A text without a letter or digit besides these says nothing.
_MARKUP = lazy_pattern(r"<!--.*?-->|</?[a-zA-Z][^<>\n]*>|[^\w]|_", re.DOTALL)
# The marks that may follow a handoff: the end of its fence, lines of dashes.
_MARKS = lazy_pattern(r"[\s`~*_-]*")
# Files at the path of a return that no agent returns: documents about the folder, templates, prompts.
_ASIDE = lazy_pattern(
    r"(?i)(?:^|/)(?:readme|index|contributing|changelog|agents|claude|gemini)(?:\.[\w-]+)*$"
    r"|(?:^|[/_.-])(?:templates?|examples?|prompts?)(?:[/_.-]|$)"
    r"|(?:^|/)\.?(?:agents|commands|skills|droids)/"
)
# The most fences and earlier messages to search for a handoff.
_MOST_PLACES = 50


class Shortfall(NamedTuple):
    """A debt that is not paid, with the reason and its place in the text.

    ``found``: the handoff that the reason is about, None without one in this text. ``taken``: of contradicting
    handoffs, the one that the reader takes.
    """

    owed: Owed
    reason: Reason
    span: Span
    found: Handoff | None = None
    taken: Handoff | None = None


@lazy_dataclass(frozen=True)
class ReturnedText:
    """A final message, or a file with a path (with ``/``, from the root), and the handoffs found in it.

    ``read`` returns the handoffs of another text in its place.
    """

    source: Source
    path: str
    tree: MarkdownTree
    handoffs: tuple[Handoff, ...]
    registry: Registry
    options: Options
    read: Callable[[str], Sequence[Handoff]] = field(default=lambda text: ())

    @property
    def debts(self) -> Iterator[Owed]:
        """What the agent owes in its file, or in its final message unless the reader accepts that as it is."""
        returned = self.options.returned
        for owed in returned.owed if returned is not None else ():
            here = owed.in_file if self.path else owed.in_message and not self._accepted(owed)
            if here and owed.contract in self.registry and (self.path or self._can_be_said(owed)):
                yield owed

    def _can_be_said(self, owed: Owed) -> bool:
        """Whether a message can hold the handoff, which is not the case if it is a file of its own."""
        contract = self.registry[owed.contract].contract
        return any((contract.detect, contract.section, contract.run, contract.fence))

    def _accepted(self, owed: Owed) -> bool:
        """Whether the reader accepts the message as it is, which it does not if it ends in the middle."""
        text, returned = self.source.text, self.options.returned
        if not owed.accepts or search(owed.accepts, text) is None:
            return False
        return not (returned is not None and returned.cut_off) and not is_begun(self.tree, text, self._entries(owed))

    def _entries(self, owed: Owed) -> list[ContractEntry]:
        return [self.registry[name] for name in owed.contracts if name in self.registry]

    @cached_property
    def shortfalls(self) -> tuple[Shortfall, ...]:
        """The debts that the text does not pay, each with the most exact reason."""
        if self.path and self.options.mode in {"template", "example"}:
            return ()
        aside = _ASIDE.search(self.path) is not None
        found = (self._shortfall(owed) for owed in self.debts if not aside or self.path in owed.files)
        return tuple(one for one in found if one is not None)

    def of_contract(self, owed: Owed, mode: str = "handoff") -> list[Handoff]:
        """The handoffs that could pay a debt, complete or not; examples and templates pay none."""
        return [one for one in self.handoffs if one.mode == mode and one.spec.name in owed.contracts]

    def _shortfall(self, owed: Owed) -> Shortfall | None:
        there = self.of_contract(owed)
        own = [one for one in there if _is_of(one, owed)]
        if not own:
            return self._absent(owed, there)
        cut = self._cut(own[-1])
        if cut:
            return Shortfall(owed, "cut off", self.last_line, own[-1])
        if len(own) > 1 and owed.takes == "only":
            return Shortfall(owed, "several", own[1].home(), own[1], own[0])
        other = _contradicting(own, owed)
        if other is not None:
            return other
        if owed.at_end and not self.path and not self._is_last(own[-1]):
            return Shortfall(owed, "not last", own[-1].home(), own[-1])
        return None

    def _absent(self, owed: Owed, there: list[Handoff]) -> Shortfall | None:
        """The reason why no handoff pays a debt. ``there``: those of other agents."""
        returned, text = self.options.returned, self.source.text
        assert returned is not None
        if not self.handoffs and not _MARKUP.sub("", text):
            return Shortfall(owed, "empty", self.first_line)
        if returned.cut_off or (not there and is_begun(self.tree, text, self._entries(owed))):
            return Shortfall(owed, "cut off", self.last_line)
        if there:
            return Shortfall(owed, "other profile", there[-1].home(), there[-1])
        return self._elsewhere(owed)

    def _elsewhere(self, owed: Owed) -> Shortfall | None:
        """The place of an owed handoff that its reader does not find, or what there is instead of it."""
        returned = self.options.returned
        templates, quoted = self.of_contract(owed, "template"), self.of_contract(owed, "example")
        if self.path and (templates or quoted):
            return None  # the file is a template, or a document about the format
        if templates:
            return Shortfall(owed, "unfilled", templates[-1].home(), templates[-1])
        if quoted:
            return Shortfall(owed, "quoted", quoted[-1].home(), quoted[-1])
        for fence in [] if self.path else self.tree.fences()[:_MOST_PLACES]:
            if self._holds(fence.fragment().text, owed):
                return Shortfall(owed, "fenced", fence.info_span if fence.info else fence.opening)
        earlier = returned.earlier[-_MOST_PLACES:] if returned is not None and not self.path else ()
        if any(self._holds(text, owed) for text in reversed(earlier)):
            return Shortfall(owed, "earlier", self.first_line)
        others = [one for one in self.handoffs if one.mode == "handoff" and one.spec.contract.status]
        if others:
            return Shortfall(owed, "other contract", others[-1].home(), others[-1])
        return Shortfall(owed, "absent", self.first_line)

    def _holds(self, text: str, owed: Owed) -> bool:
        """Whether another text holds a handoff that would pay a debt."""
        found = (one for one in self.read(text) if one.mode == "handoff" and one.spec.name in owed.contracts)
        return any(_is_of(one, owed) for one in found)

    def _cut(self, last: Handoff) -> bool:
        returned = self.options.returned
        if returned is not None and returned.cut_off and not self.path:
            return True
        return self._is_last(last) and ends_early(last)

    def _is_last(self, handoff: Handoff) -> bool:
        """Whether nothing but marks and other handoffs follows."""
        text, at = self.source.text, handoff.span.end
        for other in self.handoffs:
            if other.span.end > at and not text[at : max(other.span.start, at)].strip("`~*_- \t\r\n"):
                at = other.span.end
        return _MARKS.fullmatch(text, at) is not None

    @property
    def first_line(self) -> Span:
        """The line where a finding about the text as a whole is shown: the first one that is not blank."""
        text = self.source.text
        start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
        return self._line(start if start < len(text) else 0)

    @property
    def last_line(self) -> Span:
        """The last line that is not blank."""
        return self._line(max(len(self.source.text.rstrip()) - 1, 0))

    def _line(self, offset: int) -> Span:
        return Span(*self.source.lines.line_span(self.source.lines.line_of(offset)))


def _is_of(handoff: Handoff, owed: Owed) -> bool:
    """Whether a handoff is not, by the profile that it names, that of another agent."""
    spec = handoff.spec
    if not owed.profiles or spec.name != owed.contract or spec.profile in owed.profiles:
        return True
    return not spec.contract.names_profile(spec.profile)


def _contradicting(own: list[Handoff], owed: Owed) -> Shortfall | None:
    """The first handoff with a status other than that of the handoff that the reader takes."""
    if owed.takes not in {"first", "last"} or len(own) < 2:
        return None
    taken = own[0] if owed.takes == "first" else own[-1]
    for one in own:
        if one.spec.name == taken.spec.name and None not in (statuses := (status(one), status(taken))):
            if statuses[0] != statuses[1]:
                return Shortfall(owed, "contradiction", one.home(), one, taken)
    return None


def status(handoff: Handoff) -> Any:
    """The status of a handoff, None without a valid one."""
    slot = handoff.status
    return slot.data if slot is not None and slot.present and slot.problem is None else None
