"""A bound on CPU time that load cannot break: many times what linear work needs, far less than quadratic."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail if the block takes more than the given seconds of this process's CPU time."""
    begun = time.process_time()
    yield
    spent = time.process_time() - begun
    assert spent < seconds, f"{spent:.1f} s of CPU time"
