"""``handoff-lsp contract test``: run the cases of contracts, and list what no case shows."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from handoff_lsp.cases.case import Case
from handoff_lsp.cases.coverage import Coverage
from handoff_lsp.cases.reader import read_case_file, unknown_names
from handoff_lsp.cases.rewriting import rewritten
from handoff_lsp.cases.verdict import Failure, differences
from handoff_lsp.cli.contract.files import (
    CASES_SUFFIX,
    OwnContracts,
    cases_of,
    own_contracts,
    print_error,
    problem_line,
    shown,
)
from handoff_lsp.cli.output.text import excerpt
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS, UsageError
from handoff_lsp.contracts.load import data_of, places_of
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import Analysis
from handoff_lsp.language import number_of
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

_COMMAND = "contract test"


def test(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    own = own_contracts(arguments, _COMMAND)
    for problem in own.problems:
        print_error(problem_line(problem))
    files = list(_case_files(arguments, own))
    run = _CaseRun(own.registry, [_coverage(entry) for entry in own.entries])
    run.broken = bool(own.problems)
    for file in files:
        run.run(file, update=arguments.update)
    if not run.passed and not run.failed and not run.broken:
        wanted = " or ".join(shown(cases_of(path)) for path in own.paths[:3])
        raise UsageError(f"no cases: write some into {wanted}, or name them with --cases", _COMMAND)
    if not arguments.quiet:
        gaps = sum(_print_gaps(coverage) for coverage in run.coverages)
        _print_summary(run, gaps)
    return FAILED if run.broken else FINDINGS if run.failed else CLEAN


def _coverage(entry: ContractEntry) -> Coverage:
    """The coverage of a contract: of one that extends another, only what its own file states."""
    extends = entry.data.get("extends")
    return Coverage(entry, data_of(read_text(_file(entry))) if extends else None)


class CaseFilePath(NamedTuple):
    """A case file, and the name of the contract that its options are for."""

    path: Path
    contract: str


def _case_files(arguments: argparse.Namespace, own: OwnContracts) -> Iterator[CaseFilePath]:
    """The case files to run: those named, else those beside the contracts."""
    names = {entry.origin: entry.name for entry in own.entries}
    if arguments.cases is not None:
        for given in arguments.cases:
            path = Path(os.path.abspath(given))
            found = sorted(path.glob("*.md")) if os.path.isdir(path) else [path]
            if not found:
                raise UsageError(f"no case file in the folder {given}: their names end in .md", _COMMAND)
            for file in found:
                stem = file.name.removesuffix(CASES_SUFFIX).removesuffix(".md")
                yield CaseFilePath(file, stem if stem in own.registry else next(iter(names.values()), stem))
        return
    by_cases = {os.path.realpath(path) for path in own.case_files}
    for path in own.paths:
        cases = cases_of(path)
        if path in names and (os.path.isfile(cases) or os.path.realpath(cases) in by_cases):
            yield CaseFilePath(cases, names[path])


@dataclass
class _CaseRun:
    """One run over case files, with its counts so far."""

    registry: Registry
    coverages: list[Coverage]
    passed: int = 0
    failed: int = 0
    updated: list[Path] = field(default_factory=list)
    broken: bool = False

    def run(self, file: CaseFilePath, *, update: bool) -> None:
        """Run the cases of one file and print the failures."""
        try:
            text = read_text(file.path)
        except UnreadableFile as error:
            self._fail(f"{shown(file.path)}: {error.reason}")
            return
        cases = self._read(file, text)
        judged = [(case, analysis, differences(case, analysis)) for case, analysis in self._analyses(cases)]
        failing = [(case, analysis) for case, analysis, wrong in judged if wrong]
        if update and failing:
            new = rewritten(text, failing)
            if new != text and self._write(file.path, new):
                text = new
                judged = [(case, one, differences(case, one)) for case, one in self._analyses(self._read(file, text))]
        self._report(file.path, text, judged)

    def _read(self, file: CaseFilePath, text: str) -> list[Case]:
        """The cases of a text that can be run; the problems of the others are printed."""
        cases, problems = read_case_file(text, file.path.name.removesuffix(".md").removesuffix(".cases"), file.contract)
        wrong = {case.line: list(unknown_names(case, self.registry)) for case in cases}
        for problem in sorted([*problems, *(each for of_case in wrong.values() for each in of_case)]):
            self._fail(f"{shown(file.path)}:{problem.line}: {problem.message}")
        if not cases and not problems:
            self._fail(f"{shown(file.path)}: no case: one is a heading `## …` with a `~~~~document` below it")
        starts = sorted(case.line for case in cases)
        unreadable = {max((at for at in starts if at <= problem.line), default=0) for problem in problems}
        return [case for case in cases if not wrong[case.line] and case.line not in unreadable]

    def _analyses(self, cases: list[Case]) -> list[tuple[Case, Analysis]]:
        return [(case, case.analyze(registry=self.registry)) for case in cases]

    def _write(self, path: Path, text: str) -> bool:
        try:
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        except OSError as error:
            self._fail(f"cannot write {shown(path)}: {error.strerror or error}")
            return False
        self.updated.append(path)
        return True

    def _report(self, path: Path, text: str, judged: list[tuple[Case, Analysis, list[Failure]]]) -> None:
        lines = text.split("\n")
        for case, analysis, wrong in judged:
            if not wrong:
                self.passed += 1
                for coverage in self.coverages:
                    coverage.add(case, analysis)
                continue
            self.failed += 1
            title = case.name.partition(": ")[2]
            print(f"FAILED {printable(shown(path))}:{case.line}: {printable(title)}")
            for failure in wrong:
                _print_failure(path, lines, failure)
            print()

    def _fail(self, message: str) -> None:
        self.broken = True
        print_error(message)


def _print_failure(path: Path, lines: list[str], failure: Failure) -> None:
    column = f":{failure.columns[0]}" if failure.columns is not None else ""
    print(f"  {printable(shown(path))}:{failure.line}{column}: {printable(failure.message)}")
    if failure.columns is not None and failure.line <= len(lines):
        start, end = failure.columns
        text, before, carets = excerpt(lines[failure.line - 1].rstrip("\r"), start - 1, end - 1)
        print(f"  {failure.line:>6} | {text}".rstrip())
        print(f"  {'':>6} | {' ' * before}{'^' * carets}")


def _print_gaps(coverage: Coverage) -> int:
    """Print what no case shows of a contract. Returns how many statements that are."""
    gaps = coverage.gaps()
    if not gaps:
        return 0
    entry = coverage.entry
    number = f"{len(gaps):,} of {number_of(coverage.total, 'statement')}"
    print(f"Not covered by a passing case of {entry.name} ({number}):")
    places = zip(_places(entry, [gap.path for gap in gaps]), gaps, strict=True)
    for (line, column), gap in sorted(places, key=lambda found: found[0]):
        print(f"  {printable(f'{shown(_file(entry))}:{line}:{column}: {gap.name}: {gap.lacks}')}")
    print()
    return len(gaps)


def _places(entry: ContractEntry, paths: list[tuple[str | int, ...]]) -> list[tuple[int, int]]:
    """The lines and columns of parts of a contract in its file, 1-based."""
    text = read_text(_file(entry))
    lines = Source(text).lines
    places = (lines.position(span.start) for span in places_of(text, paths))
    return [(line + 1, column + 1) for line, column in places]


def _file(entry: ContractEntry) -> Path:
    assert entry.origin is not None, "read from a file"
    return entry.origin


def _print_summary(run: _CaseRun, gaps: int) -> None:
    for path in run.updated:
        print(f"Updated {printable(shown(path))}: read what has changed.")
    total = sum(coverage.total for coverage in run.coverages)
    cases = run.passed + run.failed
    failed = f", {run.failed:,} failed" if run.failed else ""
    shows = f"{total - gaps:,} of {number_of(total, 'check, condition or route', 'checks, conditions and routes')}"
    print(f"{number_of(cases, 'case')}: {run.passed:,} passed{failed}. The passing cases cover {shows}.")
