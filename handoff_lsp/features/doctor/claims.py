"""The contracts that claim one document: which are recognized in it, and where two claim the same text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Options, excess_of
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.detect import detect, read_modeline
from handoff_lsp.recognition.files import find_files
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source, Span
from handoff_lsp.text.named_tuple import NamedTuple

# The handoffs of the document that a registry's contracts claim.
Finder = Callable[[Registry], list[Candidate]]


class DoubleClaim(NamedTuple):
    """A text that two contracts claim. ``wins``: the one that gets it; empty where it is checked by both."""

    span: Span
    contract: str
    other: str
    wins: str


class Claims(NamedTuple):
    """The contracts that are recognized in a document, and the disputes over parts of it."""

    contracts: frozenset[str]
    disputes: tuple[DoubleClaim, ...]


def claims_of(source: Source, path: str, registry: Registry, options: Options, names: Collection[str]) -> Claims:
    """The claims on a document; disputes only of the contracts that are named. ``path`` is as for ``analyze``."""
    if excess_of(source):
        return Claims(frozenset(), ())
    wanted = options.contract
    if is_data_file(path):

        def found_in(known: Registry) -> list[Candidate]:
            return find_files(source, path, known, wanted=wanted)

    else:
        tree = parse_markdown(source)
        modeline = read_modeline(tree)
        if modeline is not None and modeline.contract is None:
            return Claims(frozenset(), ())
        if modeline is not None and modeline.contract is not None and modeline.contract in registry:
            wanted = modeline.contract

        def found_in(known: Registry) -> list[Candidate]:
            return detect(tree, path, known, wanted=wanted)

    allowed = Registry({entry.name: entry for entry in registry if entry.name not in options.disabled})
    winners = found_in(allowed)
    disputes = [*_lost(winners, found_in, allowed, names), *_shared(winners, names)]
    return Claims(frozenset(one.entry.name for one in winners), tuple(sorted(set(disputes))))


def _lost(
    winners: list[Candidate], found_in: Finder, registry: Registry, names: Collection[str]
) -> Iterator[DoubleClaim]:
    """The texts that a contract would claim alone, but that another one gets."""
    places = {(one.entry.name, one.span) for one in winners}
    for entry in registry:
        others = [one for one in winners if one.entry.name != entry.name and {entry.name, one.entry.name} & set(names)]
        for claim in found_in(Registry({entry.name: entry})) if others else ():
            winner = next((one for one in others if _overlap(one.span, claim.span)), None)
            if (entry.name, claim.span) not in places and winner is not None:
                yield DoubleClaim(claim.span, entry.name, winner.entry.name, winner.entry.name)


def _shared(winners: list[Candidate], names: Collection[str]) -> Iterator[DoubleClaim]:
    """The texts that are handoffs of two contracts. One inside of another is nothing unusual."""
    for index, one in enumerate(winners):
        for other in winners[index + 1 :]:
            if other.span.start >= one.span.end:
                break
            pair = {one.entry.name, other.entry.name}
            nested = one.span != other.span and other.span.end <= one.span.end
            if len(pair) == 2 and pair & set(names) and not nested:
                yield DoubleClaim(other.span, one.entry.name, other.entry.name, "")


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
