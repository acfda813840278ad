"""The baseline of the latency: the smallest pygls server that publishes an empty list for each change."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1")


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Publish an empty list for an opened document."""
    item = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(item.uri, [], item.version))


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: LanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Publish an empty list for a changed document."""
    item = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(item.uri, [], item.version))


if __name__ == "__main__":
    server.start_io()
