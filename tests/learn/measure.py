"""How well contracts are learned from real files: `python tests/learn/measure.py FOLDER… --ordinary FOLDER`.

The files of each format are those in which its built-in contract finds a handoff of one form (and one profile, where
profiles are documents of different kinds). A third of them is left out; a contract is learned from the others and
tried on all of them, and on Markdown files in which no built-in contract finds anything.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.learn.learn import Learned, learn
from handoff_lsp.learn.sample import Sample
from handoff_lsp.text import Source

# The profiles of this contract are agents; all of them write one format.
_ONE_FORMAT = frozenset({"agent-result"})
FEWEST = 3
_LONGEST = 60_000


class Figures(NamedTuple):
    """One format: what the contract learned from two thirds of its files does with all of them.

    ``known`` of the ``inside`` files and ``found`` of the ``outside`` files are recognised, ``errors`` are those in the
    files it learned from, ``strict`` the outside files with errors, ``wrong`` the recognised ordinary documents.
    """

    name: str
    inside: int
    known: int
    errors: int
    findings: int
    outside: int
    found: int
    strict: int
    wrong: list[str]
    seconds: float
    learned: Learned


def formats(folders: Sequence[Path]) -> dict[str, list[Sample]]:
    """The files of each format that has enough of them."""
    held: dict[str, dict[str, Sample]] = defaultdict(dict)
    for folder in folders:
        for sample in documents(folder):
            for handoff in analyze(sample.source, sample.path, builtin(), Options(examples=True)).handoffs:
                profile = "" if handoff.spec.name in _ONE_FORMAT else f" {handoff.spec.profile}"
                held[f"{handoff.spec.name}{profile} ({handoff.form})"][sample.path] = sample
    return {name: [own[path] for path in sorted(own)] for name, own in sorted(held.items()) if len(own) >= FEWEST}


def documents(folder: Path) -> Iterator[Sample]:
    """The Markdown and JSON files of a folder."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in {".md", ".json"} and path.is_file():
            yield Sample(path.relative_to(folder).as_posix(), path.read_text("utf-8", "replace"))


def ordinary(folders: Sequence[Path], most: int, seed: int) -> list[Sample]:
    """Markdown files without handoffs, each text once."""
    paths = sorted({path for folder in folders for path in folder.rglob("*.md")})
    random.Random(seed).shuffle(paths)
    chosen: dict[str, Sample] = {}
    for path in paths:
        if len(chosen) >= most:
            break
        if path.is_file() and 200 < path.stat().st_size < _LONGEST:
            text = path.read_text("utf-8", "replace")
            if text not in chosen and not analyze(Source(text), path.as_posix(), builtin(), Options()).handoffs:
                chosen[text] = Sample(path.as_posix(), text)
    return list(chosen.values())


def measure(name: str, files: Sequence[Sample], others: Sequence[Sample], seed: int, few: int = 0) -> Figures:
    """Learn from two thirds of a format's files, or from ``few``, and try the contract on all."""
    mixed = list(files)
    random.Random(seed).shuffle(mixed)
    cut = max(1, len(mixed) - few if few else len(mixed) // 3)
    outside, inside = mixed[:cut], mixed[cut:]
    begin = time.perf_counter()
    learned = learn(inside, name="learned")
    seconds = time.perf_counter() - begin
    entry, problems = read_contract(learned.text)
    assert entry is not None, problems
    registry = Registry({entry.name: entry})

    def errors(sample: Sample) -> bool:
        found = analyze(sample.source, sample.path, registry, Options(), parse=sample.parse).findings
        return any(finding.severity == "error" for finding in found)

    def knows(sample: Sample) -> bool:
        return bool(analyze(sample.source, sample.path, registry, Options(), parse=sample.parse).handoffs)

    return Figures(
        name,
        len(inside),
        sum(map(knows, inside)),
        len(learned.trial.errors),
        len(learned.trial.findings),
        len(outside),
        sum(map(knows, outside)),
        sum(map(errors, outside)),
        [sample.path for sample in others if knows(sample)],
        seconds,
        learned,
    )


def main() -> None:
    """Print a row for each format, and their sums."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ordinary", action="append", type=Path, default=[])
    parser.add_argument("--most", type=int, default=500)
    parser.add_argument("--few", type=int, default=0, help="learn from this many files only")
    parser.add_argument("--show", default="", help="also print the contracts of formats with this in their names")
    given = parser.parse_args()
    others = ordinary(given.ordinary, given.most, given.seed)
    rows = [measure(name, files, others, given.seed, given.few) for name, files in formats(given.folders).items()]
    print(f"{'format':38} form     learned from  errors  findings  left out  strict", end="  ")
    print(f"ordinary {len(others)}  lines  decide  s")
    for row in rows:
        trial = row.learned.trial
        print(
            f"{row.name:38} {trial.draft.form:8} {row.known:4} of {row.inside:3}  {row.errors:6}  {row.findings:8}"
            f"  {row.found:3} of {row.outside:2}  {row.strict:6}  {len(row.wrong):12}"
            f"  {row.learned.text.count(chr(10)):5}  {len(row.learned.questions):6}  {row.seconds:.1f}"
        )
        if given.show and given.show in row.name:
            print(row.learned.text, *row.wrong, sep="\n")
    left, found = sum(row.outside for row in rows), sum(row.found for row in rows)
    print(f"left out: {found} of {left} recognised ({found / max(left, 1):.0%}),", end=" ")
    print(f"errors in {sum(row.strict for row in rows)};", end=" ")
    print(f"learned from: {sum(row.known for row in rows)} of {sum(row.inside for row in rows)},", end=" ")
    print(f"{sum(row.errors for row in rows)} errors;", end=" ")
    print(f"ordinary documents: {sum(len(row.wrong) for row in rows)} recognised")


if __name__ == "__main__":
    main()
