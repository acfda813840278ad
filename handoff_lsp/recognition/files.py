"""Whole files that are handoffs: JSON documents and logs, by their path and by what is in them."""

from __future__ import annotations

from handoff_lsp.contracts.model import FileForm
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.fences import is_shape, key_there
from handoff_lsp.syntax.json.parse import JsonTree, parse_json
from handoff_lsp.syntax.lines.log import looks_like_log
from handoff_lsp.text import Fragment, Source, Span

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
    whole = Span(0, len(source))
    # A byte order mark is the file's and not the JSON's.
    body = Fragment(source.text, [Span(int(source.text.startswith("\ufeff")), whole.end)])
    for entry in registry:
        form = entry.contract.file
        if form is None or wanted not in {None, entry.name} or not (wanted or search(form.path, path)):
            continue
        tree = parse_json(body.text) if form.syntax == "json" else None
        if wanted:
            reason = "named by the config"
        elif form_shape(source.text, tree, form):
            reason = f"its path matches {form.path} and its content the contract"
        else:
            continue
        return [Candidate(entry, "file", whole, (reason,), fragment=body, json=tree)]
    return []


def form_shape(text: str, tree: JsonTree | None, form: FileForm) -> bool:
    """Whether a file has the content of a form: enough of its keys, or the lines of a log."""
    if tree is None:
        return looks_like_log(text)

    def there(path: str) -> bool:
        return key_there(tree.root, path)

    if form.known and is_shape(there, form.known, form.known_enough, ()):
        return True
    return is_shape(there, form.holds, min(form.enough, len(form.holds)), form.needs)
