"""Renaming a field or a value of an own contract in prompts, templates, handoffs and contracts: all places or none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import bind_document
from handoff_lsp.features.context import Context
from handoff_lsp.features.contract_files.across import Family
from handoff_lsp.features.contract_files.names import OldName, OwnFileEdits, tried
from handoff_lsp.features.contract_files.scalars import as_scalar
from handoff_lsp.features.contract_files.uses import Use
from handoff_lsp.features.contract_files.vocabulary import Vocabulary
from handoff_lsp.features.names.new_name import Refusal
from handoff_lsp.features.names.rename import FileEdits, Renaming, check_all_read
from handoff_lsp.features.words.new_word import check_field, check_value, styled, written_part
from handoff_lsp.features.words.places import Home
from handoff_lsp.features.words.word import ContractWord, words_of
from handoff_lsp.prompts.documents import is_prompt
from handoff_lsp.prompts.reading import read_document
from handoff_lsp.prompts.vocabulary import FILE, MARKER, label_name
from handoff_lsp.text import Edit, Source, Span, apply_edits
from handoff_lsp.text.named_tuple import NamedTuple

IN_CONTRACTS, IN_PROMPTS, IN_HANDOFFS = "Contracts", "Prompts", "Handoffs"


class RenamedWord(NamedTuple):
    """A word to rename, spelled ``old``: a value, one of a field's titles, or its name in the contract (``is_key``).

    ``others``: the other names of a field, which stay.
    """

    home: Home
    family: Family
    old: str
    is_key: bool
    others: frozenset[str] = frozenset()


def renamed(context: Context, word: ContractWord, written: str) -> RenamedWord:
    """A word as it is to be renamed where it is written in some way. Raises Refusal if it cannot be renamed."""
    if word.path in (MARKER, FILE):
        raise Refusal(f"`{written}` is a marker or file of the contract `{word.contract}`: change it there")
    home = Home(context, word)
    entry, family, name = home.entry, home.family, home.declaring
    about = "value" if word.value else "field"
    if entry is not None and entry.origin is None and not _is_known(entry, word):
        raise Refusal(f"`{written}` is no {about} of the contract `{name}`")
    if entry is None or family is None or entry.origin is None or family.is_builtin(name):
        raise Refusal(
            f"`{written}` is a {about} of the built-in contract `{name}`: its orchestrator knows the word, "
            f"and would not know another one"
        )
    declared = [use for use in family.uses(name) if use.declares and use[:2] == home.use[:2]]
    if not declared:
        raise Refusal(f"`{written}` is no {about} of the contract `{name}`")
    file = family.file(name)
    if file is None or (file.path is not None and not context.shares_root(str(file.path))):
        raise Refusal(f"`{written}` is declared in `{name}`, which is not a file of this workspace")
    if any(one is None for one in file.others.values()):
        raise Refusal("a contract of the workspace has problems; it may use the name")
    check_all_read(context)
    if word.value:
        if "{" in word.value:
            raise Refusal(f"`{word.value}` has an argument in braces: change it in the contract")
        return RenamedWord(home, family, word.value, is_key=False)
    titles = {use.name.partition("=")[2]: False for use in _titles(home, family)}
    if not _has_title(home, family):
        titles[word.path.rpartition(".")[2]] = True
    same = [title for title in titles if label_name(title) == label_name(written)]
    for title in sorted(same, key=lambda one: one != written)[:1]:
        return RenamedWord(home, family, title, titles[title], frozenset(titles) - {title})
    raise Refusal(f"`{written}` is not one of the names that `{name}` declares for the field `{word.path}`")


def _is_known(entry: ContractEntry, word: ContractWord) -> bool:
    """Whether a profile of a built-in contract has a word; that of an open list always."""
    fields = [entry.spec(profile).field(word.path) for profile in entry.contract.profiles]
    values = {one.value for field in fields if field is not None for one in field.values}
    return not word.value or not values or word.value in values


def _titles(home: Home, family: Family) -> list[Use]:
    """The uses of the titles and aliases of a field in the contracts that have it."""
    start = f"{home.word.path}="
    names = [name for name in {home.declaring, *family.names} if name in home.contracts]
    return [use for name in names for use in family.uses(name) if use.kind == "title" and use.name.startswith(start)]


def _has_title(home: Home, family: Family) -> bool:
    """Whether documents write a title of the field instead of its name in the contract."""
    file = family.file(home.declaring)
    field = Vocabulary(file.data, (), {}).field(home.word.path) if file is not None else None
    return field is None or bool(field.get("title"))


def prepare(context: Context, word: ContractWord, span: Span, source: Source) -> OldName:
    """The word at a place. Raises Refusal if it cannot be renamed."""
    found = renamed(context, word, source.slice(span))
    part = written_part(source.slice(span), found.old)
    if part is None:
        raise Refusal("Nothing to rename here")
    return OldName(part.shift(span.start), part.of(source.slice(span)))


def rename(context: Context, word: ContractWord, written: str, new: str) -> Renaming:
    """The edits of contracts and documents that rename a word. Raises Refusal if the new word does not fit."""
    found = renamed(context, word, written)
    if word.value:
        check_value(found.family, word, new)
    else:
        check_field(found.family, word, found.old, new, is_key=found.is_key)
    contracts = _in_contracts(found, new)
    file = found.family.file(found.family.own)
    if file is None:
        raise Refusal(f"the contract `{found.family.own}` cannot be read")
    entries = tried(file, found.family, contracts)
    changed = [
        FileEdits(str(path or ""), source, tuple(sorted(edits, key=lambda edit: edit.span)), IN_CONTRACTS)
        for path, source, edits in contracts.values()
    ]
    target = _new_word(word, new, is_key=found.is_key)
    for item in _in_documents(context, found, new):
        _check_again(context, item, entries, found, target, new)
        changed.append(item)
    return Renaming(tuple(changed), ())


def _in_contracts(found: RenamedWord, new: str) -> dict[Path | None, OwnFileEdits]:
    word, family, old = found.home.word, found.family, found.old
    if word.value or found.is_key:
        uses = [found.home.use]
    else:
        uses = [Use("title", f"{word.path}={old}", Span(0, 0), of=word.contract)]
    made: dict[Path | None, OwnFileEdits] = {}
    for use in uses:
        for path, source, one in family.places(use):
            edits = made.setdefault(path, OwnFileEdits(path, source, []))
            before = source.text[max(one.span.start - 1, 0) : one.span.start]
            edit = Edit(one.span, new if before in {"'", '"'} else as_scalar(new))
            if edit not in edits.edits:
                edits.edits.append(edit)
    return made


def _in_documents(context: Context, found: RenamedWord, new: str) -> list[FileEdits]:
    made: dict[str, tuple[Source, list[Edit], set[Edit]]] = {}
    for full, source, one in found.home.in_documents():
        written = source.slice(one.span)
        part = written_part(written, found.old)
        if part is None or (part.of(written) != found.old and part.of(written) in found.others):
            continue
        edit = Edit(part.shift(one.span.start), styled(part.of(written), found.old, new))
        _, edits, doubtful = made.setdefault(full, (source, [], set()))
        if all(not edit.span.overlaps(other.span) for other in edits):
            edits.append(edit)
            if not one.sure:
                doubtful.add(edit)
    settings = context.project.files.settings
    return [
        FileEdits(
            full,
            source,
            tuple(sorted(edits, key=lambda edit: edit.span)),
            IN_PROMPTS if is_prompt(settings.name(Path(full))) else IN_HANDOFFS,
            frozenset(doubtful),
        )
        for full, (source, edits, doubtful) in made.items()
    ]


def _new_word(word: ContractWord, new: str, *, is_key: bool) -> ContractWord:
    if word.value:
        return word._replace(value=new)
    if is_key:
        parent, dot, _ = word.path.rpartition(".")
        return word._replace(path=f"{parent}{dot}{new}")
    return word


def _check_again(
    context: Context,
    item: FileEdits,
    entries: Mapping[str, ContractEntry | None],
    found: RenamedWord,
    target: ContractWord,
    new: str,
) -> None:
    """Read a document as it will be, by the contracts as they will be. Raises Refusal if it says less than before."""
    settings = context.project.files.settings
    path = Path(item.full) if item.full else None
    name, options, known = settings.name(path), settings.options(path), settings.registry(path)
    registry = Registry({entry.name: entries.get(entry.name) or entry for entry in known})
    source = Source(apply_edits(item.source.text, item.edits))
    handoffs = bind_document(source, name, registry, options)
    said = read_document(source, name, registry, options.disabled)
    there = Counter(
        one.word[1:]
        for one in words_of(source, handoffs, said)
        if one.word.contract in found.home.contracts
        and (found.home.word.value or written_part(source.slice(one.span), new) is not None)
    )
    if there[target[1:]] < len(item.edits):
        shown = context.project.resolver.name(Path(item.full)) if item.full else "this document"
        raise Refusal(f"`{shown}` would no longer be read as before: `{new}` is not recognized everywhere")
