"""The engine's values as LSP's. Positions only ever go through ``Source``."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from lsprotocol import types
from pygls.uris import to_fs_path

from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.rules.rule import Related
from handoff_lsp.server.wire.client import Client
from handoff_lsp.text import Edit, Encoding, Source, Span
from handoff_lsp.workspace.config.config_file import ConfigError

SOURCE = "handoff-lsp"

# Where the pages of the rules are: inside the installed package, or beside it in a clone.
_PACKAGE = Path(__file__).parent.parent.parent
_PAGES = (_PACKAGE / "_docs" / "rules", _PACKAGE.parent / "docs" / "rules")

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
    "information": types.DiagnosticSeverity.Information,
    "hint": types.DiagnosticSeverity.Hint,
}
_TAGS = {"unnecessary": types.DiagnosticTag.Unnecessary, "deprecated": types.DiagnosticTag.Deprecated}
_MARKS = re.compile(r"^#{1,6} |^```.*\n?|\*\*|`|\\(?=[^\w\s])", re.MULTILINE)
_LINK = re.compile(r"\[([^\]\n]*)\]\(([^)\n]*)\)")


def path_of(uri: str) -> Path | None:
    """The file that a URI names; None where it names none, as ``untitled:`` does."""
    try:
        path = to_fs_path(uri)
        if not path or "\0" in path:
            return None
        os.fsencode(path)
    except ValueError:  # no URI, or a name that no file system takes
        return None
    return Path(path)


def to_range(source: Source, span: Span, encoding: Encoding) -> types.Range:
    """A span as a range in the client's encoding."""
    start, end = source.encode(span.start, encoding), source.encode(span.end, encoding)
    return types.Range(types.Position(*start), types.Position(*end))


def plain_range(range_: types.Range) -> dict[str, dict[str, int]]:
    """A range as arguments of commands have it."""
    start, end = range_.start, range_.end
    return {
        "start": {"line": start.line, "character": start.character},
        "end": {"line": end.line, "character": end.character},
    }


def to_offset(source: Source, position: types.Position, encoding: Encoding) -> int:
    """The offset of a position of the client's."""
    return source.decode(position.line, position.character, encoding)


def to_span(source: Source, range_: types.Range, encoding: Encoding) -> Span:
    """The span of a range of the client's, whichever way round it is."""
    start, end = to_offset(source, range_.start, encoding), to_offset(source, range_.end, encoding)
    return Span(min(start, end), max(start, end))


def to_text_edit(source: Source, edit: Edit, encoding: Encoding) -> types.TextEdit:
    """An edit without its tab stops."""
    return types.TextEdit(to_range(source, edit.span, encoding), edit.text)


def to_diagnostic(
    found: Diagnostic, source: Source, uri: str, client: Client, uri_beside: Callable[[str], str]
) -> types.Diagnostic:
    """A diagnostic with as much of it as the client can take. ``uri_beside`` gives the URIs of files around it."""
    related = None
    if client.related and found.related:
        related = [_related(item, source, uri, client, uri_beside) for item in found.related]
    return types.Diagnostic(
        range=to_range(source, found.span, client.encoding),
        severity=_SEVERITY.get(found.severity, types.DiagnosticSeverity.Information),
        code=found.code,
        code_description=code_description(found.code) if client.code_links else None,
        source=SOURCE,
        message=found.message,
        tags=[tag for name in found.tags if (tag := _TAGS[name]) in client.tags] or None,
        related_information=related,
        data=found.data if client.data and found.data else None,
    )


def _related(
    item: Related, source: Source, uri: str, client: Client, uri_beside: Callable[[str], str]
) -> types.DiagnosticRelatedInformation:
    """A related place, in the document or in another one with its own lines."""
    if item.source is not None:
        source, uri = item.source, uri_beside(item.name)
    return types.DiagnosticRelatedInformation(
        types.Location(uri, to_range(source, item.span, client.encoding)), item.message
    )


def to_problem(error: ConfigError, client: Client) -> types.Diagnostic:
    """What is wrong with a config or contract file, at its line."""
    line = max((error.line or 1) - 1, 0)
    return types.Diagnostic(
        range=types.Range(types.Position(line, 0), types.Position(line + 1, 0)),
        severity=types.DiagnosticSeverity.Error,
        code=error.rule,
        code_description=code_description(error.rule) if client.code_links else None,
        source=SOURCE,
        message=error.message,
    )


@cache
def code_description(code: str) -> types.CodeDescription | None:
    """The link from a rule's name to its page, which is a file that comes with this package."""
    page = next((page for folder in _PAGES if (page := folder / f"{code}.md").is_file()), None)
    return types.CodeDescription(page.as_uri()) if page is not None else None


def to_markup(text: str, markdown: bool) -> types.MarkupContent:
    """Markdown for a client that renders it, the bare words for one that does not."""
    if markdown:
        return types.MarkupContent(types.MarkupKind.Markdown, text)
    return types.MarkupContent(types.MarkupKind.PlainText, _MARKS.sub("", _LINK.sub(r"\1 (\2)", text)))
