"""A folder checked by several processes: `python examples/library/processes.py FOLDER`.

Each process makes a project of its own once; paths go out and reports come back. `spawn` works on every system.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import handoff_lsp

_project: handoff_lsp.Project | None = None


def start(root: Path) -> None:
    """Make the project of this process."""
    global _project
    _project = handoff_lsp.Project(root)


def check(path: Path) -> handoff_lsp.Report:
    """The report of one file, without fixes."""
    assert _project is not None
    return _project.check(path, fixes=False)


def reports(root: Path, processes: int = 2) -> Iterator[handoff_lsp.Report]:
    """The reports of all files of a folder, in order."""
    paths = list(handoff_lsp.Project(root).walk())
    context = get_context("spawn")
    with ProcessPoolExecutor(processes, context, initializer=partial(start, root)) as pool:
        yield from pool.map(check, paths, chunksize=50)


if __name__ == "__main__":
    counts = Counter(finding.rule for report in reports(Path(sys.argv[1])) for finding in report.findings)
    for rule, count in counts.most_common():
        print(f"{count:6} {rule}")
