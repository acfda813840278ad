"""The page about a prompt: for each contract a table of the values that it names, with who writes and reads them."""

from __future__ import annotations

from collections.abc import Mapping

from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.markup import code, paragraphs, prose
from handoff_lsp.features.prompts.pack_around import InPack, around
from handoff_lsp.features.prompts.summary import PromptSummary, summaries
from handoff_lsp.language import later, say, translated
from handoff_lsp.prompts.statement import Act
from handoff_lsp.prompts.vocabulary import vocabulary_of

# The most prompts in a cell, rows of a table, and findings.
_MOST, _MOST_ROWS, _MOST_FINDINGS = 4, 60, 20

_ACTS: Mapping[Act, str] = {
    "emits": later("emits"),
    "handles": later("handles"),
    "forbids": later("forbids"),
    "mentions": later("mentions"),
}
_KINDS = {
    "agent": later("Agent"),
    "orchestrator": later("Orchestrator"),
    "skill": later("Skill"),
    "template": later("Template"),
    "page": later("Page"),
}


def prompt_page(context: Context) -> str:
    """The page about the document as Markdown; empty if it is no prompt about a contract."""
    here = around(context)
    if here is None:
        return ""
    name, kind = code(here.said.name_of(here.said.speaker)), translated(_KINDS[here.said.speaker.kind])
    return paragraphs(f"# {name}", f"{kind} · {code(here.said.path)}", tables(context, here), _findings(context))


def tables(context: Context, here: InPack, *, short: bool = False) -> str:
    """The tables of a prompt, one for each contract of which it names values; ``short``: only of its status."""
    return paragraphs(*(_table(one, short=short) for one in summaries(context, here)))


def _table(summary: PromptSummary, *, short: bool) -> str:
    heads = say("Field"), say("Value"), say("Here"), say("Emitted by"), say("Handled by")
    rows = [
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in _row(summary, path, value))} |"
        for path, value in summary.acts
        if not short or path == summary.status
    ]
    left = len(rows) - _MOST_ROWS
    lines = [f"| {' | '.join(heads)} |", "| --- | --- | --- | --- | --- |", *rows[:_MOST_ROWS]]
    more = say("… and {left} more values", left=left) if left > 0 else ""
    title = prose(summary.entry.contract.title)
    return paragraphs(f"**{title}** · {code(summary.entry.name)}", "\n".join(lines), more)


def _row(summary: PromptSummary, path: str, value: str) -> tuple[str, ...]:
    field = vocabulary_of(summary.entry).fields[path]
    unknown = "" if summary.knows(path, value) or field.field.open else say(" (not in the contract)")
    return (
        code(field.field.title or path),
        code(value) + unknown,
        ", ".join(translated(_ACTS[act]) for act in summary.acts[path, value]),
        _names(summary, "emits", path, value),
        _names(summary, "handles", path, value),
    )


def _names(summary: PromptSummary, act: Act, path: str, value: str) -> str:
    names = summary.others(act, path, [value])
    if not names:
        missed = summary.acts[path, value] != ["forbids"] and summary.nobody(act, path, [value])
        return say("nobody") if missed else ""
    left = len(names) - _MOST
    return ", ".join(map(code, names[:_MOST])) + (say(" and {left} more", left=left) if left > 0 else "")


def _findings(context: Context) -> str:
    lines = context.source.lines
    about = [finding for finding in context.analysis.findings if finding.rule.group == "prompts"]
    return "\n".join(
        say("- Line {line}: {message}", line=lines.line_of(finding.span.start) + 1, message=prose(finding.message))
        for finding in about[:_MOST_FINDINGS]
    )
