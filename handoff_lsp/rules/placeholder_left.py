"""Placeholder left.

## What it does
Checks for values and titles that are still template placeholders: `<…>`, `{…}` or a list of all values. In JSON it
checks every text. Placeholders in templates and examples are allowed. In a draft, whose status is a
placeholder among others, editors show hints; `handoff-lsp check` reports errors, and the handoff never advances.

## Why is this bad?
The orchestrator reads the placeholder as the value: `complete | blocked | failed | incomplete` is not a valid status.

## How to fix
Write the value. For an enum, quick fixes offer each value.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import is_element, is_placeholder
from handoff_lsp.language import say
from handoff_lsp.rules.rule import Finding, Rule, shown
from handoff_lsp.rules.shared.absent import is_status
from handoff_lsp.rules.shared.choices import choices, choose_one, upstream_tokens
from handoff_lsp.rules.shared.declared import declared
from handoff_lsp.syntax.json.parse import descend, path_of
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern


def check(handoff: Handoff) -> Iterator[Finding]:
    """Values that are placeholders, and the contract's checks that name this rule."""
    for slot in handoff.refused:
        problem = slot.problem
        if problem is None or problem.kind != "placeholder":
            continue
        consequence = handoff.spec.contract.unread if is_status(handoff, slot) else ""
        yield Finding(
            RULE,
            handoff,
            problem.span,
            say('`{field}` still contains the placeholder "{found}"', field=slot.title, found=shown(problem.found)),
            note=consequence,
            hint=choose_one(handoff, slot),
            slot=slot,
            upstream=upstream_tokens(_upstream(slot), slot, problem.found),
            fixes=partial(choices, handoff, slot, problem.span),
        )
    yield from declared(RULE, handoff)
    yield from _own_keys(handoff)
    yield from _in_title(handoff)
    yield from _in_json(handoff)
    yield from _in_log(handoff)
    for slot in handoff.to_judge if handoff.body.prose or handoff.body.flat else ():
        kind = slot.field.kind
        many = kind.holds_items or kind.holds in {"pairs", "prose"}
        if many and slot.problem is None and "<" in slot.raw:
            yield from _in_many(handoff, slot)


def _own_keys(handoff: Handoff) -> Iterator[Finding]:
    """JSON texts that only repeat their key, like a skeleton without its brackets."""
    for slot in handoff.to_judge if handoff.body.quoted else ():
        if slot.parent is not None and slot.parent.field.kind.holds == "pairs":
            continue  # its author chose the name
        if slot.problem is None and slot.data == slot.name and slot.field.kind.is_free and slot.value:
            message = say(
                '`{field}` is "{name}", its own name: it still waits to be filled in', field=slot.title, name=slot.name
            )
            yield Finding(RULE, handoff, slot.value, message, slot=slot)


def _in_title(handoff: Handoff) -> Iterator[Finding]:
    """The inserted placeholder in the heading of a handoff. Other brackets there may belong to a name."""
    heading = handoff.heading
    if heading is None:
        return
    title = handoff.source.slice(heading.content)
    for found in _WAITING.finditer(title):
        start = heading.content.start + found.start()
        message = say('The title still contains the placeholder "{found}"', found=shown(found[0]))
        yield Finding(RULE, handoff, Span(start, start + len(found[0])), message, field="title")


def _in_log(handoff: Handoff) -> Iterator[Finding]:
    """Log entries with a placeholder as time, or with only one as text."""
    for line in handoff.log.broken if handoff.log is not None else ():
        if is_placeholder(handoff.source.slice(line.span)):
            whole = handoff.source.lines.line_span(line.line)
            for match in _LINE.finditer(handoff.source.text, *whole):
                text = match[0]
                yield Finding(
                    RULE,
                    handoff,
                    Span(*match.span()),
                    say('This entry still contains the placeholder "{found}"', found=shown(text)),
                )
    for entry in handoff.body.entries if handoff.source.holds("…>") else ():
        text = handoff.source.slice(entry.text)
        if _WAITING.fullmatch(text):
            yield Finding(
                RULE, handoff, entry.text, say('This entry still contains the placeholder "{found}"', found=shown(text))
            )


def _in_many(handoff: Handoff, slot: Slot) -> Iterator[Finding]:
    """Inserted placeholders of a list, a table or a text: in an item, in a cell, after a label."""
    if slot.value is None:
        return
    # The value of a list is its first item alone.
    at = handoff.source.text.find(slot.raw, slot.key.end if slot.key is not None else slot.value.start)
    first, text = (
        (at, slot.raw) if 0 <= at <= slot.value.start else (slot.value.start, handoff.source.slice(slot.value))
    )
    found = [match.span(1) for match in _INSERTED.finditer(text)]
    lines = [_BULLET.sub("", line).strip() for line in text.splitlines() if line.strip()]
    if not found and all(_is_plain(line) for line in lines):
        found = [match.span(1) for match in _LINE.finditer(text)]
    # Placeholders in declared columns are reported for their cells.
    cells = [child.problem for item in slot.items for child in item.children.values() if child.problem is not None]
    known = {problem.span.start for problem in cells}
    for start, end in found:
        if first + start in known:
            continue
        message = say(
            '`{field}` still contains the placeholder "{found}"', field=slot.title, found=shown(text[start:end])
        )
        yield Finding(RULE, handoff, Span(first + start, first + end), message, slot=slot)


def _upstream(slot: Slot) -> list[str]:
    """For a type that no placeholder can have, the original validator reports the type."""
    return slot.field.upstream.get("type", []) if slot.field.kind.unquoted else slot.field.upstream.get("value", [])


def _in_json(handoff: Handoff) -> Iterator[Finding]:
    """Placeholders in texts without a declared type: in lists, under unknown keys."""
    body = handoff.json
    if body is None or body.tree.root is None or not any(map(handoff.source.holds, _BEGIN)):
        return
    passed = _passed_over(handoff)
    # A text with a declared type has been read already.
    read = {slot.value for slot in handoff.to_judge if not slot.field.kind.untyped}
    for node, _ in descend(body.tree.root):
        if node.kind == "string" and _is_plain(str(node.value)):
            span = body.fragment.outer_span(node.start, node.end)
            before = bisect_right(passed, span.start, key=_start) - 1
            if span not in read and not (before >= 0 and span.end <= passed[before].end):
                yield Finding(
                    RULE,
                    handoff,
                    span,
                    say('This text is still the placeholder "{found}"', found=shown(str(node.value))),
                    severity="warning",
                    field=".".join(map(str, path_of(node))),
                )


def _passed_over(handoff: Handoff) -> list[Span]:
    """The spans that another finding covers or that quote other text: in order, none inside another one."""
    spans = [slot.problem.span for slot in handoff.to_judge if slot.problem is not None]
    spans += [slot.span for slot in handoff.to_judge if slot.field.verbatim and slot.span is not None]
    outer: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.start, -span.end)):
        if not outer or span.start >= outer[-1].end:
            outer.append(span)
    return outer


def _start(span: Span) -> int:
    return span.start


# Fields with several items, any of which may be a placeholder.
# The placeholder that is inserted where the contract proposes nothing: all of an item or a cell, or after a label.
_INSERTED = lazy_pattern(r"(?m)(?:^|[|:：\]]|[-*+])[ \t]*(<[^<>\n]*…>)[ \t\r]*(?=$|\|)")
# Certainly an inserted one.
_WAITING = lazy_pattern(r"<[^<>\n]*…>")
_BULLET = lazy_pattern(r"^[ \t>]*(?:[-*+][ \t]+)?(?:\[[ xX]?\][ \t]*)?")
_LINE = lazy_pattern(r"(<[^<>\n]*>)")
# The beginnings of placeholders in quotes, for a fast test.
_BEGIN = ('"<', '"{', "'<", "'{")
_PLAIN = lazy_pattern(r"<(?P<angles>[\w…][\w …./|:,-]*)>|\{[A-Za-z_…][\w … -]*\}")
# Not placeholders: a tool's output for an empty value, and one-word markup tags.
_PRINTED = lazy_pattern(
    r"(?i)none|nil|null|unset|unknown|no value|invalid|pending|undefined|empty|anonymous|root|stdin|stdout|eof|[a-z]|"
    r"code|body|head|script|style|form|input|button|link|meta"
)


def _is_plain(text: str) -> bool:
    """Whether a placeholder has words in it, and is neither markup nor a tool's output."""
    plain = _PLAIN.fullmatch(text.strip())
    return (
        plain is not None
        and not is_element(text.strip())
        and (plain["angles"] is None or _PRINTED.fullmatch(plain["angles"]) is None)
    )


RULE = Rule("placeholder-left", "values", "error", check, "sometimes", ("handoff",), unfinished="here", withholds=True)
