"""The words of contracts, fields and their values, in one document: in its statements and in its handoffs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.names import key_name
from handoff_lsp.prompts.statement import PromptStatement, PromptStatements
from handoff_lsp.prompts.values import split_values
from handoff_lsp.prompts.vocabulary import FILE, MARKER, label_name
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_INDEX = lazy_pattern(r"\[\d*\]")
# Around the values of a template's placeholder: `<open | done>`.
_AROUND = "<>[](){}`\"'* \t"
_PARAGRAPH = lazy_pattern(r"\n[ \t\r]*\n")
# How many characters above a value its label may be: in its paragraph or table, and in another one.
_FAR, _CLOSE = 4_000, 200


class ContractWord(NamedTuple):
    """A field of a contract, by its path without brackets, or one of its values; also a marker or a file."""

    contract: str
    path: str
    value: str = ""


class WordAt(NamedTuple):
    """A word at a place (a span in code points of its document). ``sure``: the place leaves no doubt that it is meant.

    ``gives``: the place is a value of a handoff, or has an agent write it.
    """

    word: ContractWord
    span: Span
    sure: bool
    gives: bool


def words_of(source: Source, handoffs: Sequence[Handoff], said: PromptStatements | None) -> tuple[WordAt, ...]:
    """The words of a document in the order of their places, each place once for a word."""
    found: dict[tuple[Span, ContractWord], WordAt] = {}
    for one in [*_in_handoffs(handoffs), *_in_statements(source, said)]:
        if one.span.end > one.span.start:
            found.setdefault((one.span, one.word), one)
    return tuple(found[key] for key in sorted(found))


def _in_statements(source: Source, said: PromptStatements | None) -> Iterator[WordAt]:
    for one in said.statements if said is not None else ():
        if not one.path:
            continue
        field = ContractWord(one.contract, one.path)
        if not one.value:
            yield WordAt(field, one.span, one.sure, gives=False)
            continue
        yield WordAt(field._replace(value=one.value), one.span, one.sure, gives=one.act == "emits")
        label = _label(source.text, one) if one.path not in (MARKER, FILE) else None
        if label is not None:
            yield WordAt(field, label, one.sure, gives=False)


def _label(text: str, one: PromptStatement) -> Span | None:
    """The label before the value of a statement: in its paragraph, table or fence, or close above."""
    if not one.label:
        return None
    first = max(one.span.start - _FAR, 0)
    paragraph = max((match.end() for match in _PARAGRAPH.finditer(text, first, one.span.start)), default=first)
    for start in (paragraph, max(one.span.start - _CLOSE, first)):
        at = one.span.start
        while (at := text.rfind(one.label, start, at)) >= 0:
            span = Span(at, at + len(one.label))
            if not _is_letter(text[max(at - 1, 0) : at]) and not _is_letter(text[span.end : span.end + 1]):
                return span
    return None


def _is_letter(char: str) -> bool:
    return char.isalnum() or char in {"_", "-"}


def _in_handoffs(handoffs: Sequence[Handoff]) -> Iterator[WordAt]:
    for handoff in handoffs:
        if handoff.log is not None:
            continue  # its tags and entries are no titles and values of fields
        for slot in handoff.slots:
            if slot.path and slot.present and not slot.is_group:
                for each in (slot, *slot.others):
                    yield from _in_slot(handoff, each)


def _in_slot(handoff: Handoff, slot: Slot) -> Iterator[WordAt]:
    field = ContractWord(handoff.spec.name, _INDEX.sub("", slot.path))
    if slot.key is not None and not slot.name.endswith("]"):
        key = _title_in(handoff.source, slot)
        if key is not None:
            yield WordAt(field, key, sure=True, gives=False)
    if slot.value is None or not slot.field.kind.is_choice:
        return
    written = handoff.source.slice(slot.value)
    known = {key_name(value.value): value.value for value in slot.field.values}
    value = known.get(key_name(written))
    if value is not None:
        yield WordAt(field._replace(value=value), slot.value, sure=True, gives=True)
        return
    start = slot.value.start + len(written) - len(written.lstrip(_AROUND))
    for each in split_values(written.strip(_AROUND), start):
        value = known.get(key_name(each.text))
        if value is not None:
            yield WordAt(field._replace(value=value), each.span, sure=True, gives=False)


def _title_in(source: Source, slot: Slot) -> Span | None:
    """The part of a field's key that is one of its names."""
    if slot.key is None:
        return None
    written = source.slice(slot.key)
    names = (slot.field.title or slot.name, *slot.field.aliases)
    if any(label_name(name) == label_name(written) for name in names):
        bare = written.strip("*_` :：#\"'")
        start = slot.key.start + written.index(bare)
        return Span(start, start + len(bare))
    for name in sorted(names, key=len, reverse=True):
        found = re.search(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", written)
        if found is not None:
            return Span(*found.span()).shift(slot.key.start)
    return None
