"""The lenses of a prompt: what it has its agent write, who reads that, and its findings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.decide.words import isolated
from handoff_lsp.features.context import Context
from handoff_lsp.features.decision.lens import Lens
from handoff_lsp.features.prompts.pack_around import around
from handoff_lsp.features.prompts.summary import PromptSummary, summaries
from handoff_lsp.language import counted, say
from handoff_lsp.rules.rule import Finding, shown
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span
from handoff_lsp.text.named_tuple import NamedTuple

# The most contracts with a lens, and its most characters.
_MOST_CONTRACTS, MAX_LINE = 3, 120
_SEPARATOR = " · "
# The most values and prompts that it names; the first ones that fit count.
_LENGTHS = ((6, 2), (6, 1), (4, 1), (2, 1))


class PromptLens(NamedTuple):
    """A line of text above ``span``; a click on it shows the page of the prompt. In code points."""

    span: Span
    title: str


def prompt_lenses(context: Context) -> list[PromptLens]:
    """A lens for each contract of which the document, a prompt, names values: of its status, if it has one."""
    here = around(context)
    if here is None:
        return []
    span = home(context.analysis.tree)
    named = [one for one in summaries(context, here) if one.status == one.entry.contract.status or not one.has_status]
    return [PromptLens(span, title_of(one)) for one in named[:_MOST_CONTRACTS]]


def findings_lens(context: Context, findings: Sequence[Finding]) -> Iterator[Lens]:
    """The lens with the number of the findings about the document as a prompt; it leads to the first one."""
    about = [finding for finding in findings if finding.rule.group == "prompts"]
    if about:
        target = context.source.lines.first_line_of(min(finding.span for finding in about))
        yield Lens(home(context.analysis.tree), counted(len(about), "finding"), target)


def home(tree: MarkdownTree) -> Span:
    """The place of a prompt's lenses: its first title, else its first line."""
    if len(tree.titles):
        return tree.source.lines.first_line_of(tree.heading_spans(0)[0])
    return Span(*tree.source.lines.line_span(0))


def title_of(summary: PromptSummary) -> str:
    """What a prompt does with the status of a contract, or the field that it says most about, on one line."""
    title = summary.entry.contract.title
    if summary.status != summary.entry.contract.status:
        title = f"{title} · {summary.title}"
    for values, names in _LENGTHS:
        parts = [title, *_parts(summary, values, names)]
        if len(_SEPARATOR.join(parts)) <= MAX_LINE:
            break
    while len(parts) > 2 and len(_SEPARATOR.join(parts)) > MAX_LINE:
        parts.pop()
    return isolated(shown(_SEPARATOR.join(parts), MAX_LINE))


def _parts(summary: PromptSummary, most_values: int, most_names: int) -> Iterator[str]:
    emits, handles = summary.values("emits"), summary.values("handles")
    if emits:
        yield say("emits {values}", values=_listed(emits, most_values))
        readers = summary.others("handles", summary.status, emits)
        unread = summary.nobody("handles", summary.status, emits)
        if unread:
            yield say("nobody handles {values}", values=_listed(unread, most_values))
        if readers:
            yield say("read by {names}", names=_listed(readers, most_names))
    if handles:
        yield say("handles {values}", values=_listed(handles, most_values))
        unsent = summary.nobody("emits", summary.status, handles)
        if unsent:
            yield say("nobody emits {values}", values=_listed(unsent, most_values))
    named = [*summary.values("mentions"), *summary.values("forbids")]
    if named and not emits and not handles:
        yield say("names {values}", values=_listed(named, most_values))


def _listed(words: Sequence[str], most: int) -> str:
    left = len(words) - most
    return ", ".join(words[:most]) + (say(" and {left} more", left=left) if left > 0 else "")
