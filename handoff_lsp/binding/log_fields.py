"""Binding a log: its lines to the items of the contract's one list, each with ``time``, ``tag`` and ``text``."""

from __future__ import annotations

from handoff_lsp.binding.slot import Problem, Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.log import Log, LogEntry
from handoff_lsp.text import Source, Span


def bind_log(root: Slot, log: Log, spec: Spec, source: Source) -> None:
    """Make the children of ``root``: the first list of the contract gets an item for each line of the log."""
    for name, field in spec.fields.items():
        root.children[name] = Slot(name, field, root)
    slot = next((child for child in root.children.values() if child.field.type == "list"), None)
    if slot is None:
        return
    slot.present = slot.written = True
    slot.data = []
    item_field = slot.field.items or Field(type="object")
    for number, entry in enumerate(log.entries):
        item = slot.add_item(item_field, entry.span)
        for name, field in item_field.fields.items():
            item.children[name] = Slot(name, field, item)
        for name, span in _parts(entry):
            _bind_part(item, name, span, source)
        item.data = {"index": number, "line": entry.line + 1} | {
            name: child.data for name, child in item.children.items() if child.data is not None
        }
        slot.data.append(item.data)


def _parts(entry: LogEntry) -> list[tuple[str, Span]]:
    return [("time", entry.time), ("tag", entry.tag), ("text", entry.text)]


def _bind_part(item: Slot, name: str, span: Span, source: Source) -> None:
    child = item.children.get(name)
    if child is None:
        return
    child.present = child.written = True
    child.carrier = "log"
    child.key = child.span = span
    child.value = span
    child.raw = source.slice(span)
    read = read_text(child.field, child.raw)
    if read.problem:
        at = Span(span.start + read.start, span.start + read.end)
        child.problem = Problem(read.problem, child.raw[read.start : read.end], at)  # type: ignore[arg-type]
    else:
        child.data = read.data
