"""pygls's protocol without the work that is done here already, and with an answer to every request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.protocol import LanguageServerProtocol

if TYPE_CHECKING:
    from cattrs import Converter
    from pygls.lsp.server import LanguageServer

# pygls keeps its own copy of every text, which goes wrong on U+2028; ours is the only one (see sync.py).
_OWN = (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE)


class HandoffProtocol(LanguageServerProtocol):
    """The protocol as this server speaks it."""

    def __init__(self, server: LanguageServer, converter: Converter) -> None:
        super().__init__(server, converter)
        for method in _OWN:
            self.fm.builtin_features.pop(method)

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Read a message. A request that cannot be read is answered with the reason; pygls leaves it unanswered."""
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise
