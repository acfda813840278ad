"""A required name is not mentioned.

## What it does
Checks sections that must make a statement about certain files or parts. Reports names that are missing, and names
without a statement. Also checks agent definitions and orchestrator commands for the sentences that their handoffs
depend on.

## Why is this bad?
The next agent looks for the name to find out whether the thing exists, and rejects a document without
that statement. Agents
write only what their definitions ask for.

## How to fix
Mention the name and say whether the thing exists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.names import places_of
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.language import say
from handoff_lsp.recognition.prose import find_unsaid
from handoff_lsp.rules.rule import Finding, Fix, Rule
from handoff_lsp.rules.shared.declared import declared
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Edit, Span, line_start
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.removal import content_of

_ITEM = lazy_pattern(r"[ \t>]*[-*+][ \t]+")
# Signs allowed around a name on a line without any statement about it.
_BEFORE = lazy_pattern(r"[ \t>]*(?:[-*+][ \t]+)?[*_`]*")
_AFTER = lazy_pattern(r"[*_`]*[:：]?[*_`]*[ \t\r]*")


def check(handoff: Handoff) -> Iterator[Finding]:
    """Names that a section does not mention, or mentions without a statement; the contract's checks of this rule."""
    yield from declared(RULE, handoff)
    for slot in handoff.to_judge:
        if not slot.field.mentions or slot.span is None or slot.data in (None, "", [], {}):
            continue
        for name in slot.field.mentions:
            found = list(places_of(handoff.source.text, name, slot.span, file=True))
            if not found:
                yield Finding(
                    RULE,
                    handoff,
                    slot.anchor(),
                    say("`{field}` does not mention {name}", field=slot.title, name=name),
                    note=slot.field.because,
                    slot=slot,
                    upstream=slot.field.upstream.get("missing", []),
                    fixes=partial(_mention, handoff, slot, name),
                )
            elif all(_is_alone(handoff, span) for span in found):
                told = say("`{field}` mentions {name}, but says nothing about it", field=slot.title, name=name)
                yield Finding(RULE, handoff, found[0], told, note=slot.field.because, severity="warning", slot=slot)


def _is_alone(handoff: Handoff, span: Span) -> bool:
    """Whether a name is alone on its line, with nothing below that belongs to it."""
    text, lines = handoff.source.text, handoff.source.lines
    line = lines.line_of(span.start)
    start, end = lines.line_span(line)
    alone = _BEFORE.fullmatch(text, start, span.start) and _AFTER.fullmatch(text, span.end, end)
    return bool(alone) and _indent(handoff, line + 1) <= _indent(handoff, line)


def _indent(handoff: Handoff, line: int) -> int:
    """The indentation of a line; 0 for a blank line or None."""
    if line >= handoff.source.lines.count:
        return 0
    text = handoff.source.slice(Span(*handoff.source.lines.line_span(line)))
    return len(text) - len(text.lstrip()) if text.strip() else 0


def check_prose(tree: MarkdownTree, path: str, entries: Iterable[ContractEntry]) -> Iterator[Finding]:
    """The required mentions that a document other than a handoff lacks."""
    for entry in entries:
        for unsaid in find_unsaid(tree, path, entry.contract):
            where = (
                say("`{section}` in {about}", section=unsaid.section, about=unsaid.prose.about)
                if unsaid.section
                else unsaid.prose.about
            )
            told = say("{where} does not mention `{name}`", where=where, name=unsaid.name)
            yield Finding(RULE, None, unsaid.span, told, note=unsaid.prose.because, severity=unsaid.prose.severity)


def _mention(handoff: Handoff, slot: Slot, name: str) -> Iterator[Fix]:
    """Insert an item with a placeholder at the end of the section; after a list, in the form of its last item."""
    held = content_of(handoff, slot) if slot.carrier == "section" else None
    if held is None or held.start == held.end:
        return
    text = handoff.source.text
    item = _ITEM.match(text, line_start(text, held.end), held.end)
    lead = f"\n{item.group()}" if item is not None else "\n\n- "
    edit = settled(text, Edit(Span(held.end, held.end), f"{lead}{name}: <…>"))
    yield Fix(say("Insert a line for `{name}`", name=name), (edit,), safe=True)


RULE = Rule("missing-mention", "missing content", "error", check, fixable="sometimes", unfinished="anywhere")
