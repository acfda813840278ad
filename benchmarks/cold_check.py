"""Cold `check` of one file, as a ratio to importing markdown-it-py alone, in the same minute.

Processor time of whole processes, as of the hooks; their modules are compiled, as those of an installed package are.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from benchmarks.hook import Spent, run

ROOT = Path(__file__).parent.parent
HANDOFF = ROOT / "examples" / "handoffs" / "board" / "backend-dev-handoff.md"
TURN = ROOT / "examples" / "turn-report.md"


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
    spent: dict[str, list[Spent]] = {name: [] for name in commands}
    for number in range(rounds + 1):
        for name, args in commands.items():
            one = run(list(args), None, folder)
            if number:  # the first round compiles
                spent[name].append(one)
    medians = {name: statistics.median(one.processor for one in all_of) for name, all_of in spent.items()}
    base = medians["python -c 'import markdown_it'"]
    print("cold start, processor time and clock, median of", rounds)
    for name, median in medians.items():
        clock = statistics.median(one.clock for one in spent[name])
        print(f"  {name:<38} {median:7.1f} ms  {median / base:5.2f} ×  {clock:7.1f} ms")


if __name__ == "__main__":
    main()
