"""What an agent owes, in words: for the doctor, and for the hover on its definition and on its table in the config."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from handoff_lsp.contracts.owed import Owed
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.hover_names import Hover
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.features.prompts.pack_around import around
from handoff_lsp.features.prompts.page import tables
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.text import Span
from handoff_lsp.workspace.agents.known import AgentOwed

_PLACES = {
    "message": "in its final message",
    "file": "in a file",
    "either": "in its final message or in a file",
    "both": "in its final message and in a file",
}
_TAKEN = {
    "any": "",
    "first": "Its reader takes the first one.",
    "last": "Its reader takes the last one.",
    "only": "Its reader takes none if there are several.",
}


def agent_page(known: AgentOwed) -> str:
    """The page about an agent."""
    if not known.owed:
        nothing = f"**{code(known.agent)}** owes nothing that is known."
        return paragraphs(nothing, *(f"- {one}" for one in disagreements(known)))
    parts = [paragraphs(f"**{code(known.agent)}** {debt(one)}", *details(one)) for one in known.owed]
    return paragraphs(*parts, *(f"- {one}" for one in disagreements(known)))


def debt(owed: Owed) -> str:
    """One sentence: the contract, its profiles, the place, and from where that is known."""
    profiles = f" ({' or '.join(map(code, owed.profiles))})" if owed.profiles else ""
    files = f": {', '.join(map(code, owed.files))}" if owed.files else ""
    return f"owes {code(owed.contract)}{profiles} {_PLACES[owed.where]}{files}. Known from {prose(owed.known_from)}."


def details(owed: Owed) -> Iterator[str]:
    """The other sentences about a debt; none for a plain one."""
    others = " or ".join(map(code, owed.instead))
    lines = [
        _TAKEN[owed.takes],
        "Nothing may follow it in the message." if owed.at_end else "",
        f"Accepted instead: {others}." if others else "",
        f"It must have {', '.join(map(code, owed.must))}." if owed.must else "",
        f"It must not have {', '.join(map(code, owed.never))}." if owed.never else "",
        f"Without it: {prose(owed.because.removesuffix('.'))}." if owed.because else "",
    ]
    return (line for line in lines if line)


def disagreements(known: AgentOwed) -> Iterator[str]:
    """The disagreements between config, definition and contracts, each a sentence."""
    return (f"{one[:1].upper()}{prose(one[1:])}." for one in known.disagreements)


def definition_hover(context: Context, offset: int) -> Hover | None:
    """The page on an agent's name in the front matter of its definition, or on the title of that; None elsewhere.

    On the title of any prompt, what it says about the status of handoffs.
    """
    if not context.full:
        return None
    span = _name_span(context, offset)
    if span is None:
        return None
    agents, here = context.project.resolver.agents, around(context)
    definition = agents.defined_in(Path(context.full))
    page = agent_page(agents.known(definition.agent, Path(context.full))) if definition is not None else ""
    page = paragraphs(page, tables(context, here, short=True) if here is not None else "")
    return Hover(span, page) if page else None


def _name_span(context: Context, offset: int) -> Span | None:
    """The span of the name or of the first title, if it holds an offset."""
    tree = context.analysis.tree
    front = front_matter(tree)
    entry = front.entry("name") if front is not None else None
    lines = context.source.lines
    if front is not None and entry is not None:
        line = Span(*lines.line_span(lines.line_of(front.fragment.outer(entry.key.start))))
        if line.holds(offset):
            return line
    if len(tree.titles):
        title = tree.heading_spans(0)[0]
        return title if title.holds(offset) else None
    return None
