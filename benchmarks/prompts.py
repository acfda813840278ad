"""Prompts, as ratios in the same run: a pack of 100, cold, and a keystroke in one of them.

    python -m benchmarks.prompts [--edits 100]

Cold: `check` of the pack, and the first diagnostics of a server for one of its prompts, beside a process that imports
markdown-it-py and parses the same files. Keystrokes: in a prompt of 60 and of 600 lines in the pack, beside a handoff
of the same size in the same folder; by turns, so that a busy machine slows both. `cpu` is the ratio of the processor
times.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from benchmarks.server_process import OURS
from benchmarks.speed.documents import Document, in_markdown
from benchmarks.speed.editing import typed
from benchmarks.speed.session import Session

PROMPTS = 100
_PARSE = """
import sys
from pathlib import Path
from markdown_it import MarkdownIt
parser = MarkdownIt("commonmark").enable("table")
for path in Path(sys.argv[1]).rglob("*.md"):
    parser.parse(path.read_text(encoding="utf-8"))
"""
_FIELDS = ("STATUS", "BRANCH", "PR_URL", "BLOCKED_REASON", "NEXT")
_STATUSES = ("success", "error", "blocked", "suspended")


def prompt(number: int, lines: int) -> str:
    """An agent's definition with about the given number of lines."""
    text = f"""---
name: worker-{number}
description: Builds part {number}
---

# Worker {number}

You build part {number}. Read `.claude/rules/protocol.md` first.

## On completion

End with an `AGENT_RESULT` block:

```
AGENT_RESULT: developer
STATUS: success | error | blocked | suspended
BRANCH: {{branch}}
PR_URL: {{url}}
BLOCKED_REASON: {{what is missing}}
NEXT: reviewer
```

| Value | When |
| --- | --- |
| `STATUS: success` | the part is built |
| `STATUS: error` | the build broke |
| `STATUS: blocked` | a decision is missing |
| `STATUS: suspended` | the session ends early |

If a decision is missing, set `STATUS` to `blocked` and say in `BLOCKED_REASON` what it is.
""".splitlines()
    while len(text) < lines:
        step = len(text)
        text += [
            "",
            f"## Step {step}",
            "",
            f"Read `src/part_{step}.py`; its `status` is not the one of this block.",
            "",
        ]
        text += [f"- rule {step}.{item}: keep `src/part_{step}.py` small, and **say why**" for item in range(6)]
    return "\n".join(text[:lines]) + "\n"


PROTOCOL = """# Protocol

Every agent ends with an `AGENT_RESULT` block.

| STATUS value | Reaction |
| --- | --- |
| `success` | go on |
| `error` | stop |
| `blocked` | ask |
| `suspended` | start again |
"""


def texts() -> Iterator[tuple[str, str]]:
    """The files of the pack: most of 60 lines, some longer, one of 600."""
    yield ".claude/rules/protocol.md", PROTOCOL
    yield ".claude/agents/orchestrator.md", "# Orchestrator\n\nYou are the orchestrator.\n\n" + PROTOCOL
    for number in range(PROMPTS - 2):
        lines = 600 if number == 1 else 60 + number % 5 * 30 if number else 60
        yield f".claude/agents/worker-{number}.md", prompt(number, lines)
    for lines in (60, 600):
        yield f"handoffs/feature-{lines}/developer-handoff.md", in_markdown(lines).text


def document(root: Path, path: str) -> Document:
    """A file of the pack, and a line with words in the middle of its text."""
    text = (root / path).read_text(encoding="utf-8")
    lines = text.split("\n")
    return Document(path, text, next(at for at in range(len(lines) // 2, len(lines)) if len(lines[at]) > 20))


def _seconds(*arguments: str) -> float:
    began = perf_counter()
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return perf_counter() - began


def cold(root: Path, rounds: int) -> None:
    """Print the times of fresh processes, by turns."""
    times: dict[str, list[float]] = {"markdown-it parses the files": [], "check": [], "first diagnostics": []}
    for _ in range(rounds):
        times["markdown-it parses the files"].append(_seconds("-c", _PARSE, str(root)))
        times["check"].append(_seconds("-m", "handoff_lsp", "check", str(root), "--no-cache"))
        with Session("server", OURS, root) as server:
            server.open(root / ".claude/agents/worker-0.md")
            times["first diagnostics"].append(server.since_spawn)
    base = median(times["markdown-it parses the files"])
    print(f"{PROMPTS} prompts, cold, median of {rounds}")
    for name, each in times.items():
        print(f"  {name:<38} {median(each) * 1e3:7.0f} ms  {median(each) / base:5.2f} ×")


def keystrokes(root: Path, edits: int) -> None:
    """Print the times of keystrokes in prompts beside those in handoffs."""
    print("a keystroke                            lines  handoff ms   prompt ms   p95 ms     ratio     cpu")
    for number, lines in ((0, 60), (1, 600)):
        handoff = document(root, f"handoffs/feature-{lines}/developer-handoff.md")
        agent = document(root, f".claude/agents/worker-{number}.md")
        with Session("in a handoff", OURS, root) as one, Session("in a prompt", OURS, root) as other:
            one.open(root / handoff.path)
            other.open(root / agent.path)
            typed([(one, handoff), (other, agent)], edits)
            high = sorted(other.times)[int(len(other.times) * 0.95)]
            figures = f"{median(one.times) * 1e3:12.2f}{median(other.times) * 1e3:12.2f}{high * 1e3:9.2f}"
            ratio, cpu = median(other.times) / median(one.times), (other.cpu - other.idle) / (one.cpu - one.idle)
            title = f"in a prompt, one of {PROMPTS}"
            print(f"  {title:<34}{agent.text.count(chr(10)):>7}{figures}{ratio:>10.2f}{cpu:>8.2f}", flush=True)


def main(rounds: int = 7, edits: int = 100) -> None:
    """Print both tables."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name).resolve()
        (root / ".git").mkdir()
        for path, text in texts():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, encoding="utf-8")
        cold(root, rounds)
        keystrokes(root, edits)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=100, help="measured keystrokes for each document")
    main(edits=parser.parse_args().edits)
