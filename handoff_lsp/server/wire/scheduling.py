"""Scheduling of checks: one check for all changes that have arrived, which never delays the next message."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Generator, Iterable
from time import perf_counter
from typing import TypeVar

log: logging.Logger = logging.getLogger(__name__)

T = TypeVar("T")

# The longest time (seconds) that work on all documents keeps other messages waiting.
TURN = 0.005

# After a check that took longer than this (seconds), the next one of its document waits for as long as it took: checks
# take half of the time at most while somebody types, and the first key after a pause is checked at once.
SLOW = 0.03


class Debounce:
    """Runs ``work`` once for all calls of ``ask`` within ``moment`` seconds."""

    def __init__(self, moment: float, work: Callable[[], object]) -> None:
        self._moment = moment
        self._work = work
        self._planned = False

    def ask(self) -> None:
        """Plan the work for the end of the moment, unless it is planned already."""
        if not self._planned:
            self._planned = True
            asyncio.get_running_loop().call_later(self._moment, self._run)

    def _run(self) -> None:
        self._planned = False
        self._work()


class TimeSlice:
    """Limits how long a piece of work keeps other messages waiting: ``rest`` lets them through."""

    def __init__(self) -> None:
        self._until = perf_counter() + TURN

    @property
    def is_over(self) -> bool:
        """Whether the slice has lasted ``TURN`` seconds."""
        return perf_counter() >= self._until

    async def rest(self) -> None:
        """Let other messages through and start a new slice. A cancellation takes effect here."""
        await asyncio.sleep(0)
        self._until = perf_counter() + TURN


async def run_in_slices(steps: Generator[None, None, T]) -> T:
    """Run a generator to its result and let other messages through between its steps; it can be cancelled there."""
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
    """Runs ``check`` for each marked document, on its newest text."""

    def __init__(self, check: Callable[[str], object]) -> None:
        self._check = check
        self._waiting: dict[str, asyncio.Handle] = {}
        self._checked: set[str] = set()
        self._free: dict[str, float] = {}  # when the next check of a document may begin, if the last one was slow
        self._queue: dict[str, None] = {}  # URIs to mark, one in each step of the loop
        self._next: asyncio.Handle | None = None

    def mark(self, uri: str) -> None:
        """Plan a check of a document, to run after the messages that have already been received."""
        self._queue.pop(uri, None)
        if uri in self._waiting:
            return
        loop = asyncio.get_running_loop()
        wait = self._free.get(uri, 0.0) - perf_counter()
        if wait > 0:
            self._waiting[uri] = loop.call_later(wait, self._run, uri)
        else:
            # The reader handles a whole chunk of messages in one step of the loop; the check runs after it.
            self._waiting[uri] = loop.call_soon(self._run, uri)

    def awaits(self, uri: str) -> bool:
        """Whether a check of a document is planned."""
        return uri in self._waiting or uri in self._queue

    def mark_each(self, uris: Iterable[str]) -> None:
        """Mark many documents and let messages through between their checks. Several calls cause one check of each."""
        self._queue.update(dict.fromkeys(uri for uri in uris if uri not in self._waiting))
        if self._queue and self._next is None:
            self._next = asyncio.get_running_loop().call_soon(self._mark_next)

    def forget(self, uri: str) -> None:
        """Cancel the planned check of a document and forget how long the last one took."""
        handle = self._waiting.pop(uri, None)
        if handle is not None:
            handle.cancel()
        self._queue.pop(uri, None)
        self._checked.discard(uri)
        self._free.pop(uri, None)

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
        ended = perf_counter()
        # The first check parses everything, so its time says nothing about the next ones.
        if uri in self._checked and ended - began > SLOW:
            self._free[uri] = ended + (ended - began)
        self._checked.add(uri)
