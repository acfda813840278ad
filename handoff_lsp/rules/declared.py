"""What the rules share that report a contract's declared checks: each of them reports those that name it."""

from __future__ import annotations

import json
from collections.abc import Iterator

from handoff_lsp.binding.block import Block
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.conditions import Values
from handoff_lsp.contracts.model import Check
from handoff_lsp.rules.absent import related_to
from handoff_lsp.rules.rule import Finding, Fix, Rule, sentence
from handoff_lsp.text import Edit, Span


def declared(rule: Rule, block: Block) -> Iterator[Finding]:
    """The findings of a contract's checks that name a rule."""
    for check in block.spec.contract.checks.values():
        if check.rule != rule.code or block.mode not in check.in_modes or check.severity == "off":
            continue
        if check.when and not block.values.holds(check.when):
            continue
        if "[]" in check.at:
            yield from _for_each(rule, block, check)
        elif block.values.fails(check.check):
            yield _finding(rule, block, check, block.values, _at(block, check.at))


def _for_each(rule: Rule, block: Block, check: Check) -> Iterator[Finding]:
    """The findings of a check that is asked for each item of a list. Equal values are asked about once."""
    lines = " ".join((check.check, check.message, *check.upstream))
    # A long list is handed to CEL again for each item, so only what the check speaks of goes along.
    data = {name: value for name, value in block.data.items() if name in lines}
    judged: dict[str, Values | None] = {}
    for slot in block.root.find(check.at):
        if slot.data is None:
            continue
        key = repr(slot.data)
        if key not in judged:
            values = block.spec.conditions.values({**data, "this": slot.data})
            judged[key] = values if values.fails(check.check) else None
        failing = judged[key]
        if failing is not None:
            yield _finding(rule, block, check, failing, slot)


def _at(block: Block, path: str) -> Slot:
    """The slot at a path, or its nearest parent where the path ends in something absent."""
    parts = path.split(".")
    while parts:
        found = block.root.find(".".join(parts))
        if found:
            return found[0]
        parts.pop()
    return block.root


def _finding(rule: Rule, block: Block, check: Check, values: Values, slot: Slot) -> Finding:
    related = [found for path in check.related for found in block.root.find(path)]
    return Finding(
        rule,
        block,
        _span(block, slot),
        sentence(values.fill(check.message), check.because),
        severity=check.severity,
        slot=slot,
        field=slot.path if "[]" in check.at else check.at,
        upstream=[values.fill(token) for token in check.upstream],
        related=related_to(related, "see"),
        fixes=lambda: _fixes(block, check, values, slot),
    )


def _span(block: Block, slot: Slot) -> Span:
    span = (slot.token if slot.written else None) or slot.anchor()
    if span == Span(0, 0):
        return block.home()
    return block.source.lines.first_line_of(span)


def _fixes(block: Block, check: Check, values: Values, slot: Slot) -> Iterator[Fix]:
    if not check.correct or slot.value is None or slot.path != check.at:
        return
    right = values.evaluate(check.correct)
    if right is None:
        return
    text = json.dumps(right, ensure_ascii=False) if block.json is not None else str(right)
    # Of two things that do not agree either may be the wrong one: the author chooses. A count is most likely wrong
    # where there is something to count.
    counted = [found for path in check.related for found in block.root.find(path)]
    likely = check.rule == "count-mismatch" and any(found.present and found.data for found in counted)
    yield Fix(f"Change it to {text}", (Edit(slot.value, text),), safe=False, preferred=likely)
