"""Handoffs that a document only quotes: older ones below the one that replaced them, excerpts, quoted lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from handoff_lsp.contracts.model import Sign
from handoff_lsp.contracts.patterns import search
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text.lazy import lazy_pattern

# A line that replaces an omitted part.
_LEFT_OUT = lazy_pattern(r"^[ \t>*-]*(?:\.{3,}|\u2026|\[(?:\.{3}|\u2026)\])[ \t]*\r?$", re.MULTILINE)


def mark_quoted(found: Sequence[Candidate], tree: MarkdownTree, quotations: Sequence[Sign]) -> list[Candidate]:
    """The handoffs of one contract, with those marked that the document only quotes, by the contract's quotations."""
    if not quotations:
        return list(found)
    return [one._replace(quoted=True) if _is_quoted(one, tree, quotations) else one for one in found]


def _is_quoted(one: Candidate, tree: MarkdownTree, quotations: Sequence[Sign]) -> bool:
    run = one.run_form
    if run is not None and not run.marked:
        text = tree.source.slice(one.span)
        if text.lstrip().startswith(">") or (one.node is not None and _LEFT_OUT.search(text)):
            return True
    if not one.is_part:
        return False
    own = tree.titles[one.section] if one.section is not None else ""
    numbers = [*([one.section] if one.section is not None else ()), *_above(one, tree)]
    above = [tree.titles[number] for number in numbers]
    # Neither the document's title nor a slug, such as the name of a change, says anything about a part of it.
    bare = tree.of_titles(_without_slugs)
    within = [bare[number] for number in numbers if number > 0]
    return any(
        (not quotation.title or search(quotation.title, own))
        and any(search(quotation.above, title) for title in (above if quotation.title else within))
        for quotation in quotations
    )


def _without_slugs(title: str) -> str:
    return _SLUG.sub("", title)


_SLUG = lazy_pattern(r"\w+(?:-\w+)+")


def _above(one: Candidate, tree: MarkdownTree) -> list[int]:
    """The numbers of the headings above a handoff, nearest first; for a section, also earlier ones on these levels."""
    before = bisect_left(tree.heading_starts, one.span.start)
    level = tree.heading_levels[one.section] if one.section is not None else 7
    found = []
    for number in range(before - 1, -1, -1):
        if level <= 1:
            break
        if tree.heading_levels[number] < level or (one.section is not None and tree.heading_levels[number] == level):
            found.append(number)
            level = tree.heading_levels[number]
    return found
