"""When findings that may only be about an unfinished line are shown: once it is left, saved, or a moment has passed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from handoff_lsp.features.diagnostics import Diagnostic
from handoff_lsp.features.typing import Typed, Typing, begun, waiting
from handoff_lsp.text import Source
from handoff_lsp.workspace.store import OpenDocument

# A moment (in seconds).
MOMENT = 1.0


class _Shown(NamedTuple):
    """What was last shown of a document."""

    source: Source
    found: list[Diagnostic]


class WhileTyping:
    """What is being typed in each open document. ``show`` is called for one of which something has waited enough."""

    def __init__(self, show: Callable[[str], object]) -> None:
        self._show = show
        self._typing: dict[str, Typing] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._shown: dict[str, _Shown] = {}
        self._held: set[str] = set()

    def changed(self, uri: str, change: Typed | None) -> None:
        """A document was changed: as a person types, or (None) otherwise, which ends the waiting."""
        if change is None:
            self.ended(uri)
            return
        known = self._typing.get(uri)
        if known is None or not known.continues(change):
            last = self._shown.get(uri)
            if last is None:
                return  # nothing was shown of it yet
            # What waits about another place (a section that is empty yet) goes on waiting: Enter is no pause.
            self._typing[uri] = begun(change, last.source, last.found)
        timer = self._timers.pop(uri, None)
        if timer is not None:
            timer.cancel()
        self._timers[uri] = asyncio.get_running_loop().call_later(MOMENT, self._pause, uri)

    def ended(self, uri: str) -> bool:
        """Let nothing of a document wait any longer. Whether something did."""
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
        """What of all that was found in a document is shown now."""
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
