"""Completion in a data file that is no handoff yet: an empty status file or log, or one with little text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import Analysis, bind_document
from handoff_lsp.features.completion import log as completion_log
from handoff_lsp.features.completion.fence import spec_for
from handoff_lsp.features.completion.item import CompletionItem, make_edit
from handoff_lsp.features.completion.json import complete as completion_json
from handoff_lsp.features.completion.markdown.line import line_at
from handoff_lsp.features.completion.outline import in_outline
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import contract_key
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton_document import new_document

# The beginning of a log's first line: part of a time, and of a tag.
_BEGUN = lazy_pattern(r"[ \t]*(?:\d[\dTZ:.-]*[ \t]*(?:\[[\w-]*)?)?")


def items(context: Context, offset: int) -> Iterator[CompletionItem]:
    """The items for a file at the path of a contract's data files, unless its content is something else."""
    analysis = context.analysis
    for entry in context.registry:
        form = entry.contract.file
        if form is None or not search(form.path, analysis.path) or entry.name in analysis.options.disabled:
            continue
        handoff = _as(analysis, context.registry, entry)
        if handoff is None:
            continue
        if form.syntax == "yaml":
            yield from _yaml(analysis, entry, handoff, offset, context)
        elif form.holds_json:
            yield from _json(analysis, entry, handoff, offset, context)
        else:
            yield from _log(analysis, entry, handoff, offset, context)


def _as(analysis: Analysis, registry: Registry, entry: ContractEntry) -> Handoff | None:
    """The file bound as a handoff of a contract, regardless of its content; None if it cannot be."""
    options = replace(analysis.options, contract=entry.name)
    return next(iter(bind_document(analysis.source, analysis.path, registry, options)), None)


def _is_its_own(handoff: Handoff, offset: int) -> bool:
    """Whether the file has no key of something else, apart from the one that is being typed."""
    return all(unknown.span.holds(offset) for unknown in handoff.root.unknown)


def _json(
    analysis: Analysis, entry: ContractEntry, handoff: Handoff, offset: int, context: Context
) -> Iterator[CompletionItem]:
    root = handoff.json.tree.root if handoff.json is not None else None
    if root is None:
        yield from _whole(analysis, entry, offset)
    elif root.kind == "object" and _is_its_own(handoff, offset):
        yield from completion_json.items(handoff, offset, context)


def _yaml(
    analysis: Analysis, entry: ContractEntry, handoff: Handoff, offset: int, context: Context
) -> Iterator[CompletionItem]:
    yield from _whole(analysis, entry, offset)
    if _is_its_own(handoff, offset):
        yield from in_outline(handoff, line_at(analysis, offset), context)


def _whole(analysis: Analysis, entry: ContractEntry, offset: int) -> Iterator[CompletionItem]:
    """The item for a whole new handoff in an empty file."""
    if analysis.source.text.strip("\ufeff \t\r\n"):
        return
    spec = spec_for(analysis, entry)
    edit = make_edit(analysis.source.text, line_at(analysis, offset).span, new_document(spec))
    yield CompletionItem(spec.contract.title, "block", edit, "", key=contract_key(spec.name), preselect=True)


def _log(
    analysis: Analysis, entry: ContractEntry, handoff: Handoff, offset: int, context: Context
) -> Iterator[CompletionItem]:
    line = line_at(analysis, offset)
    text = analysis.source.text
    others = text[: line.span.start] + text[line.span.end :]
    if others.strip("\ufeff \t\r\n") or _BEGUN.fullmatch(line.text) is None:
        return  # a second line suffices for recognition
    if line.blank:
        yield completion_log.whole_log(spec_for(analysis, entry), text, line.span, context)
    yield from completion_log.items(handoff, line, context)
