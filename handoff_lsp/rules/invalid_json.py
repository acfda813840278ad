"""Invalid JSON.

## What it does
Checks for every defect of JSON: trailing and missing commas, comments, single quotes, unquoted keys, Python's `True`
and `None`, missing brackets, YAML instead of JSON. All of them are reported at once, each at its token.

## Why is this bad?
A strict parser stops at the first defect and drops the block, so the handoff counts as missing.

## How to fix
Quick fixes repair most defects, one by one or all together. "Repair the JSON of this block" applies all safe repairs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

from handoff_lsp.binding.bodies.json import JsonBody
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.json_fields import kind_of
from handoff_lsp.language import later, say, translated
from handoff_lsp.rules.rule import EVERY_MODE, Finding, Fix, Rule, shown
from handoff_lsp.rules.shared.misplaced import outer_key
from handoff_lsp.syntax.json.parse import JsonDefect, repair_edits
from handoff_lsp.syntax.limits import too_deep_yaml
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.json_placement import outer_edit
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.skeleton import Skeleton

_MOST = 50
# A letter or a digit.
_LETTER = lazy_pattern(r"[^\W_]")


def check(handoff: Handoff) -> Iterator[Finding]:
    """The defects of a handoff's JSON."""
    body = handoff.json
    fence = handoff.spec.contract.fence
    if body is None:
        return
    field = (fence.root or None) if fence is not None else None
    upstream = fence.upstream.get("unreadable", []) if fence is not None else []
    if body.is_yaml:
        text = body.fragment.text
        start = len(text) - len(text.lstrip())
        end = text.find("\n", start) if "\n" in text[start:] else len(text)
        yield Finding(
            RULE,
            handoff,
            body.fragment.outer_span(start, len(text[:end].rstrip())),
            say("This block is YAML, but it must be JSON"),
            note=handoff.spec.contract.unread,
            field=field,
            upstream=upstream,
            fixes=lambda: _from_yaml(handoff, body),
        )
        return
    defects = body.tree.defects
    root = body.tree.root
    if not defects and root is not None and root.kind != "object":
        message = say("This block is {kind}, but it must be a JSON object", kind=kind_of(root))
        span = handoff.source.lines.first_line_of(body.fragment.outer_span(root.start, root.end))
        yield Finding(RULE, handoff, span, message, note=handoff.spec.contract.unread, field=field, upstream=upstream)
    for defect in defects[:_MOST]:
        yield Finding(
            RULE,
            handoff,
            body.fragment.outer_span(*defect.span),
            defect.message,
            note=handoff.spec.contract.unread if defect.fatal else say("Only lenient parsers take it"),
            severity="error" if defect.fatal else "warning",
            field=field,
            upstream=upstream if defect.fatal else [],
            fixes=partial(_fixes, handoff, body, defect),
        )
    if len(defects) > _MOST:
        last = defects[_MOST]
        yield Finding(
            RULE,
            handoff,
            body.fragment.outer_span(*last.span),
            say("{number} more defects of this block's JSON are not listed", number=len(defects) - _MOST),
            field=field,
        )


def outer_edits(body: JsonBody, edits: tuple[Edit, ...] | list[Edit]) -> tuple[Edit, ...]:
    """Edits of a handoff's JSON as edits of the document."""
    return tuple(edit._replace(span=body.fragment.outer_span(*edit.span)) for edit in edits)


def _fixes(handoff: Handoff, body: JsonBody, defect: JsonDefect) -> Iterator[Fix]:
    # Without a closing fence, the intended end of the JSON is unknown.
    ended = handoff.node is None or handoff.node.closed
    safe = defect.safe and (ended or defect.kind != "missing-bracket") and not _is_in_doubt(handoff, body, defect)
    before = list(_close_before(handoff, body, defect)) if defect.kind == "missing-bracket" else []
    yield from before
    if defect.edits:
        yield Fix(
            _title(body, defect), outer_edits(body, defect.edits), safe=safe, preferred=(safe or ended) and not before
        )
    if ended and defect.safe and defect.edits and not _is_in_doubt(handoff, body, defect):
        if "repair" not in handoff.memo:  # the same for all defects
            handoff.memo["repair"] = _repair(handoff, body)
        if handoff.memo["repair"]:
            yield Fix(say("Repair the JSON of this block"), handoff.memo["repair"], safe=True, preferred=False)


def _close_before(handoff: Handoff, body: JsonBody, defect: JsonDefect) -> Iterator[Fix]:
    """Close an object before its first key that belongs to the object around it."""
    slot, unknown, home = outer_key(handoff) or (handoff.root, None, "")
    node = body.node(slot)
    parent = slot.parent
    if unknown is None or node is None or parent is None or parent.path != home.rpartition(".")[0]:
        return
    start = body.fragment.inner(unknown.key.start)
    before = [member for member in node.members if member.end <= start]
    if before and [edit.text for edit in defect.edits] == ["}"]:
        edits = (Edit(Span(before[-1].end, before[-1].end), "}"),)
        yield Fix(say("Close the bracket before `{key}`", key=unknown.name), outer_edits(body, edits), safe=False)


def _repair(handoff: Handoff, body: JsonBody) -> tuple[Edit, ...]:
    """The edits that repair all defects with a safe repair; empty unless there are several."""
    doubted = partial(_is_in_doubt, handoff, body)
    repairable = [other for other in body.tree.defects if other.safe and other.edits and not doubted(other)]
    return outer_edits(body, repair_edits(body.tree, but=doubted)) if len(repairable) > 1 else ()


def _is_in_doubt(handoff: Handoff, body: JsonBody, defect: JsonDefect) -> bool:
    """Whether a safe repair of the syntax might change what this handoff states."""
    # The bracket is missing before the keys of an outer object, not at the end.
    misplaces = defect.kind == "missing-bracket" and outer_key(handoff) is not None
    return misplaces or _says_something(body, defect)


def _says_something(body: JsonBody, defect: JsonDefect) -> bool:
    """Whether a defect is a comment with words in it, which must not be deleted without asking."""
    return defect.kind == "comment" and _LETTER.search(body.tree.text, *defect.span) is not None


_TITLES = {
    "trailing-comma": later("Remove the trailing comma"),
    "comment": later("Remove the comment"),
    "single-quotes": later("Use double quotes"),
    "unquoted-key": later("Quote the key"),
    "missing-comma": later("Insert the missing comma"),
    "missing-bracket": later("Close the bracket"),
    "missing-quote": later("Close the quote"),
    "inner-quotes": later("Escape the quotes"),
    "missing-colon": later("Insert the colon"),
    "python-literal": later("Write it as JSON does"),
    "nan": later("Replace with `null`"),
    "bad-number": later("Write the number as JSON does"),
    "bad-escape": later("Escape the backslash"),
    "control-character": later("Escape the character"),
    "semicolon": later("Write a comma"),
}


def _title(body: JsonBody, defect: JsonDefect) -> str:
    found = shown(body.tree.text[defect.span.start : defect.span.end])
    title = _TITLES.get(defect.kind)
    return translated(title) if title is not None else say("Repair `{found}`", found=found)


def _from_yaml(handoff: Handoff, body: JsonBody) -> Iterator[Fix]:
    value = _load_yaml(body.fragment.text)
    if isinstance(value, dict):
        text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
        start = len(body.fragment.text) - len(body.fragment.text.lstrip("\r\n"))
        end = len(body.fragment.text.rstrip())
        commented = any(line.lstrip().startswith("#") or " #" in line for line in body.fragment.text.splitlines())
        edit = outer_edit(handoff.source.text, body.fragment, Span(start, end), Skeleton(text, ""))
        edit = settled(handoff.source.text, edit._replace(snippet=None))
        yield Fix(say("Convert the YAML of this block to JSON"), (edit,), safe=not commented)


def _load_yaml(text: str) -> Any:
    import yaml

    # Aliases could make a small text huge; no handoff needs them.
    if ("&" in text and "*" in text) or too_deep_yaml(text) is not None:
        return None
    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except (yaml.YAMLError, ValueError, RecursionError):
        return None


RULE = Rule(
    "invalid-json",
    "structure",
    "error",
    check,
    fixable="sometimes",
    modes=EVERY_MODE,
    judges_form=True,
    unfinished="anywhere",
)
