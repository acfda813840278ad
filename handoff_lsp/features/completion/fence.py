"""Completion on the line that opens a fence: a contract's tag, or a whole handoff."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.contracts.model import Fence, Field
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.engine import Analysis
from handoff_lsp.features.completion.item import CompletionItem, make_edit
from handoff_lsp.features.pages.contract_pages import contract_key
from handoff_lsp.recognition.detect import read_modeline
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.syntax.markdown.line_fences import MARKER
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import Skeleton, Stops, json_object, unclaimed

_OPENING = lazy_pattern(
    r"(?P<lead>(?:[ \t>]|[-*+][ \t]|\d+[.)][ \t])*)(?P<marker>`{3,}|~{3,})[ \t]*(?P<word>[\w:-]*)[ \t]*"
)
_MARKER = lazy_pattern(r"[^>\s]")


def items(analysis: Analysis, offset: int, registry: Registry) -> list[CompletionItem] | None:
    """The items for the opening line of a fence at ``offset``; None if it is no such line."""
    lines = analysis.source.lines
    line = lines.line_of(offset)
    opening = _OPENING.fullmatch(lines.line_text(line))
    node = next((node for node in analysis.tree.fences() if node.first_line == line), None)
    if opening is None or node is None or offset < node.opening.start + len(opening["marker"]):
        return None
    modeline = read_modeline(analysis.tree)
    if modeline is not None and modeline.contract is None:
        return []
    return [
        item
        for entry in registry
        if entry.contract.fence is not None and entry.contract.fence.tag_decides
        if entry.name not in analysis.options.disabled
        if analysis.handoff_at(node.opening.end) is not None or _may_become(opening["word"], entry.contract.fence)
        for item in _of(analysis, entry, entry.contract.fence, node, opening)
    ]


def _may_become(word: str, fence: Fence) -> bool:
    """Whether the typed word may become the tag; fences of other languages get no items."""
    return fence.tag.casefold().startswith(word.casefold())


def spec_for(analysis: Analysis, entry: ContractEntry) -> Spec:
    """The spec for a new handoff of a contract, in the config's profile or else the contract's default."""
    given = analysis.options.profiles.get(entry.name, "")
    return entry.spec(given if given in entry.contract.profiles else entry.contract.default_profile)


def whole(spec: Spec) -> tuple[str, dict[str, Field]]:
    """The title of a whole handoff, and the fields to insert in it."""
    contract = spec.contract
    title, group = next(iter(contract.groups.items()), (f"{contract.title} block", []))
    wanted = (
        [name for name in group if name in spec.fields]
        if group
        else [name for name, field in spec.fields.items() if field.required]
    )
    fields = {name: unclaimed(spec.fields[name], spec.empty_words) for name in wanted}
    return title, fields


def _of(
    analysis: Analysis, entry: ContractEntry, fence: Fence, node: Node, found: re.Match[str]
) -> Iterator[CompletionItem]:
    text, lines = analysis.source.text, analysis.source.lines
    spec = spec_for(analysis, entry)
    body = node.fragment().text.strip()
    key = contract_key(entry.name)
    marker = found["marker"] if node.closed or "backticks" not in fence.reader else MARKER
    filter_ = found["marker"] + fence.tag
    span = Span(node.opening.start, lines.line_end(lines.line_of(node.opening.start)))
    if not (node.closed and body[:1] in {"{", "["}):
        title, fields = whole(spec)
        made = json_object(fields, Stops())
        # A closed fence without content is complete; otherwise the closing line belongs to a fence further down.
        closing = "" if node.closed and not body else f"\n{marker}"
        lead = _MARKER.sub(" ", found["lead"])
        plain, snippet = (f"{marker}{fence.tag}\n{part}{closing}".replace("\n", f"\n{lead}") for part in made)
        edit = make_edit(text, span, Skeleton(plain, snippet))
        yield CompletionItem(title, "block", edit, spec.contract.title, key=key, filter=filter_)
    if body and found["word"] != fence.tag:
        tag = f"{marker}{fence.tag}"
        edit = make_edit(text, span, Skeleton(tag, tag))
        yield CompletionItem(fence.tag, "value", edit, "Only the tag", key=key, filter=filter_)
