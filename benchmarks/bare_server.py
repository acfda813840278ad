"""What latency is compared with: the smallest pygls server that publishes no diagnostics for each change."""

from lsprotocol import types
from pygls.lsp.server import LanguageServer

server = LanguageServer("bare", "1")


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: LanguageServer, params: types.DidOpenTextDocumentParams) -> None:
    """Publish nothing for a document that was opened."""
    item = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(item.uri, [], item.version))


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: LanguageServer, params: types.DidChangeTextDocumentParams) -> None:
    """Publish nothing for a document that was changed."""
    item = params.text_document
    ls.text_document_publish_diagnostics(types.PublishDiagnosticsParams(item.uri, [], item.version))


if __name__ == "__main__":
    server.start_io()
