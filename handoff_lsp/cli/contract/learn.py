"""``handoff-lsp contract learn``: a contract from samples."""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from handoff_lsp.cli.new import check_place, write_file
from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, FINDINGS, STDOUT, UsageError
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.language import number_of
from handoff_lsp.learn.learn import Learned, LearnError, learn
from handoff_lsp.learn.sample import Sample
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text

COMMAND = "contract learn"
_SUFFIXES = frozenset({".md", ".markdown", ".json", ".jsonc", ".jsonl", ".yaml", ".yml"})
_MOST_QUESTIONS = 6


def learn_contract(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    if not arguments.samples and arguments.schema is None:
        raise UsageError("name some samples, or a JSON Schema with --from", COMMAND)
    output = Path(os.path.abspath(arguments.output)) if arguments.output not in (None, STDOUT) else None
    if output is not None:
        check_place(output, arguments.output, COMMAND, force=arguments.force)
    samples = list(_read(arguments.samples))
    if arguments.samples and not samples:
        raise UsageError("no Markdown, JSON or YAML files found", COMMAND)
    negatives = list(_read(arguments.negative or []))
    schema = _schema(arguments.schema) if arguments.schema is not None else None
    name = arguments.name or (_name(output.stem) if output is not None else "my-format")
    if re.fullmatch(r"[a-z0-9]+(?:-[a-z0-9]+)*", name) is None:
        raise UsageError(f"`{name}` is not a contract name; use lower-case words joined by hyphens", COMMAND)
    if name in builtin():
        raise UsageError(f"`{name}` is a built-in contract; choose another --name", COMMAND)
    try:
        learned = learn(samples, negatives, name=name, schema=schema, form=arguments.form)
    except LearnError as error:
        raise UsageError(str(error), COMMAND) from error
    if output is None:
        write_utf8(learned.text)
        sys.stdout.flush()
    else:
        write_file(output, arguments.output, learned.text, COMMAND, force=arguments.force)
    for line in summary(learned, negatives):
        print(printable(line), file=sys.stderr if output is None else sys.stdout)
    return CLEAN if learned.faithful else FINDINGS


def summary(learned: Learned, negatives: list[Sample]) -> Iterator[str]:
    """What the contract does with its samples, and what is left to decide."""
    trial = learned.trial
    total = len(trial.recognised) + len(trial.missed)
    if total:
        found = f"with {number_of(len(trial.findings), 'finding')}" if trial.findings else "no findings"
        yield f"recognizes {len(trial.recognised)} of {number_of(total, 'sample')}, {found}"
    for sample in trial.missed:
        yield f"  not recognized: {sample.path}, which has too little of what the others share"
    for sample, finding in trial.findings[:_MOST_QUESTIONS]:
        line = sample.source.lines.line_of(finding.span.start) + 1
        yield f"  {sample.path}:{line}: {finding.severity} {finding.code}: {finding.message}"
    if negatives:
        silent = len(negatives) - len(trial.wrongly)
        yield f"silent in {silent} of {number_of(len(negatives), 'other document')}"
    for sample in trial.wrongly:
        yield f"  recognized, but should not be: {sample.path}"
    if learned.questions:
        yield f"{number_of(len(learned.questions), 'thing')} to decide, marked `decide:` in the contract:"
        yield from (f"  {question}" for question in learned.questions[:_MOST_QUESTIONS])
        if len(learned.questions) > _MOST_QUESTIONS:
            yield f"  and {len(learned.questions) - _MOST_QUESTIONS} more"


def _read(named: Iterable[str]) -> Iterator[Sample]:
    """The files that are named, and the Markdown, JSON and YAML files in folders that are."""
    seen: set[Path] = set()
    for given in named:
        top = Path(given)
        is_folder = os.path.isdir(top)
        inside = sorted(path for path in top.rglob("*") if path.suffix.lower() in _SUFFIXES) if is_folder else [top]
        for path in inside:
            if path in seen or (is_folder and not os.path.isfile(path)):
                continue
            seen.add(path)
            try:
                yield Sample(_shown(path), read_text(path))
            except UnreadableFile as error:
                raise UsageError(f"{_shown(path)}: {error.reason}", COMMAND) from error


def _shown(path: Path) -> str:
    return path.as_posix()


def _schema(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(read_text(path).removeprefix("\ufeff"))
    except UnreadableFile as error:
        raise UsageError(f"{path.as_posix()}: {error.reason}", COMMAND) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path.as_posix()} is not JSON: {error}", COMMAND) from error
    if not isinstance(found, dict):
        raise UsageError(f"{path.as_posix()} is not a JSON Schema: it must be an object", COMMAND)
    return found


def _name(stem: str) -> str:
    """A contract's name from that of its file."""
    return "-".join(re.findall(r"[a-z0-9]+", stem.casefold())) or "my-format"
