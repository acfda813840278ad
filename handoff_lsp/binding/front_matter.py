"""Binding the YAML front matter of a Markdown document to the root fields that it may hold."""

from __future__ import annotations

from handoff_lsp.binding.outline_fields import OutlineBinder
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.syntax.markdown.incremental import MarkdownTree


def bind_front_matter(root: Slot, tree: MarkdownTree, spec: Spec) -> None:
    """Give a document's root the fields, unknown keys and repeated keys of its front matter."""
    front = front_matter(tree) if spec.front_matter is not None else None
    if front is None or spec.front_matter is None:
        return
    bound = Slot("", spec.front_matter)
    binder = OutlineBinder(front.fragment, tree.source.text, spec.empty_words, carrier="front-matter", nulls=True)
    binder.bind(bound, front.lines.entries)
    for name, slot in bound.children.items():
        if slot.written:
            root.children[name] = slot
            for place in (slot, *slot.others):
                place.parent = root
    root.unknown = [*root.unknown, *bound.unknown]
    root.duplicates = [*root.duplicates, *bound.duplicates]
