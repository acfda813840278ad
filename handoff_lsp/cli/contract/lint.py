"""``handoff-lsp contract lint``: what is wrong with contracts, alone and on the files of the workspace."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from handoff_lsp.cli.contract.files import CASES_SUFFIX, OwnContracts, own_contracts, shown
from handoff_lsp.cli.output.text import excerpt
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, FAILED, FINDINGS
from handoff_lsp.contracts.load import places_of
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.features.doctor.claims import DoubleClaim, claims_of
from handoff_lsp.language import number_of
from handoff_lsp.recognition.paths import may_be_handoff
from handoff_lsp.reports.data import data_of, json_line
from handoff_lsp.reports.make import position_of, problem_of
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.walking import walk

_COMMAND = "contract lint"
# The most files of one dispute to list.
_MOST_FILES = 3

# The names of the warnings.
_NO_MATCH, _TWO_CLAIMS = "no-match", "two-claims"


class LintProblem(NamedTuple):
    """A problem of a contract, a config or a document. ``line`` and ``columns`` are 1-based; line 0: the whole file."""

    path: Path
    line: int
    columns: tuple[int, int]
    severity: str
    rule: str
    message: str


class _Looked(NamedTuple):
    """The files of a walk: their number, the number with each contract, and the disputes with their places."""

    files: int
    matching: Counter[str]
    disputes: list[tuple[Path, int, DoubleClaim]]


def lint(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    own = own_contracts(arguments, _COMMAND, tolerant=True)
    problems = [
        *(LintProblem(each.path, each.line or 0, each.columns, "error", each.rule, each.message) for each in own.wrong),
        *(
            LintProblem(each.path, each.line or 0, each.columns, "error", "invalid-contract", each.message)
            for each in own.problems
        ),
    ]
    looked = _look(own) if own.entries else None
    if looked is not None:
        warnings = [*_unmatched(own.entries, looked), *_disputed(looked, limit=arguments.output_format == "text")]
        problems += [warning for warning in warnings if warning.rule not in arguments.ignore]
    if arguments.output_format == "json":
        lines = [json_line(_data(problem)) for problem in problems]
        write_utf8("[\n " + ",\n ".join(lines) + "\n]\n" if lines else "[]\n")
    else:
        for problem in problems:
            _print(problem)
        _print_summary(own, problems, looked)
    if any(problem.severity == "error" and not problem.line for problem in problems):
        return FAILED
    failing = {"error", arguments.fail_on}
    return FINDINGS if any(problem.severity in failing for problem in problems) else CLEAN


def _look(own: OwnContracts) -> _Looked:
    """Recognize the contracts in all files below the working folder."""
    names = {entry.name for entry in own.entries}
    resolver = own.resolver
    looked = _Looked(0, Counter(), [])
    files = 0

    def is_data(path: Path) -> bool:
        return resolver.is_data_file(path) or may_be_handoff(resolver.name(path), own.registry)

    for path in walk(Path.cwd(), resolver.excluded, None, is_data):
        if path.name.endswith(CASES_SUFFIX):
            continue
        try:
            source = Source(read_text(path))
        except UnreadableFile:
            continue
        files += 1
        found = claims_of(source, resolver.name(path), own.registry, resolver.options(path), names)
        looked.matching.update(found.contracts)
        looked.disputes.extend(
            (path, position_of(source, dispute.span.start).line, dispute) for dispute in found.disputes
        )
    return looked._replace(files=files)


def _unmatched(entries: list[ContractEntry], looked: _Looked) -> Iterator[LintProblem]:
    for entry in entries:
        if not looked.matching[entry.name] and entry.origin is not None:
            source = Source(read_text(entry.origin))
            at = position_of(source, places_of(source.text, [("contract",)])[0].start)
            files = number_of(looked.files, "file")
            message = f"0 of {files} below this folder match `{entry.name}`; `handoff-lsp doctor FILE` gives the reason"
            columns = (at.column, at.column + len("contract"))
            yield LintProblem(entry.origin, at.line, columns, "warning", _NO_MATCH, message)


def _disputed(looked: _Looked, *, limit: bool) -> Iterator[LintProblem]:
    """A warning for each dispute; with ``limit`` for the first files of each two contracts, the rest as a number."""
    told: Counter[tuple[str, str]] = Counter()
    of_pair = Counter((one.contract, one.other) for _, _, one in looked.disputes)
    for path, line, one in looked.disputes:
        pair = (one.contract, one.other)
        told[pair] += 1
        if limit and told[pair] > _MOST_FILES:
            continue
        left = of_pair[pair] - _MOST_FILES
        more = f" ({left:,} more)" if limit and told[pair] == _MOST_FILES and left > 0 else ""
        outcome = f"`{one.wins}` wins" if one.wins else "both check it"
        message = f"`{one.contract}` and `{one.other}` claim this handoff: {outcome}{more}"
        yield LintProblem(path, line, (1, 1), "warning", _TWO_CLAIMS, message)


def _data(problem: LintProblem) -> dict[str, Any]:
    found = problem_of(shown(problem.path), problem.rule, problem.message, problem.line or None, problem.columns)
    return {**data_of(found), "severity": problem.severity}


def _print(problem: LintProblem) -> None:
    where = f":{problem.line}:{problem.columns[0]}" if problem.line else ""
    print(printable(f"{shown(problem.path)}{where}: {problem.severity}[{problem.rule}] {problem.message}"))
    line = _line(problem) if problem.line and problem.rule != _TWO_CLAIMS else None
    if line is not None:
        start, end = problem.columns
        text, before, carets = excerpt(line, start - 1, end - 1, skip=int(line.startswith("\ufeff")))
        print(f"{problem.line:>4} | {text}".rstrip())
        print(f"     | {' ' * before}{'^' * carets}")
    print()


def _line(problem: LintProblem) -> str | None:
    """The line of a problem; None if the file cannot be read."""
    try:
        return Source(read_text(problem.path)).lines.line_text(problem.line - 1)
    except UnreadableFile:
        return None


def _print_summary(own: OwnContracts, problems: list[LintProblem], looked: _Looked | None) -> None:
    if looked is not None:
        for entry in own.entries:
            files = number_of(looked.files, "file")
            print(printable(f"{entry.name}: {looked.matching[entry.name]:,} of {files} below this folder match."))
    counts = Counter(problem.severity for problem in problems)
    found = " and ".join(number_of(counts[severity], severity) for severity in ("error", "warning") if counts[severity])
    print(f"{f'Found {found}' if found else 'No problems'} in {number_of(len(own.paths), 'contract')}.")
