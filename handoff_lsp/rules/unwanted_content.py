"""Unwanted content.

## What it does
Checks for content that the contract excludes from a field, anywhere in its value: live state in an index, such as an IP
address or a number of running pods.

## Why is this bad?
The content is read long after it has changed.

## How to fix
Remove it, and name the place to look it up.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import Unwanted
from handoff_lsp.contracts.patterns import search
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule, shown
from handoff_lsp.syntax.json.parse import JsonMember, JsonNode, descend, locate


def check(handoff: Handoff) -> Iterator[Finding]:
    """Fields with unwanted content."""
    body = handoff.json
    if body is None:
        return
    for slot in handoff.to_judge:
        if slot.field.unwanted and slot.present and slot.value is not None:
            node = locate(body.tree, body.fragment.inner(slot.value.start)).node
            if node is not None:
                yield from _in(handoff, body, slot, node)


def _in(handoff: Handoff, body: JsonBody, slot: Slot, top: JsonNode) -> Iterator[Finding]:
    for node, member in descend(top):
        if node.kind not in {"string", "number", "boolean"}:
            continue
        unwanted = _unwanted(slot.field.unwanted, node, member)
        if unwanted is not None:
            yield Finding(
                RULE,
                handoff,
                body.fragment.outer_span(node.start, node.end),
                say(
                    '`{path}` contains {about}, "{found}"',
                    path=slot.path,
                    about=unwanted.about,
                    found=shown(str(node.value), 40),
                ),
                note=unwanted.because,
                slot=slot,
            )


def _unwanted(unwanted: list[Unwanted], node: JsonNode, member: JsonMember | None) -> Unwanted | None:
    key, value = str(member.key.value) if member is not None else "", str(node.value)
    for one in unwanted:
        if (not one.key or search(one.key, key)) and (not one.value or search(one.value, value)):
            return one
    return None


RULE = Rule("unwanted-content", "values", "information", check, unfinished="here")
