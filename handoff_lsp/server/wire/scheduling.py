"""When documents are checked: once for all the changes that have arrived, never in the way of the next one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Iterable
from time import perf_counter
from typing import TypeVar

log = logging.getLogger(__name__)

T = TypeVar("T")

# How long (in seconds) other messages wait while something goes over all documents.
TURN = 0.005

# A check that took longer than this many seconds makes the next one of its document wait for as long.
SLOW = 0.03


class Debounce:
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


class TimeSlice:
    """Lets other messages through when something has gone on for so long that they would have to wait."""

    def __init__(self) -> None:
        self._until = perf_counter() + TURN

    @property
    def is_over(self) -> bool:
        """Whether others have waited long enough."""
        return perf_counter() >= self._until

    async def rest(self) -> None:
        """Let others do what they have to; a cancellation ends it there."""
        await asyncio.sleep(0)
        self._until = perf_counter() + TURN


async def run_in_slices(steps: Generator[None, None, T]) -> T:
    """Go through steps to their result, with other messages let through in between: a cancellation ends it there."""
    turns = TimeSlice()
    while True:
        try:
            next(steps)
        except StopIteration as done:
            result: T = done.value
            return result
        if turns.is_over:
            await turns.rest()


class Scheduler:
    """Runs ``check`` for documents that were marked, each on its newest text."""

    def __init__(self, check: Callable[[str], object]) -> None:
        self._check = check
        self._waiting: dict[str, asyncio.Handle] = {}
        self._cost: dict[str, float | None] = {}
        self._queue: dict[str, None] = {}  # those to be marked, one in each step of the loop
        self._next: asyncio.Handle | None = None

    def mark(self, uri: str) -> None:
        """Have a document checked when the messages that have already been received are handled."""
        self._queue.pop(uri, None)
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
        return uri in self._waiting or uri in self._queue

    def mark_each(self, uris: Iterable[str]) -> None:
        """Mark many documents, letting messages through between their checks. One check does for all who ask for it."""
        self._queue.update(dict.fromkeys(uri for uri in uris if uri not in self._waiting))
        if self._queue and self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._mark_next)

    def forget(self, uri: str) -> None:
        """Drop what is planned for a document, and what is known of it."""
        handle = self._waiting.pop(uri, None)
        if handle is not None:
            handle.cancel()
        self._queue.pop(uri, None)
        self._cost.pop(uri, None)

    def _mark_next(self) -> None:
        self._next = None
        if self._queue:
            self.mark(next(iter(self._queue)))
            self.mark_each(())

    def _run(self, uri: str) -> None:
        del self._waiting[uri]
        began = perf_counter()
        try:
            self._check(uri)
        except Exception:
            log.exception("The check of %s failed", uri)
        # The first check parses everything and says nothing about those that follow.
        self._cost[uri] = perf_counter() - began if uri in self._cost else None
