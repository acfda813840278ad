"""Names in the code of a prompt that no field of its contract has, although one was most likely meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from handoff_lsp.contracts.names import same_name, slip_of
from handoff_lsp.contracts.per_field import once_per_field
from handoff_lsp.prompts.chunk import Chunk, Code
from handoff_lsp.prompts.skeletons import lines_of
from handoff_lsp.prompts.structures import codes_in_column
from handoff_lsp.prompts.values import WrittenValue, is_linked, labelled, values_after
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField
from handoff_lsp.rules.prompts.listed import is_judged
from handoff_lsp.rules.prompts.prompted import PromptText
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# The values that a field must have for a list of all of them to be about it.
_ENOUGH = 3
# So many other labels that no field has show that a paragraph is about another format.
_ENOUGH_OTHERS = 2
_NAME = lazy_pattern(r"[^\W\d_][\w -]{2,40}")


# A label, and its values when asked for: most labels need none.
_Labelled: TypeAlias = tuple[WrittenValue, Callable[[], Sequence[WrittenValue]]]


class Misnamed(NamedTuple):
    """A name as it is written, the field that was most likely meant, and the name of that field."""

    label: WrittenValue
    meant: KnownField
    name: str


def labels_of_none(prompt: PromptText, words: ContractWords) -> Iterator[Misnamed]:
    """The misspelled names that only fields of the contract have, and other labels of all values of a field."""
    titles, known = _telling(words), _values(words)
    for label, values_of in (*_labels(prompt.view, words), *_labels_of_fences(prompt, words)):
        if label.text in known or not _may_be_name(label.text, words):
            continue
        name = slip_of(label.text, list(titles))
        if name is not None and _is_other_form(label.text, name):
            continue
        meant = _with_all(words, values_of()) if name is None else titles[name]
        if meant is not None and (name is not None or not _is_of_other_format(prompt, words, label)):
            yield Misnamed(label, meant, name or sorted(meant.titles)[0])


@once_per_field
def _telling(words: ContractWords) -> Mapping[str, KnownField]:
    """The names that only fields of a contract have, in order, each with the first field."""
    found: dict[str, KnownField] = {}
    for field in words.fields.values():
        found |= {title: field for title in field.titles if words.is_telling(title) and title not in found}
    return {title: found[title] for title in sorted(found)}


@once_per_field
def _values(words: ContractWords) -> frozenset[str]:
    return frozenset(value for field in words.fields.values() for value in field.values)


def _is_of_other_format(prompt: PromptText, words: ContractWords, label: WrittenValue) -> bool:
    """Whether a paragraph or item has other labels that no field has: then all of them are about something else."""
    block = prompt.view.block(label.span.start)
    names = {code.text.partition(":")[0] for code in prompt.view.codes_in(block) if ":" in code.text}
    return sum(not words.named(name) for name in names - {label.text}) >= _ENOUGH_OTHERS


def _is_other_form(text: str, name: str) -> bool:
    """Whether a name is the plural of the other, or the same name in another notation, such as that of a variable."""
    return same_name(text, name) or text.rstrip("s") == name.rstrip("s")


def _may_be_name(text: str, words: ContractWords) -> bool:
    """Whether a label may be a wrong name of a field."""
    if _NAME.fullmatch(text) is None or words.named(text):
        return False
    return text.isupper() or not words.in_capitals


def _labels(view: PromptView, words: ContractWords) -> Iterator[_Labelled]:
    """The code spans, each with the values that follow it after a sign, or below it in a table."""
    for node in view.structures:
        if node.kind == "table":
            for label, values in codes_in_column(view, node):
                yield label, partial(list, values)
    for code in view.found(_possible_labels, words):
        parts = labelled(code)
        if parts is not None:
            at = code.inner.start + code.text.index(parts[0])
            yield WrittenValue(parts[0], Span(at, at + len(parts[0]))), partial(list, parts[1])
        else:
            yield WrittenValue(code.text, code.inner), partial(_values_after, view, code.span.end)


def _possible_labels(chunk: Chunk, words: ContractWords) -> Sequence[Code]:
    return [code for code in chunk.codes if _may_be_name((labelled(code) or (code.text,))[0], words)]


def _values_after(view: PromptView, end: int) -> Sequence[WrittenValue]:
    return values_after(view, end, plain=False) if is_linked(view, end) else ()


def _labels_of_fences(prompt: PromptText, words: ContractWords) -> Iterator[_Labelled]:
    """The labels in fences that say something about the contract, of which no other rule speaks."""
    own = [
        one.span
        for one in prompt.said.statements
        if one.contract == words.contract and one.act != "forbids" and one.path not in words.marks
    ]
    for fence in prompt.view.fences:
        if any(fence.span.covers(span) for span in own) and not is_judged(prompt, fence.span):
            yield from ((line.label, list[WrittenValue]) for line in lines_of(fence))


def _with_all(words: ContractWords, values: Sequence[WrittenValue]) -> KnownField | None:
    """The only field of which some values are all."""
    given = {value.text for value in values}
    if len(given) < _ENOUGH:
        return None
    found = [one for one in words.fields.values() if one.is_closed and given == set(one.values)]
    return found[0] if len({frozenset(one.titles) for one in found}) == 1 else None
