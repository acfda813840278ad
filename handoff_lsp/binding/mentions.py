"""What a handoff names: agents, tasks, changes and whatever else its contract says a field names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from handoff_lsp.binding.block import Block
from handoff_lsp.text import Span


class Mention(NamedTuple):
    """A name as it is written. ``kind`` is a key of its contract's ``definitions``, such as ``agents``."""

    kind: str
    name: str
    span: Span


def mentions_of(blocks: Iterable[Block]) -> Iterator[Mention]:
    """What the handoffs of a document name, in order. Spans are in code points of the document."""
    for block in blocks:
        for slot in block.slots:
            if not slot.field.names or slot.problem is not None or slot.value is None:
                continue
            name = slot.data if isinstance(slot.data, str) else slot.raw
            start = block.source.text.find(name, slot.value.start, slot.value.end) if name else -1
            if start >= 0:
                yield Mention(slot.field.names, name, Span(start, start + len(name)))
