"""Holds back findings that may only be due to an unfinished line, until it is left, saved, or a moment has passed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.features.typing import Typed, Typing, begun, waiting
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.store import OpenDocument

# Seconds.
MOMENT = 1.0


class _Shown(NamedTuple):
    """The diagnostics of a document that were last shown, with its text at that time."""

    source: Source
    found: list[Diagnostic]


class WhileTyping:
    """The line that is being typed in each open document. ``show`` is called for a document whose findings are due."""

    def __init__(self, show: Callable[[str], object]) -> None:
        self._show = show
        self._typing: dict[str, Typing] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._shown: dict[str, _Shown] = {}
        self._held: set[str] = set()

    def changed(self, uri: str, change: Typed | None) -> None:
        """A document was changed by typing; None: in another way, which ends the wait."""
        if change is None:
            self.ended(uri)
            return
        known = self._typing.get(uri)
        if known is None or not known.continues(change):
            last = self._shown.get(uri)
            if last is None:
                return  # nothing has been shown yet
            # Enter is no pause: findings about another place, such as a section that is still empty, continue to wait.
            self._typing[uri] = begun(change, last.source, last.found)
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self._timers[uri] = asyncio.get_running_loop().call_later(MOMENT, self._pause, uri)

    def ended(self, uri: str) -> bool:
        """End the wait in a document. Whether findings were held back."""
        self._typing.pop(uri, None)
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        held = uri in self._held
        self._held.discard(uri)
        return held

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self.ended(uri)
        self._shown.pop(uri, None)

    def shown(self, document: OpenDocument, found: list[Diagnostic]) -> list[Diagnostic]:
        """The diagnostics to show now, without those that wait."""
        uri = document.uri
        typing = self._typing.get(uri)
        wait = {id(item) for item in waiting(typing, document.source, found)} if typing is not None else set()
        if wait:
            self._held.add(uri)
            found = [item for item in found if id(item) not in wait]
        else:
            self._held.discard(uri)
        self._shown[uri] = _Shown(document.source, found)
        return found

    def is_due(self, uri: str) -> bool:
        """Whether findings of a document were held back, and it is no longer being typed in."""
        return uri in self._held and uri not in self._typing

    def _pause(self, uri: str) -> None:
        self._typing.pop(uri, None)
        self._timers.pop(uri, None)
        if self.is_due(uri):
            self._show(uri)
