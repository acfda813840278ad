"""The same handoff in another form: a run of labels as JSON in a fence, and back."""

from __future__ import annotations

import json
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import AROUND_NOTHING
from handoff_lsp.contracts.model import LABEL_CARRIERS, Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.reports.make import fields_of
from handoff_lsp.syntax.json.parse import descend
from handoff_lsp.text import Edit, Span, line_start
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.skeleton_document import form_of

# Words, and symbols with a meaning, such as emoji; not the markup of lists, emphasis, quotes and JSON.
_WORD = lazy_pattern(r"[^\W_]+|[^\w\s\-*+_`\"'\[\]{},:：|~>\\]")
_MARKER = "```"


def in_other_form(handoff: Handoff, target: Spec) -> tuple[Edit, ...]:
    """The edit that turns a run of labels into a JSON fence, or back; none if something would be lost."""
    form = form_of(target)
    if {handoff.form, form} != {"run", "fence"} or not handoff.readable or not _is_all_fields(handoff, target):
        return ()
    fence = target.contract.fence
    span = _lines(handoff)
    if fence is None or not fence.holds_json or span is None:
        return ()
    values = {name: _plain(value) for name, value in fields_of(handoff).items()}
    converted = _as_json(values, target) if form == "fence" else _as_labels(values, target)
    return (settled(handoff.source.text, Edit(span, converted)),) if converted else ()


def words_of(handoff: Handoff, slot: Slot) -> list[str]:
    """The words of a field's value, in any syntax; none for one that says that there is nothing."""
    node = handoff.body.node(slot)
    if node is not None:
        texts = [str(value.value) for value, _ in descend(node) if not value.members and not value.items]
        keys = [str(member.key.value) for value, _ in descend(node) for member in value.members]
        return _WORD.findall(" ".join([*keys, *(text for text in texts if text != "None")]))
    text = slot.value.of(handoff.source.text) if slot.value is not None else ""
    is_nothing = slot.data == [] and text.strip(AROUND_NOTHING).casefold() in handoff.spec.empty_words
    return _WORD.findall(text) if not is_nothing else []


def _is_all_fields(handoff: Handoff, target: Spec) -> bool:
    """Whether a handoff holds nothing but fields that the target profile also has, each once."""
    root = handoff.root
    slots = [slot for slot in root.children.values() if slot.written]
    if root.unknown or root.duplicates or any(slot.name not in target.fields for slot in slots):
        return False
    if handoff.json is not None:
        return not handoff.json.tree.defects
    text = handoff.source.text
    at, left = handoff.span.start, ""
    # Only the name and value of a label's line count: the other form has no place for a detail after the value.
    for start, end in sorted(span for slot in slots for span in (slot.key, slot.value) if span is not None):
        left += text[at:start]
        at = max(at, end)
    return _WORD.search(left + text[at : handoff.span.end]) is None


def _lines(handoff: Handoff) -> Span | None:
    """The whole lines of a handoff, with the fence that holds nothing else.

    None if it is nested or indented, or shares a line or the fence with other text.
    """
    node, text = handoff.node, handoff.source.text
    span = handoff.span
    if node is not None and (
        span != node.span or not node.closed or node.parent is not None or len(node.info.split()) > 1
    ):
        return None
    start = line_start(text, span.start)
    end = handoff.source.lines.line_end(handoff.source.lines.line_of(max(span.end - 1, span.start)))
    if text[start : span.start].strip("\ufeff") or text[span.end : end].strip():
        return None
    return span


def _plain(value: Any) -> Any:
    """A value in which the rows of a list are plain texts."""
    if not isinstance(value, list):
        return value
    return [
        f"{item['mark']}{item['text']}" if isinstance(item, dict) and set(item) == {"mark", "text"} else item
        for item in value
    ]


def _as_json(said: dict[str, Any], target: Spec) -> str:
    assert target.contract.fence is not None
    members = {target.fields[name].title: value for name, value in said.items()}
    body = json.dumps(members, ensure_ascii=False, indent=2)
    return f"{_MARKER}{target.contract.fence.tag}\n{body}\n{_MARKER}" if _MARKER not in body else ""


def _as_labels(said: dict[str, Any], target: Spec) -> str:
    lines = []
    for name, value in said.items():
        # A label with nothing behind it would be an empty field, which says less than an empty list.
        said_as = next((word.capitalize() for word in target.contract.empty_words), "") if value == [] else value
        line = _label(target.fields[name], said_as)
        if line is None:
            return ""
        lines.append(line)
    return "\n".join(lines)


def _label(field: Field, value: Any) -> str | None:
    """A label with its value; None if the value does not fit after a label."""
    carrier = next((carrier for carrier in field.carriers if carrier in LABEL_CARRIERS), "plain-label")
    head = f"**{field.title}**:" if carrier == "bold-label" else f"{field.title}:"
    items = value if isinstance(value, list) else [value]
    if any(not isinstance(item, str) or not item.strip() or "\n" in item or "\r" in item for item in items):
        return None
    if isinstance(value, list):
        return "\n".join([head, *(f"- {item}" for item in items)])
    return f"{head} {value}"
