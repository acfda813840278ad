"""`check` of 1,000 handoffs in one run, as a ratio to markdown-it-py's block rules on the same files."""

from __future__ import annotations

import contextlib
import io
import tempfile
import time
from pathlib import Path

from markdown_it import MarkdownIt

from handoff_lsp.cli.main import main as command

ROOT = Path(__file__).parent.parent
EXAMPLES = sorted((ROOT / "examples").rglob("*.md"))


def main(count: int = 1000) -> None:
    """Print both times and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for index in range(count):
            example = EXAMPLES[index % len(EXAMPLES)]
            path = Path(folder) / "handoffs" / f"feature-{index}" / example.name
            path.parent.mkdir(parents=True)
            path.write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
            paths.append(path)
        parser = MarkdownIt("commonmark").enable("table")
        parser.core.ruler.enableOnly(["normalize", "block"])
        start = time.perf_counter()
        for path in paths:
            parser.parse(path.read_text(encoding="utf-8"))
        base = time.perf_counter() - start
        start = time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):
            command(["check", folder, "--output-format", "json", "--no-cache"])
        ours = time.perf_counter() - start
        print(f"{count} files")
        print(f"  markdown-it, blocks only               {base * 1000:7.0f} ms")
        print(f"  handoff-lsp check, with fixes as JSON  {ours * 1000:7.0f} ms  {ours / base:5.2f} ×")


if __name__ == "__main__":
    main()
