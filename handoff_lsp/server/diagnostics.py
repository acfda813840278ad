"""Diagnostics: pulled by a client that can be told to pull again, else pushed with the version. Never both."""

from __future__ import annotations

from hashlib import blake2b
from pathlib import Path

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError

from handoff_lsp.features.diagnostics import diagnostics
from handoff_lsp.server.convert import SOURCE, code_description, path_of, to_diagnostic
from handoff_lsp.server.session import HandoffServer
from handoff_lsp.workspace.config import ConfigError
from handoff_lsp.workspace.store import Document

Report = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


def plan(server: HandoffServer, uri: str) -> None:
    """Have a document checked soon, and then those that depend on it. A client that pulls asks for it by itself."""
    if not server.client.pull:
        server.checks.mark(uri)
    server.look_around()


def plan_each(server: HandoffServer, uris: list[str]) -> None:
    """Have documents checked again that something other than their text changed for."""
    if not uris:
        return
    if server.client.pull:
        server.spawn(server.workspace_diagnostic_refresh_async(None))
    else:
        server.spawn(server.checks.mark_each(uris))


def look_around(server: HandoffServer) -> None:
    """Have the documents checked again that were judged by other files which have changed since."""
    found = dict.fromkeys([*sorted(server.stale), *server.documents.outdated])
    server.stale.clear()
    asked = server.awaited.__contains__ if server.client.pull else server.checks.awaits
    uris = [uri for uri in found if server.documents.get(uri) is not None and not asked(uri)]
    if server.client.pull:
        server.awaited.update(uris)
    plan_each(server, uris)


def push(server: HandoffServer, uri: str) -> None:
    """Publish what is known of a document, also when that is nothing: clean is not the same as unchecked."""
    document = server.documents.get(uri)
    if document is not None:
        _publish(server, uri, _items(server, uri, document), document.version)


def clear(server: HandoffServer, uri: str) -> None:
    """Take the diagnostics of a closed document away; what is wrong with a config file stays."""
    if not server.client.pull:
        _publish(server, uri, _problems_of(server, path_of(uri)), None)


def pull(server: HandoffServer, params: types.DocumentDiagnosticParams) -> Report:
    """Answer a client that asks for the diagnostics of a document."""
    uri = params.text_document.uri
    server.awaited.discard(uri)
    document = server.documents.get(uri)
    if document is None:
        return types.RelatedFullDocumentDiagnosticReport(_problems_of(server, path_of(uri)))
    items = _items(server, uri, document)
    # The config counts through what it changes; the text counts in full, since clients move old ranges with it.
    known = f"{document.source.text}\0{items!r}".encode("utf-8", "surrogatepass")
    result = blake2b(known, digest_size=12).hexdigest()
    if params.previous_result_id == result:
        return types.RelatedUnchangedDocumentDiagnosticReport(result)
    return types.RelatedFullDocumentDiagnosticReport(items, result_id=result)


def look_at_config(server: HandoffServer, uri: str) -> None:
    """Note what a document is checked under; tell of it what is new, and check again what else it is new for."""
    document, resolver = server.documents.get(uri), server.resolver
    if document is None:
        server.under.pop(uri, None)
        _tell(server, uri, [])
        return
    before = server.under.get(uri)
    now = server.under[uri] = (resolver.options(document.path), resolver.registry(document.path))
    _tell(server, uri, resolver.problems(document.path))
    if before is not None and before != now:
        plan_each(server, outdated(server))


def outdated(server: HandoffServer) -> list[str]:
    """The documents that were checked under a config which is no longer theirs."""
    resolver = server.resolver
    found = []
    for uri, under in server.under.items():
        document = server.documents.get(uri)
        if document is not None and under != (resolver.options(document.path), resolver.registry(document.path)):
            found.append(uri)
    return found


def _tell(server: HandoffServer, uri: str, problems: list[ConfigError]) -> None:
    """Tell what is wrong with a document's config: as a message, and where it is pushed, in the config file."""
    if server.problems.get(uri, []) == problems:
        return
    before = server.all_problems()
    server.problems[uri] = problems
    found = server.all_problems()
    for error in found:
        if error not in before:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Error, str(error)))
    if server.client.pull:
        return
    for path in dict.fromkeys(error.path for error in (*before, *found)):
        if [error for error in before if error.path == path] == [error for error in found if error.path == path]:
            continue
        target = server.uri_of(path)
        if server.documents.get(target) is not None:
            server.checks.mark(target)
        else:
            _publish(server, target, _problems_of(server, path), None)


def offer(server: HandoffServer) -> None:
    """Offer pull to a client that can do it; the capability is there only then."""
    if server.client.pull:
        options = types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE)
        server.on_request(types.TEXT_DOCUMENT_DIAGNOSTIC, pull, _failed, options)


def _failed(_params: types.DocumentDiagnosticParams) -> Report:
    # An empty report would say that the document is clean.
    raise JsonRpcInternalError("The document could not be checked; the server's log says why")


def _publish(server: HandoffServer, uri: str, items: list[types.Diagnostic], version: int | None) -> None:
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items, version))


def _items(server: HandoffServer, uri: str, document: Document) -> list[types.Diagnostic]:
    look_at_config(server, uri)
    analysis = document.analysis(server.resolver, server.documents.files)
    found = [
        to_diagnostic(item, analysis.source, uri, server.client, server.uri_beside(document))
        for item in diagnostics(analysis)
    ]
    return found + _problems_of(server, document.path)


def _problems_of(server: HandoffServer, path: Path | None) -> list[types.Diagnostic]:
    return [_problem(error) for error in server.all_problems() if error.path == path]


def _problem(error: ConfigError) -> types.Diagnostic:
    line = max((error.line or 1) - 1, 0)
    return types.Diagnostic(
        range=types.Range(types.Position(line, 0), types.Position(line + 1, 0)),
        severity=types.DiagnosticSeverity.Error,
        code=error.rule,
        code_description=code_description(error.rule),
        source=SOURCE,
        message=error.message,
    )
