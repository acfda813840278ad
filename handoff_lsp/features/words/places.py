"""The places of a contract's word in all documents and contracts of the workspace, and its declaration."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cached_property
from pathlib import Path

from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.features.context import Context
from handoff_lsp.features.contract_files.across import Family, UseAt
from handoff_lsp.features.contract_files.file import ContractFile, contract_file
from handoff_lsp.features.contract_files.names import declaration
from handoff_lsp.features.contract_files.uses import Use
from handoff_lsp.features.names.definition import Target
from handoff_lsp.features.words.word import ContractWord, WordAt, words_of
from handoff_lsp.prompts.reading import read_document
from handoff_lsp.prompts.vocabulary import vocabulary_of
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.project import FileSpan, Project, bare


class Home:
    """A word with the contracts that have it: the one that declares it, and those that extend that one.

    ``declaring`` is the name of the first; the word's own contract if no file is known to declare it.
    """

    def __init__(self, context: Context, word: ContractWord) -> None:
        self._context = context
        self.word: ContractWord = word

    @property
    def use(self) -> Use:
        """The word as contract files name it."""
        word = self.word
        if word.value:
            return Use("value", f"{word.path}={word.value}", Span(0, 0), of=word.contract)
        return Use("field", word.path, Span(0, 0), of=word.contract)

    @cached_property
    def family(self) -> Family | None:
        """The contract files of the workspace, that of the word's contract first; None without any."""
        entries = sorted(
            (entry for entry in self._context.registry if entry.origin is not None),
            key=lambda entry: entry.name != self.word.contract,
        )
        files = (file_of(self._context, entry) for entry in entries)
        file = next((file for file in files if file is not None), None)
        return Family(file) if file is not None else None

    @cached_property
    def entry(self) -> ContractEntry | None:
        """The entry of the word's contract."""
        name = self.word.contract
        return next((entry for entry in self._context.registry if entry.name == name), None)

    @cached_property
    def declaring(self) -> str:
        """The contract that declares the word."""
        family = self.family
        if family is None or self.entry is None or self.entry.origin is None:
            return self.word.contract
        found = family.home(self.use)
        if found is None:  # only a profile has it
            wanted = self.use[:2]
            chain = family.chain(self.word.contract)
            declares = (name for name in chain if any(one[:2] == wanted and one.declares for one in family.uses(name)))
            found = next(declares, None)
        return found or self.word.contract

    @cached_property
    def contracts(self) -> frozenset[str]:
        """The contracts that have the word."""
        found = {self.word.contract, self.declaring}
        if self.family is not None:
            found.update(name for name in self.family.names if self.declaring in self.family.chain(name))
        return frozenset(found)

    def is_same(self, other: ContractWord) -> bool:
        """Whether a word of any of these contracts is this one."""
        return other[1:] == self.word[1:] and other.contract in self.contracts

    @cached_property
    def spellings(self) -> frozenset[str]:
        """The texts that it may be written as: a value, or the titles, the aliases and the name of a field."""
        word = self.word
        if word.value:
            return frozenset({word.value})
        found = {word.path, word.path.rpartition(".")[2]}
        if self.entry is not None:
            known = vocabulary_of(self.entry).fields.get(word.path)
            found |= known.titles if known is not None else set()
            for entry in (self._context.registry[name] for name in self.contracts if name in self._context.registry):
                other = vocabulary_of(entry).fields.get(word.path)
                found |= other.titles if other is not None else set()
        return frozenset(found)

    @cached_property
    def _searched(self) -> set[str]:
        return {bare(spelling) for spelling in self.spellings}

    def read(self) -> Generator[None, None, None]:
        """Read the documents that may have the word; pauses after each for other work."""
        project = self._context.project
        if not project.is_listed:
            yield from project.list_in_steps()
        for full in project.paths():
            if project.holds(full, self._searched):
                words_in_file(project, full)
            yield

    def in_documents(self) -> Iterator[tuple[str, Source, WordAt]]:
        """Its places in prompts, templates and handoffs, with the paths and texts of these."""
        project, context = self._context.project, self._context
        for full in project.paths():
            if context.shares_root(full) and project.holds(full, self._searched):
                source, words = words_in_file(project, full)
                for one in words if source is not None else ():
                    if source is not None and self.is_same(one.word):
                        yield full, source, one
        if not context.full:  # without a path, the project does not know the document
            for one in words_in(context):
                if self.is_same(one.word):
                    yield "", context.source, one

    def in_contracts(self) -> list[UseAt]:
        """Its uses in the contracts of the workspace and in the config."""
        if self.family is None:
            return []
        found = list(self.family.places(self.use))
        if not self.word.value:
            for title in self.spellings:
                found += self.family.places(
                    Use("title", f"{self.word.path}={title}", Span(0, 0), of=self.word.contract)
                )
        return found


def words_in_file(project: Project, full: str) -> tuple[Source | None, tuple[WordAt, ...]]:
    """The text of a document and the words in it, found once for each of its states."""
    state = project.files.state(full)

    def make() -> tuple[Source | None, tuple[WordAt, ...]]:
        read = project.files.read_in(full, state)
        return (read.source, words_of(read.source, read.handoffs, read.said)) if read.source is not None else (None, ())

    return project.memo.about(full).for_revision(words_of, state, make) if state is not None else (None, ())


def words_in(context: Context) -> tuple[WordAt, ...]:
    """The words of the document that a context is about, as it is now."""
    analysis, project = context.analysis, context.project
    if context.full and project.files.content(context.full) is analysis.source:
        return words_in_file(project, context.full)[1]
    said = read_document(
        analysis.source, analysis.path, analysis.registry, analysis.options.disabled, lambda _: analysis.tree
    )
    return words_of(analysis.source, analysis.handoffs, said)


def file_of(context: Context, entry: ContractEntry) -> ContractFile | None:
    """The file of a contract of the workspace; None if it cannot be read."""

    def read(path: Path) -> Source | None:
        return context.project.files.read(str(path)).source

    source = read(entry.origin) if entry.origin is not None else None
    return contract_file(source, entry.origin, context.project.resolver, read) if source is not None else None


def word_at(context: Context, offset: int) -> WordAt | None:
    """The word at an offset of the document, that with the smallest place; None without one."""
    here = [one for one in words_in(context) if one.span.holds(offset)]
    return min(here, key=lambda one: (one.span.end - one.span.start, not one.word.value), default=None)


def references(context: Context, word: ContractWord, *, declaration: bool) -> list[FileSpan]:
    """All places of a word; with ``declaration`` also those in which contracts declare it."""
    home = Home(context, word)
    found = [FileSpan(full, source, one.span) for full, source, one in home.in_documents()]
    for path, source, use in home.in_contracts():
        if declaration or not use.declares:
            found.append(FileSpan(str(path or ""), source, use.span))
    return sorted(set(found), key=lambda place: (place.full, place.span))


def declared(context: Context, one: WordAt, *, built_in: bool) -> list[Target]:
    """The place where a contract declares a word, or its field for an unknown value.

    ``built_in``: also that in the file of a built-in contract.
    """
    home = Home(context, one.word)
    name = home.declaring
    family = home.family
    for use in (home.use, Use("field", one.word.path, Span(0, 0))):
        if family is not None and not family.is_builtin(name):
            places = [each for each in family.uses(name) if each.declares and not each.of and each[:2] == use[:2]]
            file = family.file(name)
            for each in sorted(places, key=lambda each: each.changed)[:1] if file is not None else ():
                if file is not None:
                    return [Target(str(file.path or ""), file.source, each.span, each.span, one.span)]
        elif (
            built_in
            and name in context.registry
            and (found := declaration(context.registry[name], use._replace(of=""), one.span))
        ):
            return found
    return []
