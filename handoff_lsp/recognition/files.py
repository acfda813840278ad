"""Whole files that are handoffs: JSON, YAML and logs, by their path and their content."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from handoff_lsp.contracts.model import FileForm
from handoff_lsp.contracts.patterns import search
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.recognition.candidate import Candidate
from handoff_lsp.recognition.evidence import NOTHING, Evidence, best_of
from handoff_lsp.recognition.fences import json_text, key_there
from handoff_lsp.recognition.shaped_logs import looks_shaped
from handoff_lsp.recognition.signs import is_said
from handoff_lsp.syntax.json.parse import JsonTree, parse_json
from handoff_lsp.syntax.lines.log import looks_like_log
from handoff_lsp.syntax.lines.outline import Outline, OutlineEntry, read_outline
from handoff_lsp.syntax.markdown.incremental import MarkdownTree
from handoff_lsp.text import Fragment, Source, Span


def find_files(source: Source, path: str, registry: Registry, *, wanted: str | None = None) -> list[Candidate]:
    """The handoff that a file is, at most one, or those on its lines.

    ``wanted``: the contract that the config names, if any.
    """
    for entry in registry.having("file"):
        form = entry.contract.file
        if form is None or wanted not in {None, entry.name} or not (wanted or search(form.path, path)):
            continue
        reason = "named by the config" if wanted else f"its path matches {form.path} and its content the contract"
        read = _read(source, Span(0, len(source)), entry, form, reason)
        found = [one for one in read if wanted or _evidence(one, path, form).suffices]
        if found:
            return found
    return []


def find_in_message(tree: MarkdownTree, entry: ContractEntry) -> list[Candidate]:
    """The handoffs in a message that is one file of a named contract, bare or in a fence; empty for other messages.

    A text that begins as JSON counts even if it is broken. Other texts need the keys of the contract, or a log that
    begins on their first line. A file with prose around it does not count: it may be an example.
    """
    form, source = entry.contract.file, tree.source
    if form is None:
        return _bare_json(source, entry)
    place, fence = Span(0, len(source)), next(iter(tree.fences()), None)
    if fence is not None and source.slice(fence.span).strip() == source.text.strip("\ufeff \t\r\n"):
        place = fence.content
    text = source.slice(place).lstrip("\ufeff \t\r\n")
    read = _read(source, place, entry, form, "named, and the whole message")
    if form.holds_json and text.startswith("{"):
        return read
    if form.syntax == "log" and not _looks_like_log(text.partition("\n")[0], form):
        return []
    return read if any(_evidence(one, "", form)._replace(path=True).suffices for one in read) else []


def _bare_json(source: Source, entry: ContractEntry) -> list[Candidate]:
    """The handoff in a message that is the JSON of a contract's fence without the fence, such as structured output."""
    fence = entry.contract.fence
    if fence is None or not fence.holds_json or not source.text.lstrip("\ufeff \t\r\n").startswith("{"):
        return []
    form = FileForm(syntax="json", path="", holds=fence.holds)
    read = _read(source, Span(0, len(source)), entry, form, "named, and with the keys of the contract")
    return [one._replace(form="fence") for one in read if _evidence(one, "", form).suffices]


def _read(source: Source, place: Span, entry: ContractEntry, form: FileForm, reason: str) -> list[Candidate]:
    """The text at a place as a file of a contract, or each of its lines as one."""
    # A byte order mark is part of the file, but not of its content.
    inside = Span(max(place.start, int(source.text.startswith("\ufeff"))), place.end)
    made = []
    for span in _lines(source, inside) if form.syntax == "jsonl" else [inside]:
        body = Fragment(source.text, [span])
        one = Candidate(entry, "file", span if form.syntax == "jsonl" else place, (reason,), fragment=body)
        made.append(one._replace(**_content(read_file(body.text, form))))
    return made


def _evidence(one: Candidate, path: str, form: FileForm) -> Evidence:
    text = one.fragment.text if one.fragment is not None else ""
    return file_evidence(text, one.json if one.lines is None else one.lines, path, one.entry, form)


def _lines(source: Source, inside: Span) -> list[Span]:
    """The lines of a file that are not blank, without blanks at their ends; the whole file if all are blank."""
    first, last = source.lines.line_of(inside.start), source.lines.line_of(inside.end)
    lines = (source.lines.line_span(number) for number in range(first, last + 1))
    spans = [Span(max(line.start, inside.start), line.end) for line in lines if line.start < inside.end]
    return [span for span in spans if source.slice(span).strip()] or [inside]


def _content(content: FileContent) -> dict[str, Any]:
    return {"lines": content} if isinstance(content, Outline) else {"json": content}


# The content of a file: a tree of JSON, the lines of YAML, or None for a log.
FileContent = JsonTree | Outline | None


def read_file(text: str, form: FileForm) -> FileContent:
    """The content of a file by its form's syntax. ``text`` has no byte order mark."""
    if form.syntax == "yaml":
        return read_outline(text, comments=True)
    return parse_json(text) if form.holds_json else None


def file_evidence(text: str, content: FileContent, path: str, entry: ContractEntry, form: FileForm) -> Evidence:
    """The evidence for a handoff in a file: its path and its keys, or the lines of a log."""
    right = search(form.path, path) is not None
    if content is None:
        return Evidence(entry, "file", None, path=right, content=_looks_like_log(text, form))
    if isinstance(content, Outline):
        there, readable = partial(_has_entry, content.entries), bool(content.entries)
    else:
        there, readable = partial(key_there, content.root), content.root is not None
    says = partial(_says, content, entry)
    found = best_of(
        [Evidence(entry, "file", None, there, says, asked, path=right) for asked in form.holds or [NOTHING]]
    )
    return found._replace(content=readable)


def _says(content: JsonTree | Outline, entry: ContractEntry, path: str, pattern: str) -> bool:
    """Whether the value at a path of keys matches a pattern."""
    if isinstance(content, Outline):
        found = _entry(content.entries, path)
        text = found.value.text if found is not None else None
    else:
        text = json_text(content.root, path)
    return text is not None and is_said(text.strip(" \"'"), pattern, entry.contract.fields.get(path))


def _looks_like_log(text: str, form: FileForm) -> bool:
    return looks_shaped(text, form) if form.entry else looks_like_log(text)


def _has_entry(entries: Sequence[OutlineEntry], path: str) -> bool:
    """Whether YAML has a key at a dotted path, as written."""
    return _entry(entries, path) is not None


def _entry(entries: Sequence[OutlineEntry], path: str) -> OutlineEntry | None:
    found = None
    for key in path.split("."):
        found = next((entry for entry in entries if entry.key_text == key), None)
        if found is None:
            return None
        entries = found.value.entries
    return found
