"""Binding a log: its lines to the items of the contract's list of entries, each with ``time``, ``tag`` and ``text``.

A root field with a ``tag`` reads the entries with that tag: a list holds the texts of all of them, an object the
last one itself, any other field the text of the last one.
"""

from __future__ import annotations

from handoff_lsp.binding.put import put
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.log import Log, LogEntry
from handoff_lsp.text import Source, Span


def bind_log(root: Slot, log: Log, spec: Spec, source: Source) -> None:
    """Make the children of ``root``: the list without a tag gets an item for each line of the log."""
    for name, field in spec.fields.items():
        root.children[name] = Slot(name, field, root)
    slots = list(root.children.values())
    entries = next((slot for slot in slots if slot.field.holds_entries), None)
    if entries is not None:
        _bind_entries(entries, log, source)
    tags = {slot.field.tag for slot in slots if slot.field.tag}
    tagged = _by_tag(entries, log, source) if tags else {}
    last_tags = {slot.field.tag for slot in slots if slot.field.holds_last_text}
    for slot in slots:
        numbers = tagged.get(slot.field.tag, []) if slot.field.tag else []
        if slot.field.kind.holds == "plain items":
            texts = [log.entries[number].text for number in numbers]
            _bind_texts(slot, texts, source, but_last=slot.field.tag in last_tags)
        elif numbers and slot.field.kind.holds == "fields":
            slot.present = slot.written = True
            slot.value = log.entries[numbers[-1]].span
            slot.data = entries.data[numbers[-1]] if entries is not None else None
        elif numbers:
            _bind_text(slot, log.entries[numbers[-1]].text, source)


def _bind_entries(slot: Slot, log: Log, source: Source) -> None:
    slot.present = slot.written = True
    slot.data = []
    item_field = slot.field.items or Field(type="object")
    for number, entry in enumerate(log.entries):
        item = slot.add_item(item_field, entry.span)
        for name, field in item_field.fields.items():
            item.children[name] = Slot(name, field, item)
        # The entry keeps even a wrong tag, so that conditions can go through all entries.
        item.data = {"index": number, "line": entry.line + 1}
        for name, span in _parts(entry):
            child = item.children.get(name)
            if child is None:
                item.data[name] = source.slice(span)
            else:
                _bind_text(child, span, source)
                item.data[name] = child.data if child.data is not None else child.raw
        slot.data.append(item.data)


def _parts(entry: LogEntry) -> list[tuple[str, Span]]:
    if entry.groups:
        return list(entry.groups)
    return [("time", entry.time), ("tag", entry.tag), ("text", entry.text)]


def _by_tag(entries: Slot | None, log: Log, source: Source) -> dict[str, list[int]]:
    """The numbers of the entries by tag; tags as their field reads them."""
    found: dict[str, list[int]] = {}
    for number, entry in enumerate(log.entries):
        tag = source.slice(entry.tag) if entries is None else entries.data[number].get("tag", "")
        found.setdefault(tag, []).append(number)
    return found


def _bind_texts(slot: Slot, texts: list[Span], source: Source, *, but_last: bool) -> None:
    """Give a list an item for each text. ``but_last``: a different field reports the last one's problem."""
    if not slot.field.tag:
        return
    slot.present = slot.written = bool(texts)
    slot.data = [] if texts else None
    for span in texts:
        item = slot.add_item(slot.field.items or Field(type="line"), span)
        _bind_text(item, span, source)
        if but_last and span is texts[-1]:
            item.problem = None
        slot.data.append(item.data if item.data is not None else item.raw)


def _bind_text(slot: Slot, span: Span, source: Source) -> None:
    """Give a slot the text of a span. Words of a command or a message never count as a placeholder."""
    slot.present = slot.written = True
    slot.carrier = "log"
    slot.key = slot.span = slot.value = span
    slot.raw = source.slice(span)
    kind = slot.field.kind
    if kind.is_free or kind.untyped:
        slot.data = slot.raw
        return
    put(slot, read_text(slot.field, slot.raw), span)
