"""A prompt as the rules about prompts see it: what it says, and what the others say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from handoff_lsp.binding.handoff import Handoff, Surroundings
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.prompts.documents import is_documentation
from handoff_lsp.prompts.pack import Pack
from handoff_lsp.prompts.statement import PromptStatement, PromptStatements
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField, vocabulary_of
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy_dataclass import lazy_dataclass


@lazy_dataclass(frozen=True)
class PromptText:
    """A prompt with its statements.

    ``covered``: the parts of it about which the rules for handoffs have a finding. ``handoffs``: those that it holds or
    shows; ``samples``: the fences that are checked as documents of their own. ``judge`` returns the findings about a
    handoff, in order, as if it were a real one in no workspace; ``judge_text`` those about the documents of a contract
    in a text of its own.
    """

    source: Source
    path: str
    tree: MarkdownTree
    said: PromptStatements
    registry: Registry
    options: Options
    around: Surroundings
    covered: Sequence[Span]
    handoffs: Sequence[Handoff] = ()
    samples: Sequence[Span] = ()
    judge: Callable[[Handoff], Sequence[Any]] = lambda handoff: ()
    judge_text: Callable[[str, str], Sequence[Any]] = lambda text, contract: ()

    @cached_property
    def view(self) -> PromptView:
        """Its prose, code spans and fences."""
        return self.tree.once(PromptView)

    @cached_property
    def memo(self) -> dict[str, Any]:
        """Results that the rules share."""
        return {}

    @cached_property
    def pack(self) -> Pack:
        """The prompts of the workspace, this one as it is now; it alone if the others are unknown."""
        others = self.around.pack()
        return others.with_document(self.said) if others is not None else Pack([self.said])

    @cached_property
    def sent_to(self) -> Sequence[str]:
        """The paths of the prompts that this one refers to."""
        return list(dict.fromkeys(one.path for one in self.pack.referred_by(self.said)))

    @cached_property
    def is_documentation(self) -> bool:
        """Whether it is a page for people."""
        return is_documentation(self.path)

    def words(self, contract: str) -> ContractWords:
        """The vocabulary of a contract."""
        return vocabulary_of(self.registry[contract])

    def field(self, one: PromptStatement) -> KnownField | None:
        """The field that a statement is about; None for one that the contract does not have."""
        return self.words(one.contract).fields.get(one.path)

    def is_covered(self, span: Span) -> bool:
        """Whether a rule for handoffs has a finding about a part of the text."""
        return any(span.overlaps(other) for other in self.covered)

    def is_allowed(self, one: PromptStatement) -> bool:
        """Whether the config allows the value of a statement although other prompts, or the contract, disagree."""
        if not self.options.allowed:
            return False
        field = self.field(one)
        names = {one.label, one.path, one.path.rpartition(".")[2], *(field.titles if field is not None else ())}
        return any(each.holds(names, one.value, one.speaker.name) for each in self.options.allowed)
