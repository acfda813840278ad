"""The time that decides whether an answer of the disk is still trusted."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class Clock:
    """A monotonic clock, in seconds, that can be held for a while, so that recent answers stay trusted."""

    def __init__(self) -> None:
        self._held: float | None = None

    def __call__(self) -> float:
        return time.monotonic() if self._held is None else self._held

    @contextmanager
    def held(self, at: float) -> Iterator[None]:
        """Set the clock back to a moment of its own. Only for code that nothing interrupts."""
        before, self._held = self._held, at
        try:
            yield
        finally:
            self._held = before
