"""Completion at the cursor: sections, fields, values, whole handoffs, the names of contracts and rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from handoff_lsp.binding.bodies.body import Syntax
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion import comment as completion_comment
from handoff_lsp.features.completion import data_file as completion_data_file
from handoff_lsp.features.completion import fence as completion_fence
from handoff_lsp.features.completion import log as completion_log
from handoff_lsp.features.completion import start as completion_start
from handoff_lsp.features.completion.item import CompletionItem, in_order
from handoff_lsp.features.completion.json import complete as completion_json
from handoff_lsp.features.completion.markdown import complete as completion_markdown
from handoff_lsp.features.completion.markdown.line import line_at
from handoff_lsp.features.completion.outline import in_outline
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import page_of
from handoff_lsp.features.pages.workspace_pages import workspace_page
from handoff_lsp.features.prompts import completion as completion_prompt
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.text import Edit, Span

__all__ = ["CompletionItem", "complete", "resolve"]


def complete(context: Context, offset: int) -> list[CompletionItem]:
    """The items for ``offset`` (code points), best first.

    A document without a handoff gets none, unless its path is that of one, it is empty, or a fence or one of our
    comments is being typed, or it is a prompt about a contract.
    """
    offset = min(max(offset, 0), len(context.source))
    items = _complete(context, offset)
    mark = context.source.text[:1] if offset == 0 else ""
    return [_from_mark(item, mark) for item in items] if mark == "\ufeff" else items


def _from_mark(item: CompletionItem, mark: str) -> CompletionItem:
    """The item for a cursor before the byte order mark: its edit covers the cursor and writes the mark again."""
    span, text, snippet = item.edit
    if span.start != len(mark):
        return item
    edit = Edit(Span(0, span.end), mark + text, mark + snippet if snippet is not None else None)
    return replace(item, edit=edit)


def _complete(context: Context, offset: int) -> list[CompletionItem]:
    analysis, registry = context.analysis, context.registry
    comment = completion_comment.items(analysis, offset, registry)
    if comment is not None:
        return in_order(comment)
    handoff = _run_above(analysis, offset) or analysis.handoff_at(offset)
    if handoff is not None and completion_json.is_inside(handoff, offset):
        return in_order(completion_json.items(handoff, offset, context))
    fence = completion_fence.items(analysis, offset, registry)
    if fence is not None:
        return in_order(fence)
    if handoff is None or not handoff.is_part:
        prompt = completion_prompt.items(context, offset)
        if prompt:
            return in_order(prompt)
    inside = _INSIDE.get(handoff.syntax) if handoff is not None else None
    if handoff is not None and inside is not None:
        return in_order(inside(analysis, handoff, offset, context))
    if is_data_file(analysis.path):
        return in_order(completion_data_file.items(context, offset))
    return in_order(completion_start.items(analysis, offset, registry))


# Nothing can follow the last bracket of JSON.
_INSIDE: Mapping[Syntax, Callable[[Analysis, Handoff, int, Context], Iterable[CompletionItem]]] = {
    "markdown": completion_markdown.items,
    "outline": lambda analysis, handoff, offset, context: in_outline(handoff, line_at(analysis, offset), context),
    "log": lambda analysis, handoff, offset, context: completion_log.items(handoff, line_at(analysis, offset), context),
}


def _run_above(analysis: Analysis, offset: int) -> Handoff | None:
    """The run of lines in plain text that ends on the line above; the cursor's line continues it."""
    lines = analysis.source.lines
    line = lines.line_of(offset)
    if line == 0 or any(handoff.is_part and handoff.span.holds(offset) for handoff in analysis.handoffs):
        return None
    for handoff in analysis.handoffs:
        if handoff.form == "run" and handoff.node is None and lines.line_of(handoff.span.end) == line - 1:
            return None if handoff.source.text.endswith("-->", handoff.span.start, handoff.span.end) else handoff
    return None


def resolve(key: str, context: Context) -> str:
    """The documentation of an item as Markdown; empty for an unknown key. Never raises."""
    page = workspace_page(key, context)
    return page_of(key, context.registry) if page is None else page
