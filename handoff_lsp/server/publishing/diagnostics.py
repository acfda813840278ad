"""Diagnostics: pulled by a client that supports refresh requests, else pushed with the version. Never both."""

from __future__ import annotations

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError

from handoff_lsp.engine import Analysis
from handoff_lsp.server.handlers import on_request, sends
from handoff_lsp.server.language_server import HandoffServer
from handoff_lsp.server.publishing.report import file_of, problems_of
from handoff_lsp.server.wire.convert import SOURCE, path_of
from handoff_lsp.workspace.config.config_file import OVERRIDES, ConfigError
from handoff_lsp.workspace.store import OpenDocument

sends(
    types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
    row=10,
    summary=(
        "At every change, with the version, for clients that do not pull. An empty list means that a document"
        " has no findings. Findings about a half-typed line are delayed."
    ),
    since="0.1",
)

DiagnosticReport = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


def plan(server: HandoffServer, uri: str) -> None:
    """Check a document soon, and then those that depend on it. A client that pulls requests its own diagnostics."""
    if not server.client.pull:
        server.checks.mark(uri)
    server.look_around()


def look_around(server: HandoffServer) -> bool:
    """Have the diagnostics of all outdated documents sent again. Whether there are any."""
    uris = [uri for uri in server.documents.uris if server.is_outdated(uri)]
    server.report_again(uris)
    return bool(uris)


def push(server: HandoffServer, uri: str) -> None:
    """Publish the diagnostics of a document; an empty list, too, since clean differs from unchecked."""
    document = server.documents.get(uri)
    if document is not None:
        analysis = _begin(server, document)
        _publish(server, uri, server.reports.items(document, analysis), document.version)


def clear(server: HandoffServer, uri: str) -> None:
    """Clear the diagnostics of a closed document, except the problems of a config file."""
    if not server.client.pull:
        _publish(server, uri, problems_of(server, path_of(uri)), None)


def _failed(_params: types.DocumentDiagnosticParams) -> DiagnosticReport:
    # An empty report would say that the document is clean.
    raise JsonRpcInternalError("The document could not be checked; the server's log says why")


@on_request(
    types.TEXT_DOCUMENT_DIAGNOSTIC,
    failed=_failed,
    options=types.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier=SOURCE, work_done_progress=True
    ),
    offered=lambda client: client.pull,  # only clients that support a refresh have this capability
    row=10,
    summary=(
        "The same, pulled, for clients that support refresh requests; answers `unchanged` if the result is "
        "the same. A file that is not open is read from the disk."
    ),
    since="0.1",
)
def pull(server: HandoffServer, params: types.DocumentDiagnosticParams) -> DiagnosticReport:
    """The answer to a request for the diagnostics of a document."""
    uri = params.text_document.uri
    document = server.documents.get(uri)
    if document is not None:
        report = server.reports.of_open(document, _begin(server, document))
    else:
        closed = server.reports.of_file(file_of(uri))
        if closed is None:
            return types.RelatedFullDocumentDiagnosticReport(problems_of(server, path_of(uri)))
        report = closed
    if params.previous_result_id == report.id:
        return types.RelatedUnchangedDocumentDiagnosticReport(report.id)
    return types.RelatedFullDocumentDiagnosticReport(report.items, result_id=report.id)


def _begin(server: HandoffServer, document: OpenDocument) -> Analysis:
    """The analysis of a document whose diagnostics are about to be sent. Shows what is new about its config.

    If the document was outdated, others may be, too: they are checked soon.
    """
    if server.is_outdated(document.uri):
        server.look_around()
    analysis = server.reported[document.uri] = document.analysis(server.resolver, server.documents.files)
    server.checked(document.uri)
    _publish_problems(server, document.uri, server.resolver.problems(document.path))
    return analysis


def forget(server: HandoffServer, uri: str) -> None:
    """Clear the diagnostics of a closed document and the problems of its config."""
    server.reported.pop(uri, None)
    server.own_files.pop(uri, None)
    server.forget_check(uri)
    _publish_problems(server, uri, [])
    clear(server, uri)


def tell_problems(server: HandoffServer) -> None:
    """Show the new problems of the open documents' configs."""
    for uri in server.documents.uris:
        document = server.documents.get(uri)
        if document is not None:
            _publish_problems(server, uri, server.resolver.problems(document.path))


def _publish_problems(server: HandoffServer, uri: str, problems: list[ConfigError]) -> None:
    """Show the problems of a document's config: as messages and, to a client that does not pull, in the config file."""
    if server.problems.get(uri, []) == problems:
        return
    before = server.all_problems()
    if problems:
        server.problems[uri] = problems
    else:
        del server.problems[uri]
    found = server.all_problems()
    for error in found:
        if error not in before:
            kind = types.MessageType.Warning if error.path == OVERRIDES else types.MessageType.Error
            server.window_show_message(types.ShowMessageParams(kind, str(error)))
    if server.client.pull:
        return
    for path in dict.fromkeys(error.path for error in (*before, *found) if error.path != OVERRIDES):
        if [error for error in before if error.path == path] == [error for error in found if error.path == path]:
            continue
        target = server.uri_of(path)
        if server.documents.get(target) is not None:
            server.checks.mark(target)
        else:
            _publish(server, target, problems_of(server, path), None)


def _publish(server: HandoffServer, uri: str, items: list[types.Diagnostic], version: int | None) -> None:
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, items, version))
