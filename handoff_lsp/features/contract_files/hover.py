"""Hover in a contract file: the meaning of the keys of the language and of the names of the contract."""

from __future__ import annotations

from typing import Any

from handoff_lsp.features.contract_files.data import data_of
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.language import (
    about_key,
    hint_of,
    names_of,
    owner_of,
    reference_of,
    words_about,
)
from handoff_lsp.features.contract_files.place import YamlPlace, place_at
from handoff_lsp.features.contract_files.vocabulary import Name, Vocabulary
from handoff_lsp.features.pages.hover_names import Hover
from handoff_lsp.features.pages.markup import code, paragraphs
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern

_CEL = frozenset({"condition", "expression", "message"})
_LEFT = lazy_pattern(r"[\w.]*\Z")
_RIGHT = lazy_pattern(r"\w*")


def hover(file: ContractFile, offset: int) -> Hover | None:
    """The page for an offset; None if nothing there has one."""
    place = place_at(file.source, offset)
    hint = hint_of(place.path) if place is not None else None
    if place is None or hint is None:
        return None
    token = place.span.of(file.text).strip("'\"")
    if not token:
        return None
    if place.kind == "key" or (place.kind == "either" and place.has_colon):
        return _key(file, place, hint, token)
    words = Vocabulary(data_of(file, place, place.path), place.path, file.others)
    kind = reference_of(hint)
    if kind in _CEL:
        left = _LEFT.search(place.before)
        right = _RIGHT.match(file.text, offset)
        path = (left[0] if left is not None else "") + (right[0] if right is not None else "")
        name = words.named(path.strip("."))
        length = len(left[0]) if left is not None else 0
        span = Span(offset - length, right.end() if right is not None else offset)
        return Hover(span, page_of(path, name)) if name is not None else _of_key(place)
    name = next((one for one in words.of_kind(kind) if one.name == token), None)
    return Hover(place.span, page_of(token, name)) if name is not None else _of_key(place)


def page_of(path: str, name: Name) -> str:
    """The page about a name."""
    return paragraphs(f"**{code(path)}**" + (f" — {name.detail}" if name.detail else ""), name.about)


def _key(file: ContractFile, place: YamlPlace, hint: Any, token: str) -> Hover | None:
    owner, named = owner_of(hint), names_of(hint)
    if owner is not None:
        about = about_key(owner, token)
        return Hover(place.span, _page(token, hint_of((*place.path, token)), about)) if about else None
    if named is not None:
        words = Vocabulary(data_of(file, place, place.path), (*place.path, token), file.others)
        kind = reference_of(named[0])
        name = next((one for one in words.of_kind(kind) if one.name == token), None) if kind else words.here()
        return Hover(place.span, page_of(token, name)) if name is not None else None
    return None


def _of_key(place: YamlPlace) -> Hover | None:
    """The page about the key that a value is of."""
    path = place.path
    while path and isinstance(path[-1], int):
        path = path[:-1]
    owner = owner_of(hint_of(path[:-1])) if path else None
    about = about_key(owner, str(path[-1]).removeprefix("+")) if owner is not None else ""
    return Hover(place.span, _page(str(path[-1]), hint_of(path), about)) if about else None


def _page(key: str, hint: Any, about: str) -> str:
    return paragraphs(f"**{code(key)}** — {words_about(hint)}", about)
