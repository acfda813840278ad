"""Moving the labels of a section into a fence, and back, if every value reads the same afterward."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.model import LABEL_CARRIERS, Carrier
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, Change, key_line, makes_nothing_wrong, touches
from handoff_lsp.language import say
from handoff_lsp.syntax.lines.yaml import read_yaml_pairs
from handoff_lsp.text import Edit, Span, apply_edits
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.placement import settled
from handoff_lsp.writing.removal import LEAD

_FENCE = "```"
# The text between a label and its value.
_SIGN = lazy_pattern(r"[*_`]*[ \t]*[:：][*_`]*")
_BEFORE: dict[Carrier, tuple[str, str]] = {
    "plain-label": ("", ""),
    "bold-label": ("**", "**"),
    "list-label": ("- ", ""),
    "quote-label": ("> ", ""),
}


class LabelLine(NamedTuple):
    """A label and its value, both as written."""

    key: str
    value: str


def fences(analysis: Analysis, span: Span) -> Iterator[Action]:
    """For each section at ``span`` with labels that may be fenced or bare: the action that switches between the two."""
    prose = [(index, handoff) for index, handoff in enumerate(analysis.handoffs) if handoff.body.prose]
    prose = [(index, handoff) for index, handoff in prose if handoff.span.overlaps(span)]
    index, handoff = prose[0] if len(prose) == 1 else (0, None)
    for slot in handoff.root.children.values() if handoff is not None else ():
        if handoff is None or slot.carrier != "section" or not touches(span, key_line(handoff, slot.key), slot.value):
            continue
        edit, title = _wrapping(handoff, slot), say("Wrap `{field}` in a `yaml` fence", field=slot.title)
        if edit is None:
            edit, title = _unwrapping(handoff, slot), say("Unwrap `{field}` from its fence", field=slot.title)
        if edit is not None and _says_the_same(analysis, index, slot.name, edit):
            yield Action(title, "refactor.rewrite.handoff", partial(Change, (edit,)), key=f"fence {index} {slot.name}")


def _says_the_same(analysis: Analysis, index: int, name: str, edit: Edit) -> bool:
    """Whether an edit keeps every value of a section and adds no finding."""
    after = analysis.again(apply_edits(analysis.source.text, [edit]))
    if len(after.handoffs) != len(analysis.handoffs) or not makes_nothing_wrong(analysis, after):
        return False
    return _values_in(analysis.handoffs[index], name) == _values_in(after.handoffs[index], name)


def _values_in(handoff: Handoff, name: str) -> tuple[str, list[tuple[str, str, str]]]:
    slot = handoff.root.children[name]
    return handoff.spec.profile, [
        (child.path, child.raw, repr(child.data)) for child in slot.walk() if child is not slot
    ]


def _carriers(slot: Slot, kind: frozenset[Carrier]) -> Carrier | None:
    """The first carrier of ``kind`` that all fields of a section may have."""
    fields = slot.field.fields.values()
    first = next(iter(fields), None)
    candidates = (carrier for carrier in first.carriers if carrier in kind) if first is not None else iter(())
    return next((carrier for carrier in candidates if all(carrier in field.carriers for field in fields)), None)


def _wrapping(handoff: Handoff, slot: Slot) -> Edit | None:
    written = [child for child in slot.children.values() if child.written]
    if not written or _carriers(slot, frozenset({"yaml"})) is None or any(one.carrier == "yaml" for one in written):
        return None
    text, lines = handoff.source.text, handoff.source.lines
    numbers = {lines.line_of(child.key.start): child for child in written if child.key is not None}
    if len(numbers) < len(written):
        return None  # several labels on one line
    first, last = min(numbers), max(numbers)
    made = []
    for number in range(first, last + 1):
        line = _line(handoff, numbers[number], number) if number in numbers else None
        if line is None:
            return None  # a line between them is no label
        made.append(f"{line.key}: {line.value}".rstrip())
    if read_yaml_pairs("\n".join(made)) is None:
        return None  # a label's value need not be valid YAML
    body = "\n".join([f"{_FENCE}yaml", *made, _FENCE])
    span = Span(lines.line_start(first), lines.line_end(last))
    return settled(text, Edit(span, body))


def _line(handoff: Handoff, child: Slot, number: int) -> LabelLine | None:
    """The label and value of a line; None if the line holds anything else."""
    text, lines = handoff.source.text, handoff.source.lines
    assert child.key is not None
    start, end = lines.line_start(number), lines.line_end(number)
    sign = _SIGN.match(text, child.key.end, end)
    if sign is None or LEAD.fullmatch(text, start, child.key.start) is None:
        return None
    value = text[sign.end() : end].strip()
    return LabelLine(child.key.of(text), value) if _FENCE not in value else None


def _unwrapping(handoff: Handoff, slot: Slot) -> Edit | None:
    carrier = _carriers(slot, LABEL_CARRIERS)
    fence = next((node for node in handoff.tree.fences() if node.span == slot.value), None)
    if carrier is None or fence is None or fence.closing is None or fence.parent is not None:
        return None
    if len(fence.info.split()) > 1:
        return None
    keys = [one.key for one in slot.children.values() if one.key is not None] + [one.key for one in slot.unknown]
    text, lines = handoff.source.text, handoff.source.lines
    at = {lines.line_of(key.start): key for key in keys}
    before, after = _BEFORE[carrier]
    made: list[str] = []
    for number in range(fence.first_line + 1, fence.last_line):
        line = lines.line_text(number).strip()
        key = at.get(number)
        sign = _SIGN.match(text, key.end) if key is not None else None
        if not line and not made:
            continue
        if key is None or sign is None or text[lines.line_start(number) : key.start].strip(" \t\"'"):
            return None
        made.append(f"{before}{key.of(text)}{after}: {text[sign.end() : lines.line_end(number)].strip()}".rstrip())
    return settled(text, Edit(fence.span, "\n".join(made))) if made else None
