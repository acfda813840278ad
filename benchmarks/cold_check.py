"""Cold `check` of one file, as a ratio to importing markdown-it-py alone, in the same minute."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
HANDOFF = ROOT / "examples" / "handoffs" / "board" / "backend-dev-handoff.md"
TURN = ROOT / "examples" / "turn-report.md"


def run(*args: str) -> float:
    """The wall time of one fresh process, in milliseconds."""
    start = time.perf_counter()
    subprocess.run([sys.executable, *args], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - start) * 1000


def main(rounds: int = 15) -> None:
    """Print the medians of alternating runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "with-config").mkdir()
        (folder / "with-config" / ".handoff-lsp.toml").write_text(
            '[rules]\ncount-mismatch = "warning"\n', encoding="utf-8"
        )
        for place in (folder, folder / "with-config"):
            for example in (HANDOFF, TURN):
                (place / example.name).write_bytes(example.read_bytes())
        compare(folder, rounds)


def compare(folder: Path, rounds: int) -> None:
    """Run the commands in turn on the files of a folder, print the table."""
    commands = {
        "python -c 'import markdown_it'": ("-c", "from markdown_it import MarkdownIt; MarkdownIt('commonmark')"),
        "handoff-lsp --version": ("-m", "handoff_lsp", "--version"),
        "handoff-lsp check (status-block)": ("-m", "handoff_lsp", "check", str(folder / HANDOFF.name)),
        "handoff-lsp check (agent-contract)": ("-m", "handoff_lsp", "check", str(folder / TURN.name)),
        "handoff-lsp check, with a config": ("-m", "handoff_lsp", "check", str(folder / "with-config" / HANDOFF.name)),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, args in commands.items():
            times[name].append(run(*args))
    base = statistics.median(times["python -c 'import markdown_it'"])
    print("cold start, median of", rounds)
    for name, values in times.items():
        median = statistics.median(values)
        print(f"  {name:<38} {median:7.1f} ms  {median / base:5.2f} ×")


if __name__ == "__main__":
    main()
