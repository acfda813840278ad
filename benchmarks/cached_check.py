"""`check` of a folder without the cache, with an empty one, unchanged, and after one edit: time and memory.

Each figure is that of a whole process, as a ratio to a process that starts Python and reads the same files, which runs
in turn with it. The time is the processor's (user and system), the least of some rounds; the memory is the peak.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.many_turns import TURN

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").rglob("*.md"))
_READ = "import pathlib, sys; [path.read_text(encoding='utf-8') for path in pathlib.Path(sys.argv[1]).rglob('*.md')]"


class Cost(NamedTuple):
    """The processor time of a process in seconds, and the most memory it had in KiB."""

    time: float
    memory: int


def cost(*arguments: str) -> Cost:
    """What a fresh Python costs."""
    with subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(used.ru_utime + used.ru_stime, used.ru_maxrss)


def spread(folder: Path, count: int) -> None:
    """The examples, each in a folder of its own."""
    for index in range(count):
        example = EXAMPLES[index % len(EXAMPLES)]
        path = folder / "handoffs" / f"feature-{index}" / example.name
        path.parent.mkdir(parents=True)
        path.write_bytes(example.read_bytes())


def together(folder: Path, count: int) -> None:
    """An agent's turns in one folder."""
    for number in range(count):
        (folder / f"turn-{number}.md").write_text(TURN.format(number=number), encoding="utf-8")


LAYOUTS: tuple[tuple[str, Callable[[Path, int], None], int], ...] = (
    ("one file", spread, 1),
    ("1,000 spread", spread, 1_000),
    ("10,000 spread", spread, 10_000),
    ("500 in one folder", together, 500),
    ("4,000 in one folder", together, 4_000),
)


def measured(make: Callable[[Path, int], None], count: int, rounds: int) -> dict[str, Cost]:
    """The costs of the runs over one layout, by their names."""
    found: dict[str, list[Cost]] = {}
    with tempfile.TemporaryDirectory() as name:
        files, cache = Path(name, "files"), Path(name, "cache")
        files.mkdir()
        make(files, count)
        last = sorted(files.rglob("*.md"))[-1]
        check = ("-m", "handoff_lsp", "check", str(files), "--cache-dir", str(cache))
        for _ in range(rounds):
            shutil.rmtree(cache, ignore_errors=True)
            runs: dict[str, Sequence[str]] = {
                "read": ("-c", _READ, str(files)),
                "--no-cache": (*check, "--no-cache"),
                "cold": check,
                "warm": check,
                "one changed": check,
            }
            for run, arguments in runs.items():
                if run == "one changed":
                    last.write_text(last.read_text(encoding="utf-8") + "\nMore.\n", encoding="utf-8")
                found.setdefault(run, []).append(cost(*arguments))
    return {run: Cost(min(c.time for c in costs), min(c.memory for c in costs)) for run, costs in found.items()}


def main(rounds: int = 3, layouts: Sequence[int] = range(len(LAYOUTS))) -> None:
    """Print a table: times the time and the memory of reading alone; last, the unchanged run to the one without."""
    print("check, as multiples of starting Python and reading the files: time (memory)")
    for name, make, count in (LAYOUTS[index] for index in layouts):
        costs = measured(make, count, rounds if count < 2_000 else 1)
        read = costs.pop("read")
        cells = [f"{run} {c.time / read.time:6.1f} × ({c.memory / read.memory:4.1f} ×)" for run, c in costs.items()]
        warm = costs["warm"].time / costs["--no-cache"].time
        print(f"  {name:<20} {'  '.join(cells)}  warm to --no-cache {warm:4.0%}   [{read.time:.2f} s]", flush=True)


if __name__ == "__main__":
    main(layouts=[int(each) for each in sys.argv[1:]] or range(len(LAYOUTS)))
