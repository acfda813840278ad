"""Signs in a document: those that make it a handoff of a contract, and those that it is about the format."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from handoff_lsp.contracts.model import Contract, Detect, Field, Sign
from handoff_lsp.contracts.names import fold_name, key_name
from handoff_lsp.contracts.patterns import match_whole, search
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import children_of
from handoff_lsp.recognition.evidence import Evidence, Seen
from handoff_lsp.recognition.front_matter import FRONT_MATTER, front_key_span, front_text
from handoff_lsp.syntax.lines.keyvalue import read_pairs
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, Section
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The number of code points at the beginning of a text in which patterns are searched.
_LONGEST_READ = 20_000


def heading_names(tree: MarkdownTree) -> set[str]:
    """The folded names of a document's headings."""
    return {whole for whole, _ in tree.of_titles(_folded)}


def _folded(title: str) -> tuple[str, str]:
    """The folded names of a title and of its part before the first colon."""
    whole = fold_name(title)
    return whole, fold_name(title.partition(":")[0]) if ":" in title else whole


def _heads(tree: MarkdownTree) -> set[str]:
    return {head for _, head in tree.of_titles(_folded)}


def weigh(tree: MarkdownTree, path: str, contract: Contract, detect: Detect) -> tuple[Sign, ...]:
    """The signs of ``detect`` that a document has; empty if their weight is not enough."""
    total = content = 0
    found: list[Sign] = []
    signs, left = _cheapest_first(detect)
    for sign in signs:
        if total + left < detect.enough:
            return ()
        left -= max(sign.weight, 0)
        if _is_seen(sign, tree, path, contract):
            total += sign.weight
            content += 0 if sign.of_path else sign.weight
            found.append(sign)
    return tuple(found) if total >= detect.enough and content >= detect.content else ()


@once_per_field
def _cheapest_first(detect: Detect) -> tuple[list[Sign], int]:
    """The signs, text searches last as they cost most and may be unnecessary, and the sum of the weights above 0."""
    return sorted(detect.signs, key=_by_cost), sum(sign.weight for sign in detect.signs if sign.weight > 0)


def document_evidence(tree: MarkdownTree, path: str, entry: ContractEntry, detect: Detect) -> Evidence:
    """The evidence for a contract in a document as a whole: all signs of ``detect``, with their places."""
    contract = entry.contract
    seen = [sign for sign in detect.signs if _is_seen(sign, tree, path, contract)]
    unseen = [sign for sign in detect.signs if sign.weight > 0 and sign not in seen]
    borne = tuple(Seen(sign, _place(sign, tree, contract)) for sign in seen)
    return Evidence(entry, "document", None, seen=borne, unseen=tuple(unseen))


def _place(sign: Sign, tree: MarkdownTree, contract: Contract) -> Span | None:
    """The place of a sign that a document has; None for a sign of its path."""
    if sign.text:
        found = search(sign.text, tree.source.text[:_LONGEST_READ])
        return Span(found.start, found.end) if found is not None else None
    number = 0 if sign.title else None
    for name in (sign.has, *sign.value):
        if name and _own_front_text(tree, name, contract) is not None:
            return front_key_span(tree, name, contract)
        field = contract.fields.get(name)
        number = _heading(sign, name, tree, field) if field is not None else number
    return tree.heading_spans(number)[0] if number is not None else None


def _by_cost(sign: Sign) -> bool:
    return bool(sign.text)


def any_seen(signs: Iterable[Sign], tree: MarkdownTree, path: str, contract: Contract) -> bool:
    """Whether a document has one of the signs, and none with a negative weight."""
    against = sorted(signs, key=_by_weight)
    return next((sign.weight > 0 for sign in against if _is_seen(sign, tree, path, contract)), False)


def _by_weight(sign: Sign) -> tuple[bool, bool]:
    """The sort key: negative weights first, then the signs that are cheap to test."""
    return sign.weight > 0, _by_cost(sign)


def bears_sign(tree: MarkdownTree, path: str, contract: Contract, span: Span) -> bool:
    """Whether a part of a document has one of a contract's signs: in the path, its text or the heading above it."""
    above = bisect_right(tree.all_sections, span.start, key=lambda section: section.span.start) - 1
    heading = tree.titles[above] if above >= 0 else ""
    own = tree.source.text[span.start : min(span.end, span.start + _LONGEST_READ)]
    return any(
        _fits(sign, path, heading, own)
        and (not sign.has or _own_front_text(tree, sign.has, contract) is not None)
        and all(_front_says(tree, name, pattern, contract) for name, pattern in sign.value.items())
        for sign in contract.signs
    )


def _fits(sign: Sign, path: str, title: str, text: str) -> bool:
    """Whether a path, a title and a text are as a sign has them."""
    return (
        (not sign.path or (bool(path) and search(sign.path, path) is not None))
        and (not sign.title or search(sign.title, title) is not None)
        and (not sign.text or search(sign.text, text) is not None)
    )


def reason(sign: Sign, contract: Contract) -> str:
    """A sign that a document has, in words, with its weight."""
    parts = [f"its path matches {sign.path}"] if sign.path else []
    parts += ["its title"] if sign.title else []
    parts += [f"its text matches {sign.text}"] if sign.text else []
    if sign.has:
        what = "the fields of" if sign.children else "a section"
        parts.append(_named(sign.has, what, contract))
    parts += [_named(name, "a value of", contract) for name in sign.value]
    return f"{' and '.join(parts)} ({sign.weight})"


def _named(name: str, what: str, contract: Contract) -> str:
    field = contract.fields.get(name)
    if field is None or "front-matter" in field.carriers:
        return f"the front matter key {name.removeprefix(FRONT_MATTER)}"
    return f"{what} {field.title}"


def _is_seen(sign: Sign, tree: MarkdownTree, path: str, contract: Contract) -> bool:
    return (
        _fits(sign, path, tree.title, tree.source.text[:_LONGEST_READ])
        and (not sign.has or _has(sign, tree, contract))
        and all(_says(sign, name, pattern, tree, contract) for name, pattern in sign.value.items())
    )


def _has(sign: Sign, tree: MarkdownTree, contract: Contract) -> bool:
    """Whether a document has a sign's key in its front matter, or its field as a section."""
    if _own_front_text(tree, sign.has, contract) is not None:
        return True
    field = contract.fields.get(sign.has)
    if field is not None and field.each:
        return _first_item(tree, field) is not None
    if field is None or not has_heading(field, tree.once(_heads)):
        return False
    return not sign.children or _heading(sign, sign.has, tree, field) is not None


def _says(sign: Sign, name: str, pattern: str, tree: MarkdownTree, contract: Contract) -> bool:
    if _front_says(tree, name, pattern, contract):
        return True
    field = contract.fields.get(name)
    return field is not None and has_heading(field, tree.once(_heads)) and _heading(sign, name, tree, field) is not None


def _front_says(tree: MarkdownTree, name: str, pattern: str, contract: Contract) -> bool:
    """Whether a key in the front matter has a value that matches."""
    text = _own_front_text(tree, name, contract)
    return text is not None and is_said(text.strip(), pattern, contract.fields.get(name))


def _own_front_text(tree: MarkdownTree, name: str, contract: Contract) -> str | None:
    """The text of a key in the front matter; None for a field that is written elsewhere."""
    field = contract.fields.get(name)
    if field is not None and field.carriers and "front-matter" not in field.carriers:
        return None
    return front_text(tree, name, contract)


def is_said(text: str, pattern: str, field: Field | None) -> bool:
    """Whether a value matches a pattern; without one, whether it is one of the field's own."""
    if pattern:
        return match_whole(pattern, text) is not None
    return field is not None and key_name(text) in _names_of(field).words


def has_heading(field: Field, headings: set[str]) -> bool:
    """Whether one of a field's names is among the folded names of headings."""
    return not field.each and not _names_of(field).titles.isdisjoint(headings)


def has_item(field: Field, titles: Iterable[str]) -> bool:
    """Whether a heading is that of an item of a list of sections."""
    return bool(field.each) and any(search(field.each, title) is not None for title in titles)


def _first_item(tree: MarkdownTree, field: Field) -> int | None:
    """The number of the first heading that is one of an item."""
    return next((number for number, title in enumerate(tree.titles) if search(field.each, title) is not None), None)


def _heading(sign: Sign, name: str, tree: MarkdownTree, field: Field) -> int | None:
    """The number of the first heading of a field's section with what a sign asks of it."""
    if field.each:
        return _first_item(tree, field)
    titles, names, words = _names_of(field)
    for number, (whole, head) in enumerate(tree.of_titles(_folded)):
        if name in sign.value:
            if (whole in titles or head in titles) and _begins_with(tree.all_sections[number], words, sign.value[name]):
                return number
        elif not sign.children:
            if head in titles:
                return number
        elif whole in titles:
            body = tree.all_sections[number].body
            keys = {names.get(fold_name(pair.key_text)) for pair in read_pairs(tree.source.text, body)}
            if len(keys - {None}) >= min(sign.children, len(field.fields)):
                return number
    return None


_WORD = lazy_pattern(r"[^\W_][\w/ -]*")


def begins_with_value(section: Section, field: Field, pattern: str) -> bool:
    """Whether a section begins, or its heading ends, with a value that matches a pattern.

    Without a pattern: with one of an enum's values, or a word written instead of one.
    """
    return _begins_with(section, _names_of(field).words, pattern)


def _begins_with(section: Section, words: frozenset[str], pattern: str) -> bool:
    """Whether a section begins, or its heading ends, with a value, or with a word (in ``key_name``'s form)."""
    body = section.tree.source.slice(section.body)[:200].strip()
    line = body.split("\n", 1)[0]
    for text in (section.title.partition(":")[2], line, line.rpartition(":")[2]):
        if pattern:
            if match_whole(pattern, text.strip(" `*_\"'")) is not None:
                return True
            continue
        word = _WORD.search(text)
        if word is not None and {key_name(word.group()), key_name(word.group().split()[0])} & words:
            return True
    return False


class _Names(NamedTuple):
    """The names of a field for detection: its folded names, its children by theirs, and the words for its values."""

    titles: frozenset[str]
    children: dict[str, str]
    words: frozenset[str]


@once_per_field
def _names_of(field: Field) -> _Names:
    titles = frozenset(fold_name(title) for title in (field.title, *field.aliases))
    words = frozenset(key_name(word) for value in field.values for word in (value.value, *value.instead_of))
    return _Names(titles, children_of(field).folded, words)
