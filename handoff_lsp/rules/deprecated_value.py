"""Deprecated value.

## What it does
Checks for enum values that the contract marks as deprecated, and names their replacement.

## Why is this bad?
Readers still accept the value, but later versions may not.

## How to fix
Write the replacement. If both mean the same, the quick fix does it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Fix, Rule
from handoff_lsp.text import Edit, Span


def check(handoff: Handoff) -> Iterator[Finding]:
    """Enums with a deprecated value."""
    for slot in handoff.chosen:
        deprecated = _deprecated(slot.field)
        if not deprecated or slot.value is None or not isinstance(slot.data, str):
            continue
        value = deprecated.get(slot.data)
        if value is not None:
            yield Finding(
                RULE,
                handoff,
                slot.value,
                say("`{value}` is a deprecated value of `{field}`", value=value.value, field=slot.title),
                note=value.deprecated,
                slot=slot,
                fixes=partial(_replace, handoff, slot.value, value),
            )


@once_per_field
def _deprecated(field: Field) -> Mapping[str, Value]:
    """The deprecated values of an enum."""
    first = {value.value: value for value in reversed(field.values)}
    return {name: value for name, value in first.items() if value.deprecated}


def _replace(handoff: Handoff, span: Span, value: Value) -> Iterator[Fix]:
    if value.replaced_by:
        edit = Edit(span, handoff.body.quote(value.replaced_by))
        yield Fix(
            say("Change `{value}` to `{right}`", value=value.value, right=value.replaced_by),
            (edit,),
            safe=True,
        )


RULE = Rule("deprecated-value", "values", "warning", check, fixable="sometimes", unfinished="here")
