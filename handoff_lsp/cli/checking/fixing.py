"""``check --fix`` and its kin: fixed documents, written to their files or shown as a diff."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator

from handoff_lsp.cli.checking.checked import Checked, ReportParts
from handoff_lsp.cli.checking.diff import colored, diff_of
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.run import Input, Run
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.fix_all import fixed
from handoff_lsp.reports.make import report_of
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.replacing import CHANGED, NotReplaced, replace_text
from handoff_lsp.workspace.memo import Reads

# A fix can change the findings of documents that read this one; after so many turns they are only checked again.
_MOST_TURNS = 8


class _Fixed(NamedTuple):
    """The same during a run with ``--fix``. ``reads``: its questions to other files.

    ``settled``: it is not to be fixed again.
    """

    checked: Checked
    reads: Reads
    settled: bool


class Fixing:
    """Fixes the documents of a run: the findings that are ``chosen``, with ``unsafe`` by unsafe fixes, too.

    ``wanted``: what the reports have. Their fixes are those that are left.
    """

    def __init__(self, run: Run, *, unsafe: bool, wanted: ReportParts, chosen: Callable[[Finding], bool]) -> None:
        self._run = run
        self._chosen = chosen
        self._unsafe = unsafe
        self._wanted = wanted
        self._wrote = False
        run.summary.fixing = True

    def write(self, targets: Iterable[Input], *, echo: bool) -> Iterator[Checked]:
        """The documents after all fixes were written, in their order.

        A document that asked about a fixed one is checked again, and fixed again, too. ``echo``: standard input is
        wanted on standard output, even if it is excluded.
        """
        listed = list(targets)
        if echo and not any(target.stdin for target in listed):
            self._echo()
        done = [one for target in listed if (one := self._first(target)) is not None]
        for turn in range(_MOST_TURNS):
            if not self._wrote:
                break
            self._wrote = False
            self._run.disk_changed()
            last = turn == _MOST_TURNS - 1
            done = [one if one.reads.hold() else self._again(one, settled=one.settled or last) for one in done]
        return (one.checked for one in done)

    def diff(self, targets: Iterable[Input], write: Callable[[str], object], *, color: bool) -> None:
        """Write the changes that fixes would make as a diff of the files, each as it is now."""
        for target in targets:
            analysis = self._run.analyze(target)
            if analysis is None:
                continue
            then, number = self._fixed(target, analysis)
            if then is not analysis:
                name = self._run.shown(target)
                self._run.summary.count_fixed(name, number)
                lines = diff_of(name, analysis.source.text, then.source.text)
                write("".join(colored(lines) if color else lines))

    def _first(self, target: Input) -> _Fixed | None:
        text = self._run.read(target)
        if text is None:
            if target.stdin:
                self._echo()
            return None
        made = self._checked(target, text, settled=False)
        if target.stdin:
            write_utf8(made.checked.text if made is not None else text)
        return made

    def _echo(self) -> None:
        """Write standard input as it is: an editor replaces its text by the output."""
        sys.stdout.flush()
        sys.stdout.buffer.write(self._run.stdin + sys.stdin.buffer.read())

    def _again(self, one: _Fixed, *, settled: bool) -> _Fixed:
        return self._checked(one.checked.target, one.checked.text, settled=settled or one.checked.target.stdin) or one

    def _checked(self, target: Input, text: str, *, settled: bool) -> _Fixed | None:
        """A document after its fixes were written."""
        reads = Reads()
        analysis = self._run.analysis(target, text, reads)
        if analysis is None:
            return None
        if not settled:
            then, number = self._fixed(target, analysis)
            settled = then is not analysis and not self._written(target, text, then.source.text)
            if then is not analysis and not settled:
                analysis = then
                self._run.summary.count_fixed(self._run.shown(target), number)
        report = report_of(analysis, self._run.shown(target), **self._wanted._asdict())
        return _Fixed(Checked(target, report, analysis.source.text), reads, settled)

    def _fixed(self, target: Input, analysis: Analysis) -> tuple[Analysis, int]:
        try:
            return fixed(analysis, self._chosen, unsafe=self._unsafe)
        except Exception as error:  # noqa: BLE001  # the other files are still fixed
            self._run.not_fixed(target, f"internal error, please report it ({type(error).__name__}: {error})")
            return analysis, 0

    def _written(self, target: Input, before: str, after: str) -> bool:
        if target.stdin:
            return True
        assert target.path is not None, "a path is missing"
        try:
            replace_text(target.path, before, after)
        except NotReplaced as error:
            staged = self._run.reads_staged and error.reason == CHANGED
            self._run.not_fixed(target, "it has changes that are not staged" if staged else error.reason)
            return False
        self._wrote = True
        return True
