"""When documents are checked: once for all the changes that have arrived, never in the way of the next one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Iterable
from time import perf_counter
from typing import TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

# How long (in seconds) other messages wait while a request goes over all documents.
TURN = 0.02

# A check that took longer than this many seconds makes the next one of its document wait for as long.
SLOW = 0.03


class Later:
    """Does something once for all that ask for it within a moment (in seconds)."""

    def __init__(self, moment: float, work: Callable[[], object]) -> None:
        self._moment = moment
        self._work = work
        self._planned = False

    def ask(self) -> None:
        """Have it done when the moment has passed."""
        if not self._planned:
            self._planned = True
            asyncio.get_running_loop().call_later(self._moment, self._run)

    def _run(self) -> None:
        self._planned = False
        self._work()


async def in_turns(steps: Generator[None, None, T]) -> T:
    """Go through steps to their result, with other messages let through in between: a cancellation ends it there."""
    until = perf_counter() + TURN
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: T = done.value
            return result
        if perf_counter() >= until:
            await asyncio.sleep(0)
            until = perf_counter() + TURN


class Scheduler:
    """Runs ``check`` for documents that were marked, each on its newest text."""

    def __init__(self, check: Callable[[str], object]) -> None:
        self._check = check
        self._waiting: dict[str, asyncio.Handle] = {}
        self._cost: dict[str, float | None] = {}

    def mark(self, uri: str) -> None:
        """Have a document checked when the messages that have already been received are handled."""
        if uri in self._waiting:
            return
        loop = asyncio.get_running_loop()
        cost = self._cost.get(uri) or 0.0
        if cost > SLOW:
            self._waiting[uri] = loop.call_later(cost, self._run, uri)
        else:
            # The reader handles a whole chunk of messages in one step of the loop: this runs after it.
            self._waiting[uri] = loop.call_soon(self._run, uri)

    def awaits(self, uri: str) -> bool:
        """Whether a check of a document is planned."""
        return uri in self._waiting

    async def mark_each(self, uris: Iterable[str]) -> None:
        """Mark many documents, letting messages through between their checks."""
        for uri in uris:
            self.mark(uri)
            await asyncio.sleep(0)

    def forget(self, uri: str) -> None:
        """Drop what is planned for a document, and what is known of it."""
        handle = self._waiting.pop(uri, None)
        if handle is not None:
            handle.cancel()
        self._cost.pop(uri, None)

    def _run(self, uri: str) -> None:
        del self._waiting[uri]
        began = perf_counter()
        try:
            self._check(uri)
        except Exception:
            log.exception("The check of %s failed", uri)
        # The first check parses everything and says nothing about those that follow.
        self._cost[uri] = perf_counter() - began if uri in self._cost else None
