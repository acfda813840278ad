"""Recognizing: which parts of a document are handoffs of which contract. Silence is the default."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from handoff_lsp.contracts.model import Content, Form, Mode, RunForm
from handoff_lsp.contracts.patterns import literals_in
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.contracts.schemas import needs_of_contracts
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.evidence import Evidence
from handoff_lsp.recognition.fences import fence_evidence, find_fences, has_own_keys
from handoff_lsp.recognition.prescan import any_is_possible, contracts_with, letters, needles_of
from handoff_lsp.recognition.quotations import mark_quoted
from handoff_lsp.recognition.runs import find_runs, label_evidence
from handoff_lsp.recognition.sections import find_sections, section_evidence
from handoff_lsp.recognition.signs import any_seen, bears_sign, document_evidence, reason, weigh
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple

_MODELINE = lazy_pattern(r"<!--\s*handoff:\s*(?!(?:begin|end)(?![\w-]))(?P<contract>[\w-]+)(?P<rest>[^>]*?)-->")
_OPTION = lazy_pattern(r"(profile|mode)\s*=\s*([\w.-]+)")
_OFF = {"none", "off", "ignore"}


# Any text may hold fewer names than this.
_FEWEST_NAMES = 3


class Modeline(NamedTuple):
    """A document's own settings: ``<!-- handoff: NAME profile=P mode=M -->``; contract None switches off.

    ``span`` is the name's.
    """

    contract: str | None
    profile: str | None
    mode: Mode | None
    span: Span


def read_modeline(tree: MarkdownTree) -> Modeline | None:
    """The first modeline of a document, or None."""
    for span in tree.comments:
        found = _MODELINE.match(tree.source.slice(span))
        if found:
            options = dict(_OPTION.findall(found["rest"]))
            mode = options.get("mode")
            return Modeline(
                None if found["contract"] in _OFF else found["contract"],
                options.get("profile"),
                mode if mode in {"handoff", "template", "example"} else None,
                Span(span.start + found.start("contract"), span.start + found.end("contract")),
            )
    return None


def detect(tree: MarkdownTree, path: str, registry: Registry, *, wanted: str | None = None) -> list[Candidate]:
    """All handoffs of a Markdown document, in order. ``wanted``: the contract that modeline or config name, if any.

    ``path`` is the document's, with ``/``; empty if it has none.
    """
    found: list[Candidate] = []
    for entry in possible_entries(registry, tree, path, wanted):
        found += mark_quoted(list(_of_contract(tree, path, entry, wanted)), tree, entry.contract.quotations)
    found = sorted(found, key=lambda candidate: (candidate.span.start, -candidate.span.end))
    named = [candidate.span for candidate in found if _is_named(candidate)]
    fences = [candidate for candidate in found if candidate.form == "fence"]
    shaped = {candidate.span for candidate in fences if not candidate.tagged}
    # A fence with one contract's tag is not a wrongly tagged fence of a second, unless it has only the second's keys.
    lent = {one.span for one in fences if one.tagged and one.span in shaped and not has_own_keys(one)}
    owned = {candidate.span for candidate in fences if candidate.tagged} - lent
    return [
        candidate
        for candidate in found
        if not _is_claimed(candidate, named)
        and (candidate.form != "fence" or candidate.span not in (lent if candidate.tagged else owned))
    ]


def possible_entries(
    entries: Iterable[ContractEntry], tree: MarkdownTree, path: str, wanted: str | None = None
) -> list[ContractEntry]:
    """Those of some contracts of which a document may have a handoff or a finding; the others may stay unread."""
    possible = possible_in(tree, path)
    return [
        entry
        for entry in entries
        if possible is None or not entry.is_builtin or entry.name in possible or entry.name == wanted
    ]


def possible_in(tree: MarkdownTree, path: str) -> frozenset[str] | None:
    """The built-in contracts that a document may be about, before they are read; None if any is possible."""
    there = tree.once(_needles_there)
    return _contracts_with(there, _needles_in(path)) if there is not None else None


def _needles_there(tree: MarkdownTree) -> frozenset[str] | None:
    text = tree.source.text
    return None if any_is_possible(text) else literals_in(letters(text), _needles()[0])


@lru_cache(maxsize=256)
def _needles_in(path: str) -> frozenset[str]:
    own = letters(path)
    return frozenset(needle for needle in _needles()[1] if needle in own)


@lru_cache(maxsize=1)
def _needles() -> tuple[tuple[str, ...], tuple[str, ...]]:
    of_text, of_path = needles_of(needs_of_contracts())
    return tuple(of_text), tuple(of_path)


@lru_cache(maxsize=256)
def _contracts_with(there: frozenset[str], of_path: frozenset[str]) -> frozenset[str]:
    return frozenset(contracts_with(there, of_path, data_file=False, needs=needs_of_contracts()))


def shows_templates(tree: MarkdownTree, path: str, registry: Registry) -> frozenset[str]:
    """The contracts of which this document shows a whole-document template in a Markdown fence, by its signs."""
    return frozenset(
        entry.name
        for entry in possible_entries(registry, tree, path)
        if entry.contract.detect is not None and any_seen(entry.contract.templates, tree, path, entry.contract)
    )


def _is_claimed(candidate: Candidate, named: list[Span]) -> bool:
    """Whether a run found by its labels is inside a run with an opening key or a comment, and so part of that."""
    if candidate.form != "run" or _is_named(candidate):
        return False
    before = bisect_right(named, candidate.span.start, key=lambda span: span.start) - 1
    return before >= 0 and _holds(named[before], candidate.span)


def _is_named(candidate: Candidate) -> bool:
    return candidate.run_form is not None and candidate.run_form.marked


def _of_contract(tree: MarkdownTree, path: str, entry: ContractEntry, wanted: str | None) -> Iterable[Candidate]:
    """The handoffs of one contract; a run inside a document or section of the contract is part of that."""
    contract = entry.contract
    found: list[Candidate] = []
    if contract.detect is not None and wanted in {None, entry.name}:
        if wanted == entry.name:
            reasons: tuple[str, ...] = ("named by the document or the config",)
        else:
            reasons = tuple(reason(sign, contract) for sign in weigh(tree, path, contract, contract.detect))
        if reasons:
            found.append(Candidate(entry, "document", Span(0, len(tree.source)), reasons))
    if contract.section is not None:
        found += find_sections(tree, entry, contract.section)
    if contract.run is not None:
        inner = find_runs(tree, entry, contract.run, named=wanted == entry.name)
        found += [run for run in inner if not _within(found, run.span)]
    if contract.fence is not None:
        found += find_fences(tree, path, entry, contract.fence)
    if contract.signs and wanted != entry.name:
        return [one for one in found if not one.is_part or bears_sign(tree, path, contract, one.span)]
    return found


def evidence_of(tree: MarkdownTree, path: str, entry: ContractEntry) -> Iterator[Evidence]:
    """The evidence for a contract in a Markdown document, place by place, sufficient or not.

    A contract with runs that begin with an opening key or a comment has no evidence without that beginning.
    """
    contract = entry.contract
    section, run, fence = contract.section, contract.run, contract.fence
    found: list[Evidence] = []
    if section is not None:
        found += [evidence for _, evidence in section_evidence(tree, entry, section)]
    if run is not None and not run.marked:
        found += [evidence for evidence, _ in label_evidence(tree, entry, run)]
    if fence is not None:
        found += [evidence for _, _, evidence in fence_evidence(tree, entry, fence)]
    if contract.detect is not None:
        yield document_evidence(tree, path, entry, contract.detect)
    for evidence in found:
        span = evidence.span(tree)
        signed = not contract.signs or span is None or bears_sign(tree, path, contract, span)
        yield evidence._replace(unsigned=not signed)


def begun_otherwise(tree: MarkdownTree, entry: ContractEntry) -> Iterator[Evidence]:
    """The places that have all names of a contract's runs or sections, but do not begin as these do."""
    contract = entry.contract
    found: list[tuple[tuple[Evidence, set[str]], Form, list[str]]] = []
    if contract.run is not None and contract.run.marked:
        run = contract.run
        all_names = (name for name in contract.fields if name != run.opening_field)
        required = [name for name in all_names if contract.fields[name].required is True]
        anywhere = RunForm(holds=[Content()])
        found += [(each, "run", _named(run.holds) or required) for each in label_evidence(tree, entry, anywhere)]
    if contract.section is not None:
        labelled = RunForm(holds=contract.section.holds)
        names = _named(contract.section.holds)
        fits = [each.place for _, each in section_evidence(tree, entry, contract.section)]
        for each in label_evidence(tree, entry, labelled):
            block = each[0].place.start if isinstance(each[0].place, range) else None
            within = [number for number in fits if isinstance(number, int) and _is_in(tree, number, block)]
            found += [(each, "section", names)] if not within else []
    for (evidence, there), form, names in found:
        if len(set(names)) >= _FEWEST_NAMES and there.issuperset(names):
            asked = Content(needs=list(dict.fromkeys(names)))
            yield evidence._replace(form=form, asked=asked, begun=False)


def _named(ways: Sequence[Content]) -> list[str]:
    """The names of the way with the most of them."""
    return max(([*way.some, *way.needs] for way in ways), key=len, default=[])


def _is_in(tree: MarkdownTree, number: int, block: int | None) -> bool:
    return block is not None and tree.all_sections[number].span.holds(tree.block(block).span.start)


def _within(found: list[Candidate], span: Span) -> bool:
    """Whether a place is in the first handoff, perhaps the whole document, or in the last one that begins before it."""
    before = bisect_right(found, span.start, key=lambda candidate: candidate.span.start) - 1
    return bool(found) and (_holds(found[0].span, span) or _holds(found[before].span, span))


def _holds(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end
