"""A section does not name what it must name.

## What it does
Tells that a section which has to state something about certain files or parts says nothing of one of them, on the
section's heading. The same of an agent's definition that no longer declares what its handoffs begin with, and of an
orchestrator's command that lost the sentences by which it reads them.

## Why is this bad?
The next agent looks for the name to find out whether the thing exists. What is not mentioned is taken for forgotten,
and the document is refused. An agent does not write what its definition does not ask for, and an orchestrator does
not do what its command does not say.

## How to fix
Name it, even if only to say that it does not exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.placement import settled
from handoff_lsp.binding.removal import content_of
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.detect_prose import find_unsaid
from handoff_lsp.contracts.names import says
from handoff_lsp.contracts.registry import Entry
from handoff_lsp.rules.rule import Finding, Fix, Rule, sentence
from handoff_lsp.syntax.markdown import MarkdownTree
from handoff_lsp.text import Edit, Span, line_start

_ITEM = re.compile(r"[ \t>]*[-*+][ \t]+")


def check(block: Block) -> Iterator[Finding]:
    """Names that a section must hold and does not."""
    for slot in block.slots:
        if not slot.field.mentions or slot.span is None or slot.data in (None, "", [], {}):
            continue
        text = block.source.slice(slot.span)
        for name in slot.field.mentions:
            if not says(text, name):
                yield Finding(
                    RULE,
                    block,
                    slot.anchor(),
                    sentence(f"`{slot.title}` does not mention {name}", slot.field.because),
                    slot=slot,
                    upstream=slot.field.upstream.missing,
                    fixes=partial(_mention, block, slot, name),
                )


def check_prose(tree: MarkdownTree, path: str, entries: Iterable[Entry]) -> Iterator[Finding]:
    """What a document that is no handoff must say, and does not."""
    for entry in entries:
        for unsaid in find_unsaid(tree, path, entry.contract):
            where = f"`{unsaid.section}` in {unsaid.prose.about}" if unsaid.section else unsaid.prose.about
            told = sentence(f"{where} does not mention `{unsaid.name}`", unsaid.prose.because)
            yield Finding(RULE, None, unsaid.span, told, severity=unsaid.prose.severity)


def _mention(block: Block, slot: Slot, name: str) -> Iterator[Fix]:
    """An item at the end of the section, to be filled in; below a list one like its last."""
    held = content_of(block, slot) if slot.carrier == "section" else None
    if held is None or held.start == held.end:
        return
    text = block.source.text
    item = _ITEM.match(text, line_start(text, held.end), held.end)
    lead = f"\n{item.group()}" if item is not None else "\n\n- "
    edit = settled(text, Edit(Span(held.end, held.end), f"{lead}{name}: <…>"))
    yield Fix(f"Insert a line for {name}", (edit,), safe=True)


RULE = Rule("missing-mention", "presence", "error", check, fixable="sometimes", unfinished="anywhere")
