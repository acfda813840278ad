"""A line of a block of `key: value` lines is neither a pair nor part of a value, or a text is not YAML.

## What it does
Tells a line between the pairs of a block which belongs to none of them, such as one without a colon. In YAML front
matter with fields of a contract, and in a YAML file, it tells the place that a YAML parser refuses.

## Why is this bad?
The reader of the block stops at the line or passes over it. Some refuse the whole block. Of a file or
front matter that is not YAML nothing is read.

## How to fix
Write it as `key: value`, indent it below the key that it belongs to, or remove it.
"""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Rule, sentence, shown
from handoff_lsp.syntax.lines.yaml import YamlError, yaml_error
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.text import Fragment, Span

# The most findings of one handoff: a longer list is of no use.
_MOST = 20
_SHOWN = ("...", "…", "- ", "* ", "+ ")


def check(handoff: Handoff) -> Iterator[Finding]:
    """Stray lines between the first and last pair of a handoff; in a fence or comment also those after the last."""
    yield from _in_front_matter(handoff)
    if handoff.outline is None or handoff.open_comment:
        return
    if handoff.outline.strict:
        yield from _refused(handoff, handoff.outline.fragment, handoff.outline.error, "This")
        return
    fragment, outline = handoff.outline.fragment, handoff.outline.lines
    if not outline.entries:
        return
    first, last = outline.entries[0].span.start, outline.entries[-1].span.end
    enclosed = handoff.node is not None or handoff.span.start < fragment.outer(0)
    refused = handoff.root.field.upstream.get("malformed", [])
    stray = [span for span in outline.stray if refused or (span.start > first and (enclosed or span.start < last))]
    nested = [slot.problem.span for slot in handoff.slots if slot.problem is not None and slot.problem.kind == "nested"]
    stray = [span for span in stray if not any(one.holds(fragment.outer(span.start)) for one in nested)]
    for span in stray[:_MOST]:
        outer = handoff.source.lines.first_line_of(Span(*fragment.outer_span(*span)))
        if handoff.mode != "handoff" and handoff.source.slice(outer).startswith(_SHOWN):
            continue  # an ellipsis or an explanation in a description of the format
        message = f'"{shown(handoff.source.slice(outer))}" is neither a `key: value` line nor part of a value'
        if refused:
            message = sentence(message, "The reader refuses the whole block")
        yield Finding(RULE, handoff, outer, message, severity="error" if refused else None, upstream=refused)


def broken_front_matter(handoff: Handoff) -> tuple[Fragment, YamlError] | None:
    """The front matter with fields of a handoff and the place where it stops being YAML; None if it is YAML."""
    if "broken front matter" not in handoff.memo:
        front = front_matter(handoff.tree) if handoff.spec.front_matter is not None and not handoff.is_part else None
        error = yaml_error(front.fragment.text) if front is not None else None
        handoff.memo["broken front matter"] = (front.fragment, error) if front is not None and error else None
    found: tuple[Fragment, YamlError] | None = handoff.memo["broken front matter"]
    return found


def _in_front_matter(handoff: Handoff) -> Iterator[Finding]:
    """The place where the front matter of a document stops being YAML, if the contract has fields there."""
    broken = broken_front_matter(handoff)
    if broken is not None:
        yield from _refused(handoff, *broken, "The front matter")


def _refused(handoff: Handoff, fragment: Fragment, error: YamlError | None, what: str) -> Iterator[Finding]:
    """The place that a YAML parser refuses."""
    if error is not None:
        place = fragment.outer_span(error.at, error.at + 1)
        message = sentence(f"{what} is not YAML: {error.why}", handoff.spec.contract.unread)
        yield Finding(RULE, handoff, place, message, severity="error")


RULE = Rule("invalid-yaml", "shape", "warning", check, modes=EVERY_MODE, unfinished="anywhere")
