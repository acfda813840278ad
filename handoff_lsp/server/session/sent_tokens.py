"""The semantic tokens that the client has of each document."""

from __future__ import annotations

from itertools import count

from handoff_lsp.text.named_tuple import NamedTuple

# The number of documents whose tokens are kept.
_MOST = 50


class SentTokens(NamedTuple):
    """The tokens of one answer, and its id."""

    id: str
    data: list[int]


class TokenCache:
    """The last tokens sent of each document, by its URI."""

    def __init__(self) -> None:
        self._sent: dict[str, SentTokens] = {}
        self._ids = map(str, count(1))

    def last(self, uri: str) -> SentTokens | None:
        """The tokens that the client has of a document; None if unknown."""
        return self._sent.get(uri)

    def keep(self, uri: str, data: list[int]) -> SentTokens:
        """Keep the tokens of an answer under a new id."""
        self._sent.pop(uri, None)
        sent = self._sent[uri] = SentTokens(next(self._ids), data)
        while len(self._sent) > _MOST:
            del self._sent[next(iter(self._sent))]
        return sent
