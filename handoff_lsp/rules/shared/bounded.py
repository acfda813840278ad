"""Bounds on the checks and findings of one document, and the findings that report these bounds."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Fault, Handoff
from handoff_lsp.language import say, say_count
from handoff_lsp.rules import too_large
from handoff_lsp.rules.rule import Finding, Rule
from handoff_lsp.syntax.json.parse import too_deep
from handoff_lsp.syntax.limits import MAX_DEPTH, too_deep_yaml
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Span

# The most findings of one rule in one document, and the most handoffs in it. Real files have far fewer.
MAX_FINDINGS = 200
MAX_HANDOFFS = 1_000
# The most unknown names of one object or section to compare with those of absent fields.
MAX_UNKNOWN = 1_000


class Room:
    """The number of findings that each rule may still add to one document. Further findings are not computed."""

    def __init__(self) -> None:
        self._left: dict[str, int] = {}
        # The first finding of each rule that was left out.
        self._cut: dict[Rule, Finding] = {}

    @property
    def cut(self) -> bool:
        """Whether some findings are left out."""
        return bool(self._cut)

    def fill(self, rule: Rule, handoff: Handoff, findings: list[Finding]) -> None:
        """Add a rule's findings about a handoff, up to the bound. Passes on the rule's exceptions."""
        for finding in rule.check(handoff):
            left = self._left.get(rule.code, MAX_FINDINGS)
            if not left:
                self._cut.setdefault(rule, finding)
                handoff.unseen = True
                return
            self._left[rule.code] = left - 1
            findings.append(finding)

    def findings(self) -> Iterator[Finding]:
        """A finding for each rule that has more, at the first one left out."""
        for rule, first in self._cut.items():
            message = say("There are more than {most} findings of `{rule}`", most=MAX_FINDINGS, rule=rule.code)
            yield Finding(too_large.RULE, first.handoff, first.span, message, note=say("The others are not listed"))


def beyond_depth(handoff: Handoff) -> Iterator[Finding]:
    """The finding that a handoff nests too deep to be checked."""
    if handoff.json is not None:
        node = too_deep(handoff.json.tree)
        if node is not None:
            yield _deep(handoff, handoff.json.fragment.outer_span(node.start, node.start + 1), "JSON")
    elif handoff.body.prose:
        for fence in handoff.tree.fences():
            if handoff.span.holds(fence.span.start):
                at = fence.once(_depth_of)
                if at is not None:
                    yield _deep(handoff, fence.fragment().outer_span(at, at + 1), "YAML")


def beyond_names(handoff: Handoff) -> Iterator[Finding]:
    """The finding that an object has more unknown names than are compared."""
    for slot in handoff.to_judge:
        if len(slot.unknown) > MAX_UNKNOWN:
            message = say(
                "Of {number:,} unknown names only {most:,} were compared with the contract",
                number=len(slot.unknown),
                most=MAX_UNKNOWN,
            )
            yield Finding(too_large.RULE, handoff, slot.unknown[MAX_UNKNOWN].key, message)


def beyond_handoffs(handoffs: list[Handoff]) -> Iterator[Finding]:
    """The finding that a document has too many handoffs to check them all."""
    for handoff in handoffs:
        if handoff.left_out:
            message = say_count(
                "{number:,} handoff above not looked at: of one document {most:,} are",
                "{number:,} handoffs above not looked at: of one document {most:,} are",
                handoff.left_out,
                most=MAX_HANDOFFS,
            )
            yield Finding(too_large.RULE, handoff, handoff.home(), message)


def unseen(handoff: Handoff) -> Iterator[Fault]:
    """The finding that withholds a handoff with a part that was not checked."""
    if handoff.unseen:
        yield Fault(too_large.RULE.code, say("Not all of it was looked at"), handoff.home(), True, False)


def _depth_of(fence: Node) -> int | None:
    return too_deep_yaml(fence.fragment().text)


def _deep(handoff: Handoff, span: Span, language: str) -> Finding:
    handoff.unseen = True
    message, note = (
        say("This {language} nests deeper than {most} levels", language=language, most=MAX_DEPTH),
        say("Deeper levels are not checked"),
    )
    return Finding(too_large.RULE, handoff, span, message, note=note, severity="error")
