"""Names and words of contracts at a place of a document: references, highlights, definitions, renames."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from handoff_lsp.features.context import Context
from handoff_lsp.features.contract_files.across import Family
from handoff_lsp.features.contract_files.file import ContractFile
from handoff_lsp.features.contract_files.names import OldName
from handoff_lsp.features.contract_files.uses import Use, use_at, uses
from handoff_lsp.features.contract_files.vocabulary import Vocabulary
from handoff_lsp.features.names import definition as of_names
from handoff_lsp.features.names import highlight as marks
from handoff_lsp.features.names import references as mentions
from handoff_lsp.features.names import rename as names
from handoff_lsp.features.names.definition import Target
from handoff_lsp.features.names.graph import FileNode, NameNode, SectionNode, name_at, nodes_at, place_of_definition
from handoff_lsp.features.names.highlight import Highlight
from handoff_lsp.features.names.rename import Renaming
from handoff_lsp.features.words import places, rename
from handoff_lsp.features.words.places import Home, word_at, words_in
from handoff_lsp.features.words.word import ContractWord
from handoff_lsp.prompts.documents import is_prompt
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.project import FileSpan

# A name as prompts write agents': in code, behind `@`, or of several words.
_NAME = lazy_pattern(r"(?P<code>`)?@?(?P<name>[^\W_][\w.-]*)(?(code)`)")


class OwnContractWord(NamedTuple):
    """A word in a contract file; ``span`` (code points) is its place, ``written`` its text there."""

    word: ContractWord
    span: Span
    written: str


def read(context: Context, offset: int) -> Generator[None, None, None]:
    """Read the documents that may have the word at an offset; pauses after each for other work."""
    one = word_at(context, offset)
    if one is not None:
        yield from Home(context, one.word).read()


def references(context: Context, offset: int, *, declaration: bool) -> list[FileSpan]:
    """The places of the name, file, section or word at an offset; with ``declaration`` also where it is declared."""
    found = mentions.references(context, offset, declaration=declaration)
    nodes = nodes_at(context, offset)
    one = word_at(context, offset)
    if one is None or any(isinstance(node, NameNode | FileNode) for node in nodes):
        return found
    said = places.references(context, one.word, declaration=declaration)
    if any(isinstance(node, SectionNode) for node in nodes) and not declaration:
        said = [place for place in said if place.full != context.full]  # here it is the section's heading
    found += said
    return sorted(set(found), key=lambda place: (place.full, place.span))


def highlights(context: Context, offset: int) -> list[Highlight]:
    """The places of the document that belong to what is at an offset, in order."""
    found = {one.span: one for one in marks.highlights(context, offset)}
    one = word_at(context, offset) if is_prompt(context.analysis.path) else None
    if one is not None and not any(isinstance(node, NameNode) for node in nodes_at(context, offset, alone=True)):
        for other in words_in(context):
            if other.word == one.word:  # asked at every move of the cursor: no other file is read
                found.setdefault(other.span, Highlight(other.span, "write" if other.gives else "read"))
    return sorted(found.values())


def definition(context: Context, offset: int) -> list[Target]:
    """The definitions of what is at an offset: for a word where its contract declares it, for an agent its file."""
    found = of_names.definition(context, offset)
    if found or not context.full:
        return found
    one = word_at(context, offset)
    in_prompt = is_prompt(context.analysis.path)
    if one is not None:
        in_handoff = any(handoff.span.holds(offset) for handoff in context.analysis.handoffs)
        return places.declared(context, one, built_in=in_prompt and not in_handoff)
    return list(_agents(context, offset)) if in_prompt else []


def _agents(context: Context, offset: int) -> Iterator[Target]:
    """The files that define the name which a prompt writes at an offset, also where it may be no agent's."""
    source = context.source
    line = source.lines.line_span(source.lines.line_of(offset))
    for match in _NAME.finditer(source.text, line.start, line.end):
        span = Span(*match.span("name"))
        is_marked = match["code"] or "@" in match[0] or "-" in match["name"]
        if not (span.holds(offset) and is_marked):
            continue
        for kind in context.project.kinds(context.full).values():
            for name, full in context.project.defining(context.full, kind).items():
                if kind.key(name) == kind.key(match["name"]) and full != context.full:
                    place = place_of_definition(context.project, full)
                    if place is not None:
                        yield Target(full, place.source, place.span, place.span, span)


def prepare(context: Context, offset: int, *, moves: bool) -> OldName | None:
    """The name or word to rename at an offset; None in ordinary Markdown. Raises Refusal if it cannot be renamed."""
    one = word_at(context, offset) if name_at(context, offset) is None else None
    if one is not None:
        return rename.prepare(context, one.word, one.span, context.source)
    found = names.prepare(context, offset, moves=moves)
    return OldName(found.span, found.name) if found is not None else None


def renaming(context: Context, offset: int, new: str, *, moves: bool) -> Renaming | None:
    """The changes that rename the name or word at an offset. Raises Refusal if the new one does not fit."""
    one = word_at(context, offset) if name_at(context, offset) is None else None
    if one is not None:
        return rename.rename(context, one.word, context.source.slice(one.span), new)
    return names.rename(context, offset, new, moves=moves)


def own_word(file: ContractFile, offset: int) -> OwnContractWord | None:
    """The field or value at an offset of a contract file; None for another name."""
    use = use_at(uses(file), offset)
    if use is None or use.kind not in {"field", "value", "title"}:
        return None
    path, _, text = use.name.partition("=")
    contract = use.of or Family(file).own
    return OwnContractWord(
        ContractWord(contract, path, text if use.kind == "value" else ""), use.span, use.span.of(file.text)
    )


def is_written(file: ContractFile, offset: int) -> bool:
    """Whether documents write what is at an offset of a contract file: a value, a title, a field without one."""
    use = use_at(uses(file), offset)
    if use is None or use.kind not in {"field", "value", "title"}:
        return False
    return use.kind != "field" or not _has_title(file, use)


def _has_title(file: ContractFile, use: Use) -> bool:
    family = Family(file)
    home = family.home(use)
    declaring = family.file(home) if home is not None else None
    field = Vocabulary(declaring.data if declaring is not None else file.data, (), {}).field(use.name)
    return field is None or bool(field.get("title"))


def own_references(context: Context, file: ContractFile, offset: int) -> list[FileSpan]:
    """The places in documents of the word at an offset of a contract file."""
    one = own_word(file, offset)
    if one is None:
        return []
    return [FileSpan(full, source, each.span) for full, source, each in Home(context, one.word).in_documents()]
