"""Reading the statements of a prompt.

By the names and values of the contracts, not by shape: what is about none of their fields is no statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from handoff_lsp.contracts.registry import Registry
from handoff_lsp.prompts.attribution import belongs, fit
from handoff_lsp.prompts.chunk import Chunk, Code
from handoff_lsp.prompts.collector import Collector
from handoff_lsp.prompts.documents import is_prompt
from handoff_lsp.prompts.embedded import Embedded, embedded, embeds
from handoff_lsp.prompts.marks import read_marks
from handoff_lsp.prompts.skeletons import read_fences
from handoff_lsp.prompts.speakers import speakers_of
from handoff_lsp.prompts.statement import Enumeration, PromptStatement, PromptStatements, Speaker, Speakers
from handoff_lsp.prompts.structures import read_list, read_table
from handoff_lsp.prompts.templating import has_expression, is_open, may_have_expression, without_expressions
from handoff_lsp.prompts.values import WrittenValue, chain, is_linked, labelled, values_after
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import ContractWords, KnownField, named_in, vocabulary_of
from handoff_lsp.prompts.wording import coordinates
from handoff_lsp.recognition.detect import possible_in
from handoff_lsp.syntax.markdown.incremental import MarkdownTree, parse_markdown
from handoff_lsp.text import Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

# Long prompts are read again at each keystroke: the rare end of each is looked for, then what is before it.
_FILE = lazy_pattern(r"\.md\b")
_NOT_IN_PATH = lazy_pattern(r"[^\w./~$<>{}-]")
_COLON = lazy_pattern(r"[:：]")
_FIELDS_FOLLOW = lazy_pattern(
    r"(?i)(?P<all>(?<!\w)(?:required|mandatory)\s+|必須)?((?<!\w)(?:fields?|keys)|フィールド|キー)[*_]*\s*$"
)
# Before a name of a field: it is a phase's or a task's own, as in "set the phase status to `completed`".
_OF_A_THING = lazy_pattern(
    r"(?i)\b(?:phase|task|change|step|stage|story|epic|issue|ticket|build|test|job|plan|node|item|gate|deployment)"
    r"(?:['’]s)?\s+$"
)
# The most characters of a path, and of the words before a colon.
_PATH, _WORDS = 300, 40


def read_prompt(
    tree: MarkdownTree,
    path: str,
    registry: Registry,
    disabled: frozenset[str] = frozenset(),
    speaker: Speaker | None = None,
) -> PromptStatements | None:
    """The statements of a document; None if it is no prompt, or not about a contract.

    ``path`` is from the root, with ``/``; ``disabled``: contracts that the config switches off; ``speaker``: the one
    who speaks, if the path does not say so.
    """
    if not is_prompt(path):
        return None
    view = tree.once(PromptView)
    fits = [(fit(view, path, one), one) for one in _possible(view, registry) if one.contract not in disabled]
    words = [one for strength, one in sorted(fits, key=lambda pair: -pair[0]) if strength]
    if not words:
        return None
    speakers = speakers_of(path, view.text) if speaker is None else Speakers(speaker)
    read = [Collector(view, speakers, one) for one in words]
    read_fences(read)
    for found in read:
        _read_prose(found)
        read_marks(found)
    kept = _without_rivals(read)
    if may_have_expression(view.utf8) and any(chunk.once(_has_expression, None) for _, chunk in view.chunks_of_text):
        kept = without_expressions(view.text, kept)
    all_lists = [one for found in read for one in found.enumerations if all(item.span in kept for item in one.items)]
    refers = tuple(dict.fromkeys(_references(view.text)))
    about = tuple(one.contract for one in words)
    statements = sorted(kept.values(), key=lambda one: one.span)
    held = (one for one in all_lists if _holds(kept, one, all_lists) and not is_open(view.text, one))
    enumerations = sorted(held, key=lambda one: one.span)
    return PromptStatements(path, about, tuple(statements), tuple(enumerations), refers, speakers)


def read_document(
    source: Source,
    path: str,
    registry: Registry,
    disabled: frozenset[str] = frozenset(),
    parse: Callable[[Source], MarkdownTree] = parse_markdown,
) -> PromptStatements | None:
    """The same for the text of any file, also of one with prompts in its data: these are read one by one."""
    if not is_prompt(path):
        return None
    if not embeds(path):
        return read_prompt(parse(source), path, registry, disabled)
    found = []
    for one in embedded(path, source.text):
        speaker = Speaker("orchestrator" if coordinates(one.agent, one.text) else "agent", one.agent)
        said = read_prompt(parse_markdown(Source(one.text)), path, registry, disabled, speaker)
        if said is not None:
            found.append(_moved(said, one))
    if len(found) < 2:
        return found[0] if found else None
    return PromptStatements(
        path,
        tuple(dict.fromkeys(name for said in found for name in said.contracts)),
        tuple(one for said in found for one in said.statements),
        tuple(one for said in found for one in said.enumerations),
        tuple(dict.fromkeys(name for said in found for name in said.refers)),
        Speakers(Speaker("page", ""), [part for said in found for part in said.speakers.parts]),
    )


def _moved(said: PromptStatements, within: Embedded) -> PromptStatements:
    """What a prompt says, at its places in the file around it."""

    def moved(one: PromptStatement) -> PromptStatement:
        return replace(one, span=within.outer(one.span))

    enumerations = (
        replace(one, items=tuple(map(moved, one.items)), span=within.outer(one.span)) for one in said.enumerations
    )
    here = (within.outer(Span(0, len(within.text))), said.speaker)
    speakers = Speakers(said.speaker, [here])
    return replace(
        said, statements=tuple(map(moved, said.statements)), enumerations=tuple(enumerations), speakers=speakers
    )


def _references(text: str) -> Iterator[str]:
    """The paths of Markdown files in a text."""
    for match in _FILE.finditer(text):
        before = text[max(match.start() - _PATH, 0) : match.start()]
        cut = max((one.end() for one in _NOT_IN_PATH.finditer(before)), default=0)
        if before[cut:] and (before[-1].isalnum() or before[-1] in "_}>-"):
            yield before[cut:] + match[0]


def _without_rivals(read: list[Collector]) -> dict[Span, PromptStatement]:
    """For each place, the statement of one contract: the one that knows most of what is listed there together."""
    if len(read) == 1:
        return {one.span: one for group in read[0].groups for one in group}
    kept: dict[Span, PromptStatement] = {}
    scores: dict[Span, int] = {}
    for found in read:
        for group in found.groups:
            # A field at the root is more likely than one inside an object.
            score = sum(2 * found.knows(one) for one in group) + all("." not in one.path for one in group)
            others = [kept[one.span] for one in group if one.span in kept]
            if all(other.contract == found.words.contract or scores[other.span] < score for other in others):
                kept.update({one.span: one for one in group})
                scores.update({one.span: max(score, scores.get(one.span, 0)) for one in group})
    return kept


def _holds(kept: dict[Span, PromptStatement], enumeration: Enumeration, others: list[Enumeration]) -> bool:
    """Whether most of the items of an enumeration belong to its contract; of fields, more than to any other."""
    if not enumeration.path:
        rivals = [one for one in others if not one.path and one.span.overlaps(enumeration.span)]
        foreign = [one for one in rivals if one is enumeration or one.contract != enumeration.contract]
        return max(foreign, key=_known_fields) is enumeration
    own = sum(item.span in kept and kept[item.span].contract == enumeration.contract for item in enumeration.items)
    return 2 * own > len(enumeration.items)


def _known_fields(enumeration: Enumeration) -> int:
    return sum(bool(item.path) for item in enumeration.items)


def _possible(view: PromptView, registry: Registry) -> list[ContractWords]:
    """The contracts that a document may be about: cheap, before their data are read."""
    possible = possible_in(view.tree, "")
    if possible is None:
        return [vocabulary_of(entry) for entry in registry]
    surely = {entry.name for entry in registry if entry.origin is not None} | possible
    all_words = [vocabulary_of(entry) for entry in registry]
    named = named_in([words for words in all_words if words.contract not in surely], view.text, view.utf8)
    return [words for words in all_words if words.contract in surely or words.contract in named]


def _has_expression(chunk: Chunk, _: None) -> bool:
    return has_expression(chunk.text)


def read_all(found: Collector) -> None:
    """All statements of a prompt about one contract."""
    read_fences([found])
    _read_prose(found)
    read_marks(found)


def _read_prose(found: Collector) -> None:
    for node in found.view.structures:
        (read_table if node.kind == "table" else read_list)(node, found)
    labels = [*_read_codes(found), *_read_plain(found)]
    for at, chunk in found.view.chunks:
        for place, has_all in chunk.once(_fields_follow, None):
            enough = 1 if has_all and found.words.is_named_in(_block_of(found.view, at + place.start)) else 2
            found.add_fields(values_after(found.view, at + place.end, plain=False), "code", enough=enough)
    _read_known(found, labels)


def _fields_follow(chunk: Chunk, _: None) -> Sequence[tuple[Span, bool]]:
    """The words before a colon that say that names of fields follow, and whether it is all that must be there."""
    found = []
    for colon in _COLON.finditer(chunk.text):
        match = _FIELDS_FOLLOW.search(chunk.text, max(colon.start() - _WORDS, 0), colon.start())
        if match is not None:
            found.append((Span(match.start(), match.end(2)), bool(match["all"])))
    return found


def _block_of(view: PromptView, offset: int) -> str:
    block = view.block(offset)
    return view.prose[block.start : block.end]


def _read_codes(found: Collector) -> list[tuple[Span, KnownField]]:
    """The code spans with a label, and the labels of fields with values."""
    labels = []
    for one in found.view.found(_labels_in_code, found.words):
        if found.is_full:
            break
        code, label = one.code, one.label
        values = one.values if one.has_values else values_after(found.view, code.span.end, plain=False)
        field = found.choice(label, values)
        if field is not None:
            labels.append((code.span, field))
            values = _without_labels(found, field, values)
            linked = one.has_values or is_linked(found.view, code.span.end)
            if values and (
                (linked and found.is_listed(code.inner))
                or belongs(found.view, found.words, field, label, values, linked=linked)
            ):
                found.add_values(field, label, values)
        if not one.has_values and not found.has(code.inner):
            found.add_field(one.path, label, code.inner)
    return labels


class _CodeLabel(NamedTuple):
    """A code span that is the name of a field, or begins with one, and the path of that field."""

    code: Code
    label: str
    path: str
    has_values: bool
    values: list[WrittenValue]

    def moved(self, by: int) -> _CodeLabel:
        values = [one.moved(by) for one in self.values]
        return self._replace(code=self.code.moved(by), values=values)


def _labels_in_code(chunk: Chunk, words: ContractWords) -> Sequence[_CodeLabel]:
    labels = []
    for code in chunk.codes:
        parts = labelled(code)
        label, values = parts if parts is not None else (code.text, [])
        named = words.named(label)
        if named:
            labels.append(_CodeLabel(code, label, named[0].path, parts is not None, values))
    return labels


def _without_labels(found: Collector, field: KnownField, values: list[WrittenValue]) -> list[WrittenValue]:
    """Values up to the first that is the name of a field: `status`, `artifacts` and `risks` is a list of fields."""
    for number, value in enumerate(values):
        if value.text not in field.values and found.words.named(value.text):
            return values[:number] if number > 1 else []
    return values


def _read_plain(found: Collector) -> list[tuple[Span, KnownField]]:
    """The labels outside code of fields with values, with the values that follow."""
    labels = []
    for label, span in found.view.found(_plain_labels, found.words):
        if found.is_full:
            break
        values = values_after(found.view, span.end, plain=True)
        field = found.choice(label, values)
        if field is None:
            continue
        labels.append((span, field))
        values = _without_labels(found, field, values)
        linked = is_linked(found.view, span.end)
        if values and belongs(found.view, found.words, field, label, values, linked=linked):
            found.add_values(field, label, values)
    return labels


def _plain_labels(chunk: Chunk, words: ContractWords) -> Sequence[WrittenValue]:
    """The names outside code of fields with values, but not those of a phase's or a task's own."""
    return [
        WrittenValue(match[0], Span(*match.span()))
        for match in words.plain_names(chunk.text)
        if chunk.code_around(match.start()) is None
        and not _OF_A_THING.search(chunk.text, max(match.start() - _WORDS, 0), match.start())
    ]


def _read_known(found: Collector, labels: list[tuple[Span, KnownField]]) -> None:
    """The known values elsewhere in the paragraphs that name their fields, and the lists of which most are known."""
    blocks = {(found.view.block(span.start), field.path): field for span, field in labels}
    for (block, _), field in blocks.items():
        end = 0
        for code in found.view.codes_in(block):
            if code.span.start < end or found.has(code.inner) or found.words.named(code.text):
                continue
            values = list(chain(found.view, code.span.start))
            # A list of other things is not looked at again at each of its items.
            end = values[-1].span.end if values else 0
            known = sum(value.text in field.values for value in values)
            if known > 1 and 2 * known > len(values) and not any(found.has(one.span) for one in values):
                found.add_values(field, "", values)
                continue
            for one in values:
                if one.text in field.values and not found.has(one.span):
                    found.add_values(field, "", [one], sure=False, listed=False)
