"""The values to offer for a field in any syntax: its own, the one that other values require, names, the time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.binding.values import is_choice, is_placeholder
from handoff_lsp.contracts.arguments import arguments_of, filled, parts_of
from handoff_lsp.contracts.model import Field
from handoff_lsp.contracts.patterns import match_whole
from handoff_lsp.features.completion.item import Offer
from handoff_lsp.features.completion.names import names_of
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages.contract_pages import field_key
from handoff_lsp.language import say
from handoff_lsp.rules.shared.vocabulary import contradicts, is_refused
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.writing.skeleton import Skeleton, Stops, escape_snippet, joined

# The most names that are offered for an argument, and that are tried out.
_MOST_NAMES = 20
_WORDS = lazy_pattern(r"[^\W_]+")
_TOKENS = lazy_pattern(r"\w+")
# A number, and the word behind it.
_NUMBER = lazy_pattern(r"(\d+)[ \t]*([^\W\d_]*)")


def correct(handoff: Handoff, path: str) -> Any:
    """The value that the contract's checks now require of a field; None without such a check."""
    for check in handoff.spec.contract.checks.values():
        if check.at == path and check.correct and (not check.when or handoff.values.holds(check.when)):
            right = handoff.values.evaluate(check.correct)
            if right is not None:
                return right
    return None


def text_offers(handoff: Handoff, path: str, field: Field, context: Context, offset: int) -> Iterator[Offer]:
    """The values of a field that are texts, best first, each once. ``offset``: the place where one is being typed."""
    seen: set[str] = set()
    for offer in _all(handoff, path, field, context, offset):
        if offer.word not in seen:
            seen.add(offer.word)
            yield offer


def _all(handoff: Handoff, path: str, field: Field, context: Context, offset: int) -> Iterator[Offer]:
    right = correct(handoff, path)
    if isinstance(right, str) and all(right != value.value for value in field.values):
        yield Offer(right, say("What the rest of the handoff asks for"), field_key(handoff.spec, path), right=True)
    for value in field.offered:
        if path == handoff.spec.contract.status and is_refused(handoff, value):
            continue
        key = field_key(handoff.spec, path, value.value)
        detail = value.then or value.about
        if not arguments_of(value.value):
            yield Offer(value.value, detail, key, right=right == value.value)
            continue
        names = {name: _names(handoff, field, name, context, offset) for name in arguments_of(value.value)}
        yield Offer(value.value, detail, key, made=_with_stops(value.value, names))
        for word in next(iter(names.values())) if len(names) == 1 else ():
            yield Offer(filled(value.value, word), detail, key)
    counted = _counted(handoff, path, field)
    if counted is not None:
        yield Offer(counted.plain, say("As counted in this handoff"), field_key(handoff.spec, path), made=counted)
    if field.kind.is_time:
        yield Offer(context.timestamp(), "Now", field_key(handoff.spec, path))
    if field.names:
        refused = {value.value for value in field.values}.difference(value.value for value in field.offered)
        offers = names_of(handoff, field.names, context, offset, field.example)
        known = [one for one in offers if one.word not in refused]
        yield from sorted(known[:_MOST_NAMES], key=lambda one: contradicts(handoff, path, one.word))
        yield from known[_MOST_NAMES:]


def gives_way(field: Field, text: str, span: Span, offset: int, offers: list[Offer]) -> bool:
    """Whether another value replaces all of a span: a word, a placeholder, or words of one value."""
    written = text[span.start : span.end]
    if is_placeholder(written):
        return True
    words, offered = words_in(written), [words_in(offer.word) for offer in offers]
    if "|" in written or is_choice(written, field):
        # At one of its words, a list of all values without marks is the placeholder of a skeleton.
        at_word = _WORDS.search(text, max(offset - 1, span.start), min(offset + 1, span.end))
        return "`" not in written and at_word is not None and all(set(words).issuperset(one) for one in offered)
    known = [*offered, *(words_in(value.value) for value in field.values)]
    if any(all(word.isdigit() or _begins_one(word, one) for word in words) for one in known):
        return True
    return len(written.split()) <= 1 and not any(words_in(token) in known for token in _TOKENS.findall(written))


def words_in(text: str) -> list[str]:
    """The words of a value, case-folded: those of `dod-checker` and `IN_PROGRESS` are two."""
    return _WORDS.findall(text.casefold())


def _begins_one(typed: str, words: list[str]) -> bool:
    return any(word.startswith(typed) for word in words)


def _counted(handoff: Handoff, path: str, field: Field) -> Skeleton | None:
    """The example of a pattern with the counts that the checks know, and the others as written or to fill in.

    None if the text already has it.
    """
    match = match_whole(field.pattern, field.example) if field.kind.has_pattern and field.example else None
    if match is None:
        return None
    written = next((slot.raw.strip("`\"'") for slot in handoff.slots if slot.path == path), "")
    groups = sorted(match.groups.items(), key=lambda group: group[1])
    theirs = match_whole(field.pattern, written)
    if theirs is not None:
        kept = {name: written[slice(*span)] for name, span in theirs.groups.items()}
    else:
        kept = _numbers_in(written, {name: field.example[end:] for name, (_, end) in groups})
    stops, made, at, known = Stops(), [], 0, False
    for name, (start, end) in groups:
        right = correct(handoff, f"{path}.{name}")
        known = known or right is not None
        value = str(right) if right is not None else kept.get(name)
        part = Skeleton(value, escape_snippet(value)) if value is not None else stops.hole(field.example[start:end])
        before = field.example[at:start]
        made += [Skeleton(before, escape_snippet(before)), part]
        at = end
    rest = field.example[at:]
    whole = joined([*made, Skeleton(rest, escape_snippet(rest))], "")
    return whole if known and whole.plain != written else None


def _numbers_in(written: str, behind: Mapping[str, str]) -> dict[str, str]:
    """The numbers of a text in another form than its pattern, by the word behind each one; without one, by their order.

    ``behind``: the text behind the number of each group in the example.
    """
    numbers = _NUMBER.findall(written.casefold())
    found = {name: number for name, (number, word) in zip(behind, numbers, strict=False) if not word}
    for number, word in numbers:
        found |= {name: number for name, text in behind.items() if word and text.lstrip().casefold().startswith(word)}
    return found


def _names(handoff: Handoff, field: Field, name: str, context: Context, offset: int) -> list[str]:
    """The names that an argument of a value may be."""
    argument = field.fields.get(name)
    if argument is None or not argument.names:
        return []
    offers = names_of(handoff, argument.names, context, offset)
    return [offer.word for offer in islice(offers, _MOST_NAMES) if offer.key]


def _with_stops(value: str, names: Mapping[str, list[str]]) -> Skeleton:
    """A value with a place to fill in for each argument."""
    stops, made = Stops(), []
    for is_argument, part in parts_of(value):
        if not is_argument:
            made.append(Skeleton(part, escape_snippet(part)))
        else:
            made.append(stops.choice(names[part], f"<{part}>") if names[part] else stops.value(f"<{part}>"))
    return joined(made, "")
