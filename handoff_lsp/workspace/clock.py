"""The time by which it is decided whether what is known of the disk is still to be trusted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """A monotonic clock, in seconds, that can be held for a while: what was looked at since then stays trusted."""

    def __init__(self) -> None:
        self._held: float | None = None

    def __call__(self) -> float:
        return time.monotonic() if self._held is None else self._held

    @contextmanager
    def held(self, at: float) -> Iterator[None]:
        """Have it be a moment (of this clock) again. Only for what lets nobody else run before it is done."""
        before, self._held = self._held, at
        try:
            yield
        finally:
            self._held = before
