"""What the rules share that are about wrong values: the values there are as fixes, and upstream's words for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Value
from handoff_lsp.contracts.skeleton import MOST_VALUES
from handoff_lsp.rules.rule import Fix
from handoff_lsp.rules.vocabulary import own_values
from handoff_lsp.text import Edit, Span


def written(block: Block, value: str) -> str:
    """A value or a name as it is written in a block: quoted where the block is JSON."""
    return json.dumps(value, ensure_ascii=False) if block.json is not None else value


def upstream_tokens(tokens: Iterable[str], slot: Slot, found: str) -> list[str]:
    """Upstream's tokens for a wrong value, printed on one line and by the tolerance that it is compared with."""
    found = " ".join(found.strip('"').split()) if "\n" in found else found.strip('"')
    if "trailing-punctuation" in slot.field.tolerate:
        found = found.rstrip(".,;")
    if "case" in slot.field.tolerate:
        found = found.upper()
    return [token.replace("{value}", found) for token in tokens]


def choose_one(slot: Slot) -> str:
    """What helps where several values are as good: only the author knows which; empty for what is no enum."""
    values = [f"`{value.value}`" for value in slot.field.offered]
    return f"Choose one of {', '.join(values)}" if 1 < len(values) <= MOST_VALUES else ""


def choices(block: Block, slot: Slot, span: Span, *, but: Value | None = None) -> Iterator[Fix]:
    """A fix for each value of an enum but one, in the place of a span. They choose for the author: none is safe."""
    if slot.field.judgement:
        return
    for value in own_values(block) if slot.path == block.spec.contract.status else slot.field.offered:
        if value is not but:
            edit = Edit(span, written(block, value.value))
            title = f"Set `{slot.title}` to `{value.value}`"
            yield Fix(title, (edit,), safe=False, preferred=False, sets=value.value)
