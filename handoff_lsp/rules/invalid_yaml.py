"""Invalid YAML or `key: value` lines.

## What it does
Checks for lines of a `key: value` block that belong to no pair, such as a line without a colon, and for colons without
a blank after them. In YAML files and in front matter with fields of a contract, reports the place where a YAML parser
fails.

## Why is this bad?
The reader stops at the line or ignores it; some reject the whole block. A YAML parser reads nothing of an invalid file.

## How to fix
Write the line as `key: value`, indent it below its key, or remove it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.language import say
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule, shown
from handoff_lsp.syntax.lines.yaml import YamlError, yaml_error
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.text import Edit, Fragment, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.within import within

# The most findings of one handoff: a longer list is of no use.
_MOST = 20
# A key without a blank behind its colon: `FAILED:2` is no pair.
_GLUED = lazy_pattern(r"(\w+):(?=[^\s/])")
_SHOWN = ("...", "…", "- ", "* ", "+ ")


def check(handoff: Handoff) -> Iterator[Finding]:
    """Stray lines between the first and last pair of a handoff; in a fence or comment also those after the last."""
    yield from _in_front_matter(handoff)
    yield from _without_blank(handoff)
    if handoff.outline is None or handoff.open_comment:
        return
    if handoff.outline.strict:
        yield from _refused(handoff, handoff.outline.fragment, handoff.outline.error, say("This"))
        return
    fragment, outline = handoff.outline.fragment, handoff.outline.lines
    if not outline.entries:
        return
    first, last = outline.entries[0].span.start, outline.entries[-1].span.end
    enclosed = handoff.node is not None or handoff.span.start < fragment.outer(0)
    refused = handoff.root.field.upstream.get("malformed", [])
    stray = [span for span in outline.stray if refused or (span.start > first and (enclosed or span.start < last))]
    nested = [
        slot.problem.span for slot in handoff.to_judge if slot.problem is not None and slot.problem.kind == "nested"
    ]
    if handoff.outline.markdown:
        root = handoff.root
        nested += [slot.span for slot in root.children.values() if slot.span is not None]
        nested += [unknown.span for unknown in (*root.unknown, *root.duplicates)]
    is_value = within(nested)
    starts = [fragment.outer(span.start) for span in stray]
    stray = [span for span, start in zip(stray, starts, strict=True) if not is_value(start, start)]
    for span in stray[:_MOST]:
        outer = handoff.source.lines.first_line_of(Span(*fragment.outer_span(*span)))
        if handoff.mode != "handoff" and handoff.source.slice(outer).startswith(_SHOWN):
            continue  # an ellipsis or an explanation in a description of the format
        glued = _GLUED.match(handoff.source.text, outer.start, outer.end)
        name = handoff.spec.names.folded.get(fold_name(glued[1])) if glued is not None and not refused else None
        if glued is not None and name is not None:
            message = say("A blank is missing after `{key}:`", key=glued[1])
            yield Finding(
                RULE,
                handoff,
                outer,
                message,
                slot=handoff.root.children.get(name),
                fixes=partial(_with_blank, glued.end(), safe=False),
                withholds=True,
            )
            continue
        message = say(
            '"{found}" is neither a `key: value` line nor part of a value', found=shown(handoff.source.slice(outer))
        )
        note = say("The reader refuses the whole block") if refused else ""
        yield Finding(RULE, handoff, outer, message, note=note, severity="error" if refused else None, upstream=refused)


def _without_blank(handoff: Handoff) -> Iterator[Finding]:
    """Values right after their colon, which a YAML parser does not read as values."""
    if handoff.json is not None:
        return
    text, in_outline = handoff.source.text, handoff.outline is not None and not handoff.outline.strict
    if in_outline and handoff.fence_form is not None and handoff.fence_form.by_line:
        return  # its reader needs no blank
    for slot in handoff.to_judge:
        if (slot.carrier != "yaml" and not in_outline) or slot.key is None or slot.value is None:
            continue
        colon, at = slot.key.end, slot.value.start
        if at == colon + 1 and slot.raw and text[colon] == ":":
            message = say("A blank is missing after `{key}:`", key=slot.title)
            yield Finding(RULE, handoff, Span(colon, at), message, slot=slot, fixes=partial(_with_blank, at))


def _with_blank(at: int, *, safe: bool = True) -> Iterator[Fix]:
    yield Fix(say("Insert a blank"), (Edit(Span(at, at), " "),), safe=safe)


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
        yield from _refused(handoff, *broken, say("The front matter"))


def _refused(handoff: Handoff, fragment: Fragment, error: YamlError | None, what: str) -> Iterator[Finding]:
    """The place that a YAML parser refuses."""
    if error is not None:
        place = fragment.outer_span(error.at, error.at + 1)
        message = say("{what} is not YAML: {why}", what=what, why=error.why)
        yield Finding(RULE, handoff, place, message, note=handoff.spec.contract.unread, severity="error")


RULE = Rule("invalid-yaml", "structure", "warning", check, fixable="sometimes", modes=EVERY_MODE, unfinished="anywhere")
