"""An archive of handoffs over Dask: `python examples/library/archive.py 100000`.

Two workers on this machine check it; a `Client` with the address of a cluster's scheduler checks it on many machines.
What comes back from a worker are counts, not reports, so the memory does not grow with the archive.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from dask.distributed import Client, LocalCluster, as_completed

import handoff_lsp

BATCH = 500
HANDOFF = """\
# Feature {number} — Handoff from Tester

## Status

{status}

## Status reason

-

## Abstract

```yaml
outcome: Feature {number} was tested.
verdict: n/a
files: 0 created, 0 modified, 0 deleted
next_phase: delivery
open_questions: 0
```
"""


def archive(size: int) -> Iterator[str]:
    """An archive to try it on: one in ten of its handoffs has a status that does not exist."""
    for number in range(size):
        yield HANDOFF.format(number=number, status="done" if number % 10 == 0 else "complete")


def count(texts: Sequence[str]) -> Counter[str]:
    """How many handoffs of a batch lead to which action, and the rules with findings."""
    counts: Counter[str] = Counter()
    for text in texts:
        report = handoff_lsp.check_text(text, "handoffs/feature/tester-handoff.md", fixes=False)
        counts.update(handoff.routing.action for handoff in report.handoffs if handoff.routing is not None)
        counts.update(finding.rule for finding in report.findings)
    return counts


def count_all(client: Client, size: int) -> Counter[str]:
    """The counts of an archive. Only a few batches are on their way at any time."""
    texts = archive(size)
    batches = iter(lambda: list(islice(texts, BATCH)), [])
    total: Counter[str] = Counter()
    running = as_completed([client.submit(count, batch, pure=False) for batch in islice(batches, 4)])
    for done in running:
        total += done.result()
        if batch := next(batches, None):
            running.add(client.submit(count, batch, pure=False))
    return total


def main(size: int) -> None:
    """Check an archive on two workers, print the counts and the time."""
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.run(count, ["a first text, so that each worker has read the contracts"])
        began = time.perf_counter()
        counts = count_all(client, size)
        print(f"{size:,} handoffs in {time.perf_counter() - began:.1f} s: {dict(counts)}")


if __name__ == "__main__":
    main(int(sys.argv[1]))
