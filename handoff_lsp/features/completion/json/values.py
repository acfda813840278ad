"""Completion of values in a JSON handoff: words, numbers, skeletons, and file paths in strings."""

from __future__ import annotations

import json
from collections.abc import Iterator

from handoff_lsp.contracts.model import Field
from handoff_lsp.features.completion.item import CompletionItem, ItemKind, first_sentence
from handoff_lsp.features.completion.json.place import InsertionPoint, field_at
from handoff_lsp.features.completion.offers import correct, gives_way, text_offers
from handoff_lsp.features.completion.paths import entry_items
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import field_key
from handoff_lsp.language import say
from handoff_lsp.syntax.json.parse import JsonLocation, JsonNode
from handoff_lsp.text import Edit, Span, line_indent
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.json_placement import flat, layout, value_to_fill_in
from handoff_lsp.writing.skeleton import Skeleton, Stops, around, escape_snippet, json_object
from handoff_lsp.writing.unclaimed import to_fill_in

# A file name that needs no escape in a JSON string, and a path that is being typed without a quote.
_IN_STRING = lazy_pattern(r'[^"\\/\x00-\x1f\x7f]+')
_BARE_PATH = lazy_pattern(r"[\w@+./-]*")


def values(place: InsertionPoint, at: JsonLocation, container: JsonNode, context: Context) -> Iterator[CompletionItem]:
    """The items for the value at the cursor."""
    found = field_at(place.handoff.spec, at.path)
    if found is None:
        return
    path, field, is_path = found
    if is_path and (field.kind.untyped or field.kind.is_free):
        yield from _paths(place, context)
    if not place.fits(f"null{place.comma}"):
        return
    spec = place.handoff.spec
    right = correct(place.handoff, path)
    if right is not None and not isinstance(right, str):
        text = json.dumps(right, ensure_ascii=False)
        made = Skeleton(text, escape_snippet(text))
        yield _item(place, text, made, say("What the other values ask for"), field_key(spec, path), right=True)
    offers = list(text_offers(place.handoff, path, field, context, place.body.fragment.outer(place.offset)))
    written = place.text[place.start : place.end].strip('" ')
    whole = Span(place.start, place.end)
    if len(written.split()) > 1 and not gives_way(field, place.text, whole, place.offset, offers):
        return
    for offer in offers:
        text = json.dumps(offer.word, ensure_ascii=False)
        # A word that is not declared for the field is shown as it will be written.
        label = text if offer.right and all(offer.word != value.value for value in field.values) else offer.word
        made = around('"', offer.made, '"') if offer.made is not None else Skeleton(text, escape_snippet(text))
        yield _item(place, label, made, offer.detail, offer.key, kind=offer.kind, right=offer.right)
    if not offers and right is None and not (place.quoted and written):
        for label, made in _skeletons(place, container, field, path):
            if not place.fits(made.plain + place.comma):
                continue
            yield _item(place, label, made, first_sentence(field.about), field_key(spec, path))


def _skeletons(place: InsertionPoint, container: JsonNode, field: Field, path: str) -> Iterator[tuple[str, Skeleton]]:
    """The skeletons for a value by the field's type, each with its label."""
    indent, step = line_indent(place.text, place.start), layout(place.text, container).step
    one_line = layout(place.text, container).inner is None
    if field.kind.words:
        yield from ((word, Skeleton(word, word)) for word in field.kind.words)
        return
    if field.kind.holds == "fields":
        wanted = {key: child for key, child in field.fields.items() if child.required} or field.fields
        fields = {key: to_fill_in(place.handoff, f"{path}.{key}", child) for key, child in wanted.items()}
        made = json_object(fields, Stops(), indent, step)
        yield ("{…}" if fields else "{}"), flat(made) if one_line else made
    if field.kind.holds == "fields" and field.fillable != "null":
        return
    made = value_to_fill_in(place.handoff, path, field, Stops(), indent, step)
    if not field.kind.untyped or field.fillable:
        label = made.plain if len(made.plain) <= 30 and "\n" not in made.plain else '"…"'
        yield label, made


def _item(
    place: InsertionPoint,
    label: str,
    made: Skeleton,
    detail: str,
    key: str,
    *,
    kind: ItemKind = "value",
    right: bool = False,
) -> CompletionItem:
    gap = _gap(place)
    whole_text = Skeleton(gap + made.plain + place.comma, gap + made.snippet + place.comma)
    if "$" in made.snippet.replace("\\$", ""):
        kind = "snippet"
    filter_ = made.plain.split("\n", 1)[0] if place.quoted else label
    return CompletionItem(
        label, kind, place.edit(whole_text), detail, key=key, preselect=right, filter=filter_, more=place.more()
    )


def _gap(place: InsertionPoint) -> str:
    """A blank to add after a colon that has none; else empty."""
    return " " if place.text[place.start - 1 : place.start] == ":" and place.start == place.offset else ""


def _paths(place: InsertionPoint, context: Context) -> Iterator[CompletionItem]:
    """The continuations of the path that is being typed in a string; only the name at the cursor is replaced."""
    text = place.text
    begin = place.start + place.quoted
    typed = text[begin : max(place.offset, begin)]
    folder, slash, word = typed.rpartition("/")
    head = folder + slash
    if place.offset < begin or not (_IN_STRING if place.quoted else _BARE_PATH).fullmatch(
        typed.replace("/", "") or "x"
    ):
        return
    closed = place.quoted and place.end - 1 >= place.offset and text[place.end - 1] == '"'

    def edit(name: str) -> Edit:
        if closed:
            rest = text[place.offset : place.end - 1]
            cut = rest.find("/")
            end = place.end - 1 if cut < 0 else place.offset + cut
            return place.edit(Skeleton(name, escape_snippet(name)), Span(begin + len(head), end))
        # The cursor stays before the quote, where a folder's path continues.
        if place.quoted:
            made = Skeleton(f'{name}"{place.comma}', f'{escape_snippet(name)}$0"{place.comma}')
            return place.edit(made, Span(begin + len(head), place.end))
        whole, gap = head + name, _gap(place)
        return place.edit(Skeleton(f'{gap}"{whole}"{place.comma}', f'{gap}"{escape_snippet(whole)}$0"{place.comma}'))

    if not place.fits(f"null{place.comma}" if not closed else "x", Span(begin, place.end - 1) if closed else None):
        return
    for item in entry_items(context, head, word, edit, _IN_STRING, "" if place.quoted else head):
        yield CompletionItem(
            item.label,
            item.kind,
            item.edit,
            item.detail,
            key=item.key,
            filter=item.filter,
            commit=item.commit,
            more=place.more(),
        )
