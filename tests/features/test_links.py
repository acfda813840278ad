"""Links in large documents: editors request them often, so the time must not be quadratic in their number."""

from __future__ import annotations

from itertools import pairwise

import cpu
from features.documents import analysed, context_of, markdown

from handoff_lsp.features.names.anchors import mentioned_sections
from handoff_lsp.features.names.links import links


def test_many_links_come_soon_and_in_order() -> None:
    text = "".join(f"2026-01-01T10:00:00Z [STATUS] obs_{n} https://example.org/obs_{n} 🙂\n" for n in range(8_000))
    context = context_of(analysed(text, ".agent/activity.log"))
    with cpu.at_most(10):
        found = links(context, [(r"\bobs_(\d+)(?: |$)", "https://memory.example/$1")])
    assert len(found) == 16_000
    assert all(one.span.end <= other.span.start for one, other in pairwise(found))


def test_many_links_to_sections_are_found_soon() -> None:
    text = markdown(rest="".join(f"## Part {n}\n\n[x](#part-{n})\n\n" for n in range(2_000)))
    tree = analysed(text).tree
    with cpu.at_most(10):
        found = mentioned_sections(tree)
    assert sum(at.how == "link" for at in found) == 2_000


def test_sections_of_the_same_name_have_slugs_of_their_own() -> None:
    text = markdown(rest="## Run\n\n## Run\n\n[first](#run) [second](#run-1) [none](#run-2)\n")
    tree = analysed(text).tree
    linked = [tree.titles.index("Run"), tree.titles.index("Run") + 1]
    assert [at.number for at in mentioned_sections(tree) if at.how == "link"] == linked
