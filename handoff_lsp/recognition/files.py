"""Whole files that are handoffs: JSON documents and logs, by their path and their content."""

from __future__ import annotations

from functools import partial

from handoff_lsp.contracts.model import FileForm
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.evidence import Asked, Evidence, asked_by
from handoff_lsp.recognition.fences import key_there
from handoff_lsp.syntax.json.parse import JsonTree, parse_json
from handoff_lsp.syntax.lines.log import looks_like_log
from handoff_lsp.text import Fragment, Source, Span

# Files with these suffixes are not read as Markdown.
_DATA_SUFFIXES = (".json", ".jsonc", ".jsonl", ".log")


def is_data_file(path: str) -> bool:
    """Whether a document is a data file and not Markdown, by its path."""
    return path.lower().endswith(_DATA_SUFFIXES)


def may_be_handoff(path: str, registry: Registry) -> bool:
    """Whether a file may be a whole handoff of one of the contracts, by its path (with ``/``) alone."""
    forms = (entry.contract.file for entry in registry)
    return any(form is not None and search(form.path, path) is not None for form in forms)


def find_files(source: Source, path: str, registry: Registry, *, wanted: str | None = None) -> list[Candidate]:
    """The handoff that a file is, at most one. ``wanted``: the contract that the config names, if any."""
    whole = Span(0, len(source))
    # A byte order mark is part of the file, but not of the JSON.
    body = Fragment(source.text, [Span(int(source.text.startswith("\ufeff")), whole.end)])
    for entry in registry:
        form = entry.contract.file
        if form is None or wanted not in {None, entry.name} or not (wanted or search(form.path, path)):
            continue
        tree = read_file(body.text, form)
        if wanted:
            reason = "named by the config"
        elif file_evidence(source.text, tree, path, entry, form).suffices:
            reason = f"its path matches {form.path} and its content the contract"
        else:
            continue
        return [Candidate(entry, "file", whole, (reason,), fragment=body, json=tree)]
    return []


def read_file(text: str, form: FileForm) -> JsonTree | None:
    """The JSON of a file; None for a form that is a log. ``text`` has no byte order mark."""
    return parse_json(text) if form.holds_json else None


def file_ways(form: FileForm) -> list[Asked]:
    """The alternative sets of names that make a file a handoff; one of them is enough."""
    return [asked_by(form), *([Asked((), form.known, form.known_enough)] if form.known else [])]


def file_evidence(text: str, tree: JsonTree | None, path: str, entry: ContractEntry, form: FileForm) -> Evidence:
    """The evidence for a handoff in a file: its path and its keys, or the lines of a log (``tree`` is None)."""
    right = search(form.path, path) is not None
    if tree is None:
        return Evidence(entry, "file", None, path=right, content=looks_like_log(text))
    there = partial(key_there, tree.root)
    found = [Evidence(entry, "file", None, there, asked, path=right) for asked in file_ways(form)]
    enough = next((each for each in found if each.suffices), None)
    return enough or max(found, key=lambda each: each.share)._replace(content=tree.root is not None)
