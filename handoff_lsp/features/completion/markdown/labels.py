"""Completion of labels in a Markdown handoff: their names and their values."""

from __future__ import annotations

import re
from collections.abc import Iterator

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.markdown_pairs import each_pair
from handoff_lsp.binding.slot import Slot
from handoff_lsp.binding.values import read_text
from handoff_lsp.contracts.model import LABEL_CARRIERS, Field
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.contracts.spec import children_of
from handoff_lsp.features.completion.item import CompletionItem, first_sentence, make_edit
from handoff_lsp.features.completion.markdown.line import WORD_AFTER, CursorLine
from handoff_lsp.features.completion.markdown.values import value_items, value_span
from handoff_lsp.features.completion.offers import correct
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import field_key
from handoff_lsp.language import say
from handoff_lsp.rules.shared.vocabulary import is_out_of_place
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.label_placement import LabelStyle, is_label, label_style
from handoff_lsp.writing.section_placement import blank_lines
from handoff_lsp.writing.skeleton import Skeleton, Stops, escape_snippet, fill_in, is_own_section, section
from handoff_lsp.writing.unclaimed import to_fill_in
from handoff_lsp.writing.words import title_among

_LABEL = lazy_pattern(r"(?P<lead>[ \t>]*(?:[-*+][ \t]+)?)(?P<mark>\*{0,3}`?)(?P<word>(?:[^\W\d][\w ./-]*)?)")


# After one pair of a line that holds several: ``Total: 12 / ``.
_ANOTHER = lazy_pattern(r"(?P<lead>.*[/／|][ \t]*)(?P<mark>\*{0,3})(?P<word>(?:[^\W\d][\w .-]*)?)")
_VALUE_TYPED = lazy_pattern(r"[\w/.-]*[ \t*_`]*[:：]")


def in_root_label(handoff: Handoff, line: CursorLine, context: Context) -> Iterator[CompletionItem]:
    """Labels before the first section, such as ``**Status**: ``, and their values."""
    pair = next(iter(read_pairs(handoff.source.text, line.span)), None)
    if pair is None:
        found = _LABEL.fullmatch(line.before)
        if found is not None and not line.after.strip(" \t*_`") and _is_label_line(handoff, line, found):
            yield from _names(handoff, handoff.root, line, found, context, labels_only=True)
        return
    if line.offset < pair.value.start and line.before.rstrip()[-1:] not in {":", "：", "*"}:
        return
    name = handoff.spec.names.folded.get(fold_name(pair.key_text))
    if name is None or line.offset <= pair.key.end or not LABEL_CARRIERS & set(handoff.spec.fields[name].carriers):
        return
    slot = handoff.root.children[name]
    low = min(pair.value.start, line.offset)
    span = value_span(slot if slot.key == pair.key else None, line, low)
    yield from value_items(handoff, name, slot.field, line, span, context)


def _is_label_line(handoff: Handoff, line: CursorLine, found: re.Match[str]) -> bool:
    """Whether a label is being typed, not a sentence: the line is blank or has marks, or other labels have no marks."""
    if line.blank or found["mark"] or found["lead"].strip():
        return True
    near = (child for child in handoff.root.children.values() if child.carrier in LABEL_CARRIERS)
    return any(not label_style(handoff, child).prefix.strip() for child in near)


def in_labels(
    handoff: Handoff, owner: Slot, line: CursorLine, context: Context, *, fenced: bool
) -> Iterator[CompletionItem]:
    """The items for a section of labels: the value of one, or the names of the missing ones."""
    text, table = handoff.source.text, children_of(owner.field)
    pairs = [*each_pair(read_pairs(text, line.span, comments=fenced), table)]
    pair = next((pair for pair in reversed(pairs) if line.offset > pair.key.end), pairs[0] if pairs else None)
    if pair is not None and line.offset > pair.key.end:
        name = table.folded.get(fold_name(pair.key_text))
        if not any(colon in text[pair.key.end : line.offset] for colon in ":："):
            return
        if name is not None and name in owner.children and (pair.comment is None or line.offset < pair.comment.start):
            slot = owner.children[name]
            more = _ANOTHER.fullmatch(line.before)
            if more is not None and _is_counted(
                slot.field, text[pair.value.start : line.span.start + more.end("lead")]
            ):
                yield from _names(handoff, owner, line, more, context)
                return
            low = min(pair.value.start, line.offset)
            inner = slot.field.items if slot.field.kind.holds == "plain items" else None
            if inner is not None and text[low : line.offset].startswith("["):
                span = value_span(None, line, low + 1)
                yield from value_items(handoff, f"{slot.path}[]", inner, line, span, context)
                return
            span = value_span(slot if slot.key == pair.key else None, line, low)
            yield from value_items(handoff, slot.path, slot.field, line, span, context)
        return
    found = _LABEL.fullmatch(line.before)
    if found is None or (line.after.strip(" \t*_`") and pair is None and _LABEL.fullmatch(line.text) is None):
        return
    if not fenced:
        if owner.value is not None and any(
            node.kind == "fence" and node.span == owner.value for node in handoff.tree.fences()
        ):
            return
        if (
            owner.value is None
            and line.blank
            and not any(_is_written_label(child) for child in owner.children.values())
        ):
            yield _label_body(handoff, owner, line)
    yield from _names(handoff, owner, line, found, context)


def _is_written_label(slot: Slot) -> bool:
    return slot.written and slot.carrier in LABEL_CARRIERS


def _is_counted(field: Field, written: str) -> bool:
    """Whether a value of a field that counts something is complete, so that another pair may follow its ``/``."""
    value = written.rstrip(" \t/／|")
    counts = field.kind.json == "number" or field.kind.has_pattern
    return counts and bool(value.strip()) and not read_text(field, value).problem


def _label_body(handoff: Handoff, owner: Slot, line: CursorLine) -> CompletionItem:
    """The item with the required labels of an empty section."""
    made = section(owner.name, to_fill_in(handoff, owner.path, owner.field), 2, Stops())
    plain, snippet = (part.partition("\n\n")[2] for part in made)
    before, after = blank_lines(handoff.source.text, line.span.start, line.span.end)
    edit = make_edit(handoff.source.text, line.span, Skeleton(before + plain + after, before + snippet + after))
    detail = say("All required fields")
    return CompletionItem(
        say("{title} fields", title=owner.title),
        "snippet",
        edit,
        detail,
        key=field_key(handoff.spec, owner.path),
        preselect=True,
    )


def _names(
    handoff: Handoff,
    owner: Slot,
    line: CursorLine,
    found: re.Match[str],
    context: Context,
    *,
    labels_only: bool = False,
) -> Iterator[CompletionItem]:
    start = line.span.start + found.start("word")
    tail = WORD_AFTER.match(line.after)
    value_typed = _VALUE_TYPED.match(line.after) is not None
    end = line.offset + (len(tail.group()) if tail else 0)
    here = [child for child in owner.children.values() if child.key is not None and Span(start, end).covers(child.key)]
    written = [child for child in owner.children.values() if child.key is not None and not child.is_group]
    others = [child for child in written if child not in here and not (owner.path and child.headed)]
    near = next((child for child in others if not labels_only or child.carrier in LABEL_CARRIERS), None)
    style = label_style(handoff, near) if near is not None else LabelStyle()
    if found["mark"]:
        if "`" in found["mark"] and "`" not in style.prefix:
            return  # a code span, not a label
        style = LabelStyle("", f"{found['mark'][::-1]}: ")
    elif found["lead"] or found["word"]:
        lead = style.prefix.rstrip("*_`")
        alike = bool(found["lead"].strip()) and lead == found["lead"]  # a label of a list, as the one beside it
        separator = style.separator if alike or not found["word"] else ": "
        style = style._replace(prefix=style.prefix.removeprefix(lead) if alike else "", separator=separator)
    gap = " " if found["lead"][-1:] in {"/", "／", "|"} else ""
    if found["mark"] and not value_typed and handoff.source.text.startswith(found["mark"][::-1], end):
        end += len(found["mark"])
    fields = owner.field.fields or {name: child.field for name, child in owner.children.items()}
    for name, field in fields.items():
        child = owner.children.get(name)
        if child is not None and ((child.written and child not in here) or (labels_only and not is_label(child))):
            continue
        if is_own_section(field) or (child is not None and child.is_group):
            continue
        if field.deprecated and (child is None or child not in here):
            continue
        path = f"{owner.path}.{name}" if owner.path else name
        if is_out_of_place(handoff, path, context.registry):
            continue
        title = title_among(handoff, path, field, others)
        head = title if value_typed else f"{gap}{style.prefix}{title}{style.separator}"
        plain, snippet = _value_of(handoff, path, name, field) if not value_typed else ("", "")
        if plain.startswith("\n"):
            head = head.rstrip(" ")
        edit = make_edit(handoff.source.text, Span(start, end), Skeleton(head + plain, escape_snippet(head) + snippet))
        yield CompletionItem(
            title,
            "field",
            edit,
            first_sentence(field.about),
            key=field_key(handoff.spec, path),
            preselect=bool(field.required),
        )


def _value_of(handoff: Handoff, path: str, name: str, field: Field) -> Skeleton:
    """The value for a new label: the one that the handoff's other values determine, else a placeholder."""
    stops = Stops()
    right = correct(handoff, path)
    return stops.value(str(right)) if right is not None else fill_in(name, to_fill_in(handoff, path, field), stops)
