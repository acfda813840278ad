"""Conversion of the engine's values to LSP's. Positions are always converted by ``Source``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.rules.pages import page_of
from handoff_lsp.rules.rule import Related
from handoff_lsp.server.wire.client import Client
from handoff_lsp.text import Edit, Encoding, Source, Span
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.workspace.config.config_file import ConfigError

SOURCE = "handoff-lsp"

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
_TAGS = {"unnecessary": types.DiagnosticTag.Unnecessary, "deprecated": types.DiagnosticTag.Deprecated}
_MARKS = lazy_pattern(r"^#{1,6} |^```.*\n?|\*\*|`|\\(?=[^\w\s])", re.MULTILINE)
_LINK = lazy_pattern(r"\[([^\]\n]*)\]\(([^)\n]*)\)")


def path_of(uri: str) -> Path | None:
    """The path of a URI; None if it is not a file's, such as ``untitled:``."""
    try:
        path = to_fs_path(uri)
        if not path or "\0" in path:
            return None
        os.fsencode(path)
    except ValueError:  # not a URI, or a name that no file system accepts
        return None
    return Path(path)


def to_range(source: Source, span: Span, encoding: Encoding) -> types.Range:
    """A span as a range in the client's encoding."""
    start, end = source.encode(span.start, encoding), source.encode(span.end, encoding)
    return types.Range(types.Position(*start), types.Position(*end))


def plain_range(range_: types.Range) -> dict[str, dict[str, int]]:
    """A range as plain data, as it is in the arguments of commands."""
    start, end = range_.start, range_.end
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }


def to_offset(source: Source, position: types.Position, encoding: Encoding) -> int:
    """The offset of a position in the client's encoding."""
    return source.decode(position.line, position.character, encoding)


def to_span(source: Source, range_: types.Range, encoding: Encoding) -> Span:
    """The span of a range in the client's encoding; its ends may be swapped."""
    start, end = to_offset(source, range_.start, encoding), to_offset(source, range_.end, encoding)
    return Span(min(start, end), max(start, end))


def to_text_edit(source: Source, edit: Edit, encoding: Encoding) -> types.TextEdit:
    """An edit without its tab stops."""
    return types.TextEdit(to_range(source, edit.span, encoding), edit.text)


def to_diagnostic(
    found: Diagnostic, source: Source, uri: str, client: Client, uri_beside: Callable[[str], str]
) -> types.Diagnostic:
    """A diagnostic, without the parts that the client does not support. ``uri_beside`` gives the URI of a file name."""
    related = None
    if client.related:
        note = [Related(found.span, f"note: {found.note}")] if found.note else []
        related = [_related(item, source, uri, client, uri_beside) for item in (*found.related, *note)] or None
    return types.Diagnostic(
        range=to_range(source, found.span, client.encoding),
        severity=_SEVERITY.get(found.severity, types.DiagnosticSeverity.Information),
        code=found.code,
        code_description=types.CodeDescription(page_of(found.code)) if client.code_links else None,
        source=SOURCE,
        message=found.message,
        tags=[tag for name in found.tags if (tag := _TAGS[name]) in client.tags] or None,
        related_information=related,
        data=found.data if client.data and found.data else None,
    )


def _related(
    item: Related, source: Source, uri: str, client: Client, uri_beside: Callable[[str], str]
) -> types.DiagnosticRelatedInformation:
    """A related place, in the document or in another one."""
    if item.source is not None:
        source, uri = item.source, uri_beside(item.name)
    return types.DiagnosticRelatedInformation(
        types.Location(uri, to_range(source, item.span, client.encoding)), item.message
    )


def to_problem(error: ConfigError, client: Client) -> types.Diagnostic:
    """The diagnostic of an error in a config or contract file, at its line."""
    line = max((error.line or 1) - 1, 0)
    return types.Diagnostic(
        range=types.Range(types.Position(line, 0), types.Position(line + 1, 0)),
        severity=types.DiagnosticSeverity.Error,
        code=error.rule,
        code_description=types.CodeDescription(page_of(error.rule)) if client.code_links else None,
        source=SOURCE,
        message=error.message,
    )


def to_markup(text: str, markdown: bool) -> types.MarkupContent:
    """Markdown for a client that renders it, plain text for one that does not."""
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.MarkupContent(types.MarkupKind.PlainText, _MARKS.sub("", _LINK.sub(r"\1 (\2)", text)))
