"""Binding a log: its lines to the items of the contract's list of entries, each with ``time``, ``tag`` and ``text``.

A root field with a ``tag`` reads the entries with that tag: a list holds the texts of all of them, an object the
last one itself, any other field the text of the last one.
"""

from __future__ import annotations

from collections.abc import Collection

from handoff_lsp.binding.put import put
from handoff_lsp.binding.silent import is_silent, may_be_silent
from handoff_lsp.binding.slot import LongList, Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.log import Log, LogEntries, LogEntry, read_usual
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
    tagged = _by_tag(entries, log, source, tags) if tags else {}
    last_tags = {slot.field.tag for slot in slots if slot.field.holds_last_text}
    for slot in slots:
        numbers = tagged.get(slot.field.tag, []) if slot.field.tag else []
        if slot.field.kind.holds == "plain items":
            _bind_texts(slot, entries, log, numbers, source, but_last=slot.field.tag in last_tags)
        elif numbers and slot.field.kind.holds == "fields":
            slot.present = slot.written = True
            slot.value = log.entries[numbers[-1]].span
            slot.data = entries.data[numbers[-1]] if entries is not None else None
        elif numbers:
            _bind_text(slot, log.entries[numbers[-1]].text, source)


_PARTS = frozenset({"time", "tag", "text"})
_LIST = Field(type="list")
_ENTRY = Field(type="object")
_TEXT = Field(type="line")


def _bind_entries(slot: Slot, log: Log, source: Source) -> None:
    """Give a list an item for each entry. Those of usual lines are made when they are asked for."""
    slot.present = slot.written = True
    field = slot.field.items or _ENTRY

    def made(number: int) -> Slot:
        return _entry(slot, field, number, log.entries[number], source)

    if not isinstance(log.entries, LogEntries):
        slot.items = [made(number) for number in range(len(log.entries))]
        slot.data = [item.data for item in slot.items]
        return
    numbers, kept = log.entries.numbers, log.entries.each(_silent_lines(field).read)
    read = [kept[line] for line in numbers]
    judged = {number: made(number) for number, one in enumerate(read) if one is None}
    for number, (one, line) in enumerate(zip(read, numbers, strict=True)):
        if one is None:
            read[number] = judged[number].data
        elif one["index"] != number or one["line"] != line + 1:
            read[number] = kept[line] = {**one, "index": number, "line": line + 1}
    slot.data = read
    slot.items = LongList(made, slot.data, judged)


def _entry(slot: Slot, field: Field, number: int, entry: LogEntry, source: Source) -> Slot:
    """The item of a list for an entry."""
    item = slot.item(number, field, entry.span)
    for name, inner in field.fields.items():
        item.children[name] = Slot(name, inner, item)
    # The entry keeps even a wrong tag, so that conditions can go through all entries.
    item.data = {"index": number, "line": entry.line + 1}
    for name, span in _parts(entry):
        child = item.children.get(name)
        if child is None:
            item.data[name] = source.slice(span)
        else:
            _bind_text(child, span, source)
            item.data[name] = child.data if child.data is not None else child.raw
    return item


class _SilentLines:
    """Reads the lines of a log that are silent entries of a field."""

    def __init__(self, field: Field) -> None:
        self._field = field
        self._may_be_silent = may_be_silent(field) and _PARTS.issuperset(field.fields)

    def read(self, line: str) -> dict[str, object] | None:
        """The data of a usual line as the first entry of a log; None for any other and for one that is not silent."""
        entry = read_usual(line) if self._may_be_silent else None
        if entry is None:
            return None
        item = _entry(Slot("", _LIST), self._field, 0, entry, Source(line))
        data: dict[str, object] = item.data
        return data if all(map(is_silent, item.walk())) else None


_silent_lines = once_per_field(_SilentLines)


def _parts(entry: LogEntry) -> list[tuple[str, Span]]:
    if entry.groups:
        return list(entry.groups)
    return [("time", entry.time), ("tag", entry.tag), ("text", entry.text)]


def _by_tag(entries: Slot | None, log: Log, source: Source, wanted: Collection[str]) -> dict[str, list[int]]:
    """The numbers of the entries with some tags; tags as their field reads them."""
    found: dict[str, list[int]] = {tag: [] for tag in wanted}
    tags = (
        [source.slice(entry.tag) for entry in log.entries]
        if entries is None
        else [one.get("tag", "") for one in entries.data]
    )
    for number, tag in enumerate(tags):
        if tag in found:
            found[tag].append(number)
    return found


def _bind_texts(
    slot: Slot, entries: Slot | None, log: Log, numbers: list[int], source: Source, *, but_last: bool
) -> None:
    """Give a list an item for each text. ``but_last``: a different field reports the last one's problem."""
    if not slot.field.tag:
        return
    slot.present = slot.written = bool(numbers)
    field = slot.field.items or _TEXT

    def made(number: int) -> Slot:
        span = log.entries[numbers[number]].text
        item = slot.item(number, field, span)
        _bind_text(item, span, source)
        if but_last and number == len(numbers) - 1:
            item.problem = None
        return item

    if field.kind.is_free and may_be_silent(field):
        slot.data = _texts(entries, log, numbers, source)
        slot.items = LongList(made, slot.data, {})
    else:
        slot.items = [made(number) for number in range(len(numbers))]
        slot.data = [item.data if item.data is not None else item.raw for item in slot.items]
    slot.data = slot.data if numbers else None


def _texts(entries: Slot | None, log: Log, numbers: list[int], source: Source) -> list[str]:
    """The texts of some entries."""
    field = entries.field.items.fields.get("text", _TEXT) if entries is not None and entries.field.items else _TEXT
    if entries is not None and field.kind.is_free:  # they are there already
        return [entries.data[number]["text"] for number in numbers]
    return [source.slice(log.entries[number].text) for number in numbers]


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
