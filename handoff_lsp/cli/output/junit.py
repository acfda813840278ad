"""JUnit's XML: a suite for each file, a case for each finding. A case fails if its severity fails the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from xml.sax.saxutils import escape, quoteattr

from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.words import NOT_CHECKED, SKIPPED, paragraphs
from handoff_lsp.cli.printable import printable
from handoff_lsp.reports.report import Finding

# XML has no code for these two; `printable` replaces the others that it lacks.
_ABSENT = str.maketrans("\ufffe\uffff", "\ufffd\ufffd")


class Output:
    """Prints the document at the end of the run."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None:
        self._write = write
        self._fails = look.fails
        self._suites: list[str] = []
        self._counts: Counter[str] = Counter()

    def document(self, document: Document) -> None:
        """Receive one document: with findings, or as a case that passes if it has a handoff or was named."""
        report = document.report
        if report.findings:
            names: Counter[str] = Counter()
            self._suite(report.path, [self._finding(finding, names) for finding in report.findings])
        elif report.handoffs or document.named:
            name = "handoffs" if report.handoffs else "no handoff"
            self._suite(report.path, [(_case(name, report.path, 1, 1, ""), "passed")])

    def finish(self, summary: Summary) -> None:
        """Print the document, with the problems, the failures and the skipped files."""
        for problem in summary.problems:
            self._suite(problem.path, [self._finding(problem, Counter(), "error")])
        for failed in summary.failed:
            self._suite(failed.shown, [(_about(failed.shown, NOT_CHECKED, "error", failed.reason), "error")])
        for skipped in summary.skipped:
            self._suite(skipped.shown, [(_about(skipped.shown, SKIPPED, "skipped", skipped.reason), "skipped")])
        counts = _attributes(name="handoff-lsp", **self._numbers(self._counts))
        self._write(f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites{counts}>\n')
        for suite in self._suites:
            self._write(suite)
        self._write("</testsuites>\n")

    def _suite(self, path: str, cases: list[tuple[str, str]]) -> None:
        counts = Counter(result for _, result in cases)
        self._counts.update(counts)
        head = f"  <testsuite{_attributes(name=path or 'handoff-lsp', **self._numbers(counts))}>\n"
        self._suites.append(head + "".join(case for case, _ in cases) + "  </testsuite>\n")

    @staticmethod
    def _numbers(counts: Counter[str]) -> dict[str, object]:
        numbers = {"failures": counts["failure"], "errors": counts["error"], "skipped": counts["skipped"]}
        return {"tests": counts.total(), **numbers}

    def _finding(self, finding: Finding, names: Counter[str], result: str = "") -> tuple[str, str]:
        """A case, and its result: a failure, an error, or passed with the finding as its output.

        ``names`` counts those of the file: GitLab shows only one of the cases with the same name.
        """
        result = result or ("failure" if finding.severity in self._fails else "passed")
        name = f"{finding.rule} {finding.field}" if finding.field else finding.rule
        name = f"{finding.severity}: {name}" if result == "passed" else name
        names[name] += 1
        name = f"{name} {names[name]}" if names[name] > 1 else name
        where = f"{finding.severity} in line {finding.line}, column {finding.column}"
        text = "\n".join((where, *paragraphs(finding)))
        if result == "passed":
            inside = f"      <system-out>{_text(text)}</system-out>\n"
        else:
            kind = _attributes(type=finding.rule, message=finding.message)
            inside = f"      <{result}{kind}>{_text(text)}</{result}>\n"
        return _case(name, finding.path, finding.line, finding.column, inside), result


def _about(path: str, name: str, result: str, reason: str) -> str:
    """A case about a file without an answer."""
    kind = _attributes(type=name, message=reason)
    return _case(name, path, 1, 1, f"      <{result}{kind}/>\n")


def _case(name: str, path: str, line: int, column: int, inside: str) -> str:
    place = _attributes(name=name, classname=path or "handoff-lsp", file=path, line=line, column=column)
    return f"    <testcase{place}>\n{inside}    </testcase>\n" if inside else f"    <testcase{place}/>\n"


def _attributes(**values: object) -> str:
    return "".join(f" {name}={quoteattr(_clean(str(value)))}" for name, value in values.items())


def _text(text: str) -> str:
    return escape("\n".join(map(_clean, text.split("\n"))))


def _clean(text: str) -> str:
    return printable(text).translate(_ABSENT)
