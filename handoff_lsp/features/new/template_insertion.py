"""Inserting a new handoff into a document: the edits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import Mode
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import Analysis, analyze
from handoff_lsp.features.completion.start import likely_spec
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.text import Edit, Source, Span, apply_edits, eol_of, with_eol
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.writing.placement import insertion
from handoff_lsp.writing.section_placement import blank_lines
from handoff_lsp.writing.skeleton_document import FRONT_CLOSING, FRONT_OPENING, form_of

_BLANKS = "\ufeff \t\r\n"
_HEADING = lazy_pattern(r"^(#{1,6})(?= )", re.MULTILINE)


class CannotInsert(ValueError):
    """A handoff that has no place in a document; the message gives the reason."""


class Insertion(NamedTuple):
    """The edits that insert a handoff, and the reason why it is not recognized there; empty if it is.

    ``snippet`` is the whole text with tab stops, for an empty document; else empty.
    """

    edits: tuple[Edit, ...]
    lacks: str = ""
    snippet: str = ""


def is_empty(analysis: Analysis) -> bool:
    """Whether a document holds nothing but blanks."""
    return not analysis.source.text.strip(_BLANKS)


def profile_of(analysis: Analysis, entry: ContractEntry) -> str:
    """The profile for a new handoff of a contract if the user names none."""
    return likely_spec(analysis, entry, analysis.path).profile


def insert(
    analysis: Analysis, offset: int, registry: Registry, entry: ContractEntry, profile: str, mode: Mode
) -> Insertion:
    """The edits that put a new handoff into a document, at ``offset`` (code points) unless it is empty.

    A fence that its reader accepts only at the beginning of the document goes there.
    If the whole document already is such a handoff, they add its missing sections. Raises CannotInsert.
    """
    source, spec = analysis.source, entry.spec(profile)
    made = new_handoff(registry, entry, profile, mode, analysis.path, analysis.options)
    if is_empty(analysis):
        start = int(source.text.startswith("\ufeff"))
        text = with_eol(made.text, eol_of(source.text))
        return Insertion((Edit(Span(start, len(source)), text),), made.lacks, f"{made.snippet}\n")
    form = form_of(spec)
    if form == "file":
        raise CannotInsert(f"a handoff of {entry.name} is a whole file, and this one holds something already")
    if is_data_file(analysis.path):
        raise CannotInsert(f"a handoff of {entry.name} is written in Markdown, and this file holds data")
    if form == "document":
        whole = next(
            (handoff for handoff in analysis.handoffs if handoff.form == form and handoff.spec.name == entry.name), None
        )
        if whole is not None:
            return Insertion(tuple(_missing(whole)))
        texts = _below_title(analysis, made.text, entry, profile)
    else:
        texts = iter((made.text,))
    texts = (_as_others(analysis, text, entry.name) for text in texts)
    at_top = form == "fence" and _belongs_to_the_top(analysis, entry)
    made_edits = [(_at_top(analysis, text),) if at_top else _edits(analysis, offset, text) for text in texts]
    fitting = (edits for edits in made_edits if _is_recognised(analysis, edits, registry, entry.name))
    edits = next(fitting, None)
    if edits is None:
        return Insertion(made_edits[0], made.lacks or f"it is not recognized as {entry.name} in this place")
    return Insertion(edits)


def _missing(handoff: Handoff) -> list[Edit]:
    """The edits that add the missing fields a handoff requires now or usually has. Raises CannotInsert without any."""
    slots = [
        slot
        for slot in handoff.root.children.values()
        if not slot.written
        if handoff.values.holds(slot.field.required) or (slot.field.in_template and not slot.field.required)
    ]
    if not slots:
        raise CannotInsert(f"the document is a handoff of {handoff.spec.name} already, with all that it needs")
    return insertion(handoff, slots)


def _below_title(analysis: Analysis, text: str, entry: ContractEntry, profile: str) -> Iterator[str]:
    """The variants of a whole document's text to insert: without its title if there is one, then with a modeline."""
    front, text = _divided(text)
    if any(level == 1 for level in analysis.tree.heading_levels):
        text = "".join(line for line in text.splitlines(keepends=True) if not line.startswith("# ")).lstrip("\n")
    yield front + text
    if "<!-- handoff:" not in text:
        yield f"{front}<!-- handoff: {entry.name} profile={profile} -->\n\n{text}"


def _as_others(analysis: Analysis, text: str, name: str) -> str:
    """The text of a section with its headings on the level of those that the document has of the same contract."""
    levels = [one.section.level for one in analysis.handoffs if one.section is not None and one.spec.name == name]
    first = _HEADING.search(text)
    if not levels or first is None:
        return text
    deeper = levels[-1] - len(first[1])
    return _HEADING.sub(lambda found: "#" * min(max(len(found[1]) + deeper, 1), 6), text)


def _divided(text: str) -> tuple[str, str]:
    """The front matter that a new handoff begins with, with the lines around it, and the rest."""
    if not text.startswith(FRONT_OPENING):
        return "", text
    front, closing, rest = text.partition(FRONT_CLOSING)
    return front + closing, rest


def _edits(analysis: Analysis, offset: int, text: str) -> tuple[Edit, ...]:
    """The edits that put a new handoff into a document: its front matter, if the document has none, and its text."""
    front, text = _divided(text)
    edit = _edit(analysis, offset, text)
    if not front or analysis.tree.front_matter is not None:
        return (edit,)
    start = int(analysis.source.text.startswith("\ufeff"))
    return Edit(Span(start, start), with_eol(front, eol_of(analysis.source.text))), edit


def _edit(analysis: Analysis, offset: int, text: str) -> Edit:
    """The edit that puts a text below the Markdown block at an offset, or in place of the blank line there."""
    source, node = analysis.source, analysis.tree.block_at(offset)
    while node is not None and node.parent is not None:
        node = node.parent
    span = Span(node.span.end, node.span.end) if node else source.lines.line_span(source.lines.line_of(offset))
    before, after = blank_lines(source.text, span.start, span.end)
    return Edit(span, with_eol(f"{before}{text.rstrip()}{after}", eol_of(source.text)))


def _belongs_to_the_top(analysis: Analysis, entry: ContractEntry) -> bool:
    """Whether a reader accepts a fence only at the beginning of a document, which has neither one nor front matter."""
    fence = entry.contract.fence
    there = any(handoff.spec.name == entry.name for handoff in analysis.handoffs)
    return fence is not None and "at-start" in fence.reader and not there and analysis.tree.front_matter is None


def _at_top(analysis: Analysis, text: str) -> Edit:
    source = analysis.source.text
    start = int(source.startswith("\ufeff"))
    _, after = blank_lines(source, start)
    return Edit(Span(start, start), with_eol(f"{text.rstrip()}{after}", eol_of(source)))


def _is_recognised(analysis: Analysis, edits: Sequence[Edit], registry: Registry, name: str) -> bool:
    text = apply_edits(analysis.source.text, edits)
    start = edits[-1].span.start + sum(len(edit.text) for edit in edits[:-1])
    there = Span(start, start + len(edits[-1].text))
    handoffs = analyze(Source(text), analysis.path, registry, analysis.options).handoffs
    return any(handoff.spec.name == name and handoff.span.overlaps(there) for handoff in handoffs)
