"""What a document may be by its path alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from handoff_lsp.contracts.registry import Registry

# Files with these suffixes are not read as Markdown.
DATA_SUFFIXES = (".json", ".jsonc", ".jsonl", ".yaml", ".yml", ".log")


def is_data_file(path: str) -> bool:
    """Whether a document is a data file and not Markdown, by its path."""
    return path.lower().endswith(DATA_SUFFIXES)


def may_be_handoff(path: str, registry: Registry) -> bool:
    """Whether a file may be a whole handoff of one of the contracts, by its path (with ``/``) alone."""
    from handoff_lsp.contracts.patterns import search  # a hook asks the question above alone

    forms = (entry.contract.file for entry in registry.having("file"))
    return any(form is not None and search(form.path, path) is not None for form in forms)
