"""The text of a contract file: YAML in the order of the model, with the notes as comments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields
from typing import Any

import yaml

from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.names import key_name
from handoff_lsp.learn.draft import ContractDraft, FieldDraft
from handoff_lsp.learn.types import TOLERANT
from handoff_lsp.learn.words import words

_WIDTH = 110
# Values on which work usually goes on.
_GOOD = words("done complete completed success succeeded pass passed approved accepted ready ok closed")
_QUESTION = "decide: "


def write(draft: ContractDraft) -> str:
    """The contract file."""
    lines = [*(_comment(note, 0) for note in draft.notes.get("", []))]
    about = draft.about or ""
    lines += _pair("contract", draft.name, 0)
    lines += _pair("title", draft.title, 0)
    lines += _pair("about", about, 0, ["decide: what it is, who writes it and who reads it"] if not about else [])
    if draft.source:
        lines += _pair("source", draft.source, 0)
    if draft.status or _is_needed("status"):
        lines += _pair("status", draft.status or next(iter(draft.fields)), 0, draft.notes.get("status", []))
    if draft.usual:
        lines += _pair("usual", draft.usual, 0)
    for key, value in draft.recognition.items():
        lines += ["", *_pair(key, value, 0, draft.notes.get(key, []))]
    if draft.unfilled:
        lines += ["", *_pair("unfilled", draft.unfilled, 0, draft.notes.get("unfilled", []))]
    for key in ("templates", "examples"):
        paths = getattr(draft, key)
        if paths:
            lines += ["", *_pair(key, [{"weight": 1, "path": path} for path in paths], 0, draft.notes.get(key, []))]
    lines += ["", "fields:"]
    if draft.closed:
        lines[-1:-1] = ["closed: true"]
    for name, field in draft.fields.items():
        lines += _field(name, field, 2)
    lines += _checks(draft)
    lines += _routing_hint(draft)
    return _anchored("\n".join(lines) + "\n")


_LOOSE = f"[{', '.join(TOLERANT)}]"


def _anchored(text: str) -> str:
    """The text with the long list of what is tolerated written once."""
    if text.count(_LOOSE) < 2:
        return text
    head, tail = text.split(_LOOSE, 1)
    return f"{head}&loose {_LOOSE}{tail.replace(_LOOSE, '*loose')}"


def _is_needed(key: str) -> bool:
    """Whether a contract cannot do without a key."""
    found = next(one for one in fields(Contract) if one.name == key)
    return found.default is MISSING and found.default_factory is MISSING


def _field(name: str, field: FieldDraft, indent: int) -> Iterator[str]:
    body = field_data(field)
    if field.title == name:
        body.pop("title", None)
    notes = [f"{_QUESTION}{question}" for question in field.questions]
    behind = list(dict.fromkeys(field.notes))
    if not field.required and field.seen < field.of:
        behind.insert(0, f"in {field.seen} of {field.of}")
    yield from (_comment(note, indent) for note in notes)
    comment = f"  {_comment('; '.join(behind), 0)}" if behind else ""
    nested = bool(field.fields) or (field.items is not None and bool(field.items.fields))
    flow = f"{' ' * indent}{name}: {_flow(body)}"
    if not nested and len(flow) <= _WIDTH and field.items is None:
        yield flow + comment
        return
    yield f"{' ' * indent}{name}:{comment}"
    yield from _below(field, body, indent)


def _items(field: FieldDraft, indent: int) -> Iterator[str]:
    body = field_data(field)
    body.pop("title", None)
    yield from (_comment(f"{_QUESTION}{question}", indent) for question in field.questions)
    if not field.fields and field.items is None:
        yield from _pair("items", body, indent)
        return
    yield f"{' ' * indent}items:"
    yield from _below(field, body, indent)


def _below(field: FieldDraft, body: dict[str, Any], indent: int) -> Iterator[str]:
    """The keys of a field, then its own fields and items."""
    for key, value in body.items():
        yield from _pair(key, value, indent + 2)
    if field.fields:
        yield f"{' ' * indent}  fields:"
        for inner, child in field.fields.items():
            yield from _field(inner, child, indent + 4)
    if field.items is not None:
        yield from _items(field.items, indent + 2)


def field_data(field: FieldDraft) -> dict[str, Any]:
    """A field's keys with their values, without the fields in it."""
    body: dict[str, Any] = {"title": field.title}
    if field.about:
        body["about"] = field.about
    if field.aliases:
        body["aliases"] = field.aliases
    if field.carriers:
        body["carriers"] = list(field.carriers)
    if field.type != "any":
        body["type"] = field.type
    if field.values:
        body["values"] = list(field.values)
    if field.open:
        body["open"] = True
    if field.tolerate:
        body["tolerate"] = list(field.tolerate)
    if field.pattern:
        body["pattern"] = field.pattern
    body |= field.limits
    if field.required:
        body["required"] = True
    if field.anywhere:
        body["anywhere"] = True
    if field.closed:
        body["closed"] = True
    if field.severity:
        body["severity"] = dict(field.severity)
    return body


def _pair(key: str, value: Any, indent: int, notes: list[str] | None = None) -> Iterator[str]:
    """A key with its value, on one line where that fits."""
    lead = " " * indent
    yield from (_comment(note, indent) for note in notes or [])
    line = f"{lead}{key}: {_flow(value)}"
    if len(line) <= _WIDTH or not isinstance(value, dict | list):
        yield line
    elif isinstance(value, dict):
        yield f"{lead}{key}:"
        for inner, one in value.items():
            yield from _pair(inner, one, indent + 2)
    else:
        yield f"{lead}{key}:"
        for one in value:
            yield from _item(one, indent + 2)


def _item(value: Any, indent: int) -> Iterator[str]:
    """An item of a list: a mapping has a line for each key where it does not fit on one."""
    line = f"{' ' * indent}- {_flow(value)}"
    if len(line) <= _WIDTH or not isinstance(value, dict):
        yield line
        return
    lines = [line for key, one in value.items() for line in _pair(key, one, indent + 2)]
    yield f"{' ' * indent}- {lines[0].lstrip()}"
    yield from lines[1:]


def _comment(note: str, indent: int) -> str:
    """A comment on one line; words of samples in it may hold anything."""
    text = " ".join("".join(char if char.isprintable() else " " for char in note).split())
    return f"{' ' * indent}# {text}"


def _flow(value: Any) -> str:
    """A value on one line."""
    text = yaml.safe_dump(
        value, default_flow_style=True, allow_unicode=True, width=float("inf"), sort_keys=False, default_style=None
    )
    return str(text).removesuffix("\n").removesuffix("\n...").strip()


def _checks(draft: ContractDraft) -> Iterator[str]:
    """A check for each field whose only values are not texts."""
    checks = {path: field.only for path, field in draft.walk() if field.only}
    if checks:
        yield from ("", "checks:")
    for path, only in checks.items():
        name = path.replace("[]", "").replace(".", "-")
        yield from _pair(f"{name}-values", {"at": path, "one_of": only}, 2)


def _routing_hint(draft: ContractDraft) -> Iterator[str]:
    """What the orchestrator does, as a comment to fill in: no sample says that."""
    status = draft.find(draft.status) if draft.status else None
    if status is None or not status.values or not draft.status.isidentifier():
        return
    good = next((value for value in status.values if key_name(value) in _GOOD), status.values[0])
    yield from (
        "",
        f"# {_QUESTION}what does the orchestrator do on each value? Without routes, `parse` shows no decision.",
        "# routing:",
        f"#   - {{when: {_flow({draft.status: good})}, action: advance, reason: the next step begins}}",
        "#   - {action: ask, reason: a human must look at it}",
    )
