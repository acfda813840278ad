"""Why a part of a document is not a handoff though it looks like one: what is there of a contract, and what it lacks.

Asked only when somebody wants to know; ``detect`` itself goes by the same functions and keeps nothing of this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from handoff_lsp.contracts.model import Form, Marker
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.recognition.fences import fence_word, is_tagged, key_in_fence, key_there
from handoff_lsp.recognition.files import form_shape
from handoff_lsp.recognition.markers import bears_sign, places
from handoff_lsp.recognition.runs import labelled_places
from handoff_lsp.recognition.sections import titled_sections
from handoff_lsp.syntax.json.parse import JsonTree
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span

# Fewer names than this stand in any text.
_FEWEST = 2


class Seen(NamedTuple):
    """A marker of a contract that a document bears, and where; no place for its path."""

    marker: Marker
    span: Span | None


class Evidence(NamedTuple):
    """What there is of a handoff of a contract in one form. ``span`` is the place, None for the document as a whole.

    ``seen`` and ``unseen`` are markers, of which ``weight`` is the sum; ``names`` are root fields or keys that are
    there. What is missing: all of ``needs``, ``more`` of ``some``, one of ``telling``, a sign that it is not somebody
    else's (``unsigned``), the right ``path``. A file with ``content`` False is not even of the right syntax.
    """

    entry: ContractEntry
    form: Form
    span: Span | None
    names: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    more: int = 0
    some: tuple[str, ...] = ()
    telling: tuple[str, ...] = ()
    unsigned: bool = False
    path: bool = True
    content: bool = True
    weight: int = 0
    text_weight: int = 0
    seen: tuple[Seen, ...] = ()
    unseen: tuple[Marker, ...] = ()

    @property
    def share(self) -> float:
        """How much is there of what is asked for, from 0 to 1."""
        detect = self.entry.contract.detect
        if self.form == "document" and detect is not None:
            return min(self.weight / detect.enough, 1.0)
        missing = len(self.needs) + self.more + bool(self.telling) + self.unsigned + (not self.path)
        return len(self.names) / max(len(self.names) + missing, 1) if self.content else 0.0


def document_evidence(tree: MarkdownTree, path: str, entry: ContractEntry) -> Evidence | None:
    """What speaks for a whole Markdown document being a contract's; None where it has no such form."""
    if entry.contract.detect is None:
        return None
    seen, unseen = [], []
    for marker, is_seen, span in places(tree, path, entry.contract):
        if is_seen:
            seen.append(Seen(marker, span))
        elif marker.weight > 0:
            unseen.append(marker)
    return Evidence(
        entry,
        "document",
        None,
        weight=sum(each.marker.weight for each in seen),
        text_weight=sum(each.marker.weight for each in seen if not each.marker.path),
        seen=tuple(seen),
        unseen=tuple(unseen),
    )


def part_evidence(tree: MarkdownTree, path: str, entry: ContractEntry) -> Iterator[Evidence]:
    """What speaks for parts of a Markdown document being a contract's, whether that is enough or not."""
    signs = entry.contract.signs
    for found in _parts(tree, entry):
        unsigned = bool(signs) and found.span is not None and not bears_sign(tree, path, signs, found.span)
        yield found._replace(unsigned=unsigned)


def file_evidence(text: str, json: JsonTree | None, path: str, entry: ContractEntry) -> Evidence | None:
    """What speaks for a file that is not Markdown being a contract's; None where it has no such form."""
    form = entry.contract.file
    if form is None or (form.syntax == "json") != (json is not None):
        return None
    right = search(form.path, path) is not None
    if json is None:
        return Evidence(entry, "file", None, path=right, content=form_shape(text, None, form))
    root = json.root
    enough = min(form.enough, len(form.holds))
    ways = [_held(entry, "file", None, lambda key: key_there(root, key), form.holds, enough, form.needs)]
    if form.known:
        ways.append(_held(entry, "file", None, lambda key: key_there(root, key), form.known, form.known_enough, ()))
    found = max(ways, key=lambda way: way.share)
    return found._replace(path=right, content=root is not None)


def _parts(tree: MarkdownTree, entry: ContractEntry) -> Iterator[Evidence]:
    contract = entry.contract
    section, run, fence = contract.section, contract.run, contract.fence
    if section is not None:
        for number, below, labels in titled_sections(tree, entry, section):
            held = below | labels if section.labels else below
            there = {name for name in section.holds if name in held}
            there |= {name for name in (*section.needs, *section.telling) if name in below or name in labels}
            span = tree.all_sections[number].span
            telling = section.telling
            yield _held(
                entry, "section", span, there.__contains__, section.holds, section.enough, section.needs, telling
            )
    if run is not None and not run.opening and not run.comment:
        for span, named in labelled_places(tree, entry, run):
            if len(named) >= _FEWEST:
                yield _held(entry, "run", span, named.__contains__, run.holds, run.enough, run.needs, run.telling)
    for node in tree.fences() if fence is not None else ():
        word = fence_word(node)
        if fence is not None and (is_tagged(word, fence) or word.lower() in fence.shaped_tags):
            told = _held(entry, "fence", node.span, key_in_fence(node, fence), fence.shape, fence.enough, fence.needs)
            if len(told.names) >= _FEWEST:
                yield told


def _held(
    entry: ContractEntry,
    form: Form,
    span: Span | None,
    there: Callable[[str], bool],
    holds: Sequence[str],
    enough: int,
    needs: Sequence[str],
    telling: Sequence[str] = (),
) -> Evidence:
    """What is there of some names, and what is missing."""
    names = tuple(name for name in dict.fromkeys([*needs, *holds, *telling]) if there(name))
    held = sum(1 for name in holds if there(name))
    return Evidence(
        entry,
        form,
        span,
        names,
        needs=tuple(name for name in needs if not there(name)),
        more=max(enough - held, 0),
        some=tuple(name for name in holds if not there(name)),
        telling=() if any(there(name) for name in telling) else tuple(telling),
    )
