"""Completion in prompts: the values and the fields of a contract, in code spans and in the handoffs that they show.

The word at the cursor is replaced with another one, and the prompt is read again: the statement about that word has
the field. So exactly the places are completed that are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.features.completion.item import CompletionItem, ItemKind, first_sentence
from handoff_lsp.features.completion.markdown.line import line_at
from handoff_lsp.features.context import Context
from handoff_lsp.features.pages import contract_pages as pages
from handoff_lsp.features.prompts.pack_around import said_of, spec_with
from handoff_lsp.prompts.collector import Collector
from handoff_lsp.prompts.reading import read_all
from handoff_lsp.prompts.skeletons import lines_of
from handoff_lsp.prompts.statement import PromptStatements
from handoff_lsp.prompts.values import values_after
from handoff_lsp.prompts.view import PromptView
from handoff_lsp.prompts.vocabulary import vocabulary_of
from handoff_lsp.syntax.markdown.incremental import Node, reparse_markdown
from handoff_lsp.text import Edit, Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.prompt_line import as_written

# A word that is no value, name or placeholder.
_PROBE = "qxprobexq"
# The word before the cursor: what follows a sign between values; it may have blanks inside.
_TYPED = lazy_pattern(r"(?:^|[|,/:：=、\"'`(\[{<*>#-]|\bor\b|\bto\b|\bis\b|または)[ \t]*(?P<word>[^\W_][\w -]*|)$")
_REST = lazy_pattern(r"[\w-]*")
_TICKS = lazy_pattern(r"`+")
_ONLY_A_WORD = lazy_pattern(r"[ \t>]*(?:[-*+] )?(?P<word>\w*)")
_HEADING = lazy_pattern(r"(?m)^ {0,3}#{1,6} ")
# A fence is a list of fields if it has so many of them.
_ENOUGH = 2


class _Expected(NamedTuple):
    """What is expected at the cursor: values of a field, or fields if ``path`` is empty.

    ``there`` are the values that the list has, or the fields' paths; ``names`` are the fields as the list names them.
    ``known`` is the number of those that the contract has.
    """

    contract: str
    path: str
    there: frozenset[str]
    known: int
    names: tuple[str, ...] = ()


def items(context: Context, offset: int) -> list[CompletionItem]:
    """The items for an offset in a prompt; none where it says nothing about a contract."""
    said = said_of(context)
    if said is None:
        return []
    line = line_at(context.analysis, offset)
    view = PromptView(context.analysis.tree)
    fence = next((one for one in view.fences if one.opening.end < offset <= one.span.end), None)
    typed = _TYPED.search(line.before)
    if fence is not None:
        names = _names_in(context, said.contracts, fence, offset)
        if names:
            return names
    ticks, closed = ("", True) if fence is not None else _open_code(view, offset)
    if typed is None or (fence is None and not ticks):
        return []
    span = Span(line.span.start + typed.start("word"), _end_of(context.source.text, offset))
    expected = _expected(context, said, Edit(span, _PROBE + ("" if closed else ticks)))
    if expected is None:
        return []
    before = context.source.text[line.span.start : span.start]
    head = " " if before.endswith((":", "：")) else ""
    is_json = fence is not None and before.rstrip().endswith('":')
    quote = '"' if is_json else ""
    tail = ticks if not closed and before.endswith(ticks) else ""
    return [
        CompletionItem(label, kind, Edit(span, f"{head}{quote}{label}{quote}{tail}"), detail, key=key, filter=label)
        for label, kind, detail, key in _offers(context, expected)
    ]


def _end_of(text: str, offset: int) -> int:
    rest = _REST.match(text, offset)
    return rest.end() if rest is not None else offset


def _open_code(view: PromptView, offset: int) -> tuple[str, bool]:
    """The backticks of the code span around an offset, empty outside one, and whether it is closed."""
    block = view.block(max(offset - 1, 0))
    opened = ""
    for ticks in _TICKS.finditer(view.prose, block.start, offset):
        opened = "" if ticks[0] == opened else opened or ticks[0]
    lines = view.tree.source.lines
    end = lines.line_end(lines.line_of(offset))
    after = [ticks[0] for ticks in _TICKS.finditer(view.prose, offset, end)]
    return opened, after.count(opened) % 2 == 1


def _expected(context: Context, said: PromptStatements, probe: Edit) -> _Expected | None:
    """What is expected in place of a probe. Of several contracts, the one that knows most of its neighbors."""
    text = context.source.text
    source = Source(text[: probe.span.start] + probe.text + text[probe.span.end :])
    view = PromptView(reparse_markdown(context.analysis.tree, source, probe.span, len(probe.text)))
    span = Span(probe.span.start, probe.span.start + len(_PROBE))
    found = [one for name in said.contracts if (one := _expected_of(context, said, name, view, span)) is not None]
    return max(found, key=lambda one: one.known, default=None)


def _expected_of(
    context: Context, said: PromptStatements, contract: str, view: PromptView, span: Span
) -> _Expected | None:
    found = Collector(view, said.speakers, vocabulary_of(context.registry[contract]))
    read_all(found)
    one = next((each for each in found.statements if each.span == span), None)
    if one is None or one.path in found.words.marks:
        return _after_label(found, span)
    listed = next((each for each in found.enumerations if each.span.covers(span) and one in each.items), None)
    others = [each for each in listed.items if each is not one] if listed is not None else []
    there = frozenset(each.value or each.path for each in others)
    known = tuple(each.label for each in others if found.knows(each))
    return _Expected(contract, one.path, there, len(known), known)


def _after_label(found: Collector, span: Span) -> _Expected | None:
    """The values of the field whose name, in code, is before a single word."""
    block = found.view.block(span.start)
    for code in found.view.codes_in(Span(block.start, span.start)):
        if any(value.span == span for value in values_after(found.view, code.span.end, plain=False)):
            field = found.choice(code.text)
            if field is not None:
                return _Expected(found.words.contract, field.path, frozenset(), 0)
    return None


def _offers(context: Context, expected: _Expected) -> Iterator[tuple[str, ItemKind, str, str]]:
    """The labels, kinds, details and keys of what is expected, without what is there."""
    contract, path = expected.contract, expected.path
    spec = spec_with(context, contract, path)
    if not path:
        for name, field in spec.fields.items():
            if name not in expected.there:
                title = as_written(vocabulary_of(context.registry[contract]).fields[name], expected.names)
                yield title, "field", first_sentence(field.about), pages.field_key(spec, name)
        return
    for value in vocabulary_of(context.registry[contract]).fields[path].values.values():
        if value.value not in expected.there and not value.deprecated:
            key = pages.field_key(spec_with(context, contract, path, value.value), path, value.value)
            yield value.value, "value", value.then or value.about, key


def _names_in(context: Context, contracts: Sequence[str], fence: Node, offset: int) -> list[CompletionItem]:
    """The fields that a handoff in a fence lacks, on a line of it with nothing but a word."""
    line = line_at(context.analysis, offset)
    typed = _ONLY_A_WORD.fullmatch(line.text)
    fragment = fence.fragment()
    if typed is None or fragment.text.lstrip()[:1] in {"{", "["} or _HEADING.search(fragment.text):
        return []
    labels = [each.label.text for each in lines_of(fence)]
    for contract in contracts:
        words = vocabulary_of(context.registry[contract])
        known = [label for label in labels if words.named(label)]
        named = {one.path for label in known for one in words.named(label)}
        spec = spec_with(context, contract, "")
        if len(named & spec.fields.keys()) < _ENOUGH:
            continue
        start = line.span.start + typed.start("word")
        span = Span(start, max(start, line.span.start + typed.end("word")))
        return [
            CompletionItem(title, "field", Edit(span, f"{title}: "), first_sentence(field.about), key=key)
            for name, field in spec.fields.items()
            if name not in named
            for title, key in [(as_written(words.fields[name], known), pages.field_key(spec, name))]
        ]
    return []
