"""Whole files that are handoffs: JSON documents and logs, by their path and by what is in them."""

from __future__ import annotations

from handoff_lsp.contracts.candidate import Candidate
from handoff_lsp.contracts.detect_fences import is_shape, key_there
from handoff_lsp.contracts.model import FileForm
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.syntax.json import parse_json
from handoff_lsp.syntax.log import looks_like_log
from handoff_lsp.text import Source, Span

# Files with these suffixes are not read as Markdown.
_DATA_SUFFIXES = (".json", ".jsonc", ".jsonl", ".log")


def is_data_file(path: str) -> bool:
    """Whether a document is one whole file of data and not Markdown, by its path."""
    return path.lower().endswith(_DATA_SUFFIXES)


def may_be_handoff(path: str, registry: Registry) -> bool:
    """Whether a file may be a whole handoff of one of the contracts, by its path (with ``/``) alone."""
    forms = (entry.contract.file for entry in registry)
    return any(form is not None and search(form.path, path) is not None for form in forms)


def find_files(source: Source, path: str, registry: Registry, *, wanted: str | None = None) -> list[Candidate]:
    """The handoff that a file is, at most one. ``wanted`` names the contract where the config says which it is."""
    for entry in registry:
        form = entry.contract.file
        if form is None or wanted not in {None, entry.name}:
            continue
        if wanted == entry.name:
            reason = "named by the config"
        elif search(form.path, path) and _has_shape(source.text, form):
            reason = f"its path matches {form.path} and its content the contract"
        else:
            continue
        return [Candidate(entry, "file", Span(0, len(source)), (reason,))]
    return []


def _has_shape(text: str, form: FileForm) -> bool:
    if form.syntax == "log":
        return looks_like_log(text)
    root = parse_json(text).root
    return is_shape(lambda path: key_there(root, path), form.holds, min(form.enough, len(form.holds)), form.needs)
