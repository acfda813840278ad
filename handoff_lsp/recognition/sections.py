"""Sections of a document that are handoffs of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial

from handoff_lsp.contracts.model import Content, Contract, SectionForm
from handoff_lsp.contracts.names import fold_name, names_later_round
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.contracts.spec import NameTable, children_of
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.evidence import NOTHING, Evidence, best_of
from handoff_lsp.recognition.signs import begins_with_value
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span


def find_sections(tree: MarkdownTree, entry: ContractEntry, form: SectionForm) -> Iterator[Candidate]:
    """The sections of a document that are a contract's, none inside another."""
    after = 0
    for number, evidence in section_evidence(tree, entry, form):
        if number >= after and evidence.suffices:
            after = _after_rounds(tree, number, entry, form)
            reason = f"a section {tree.titles[number]}"
            span = Span(tree.all_sections[number].span.start, tree.all_sections[after - 1].span.end)
            yield Candidate(entry, "section", span, (reason,), section=number)


def _after_rounds(tree: MarkdownTree, number: int, entry: ContractEntry, form: SectionForm) -> int:
    """The number of the heading after a section and the later rounds beside it."""
    after = tree.number_after(number)
    while after < len(tree.titles) and tree.heading_levels[after] == tree.heading_levels[number]:
        own = search(form.title, tree.titles[after]) is not None
        if own or not is_later_round(tree, after, entry.contract, entry.names):
            break
        after = tree.number_after(after)
    return after


def is_later_round(tree: MarkdownTree, number: int, contract: Contract, names: NameTable) -> bool:
    """Whether a section is a later round, which states a status again that may be stated several times."""
    status = contract.fields.get(contract.status)
    if status is None or not status.restated or not tree.of_titles(names_later_round)[number]:
        return False
    inner = tree.of_titles(fold_name)[number + 1 : tree.number_after(number)]
    return any(names.folded.get(title) == contract.status for title in inner)


def section_evidence(tree: MarkdownTree, entry: ContractEntry, form: SectionForm) -> Iterator[tuple[int, Evidence]]:
    """The number of each section with a matching heading, and its evidence."""
    for number, below, labels in _titled_sections(tree, entry, form):
        there, says = (below | labels).__contains__, partial(_says, tree, number, entry, below)
        ways = form.holds or [NOTHING]
        if labels and not form.labels:  # labels do not count for ``some``, only for the other names
            ways = [_without_labels(asked, below, labels) for asked in ways]
        yield number, best_of([Evidence(entry, "section", number, there, says, asked) for asked in ways])


def _without_labels(asked: Content, below: set[str | None], labels: set[str]) -> Content:
    """What is asked of a section without the names that are labels in it, which are not enough for ``some``."""
    if not asked.some:
        return asked
    some = [name for name in asked.some if name in below or name not in labels]
    return replace(asked, some=some) if some else replace(asked, enough=len(asked.some) + 1)


def _titled_sections(
    tree: MarkdownTree, entry: ContractEntry, form: SectionForm
) -> Iterator[tuple[int, set[str | None], set[str]]]:
    """The sections with matching headings, by number, each with the fields below it and those in its labels."""
    matches = tree.of_titles(_matcher(form.title))
    if True not in matches:
        return
    names = entry.names
    titles = tree.of_titles(fold_name)
    for number, fits in enumerate(matches):
        if fits:
            stop = tree.number_after(number)
            level = min(tree.heading_levels[number + 1 : stop], default=0)
            inner = [at for at in range(number + 1, stop) if tree.heading_levels[at] == level]
            below = {names.folded.get(titles[at]) for at in inner} - {None}
            below |= {name for at in inner if (name := _inline(entry, tree.titles[at])) is not None}
            below |= {name for at in inner for name in _labels_below(tree, at, entry, form)}
            yield number, below, section_labels(tree, number, names)


def _labels_below(tree: MarkdownTree, number: int, entry: ContractEntry, form: SectionForm) -> Iterator[str]:
    """The paths of the fields that are labels in a section of another field, if the form requires one of them."""
    name = entry.names.folded.get(fold_name(tree.titles[number]))
    if name is not None and any(path.startswith(f"{name}.") for asked in form.holds for path in asked.some):
        labels = section_labels(tree, number, children_of(entry.contract.fields[name]))
        yield from (f"{name}.{label}" for label in labels)


def _inline(entry: ContractEntry, title: str) -> str | None:
    """The root field that a heading names before its value."""
    name = entry.names.folded.get(fold_name(title.partition(":")[0])) if ":" in title else None
    return name if name is not None and "heading-inline" in entry.contract.fields[name].carriers else None


def _says(
    tree: MarkdownTree, number: int, entry: ContractEntry, below: set[str | None], name: str, pattern: str
) -> bool:
    """Whether a subsection is that field's and begins with a value that matches."""
    if name not in below or name not in entry.contract.fields:
        return False
    sections = (tree.all_sections[at] for at in range(number + 1, tree.number_after(number)))
    own = (
        section
        for section in sections
        if name in {entry.names.folded.get(fold_name(section.title)), _inline(entry, section.title)}
    )
    return any(begins_with_value(section, entry.contract.fields[name], pattern) for section in own)


def section_labels(tree: MarkdownTree, number: int, names: NameTable) -> set[str]:
    """The fields that are written as labels between a heading and the next."""
    first, last = tree.headings[number], tree.heading_index(number + 1)
    found = {names.folded.get(fold_name(key)) for index, keys in tree.labels if first < index < last for key in keys}
    return {name for name in found if name is not None}


@lru_cache(maxsize=256)
def _matcher(pattern: str) -> Callable[[str], bool]:
    """A function that tests whether a title contains the pattern, one for each pattern."""
    return lambda title: search(pattern, title) is not None
