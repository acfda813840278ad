"""Completion and hover in a config file, from the model of configs and the contracts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from handoff_lsp.contracts.problems import KeyPath
from handoff_lsp.features.completion.item import CompletionItem, ItemKind, in_order
from handoff_lsp.features.config_files.file import ConfigFile
from handoff_lsp.features.config_files.language import (
    about_value,
    hint_at,
    is_table,
    is_tables,
    is_text,
    keys_at,
    names_of_kind,
)
from handoff_lsp.features.contract_files.hover import page_of
from handoff_lsp.features.contract_files.language import item_of, reference_of, words_of
from handoff_lsp.features.contract_files.vocabulary import Name
from handoff_lsp.features.pages.agent_pages import agent_page
from handoff_lsp.features.pages.hover_names import Hover
from handoff_lsp.features.pages.markup import code, paragraphs
from handoff_lsp.text import Edit
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.workspace.config.toml_places import place_at

if TYPE_CHECKING:
    from handoff_lsp.workspace.config.toml_places import TomlPlace

# The length of the path of a table with the settings of an agent.
_AGENT_KEY = 2
_BARE = lazy_pattern(r"[A-Za-z0-9_-]+\Z")


def complete(file: ConfigFile, offset: int) -> list[CompletionItem]:
    """The items for an offset, best first."""
    place = place_at(file.text, offset)
    path = file.inner(place.token.path) if place is not None else None
    if place is None or path is None:
        return []
    if place.token.kind == "value":
        return in_order(_values(file, place, path))
    return in_order(_keys(file, place, path)) if path else []


def _keys(file: ConfigFile, place: TomlPlace, path: KeyPath) -> Iterator[CompletionItem]:
    token, holder = place.token, path[:-1]
    there = {
        each[len(token.path) - 1]
        for each in file.places.keys
        if each[: len(token.path) - 1] == token.path[:-1] and len(each) == len(token.path)
    } - {token.span.of(file.text)}
    line = file.text.rfind("\n", 0, token.span.start) + 1
    many = file.text[line : token.span.start].lstrip().startswith("[[")
    for name in keys_at(holder, file.registry, file.agent_names):
        inner = hint_at((*holder, name.name), file.registry)
        if token.kind == "header":
            if many == is_tables(inner) and (many or is_table(inner)):
                yield _item(place, name, _key(name.name, token.quote))
        elif name.name not in there or is_tables(inner):
            yield _item(place, name, *_written(file, place, holder, name.name, inner))


def _written(file: ConfigFile, place: TomlPlace, holder: KeyPath, name: str, inner: Any) -> tuple[str, str | None]:
    """A key with its sign; a table begins a part of the file where nothing else is on its line. Then as a snippet."""
    key = _key(name, place.token.quote)
    if place.has_sign or place.token.quote:
        return key, None
    if not (is_table(inner) or is_tables(inner)):
        return f"{key} = ", None
    if place.alone and not holder:
        header = ".".join((*file.prefix, key))
        return (f"[[{header}]]" if is_tables(inner) else f"[{header}]"), None
    return (f"{key} = [{{}}]", None) if is_tables(inner) else (f"{key} = {{}}", f"{key} = {{ $0 \\}}")


def _values(file: ConfigFile, place: TomlPlace, path: KeyPath) -> Iterator[CompletionItem]:
    hint = hint_at(path, file.registry)
    if hint is None:
        return
    item = item_of(hint)
    form = "{}"
    if item is not None:
        hint, form, path = item, "[{}]", (*path, 0)
    for word in words_of(hint):
        yield _value(place, Name(word, "", "", True), form, quoted=word not in {"true", "false"} and is_text(hint))
    for name in names_of_kind(reference_of(hint), file.by_contract(path), file.registry):
        yield _value(place, name, form, quoted=True)


def _value(place: TomlPlace, name: Name, form: str, *, quoted: bool) -> CompletionItem:
    bare = not place.token.quote
    text = form.format(json.dumps(name.name, ensure_ascii=False) if quoted else name.name) if bare else name.name
    return _item(place, name, text, kind="value" if name.is_value else "name")


def _item(
    place: TomlPlace, name: Name, text: str, snippet: str | None = None, kind: ItemKind = "field"
) -> CompletionItem:
    edit = Edit(place.token.span, text, snippet)
    return CompletionItem(name.name, kind, edit, name.detail, documentation=name.about)


def _key(name: str, quote: str) -> str:
    return name if quote or _BARE.match(name) is not None else json.dumps(name, ensure_ascii=False)


def hover(file: ConfigFile, offset: int) -> Hover | None:
    """The page for an offset; None if nothing there has one."""
    token = next((one for one in file.places.tokens if one.span.holds(offset)), None)
    path = file.inner(token.path) if token is not None else None
    if token is None or not path:
        return None
    if token.kind != "value" and len(path) == _AGENT_KEY and path[0] == "agents":
        return Hover(token.span, agent_page(file.known(str(path[1]))))
    hint = hint_at(path, file.registry)
    if token.kind == "value":
        written = token.span.of(file.text)
        known = (
            names_of_kind(reference_of(hint), file.by_contract(path), file.registry) if hint is not None else iter(())
        )
        name = next((one for one in known if one.name == written), None)
        if name is not None:
            return Hover(token.span, page_of(written, name))
        path = path[:-1] if isinstance(path[-1], int) else path
    key = next((one for one in keys_at(path[:-1], file.registry) if one.name == path[-1]), None)
    if key is None:
        return None
    what = (
        key.detail
        if token.kind != "value" and key.detail in {"rule", "check"}
        else about_value(hint_at(path, file.registry))
    )
    return Hover(token.span, paragraphs(f"**{code(key.name)}**" + (f" — {what}" if what else ""), key.about))
