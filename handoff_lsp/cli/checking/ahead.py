"""Reports made ahead of their turn, by processes beside the one that reads, prints and writes the cache.

A report made ahead is only a proposal: the run still reads each file itself, in order, and uses the report if it is
about the same text. Whatever goes wrong in such a process, the run makes the report itself, so that its output is the
same with and without them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from handoff_lsp.cli.checking.checked import ReportParts
from handoff_lsp.cli.run import Input, Run
from handoff_lsp.reports.report import Report
from handoff_lsp.text.digest import sha256_of
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.memo import Reads

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

    from handoff_lsp.workspace.lasting import Asked, Lasting

# So many reports are made one after the other before processes are started for the rest, if that is this long.
AFTER, FEWEST = 50, 150
# Files that a process checks before it sends their reports. What it may be ahead by is this and what a pipe holds.
_AT_ONCE = 8
_MOST_PROCESSES = 8


class Proposal(NamedTuple):
    """A report made ahead, and its reads as the cache writes them; None if they cannot be written."""

    report: Report
    asked: list[Asked] | None


class Ahead:
    """The reports of a run's files that are made ahead. ``close`` ends the processes."""

    def __init__(self, run: Run, targets: Sequence[Input], lasting: Lasting | None, wanted: ReportParts) -> None:
        """``lasting``: writes reads for the cache; None without one."""
        self._run, self._targets, self._lasting, self._wanted = run, targets, lasting, wanted
        self._workers: list[tuple[ForkProcess, Connection[Any, Any]]] = []
        self._begin = self._made = 0
        self._batch: list[Proposal | None] = []
        self._possible = _processes() if not run.reads_staged else 0

    def get(self, number: int, text: str) -> Proposal | None:
        """The report of the file with this number, if there is one of its text. Ask in the order of the files."""
        if self._workers or self._starts(number):
            batch, place = divmod(number - self._begin, _AT_ONCE)
            if place == 0:
                self._batch = self._received(batch)
            found = self._batch[place] if place < len(self._batch) else None
            if found is not None and found.report.sha256 == sha256_of(text):
                return found
        self._made += 1
        return None

    def skip(self) -> None:
        """The next file needs no report. Those behind it may not need one, either."""
        self.close()
        self._made = 0

    def close(self) -> None:
        """End the processes."""
        for process, pipe in self._workers:
            pipe.close()
            process.terminate()
        for process, _ in self._workers:
            process.join()
        self._workers, self._batch = [], []

    def _starts(self, number: int) -> bool:
        """Start the processes for this file and the rest, if it is time for that."""
        if self._made < AFTER or len(self._targets) - number < FEWEST or self._possible < 2:
            return False
        from multiprocessing import get_context  # not before it is needed

        context, self._begin = get_context("fork"), number
        with suppress(OSError):  # too many processes: those that there are do it
            for index in range(self._possible):
                ours, theirs = context.Pipe(duplex=False)
                process = context.Process(target=self._work, args=(index, theirs, ours), daemon=True)
                process.start()
                theirs.close()
                self._workers.append((process, ours))
        self._made = 0
        if len(self._workers) < self._possible:
            self.close()
            self._possible = 0
        return bool(self._workers)

    def _received(self, batch: int) -> list[Proposal | None]:
        _, pipe = self._workers[batch % len(self._workers)]
        try:
            found: list[Proposal | None] = pipe.recv()
        except Exception:  # noqa: BLE001  # the process was killed: the run goes on without it
            return []
        return found

    def _work(self, index: int, pipe: Connection[Any, Any], *unused: Connection[Any, Any]) -> None:
        """Send the reports of every batch that this process is for. Nothing is printed."""
        import logging
        import signal

        logging.disable()
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the run ends its processes
        for other in (*unused, *(ours for _, ours in self._workers)):
            other.close()  # else no process would notice the end of the run
        rest = self._targets[self._begin :]
        step = _AT_ONCE * self._possible
        with suppress(OSError):
            for start in range(index * _AT_ONCE, len(rest), step):
                pipe.send([self._proposal(target) for target in rest[start : start + _AT_ONCE]])

    def _proposal(self, target: Input) -> Proposal | None:
        from handoff_lsp.reports.make import report_of
        from handoff_lsp.workspace.disk.files import read_text

        path = target.path
        if path is None or target.stdin or target.text is not None:
            return None
        try:
            reads = Reads()
            analysis = self._run.analyzed(target, read_text(path), reads)
            report = report_of(analysis, self._run.shown(target), **self._wanted._asdict())
            asked = self._lasting.written(reads) if self._lasting is not None else None
        except Exception:  # noqa: BLE001  # the run has it again, and prints it
            return None
        return None if any(one.rule == "internal-error" for one in report.findings) else Proposal(report, asked)


def _processes() -> int:
    """How many processes may work ahead; 0 where a process cannot be copied, or is not alone."""
    import threading

    if sys.platform != "linux" or threading.active_count() > 1:
        return 0
    return min(len(os.sched_getaffinity(0)), _MOST_PROCESSES)
