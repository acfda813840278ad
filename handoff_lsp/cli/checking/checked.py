"""A checked document on its way to the output."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoff_lsp.cli.run import Input, Run
from handoff_lsp.reports.report import Report
from handoff_lsp.text.named_tuple import NamedTuple


class Checked(NamedTuple):
    """A checked document: its report, and the text that this is about."""

    target: Input
    report: Report
    text: str


class ReportParts(NamedTuple):
    """What reports have besides findings: the fixes of these, and what handoffs say, with the decisions about them."""

    fixes: bool
    decisions: bool


def checked(run: Run, targets: Iterable[Input], *, fixes: bool) -> Iterator[Checked]:
    """The documents of a run, each as soon as it is checked; ``fixes``: their reports have the fixes."""
    from handoff_lsp.reports.make import report_of  # not before a document is checked

    for target in targets:
        analysis = run.analyze(target)
        if analysis is not None:
            yield Checked(target, report_of(analysis, run.shown(target), fixes=fixes), analysis.source.text)
