"""A bound on CPU time that neither load nor a slow machine breaks: many times the linear work, far below quadratic.

What counts is the ratio to some work of a known size, done beside it: shared processors differ by a factor of two, and
the same one from minute to minute.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager

# The CPU time of the reference work on the machine for which the bounds were chosen.
_USUAL = 0.025


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Fail if the block takes more CPU time of this process than the given seconds do on the usual machine."""
    begun = time.process_time()
    yield
    spent = time.process_time() - begun
    # The reference costs time itself: it is asked only where the answer depends on it.
    if spent >= seconds:
        usual = max(_reference() for _ in range(5)) / _USUAL
        assert spent < seconds * usual, f"{spent:.1f} s of CPU time, where the usual work takes {usual:.1f} × as long"


def _reference() -> float:
    """The CPU time, in seconds, of the reference work: objects, text and a loop, as in what is measured."""
    begun = time.process_time()
    rows = [{"name": f"n{number}", "values": [number, str(number)]} for number in range(20_000)]
    again = json.loads(json.dumps(rows))
    assert sum(len(row["name"]) for row in sorted(again, key=lambda row: row["name"])) > 0
    return time.process_time() - begun
