"""Completion in a contract file: the keys of the language, its words, and the names that the contract declares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from handoff_lsp.contracts.problems import mapping_at
from handoff_lsp.features.completion.item import CompletionItem, ItemKind, in_order
from handoff_lsp.features.contract_files.data import data_of, own_data_of
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.language import (
    about_key,
    hint_of,
    item_of,
    keys_of,
    names_of,
    owner_of,
    reference_of,
    words_about,
    words_of,
)
from handoff_lsp.features.contract_files.place import YamlPlace, place_at
from handoff_lsp.features.contract_files.scalars import as_scalar
from handoff_lsp.features.contract_files.vocabulary import Name, Vocabulary
from handoff_lsp.text import Edit, Span
from handoff_lsp.text.lazy import lazy_pattern

_WORD_RIGHT = lazy_pattern(r"\w*")
_TEXT_RIGHT = lazy_pattern(r"[^'\"\r\n]*(?=['\"])")
_CEL = frozenset({"condition", "expression", "message"})
_HOLE = lazy_pattern(r"\{([^{}]*)\Z")


def complete(file: ContractFile, offset: int) -> list[CompletionItem]:
    """The items for an offset, best first."""
    place = place_at(file.source, offset)
    if place is None:
        return []
    # an edit of completion stays in its line (LSP): there are no items for a text that began on an earlier line
    start = file.source.lines.line_start(file.source.lines.line_of(offset))
    items = in_order(item for item in _items(file, offset, place) if item.edit.span.start >= start)
    if place.kind != "value" or place.style != "plain" or not file.text.endswith(":", 0, place.span.start):
        return items
    # directly after its colon a value needs a blank
    return [replace(item, edit=item.edit._replace(text=f" {item.edit.text}")) for item in items]


def _items(file: ContractFile, offset: int, place: YamlPlace) -> Iterator[CompletionItem]:
    hint = hint_of(place.path)
    if hint is None:
        return
    if place.kind != "value":
        yield from _keys(file, place, hint)
    if place.kind != "key":
        yield from _values(file, offset, place, hint)


def _keys(file: ContractFile, place: YamlPlace, hint: Any) -> Iterator[CompletionItem]:
    """The keys that a mapping may have."""
    owner, named = owner_of(hint), names_of(hint)
    own = _there(file, place)
    if owner is not None:
        keys = {key: must for key, must in keys_of(owner).items() if key not in own}
        for key in sorted(keys, key=lambda key: not keys[key]):
            about = about_key(owner, key)
            inner = hint_of((*place.path, key))
            detail = "must be there" if keys[key] else ""
            yield _item(place, key, _after(place, key, inner), detail, f"{about}\n\n{words_about(inner)}".strip())
        for key, part in _changed(file, place).items():
            if key in keys and f"+{key}" not in own and isinstance(part, list):
                yield _item(place, f"+{key}", f"+{_after(place, key, None)}", "", f"Adds to the list `{key}`.")
    elif named is not None:
        kind = reference_of(named[0])
        for word in words_of(named[0]):
            if word not in own:
                yield _item(place, word, _after(place, word, named[1]))
        for name in _vocabulary(file, place).of_kind(kind) if kind else _declared(file, place):
            if name.name not in own:
                yield _item(place, name.name, _after(place, name.name, named[1]), name.detail, name.about)


def _there(file: ContractFile, place: YamlPlace) -> set[str]:
    """The keys that the mapping has already, without the one that is being written."""
    node = mapping_at(own_data_of(file, place), place.path)
    return {str(key) for key in node} - {place.span.of(file.text), ""}


def _vocabulary(file: ContractFile, place: YamlPlace) -> Vocabulary:
    return Vocabulary(data_of(file, place, place.path), place.path, file.others)


def _changed(file: ContractFile, place: YamlPlace) -> Mapping[str, Any]:
    """What a profile or an extending contract changes at a place; empty in other contracts."""
    if place.path[:1] == ("profiles",) and len(place.path) > 1:
        return mapping_at(data_of(file, place), place.path[2:])
    name = own_data_of(file, place).get("extends")
    base = file.base(name) if isinstance(name, str) else None
    return mapping_at(base.data, place.path) if base is not None else {}


def _declared(file: ContractFile, place: YamlPlace) -> Iterator[Name]:
    """The names that a profile or an extending contract may change."""
    for name, part in _changed(file, place).items():
        about = part.get("about") if isinstance(part, dict) else ""
        yield Name(str(name), "", about if isinstance(about, str) else "")


def _after(place: YamlPlace, key: str, hint: Any) -> str:
    """A key with its colon."""
    written = as_scalar(key)
    if place.has_colon:
        return written
    nested = hint is not None and (owner_of(hint) is not None or names_of(hint) is not None)
    return f"{written}:" if nested and not place.in_flow and not words_of(hint) else f"{written}: "


def _values(file: ContractFile, offset: int, place: YamlPlace, hint: Any) -> Iterator[CompletionItem]:
    kind = reference_of(hint)
    item = item_of(hint)
    if kind == "" and item is not None:  # a list of which not even the bracket is there
        if place.kind == "value" and place.style == "plain":
            yield from _words(file, place, item, "[{}]")
        return
    yield from _words(file, place, hint, "{}")
    if kind in _CEL:
        yield from _cel(file, offset, place, kind)


def _words(file: ContractFile, place: YamlPlace, hint: Any, form: str) -> Iterator[CompletionItem]:
    kind = reference_of(hint)
    named: list[Name] = []
    if kind and kind not in _CEL:
        named = _vocabulary(file, place).of_kind(kind)
    if not (named and kind == "compared value") and (kind not in _CEL or not place.before.strip()):
        for word in words_of(hint):
            yield _item(place, word, form.format(word), "", "", "value")
    for name in named:
        text = name.name if place.style != "plain" else form.format(as_scalar(name.name))
        yield _item(place, name.name, text, name.detail, name.about, "value" if name.is_value else "name")


def _cel(file: ContractFile, offset: int, place: YamlPlace, kind: str) -> Iterator[CompletionItem]:
    """The names at the cursor in CEL; in a message only between `{` and `}`."""
    before = place.before
    if kind == "message":
        hole = _HOLE.search(before)
        if hole is None:
            return
        before = hole[1]
    found = _vocabulary(file, place).in_cel(before)
    right = (_TEXT_RIGHT if found.in_text else _WORD_RIGHT).match(file.text, offset)
    span = Span(offset - len(found.written), right.end() if right is not None else offset)
    for name in found.names:
        kind_of: ItemKind = "value" if name.is_value else "name"
        yield CompletionItem(name.name, kind_of, Edit(span, name.name), name.detail, documentation=name.about)


def _item(
    place: YamlPlace, label: str, text: str, detail: str = "", about: str = "", kind: ItemKind = "field"
) -> CompletionItem:
    return CompletionItem(label, kind, Edit(place.span, text), detail, documentation=about)
