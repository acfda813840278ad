"""The cost of many contracts: loading them, and the analysis of an edit with all as a ratio to the first two alone."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from pathlib import Path

from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.syntax.markdown.incremental import parse_markdown, reparse_markdown
from handoff_lsp.text import Source, Span

ROOT = Path(__file__).parent.parent
FIRST = ("agent-contract", "status-block")

_LOAD = """
import time
from handoff_lsp.contracts.registry import builtin
start = time.perf_counter()
registry = builtin()
read = time.perf_counter()
for entry in registry:
    entry.contract, entry.names
print((read - start) * 1000, (time.perf_counter() - read) * 1000, len(registry.names))
"""


def documents() -> dict[str, tuple[str, str]]:
    """Texts to type in, with their paths: a handoff, a long one, and Markdown without a handoff."""
    handoff = (ROOT / "examples" / "handoffs" / "board" / "backend-dev-handoff.md").read_text(encoding="utf-8")
    part = "### Decision {}\n\nSome prose about it, with `code` and words.\n\n- a\n- b: c\n\n"
    notes = "".join(part.format(number) for number in range(800))
    long = handoff.replace("## Key Decisions\n", f"## Key Decisions\n\n{notes}")
    return {
        "handoff, 50 lines": ("handoffs/board/backend-dev-handoff.md", handoff),
        "handoff, 6,000 lines": ("handoffs/board/backend-dev-handoff.md", long),
        "ordinary Markdown, 6,000 lines": ("docs/notes.md", f"# Notes\n\n{notes}"),
    }


def edits(path: str, text: str, registry: Registry, rounds: int) -> float:
    """The median time of one edit's reparse and analysis, in milliseconds."""
    tree = parse_markdown(Source(text))
    times = []
    middle = len(text) // 2
    for number in range(rounds):
        out = number % 2
        start = time.perf_counter()
        source = tree.source.replaced(Span(middle, middle + out), "" if out else "x")
        tree = parsed = reparse_markdown(tree, source, Span(middle, middle + out), 1 - out)
        analyze(source, path, registry, Options(), parse=lambda _, parsed=parsed: parsed)  # type: ignore[misc]
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times)


def main(rounds: int = 5) -> None:
    """Print the cost of loading, and the times of edits with few and with all contracts, measured by turns."""
    loads = [
        [float(part) for part in subprocess.check_output([sys.executable, "-c", _LOAD], text=True).split()]
        for _ in range(rounds)
    ]
    read, build, count = (statistics.median(column) for column in zip(*loads, strict=True))
    print(f"{count:.0f} contracts: {read:.1f} ms to read, {build:.1f} ms to build all of them for detection")
    everything = builtin()
    few = Registry({name: everything[name] for name in FIRST})
    for name, (path, text) in documents().items():
        with_few, with_all = [], []
        for _ in range(rounds):
            with_few.append(edits(path, text, few, 40))
            with_all.append(edits(path, text, everything, 40))
        one, other = min(with_few), min(with_all)
        print(f"  {name:<32} {one:6.2f} ms with {len(FIRST)}, {other:6.2f} ms with all  {other / one:5.2f} ×")


if __name__ == "__main__":
    main()
