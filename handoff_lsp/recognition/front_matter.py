"""The keys in a document's front matter, for recognition."""

from __future__ import annotations

from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.names import fold_name
from handoff_lsp.syntax.lines.outline import OutlineEntry
from handoff_lsp.syntax.markdown.front_matter import front_matter
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Span

# What comes before a key of the front matter that is no field of the contract.
FRONT_MATTER = "front_matter."


def front_entry(tree: MarkdownTree, path: str, contract: Contract) -> OutlineEntry | None:
    """The first entry at a path of keys in a document's front matter; None without one.

    The path begins with a root field's name or with a key as written.
    """
    front = front_matter(tree)
    if front is None:
        return None
    written = path.removeprefix(FRONT_MATTER)
    root, *rest = written.split(".")
    field = contract.fields.get(root) if written == path else None
    names = {fold_name(name) for name in ((field.title, *field.aliases) if field is not None else (root,))}
    entries, found = front.lines.entries, None
    for step in (names, *({fold_name(key)} for key in rest)):
        found = next((entry for entry in entries if fold_name(entry.key_text) in step), None)
        if found is None:
            return None
        entries = found.value.entries
    return found


def front_text(tree: MarkdownTree, path: str, contract: Contract) -> str | None:
    """The text at a path of keys in a document's front matter; None without such a key."""
    found = front_entry(tree, path, contract)
    return found.value.text if found is not None else None


def front_key_span(tree: MarkdownTree, path: str, contract: Contract) -> Span | None:
    """The place of a key at a path in a document's front matter; None without one."""
    front, found = front_matter(tree), front_entry(tree, path, contract)
    return front.fragment.outer_span(*found.key) if front is not None and found is not None else None
