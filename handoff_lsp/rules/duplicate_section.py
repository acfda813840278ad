"""Duplicate section or block.

## What it does
Checks for headings of the contract that occur twice, and for two blocks about the same subject if the reader then
rejects both.

## Why is this bad?
A reader uses the first, the last or none of them.

## How to fix
Merge the two, or remove one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Field
from handoff_lsp.language import say
from handoff_lsp.recognition.fences import written_pairs
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Related, Rule
from handoff_lsp.rules.shared.repeated import repeated
from handoff_lsp.syntax.markdown.line_fences import line_fence_at


def check(handoff: Handoff) -> Iterator[Finding]:
    """Repeated headings, and handoffs about the same subject."""
    if handoff.body.prose:
        note = say("Readers take the first and pass over this one")
        yield from repeated(RULE, handoff, handoff.root, note, headed=True)
    fence = handoff.fence_form
    if handoff.mode == "handoff" and fence is not None and fence.once:
        same = next((other for other in handoff.together if other is not handoff and _is_about(other, handoff)), None)
        if same is not None:
            line = handoff.source.lines.line_of(same.home().start) + 1
            names = ", ".join(f"`{name}`" for name in fence.once)
            message, note = (
                say("The fence on line {line} is about the same {names}", line=line, names=names),
                say("The reader takes neither"),
            )
            related = [Related(same.home(), say("the same here"))]
            yield Finding(RULE, handoff, handoff.home(), message, note=note, severity="error", related=related)


def _is_about(one: Handoff, other: Handoff) -> bool:
    """Whether two handoffs are about the same subject for a reader that compares only the fields in ``fence.once``."""
    fence = other.spec.contract.fence
    if one.spec.name != other.spec.name or fence is None or one.node is None or other.node is None:
        return False
    seen = line_fence_at(one.tree, one.node.opening.start)
    if seen is None or seen.closing is None or seen.tag not in {fence.tag, "json"}:
        return False
    mine, theirs = one.node.once(written_pairs), other.node.once(written_pairs)
    fields = [other.spec.fields[name] for name in fence.once]
    return all(_named(mine, field) == _named(theirs, field) for field in fields)


def _named(pairs: Mapping[str, str], field: Field) -> str:
    return next((pairs[name] for name in (field.title, *field.instead_of) if pairs.get(name)), "")


RULE = Rule("duplicate-section", "structure", "warning", check, modes=EVERY_MODE, unfinished="here")
