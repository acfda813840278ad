"""The end of a first run with many findings: the rules to look at, and the ways on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.language import say
from handoff_lsp.reports.report import Report

# From so many findings on, nobody reads them one by one.
MANY = 50
_MOST_RULES = 5


class FirstRun:
    """Counts the findings of a run."""

    def __init__(self) -> None:
        self._counts: Counter[tuple[str, str, str | None]] = Counter()

    def add(self, report: Report) -> None:
        """Count the findings of one document."""
        self._counts.update((finding.rule, finding.severity, finding.fixable) for finding in report.findings)

    def lines(self, summary: Summary) -> Iterator[str]:
        """The rules with most findings and what to do; nothing if there are few findings, or there is a baseline."""
        if sum(self._counts.values()) < MANY or summary.has_baseline:
            return
        from handoff_lsp.cli.checking.statistics import FindingKind, rule_lines, top_rules  # it imports the text output

        rows = top_rules(Counter({FindingKind(*key): number for key, number in self._counts.items()}), _MOST_RULES)
        yield ""
        yield say("Most findings are of these rules:")
        yield from (f"  {line}" for line in rule_lines(rows))
        if summary.fixable["safe"] and not summary.fixing:
            yield say("`handoff-lsp check --fix` applies the safe fixes.")
        yield say("`handoff-lsp baseline` lists the findings of today, so that `check` reports only new ones.")
        yield say("`handoff-lsp explain {rule}` explains a rule.", rule=rows[0].rule)
