"""Edit to diagnostics, as a ratio to a bare pygls server in the same run.

    python -m benchmarks.edit_latency [--edits 200] [--only WORD]

Both servers get the same document and the same edits, by turns, so that a busy machine slows both. An edit types one
letter into a line in the middle, or takes it out again; the time is from the write to the diagnostics of that version.
`cpu` is the ratio of the processor times of the two servers, which a busy machine changes least (Linux only).
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from benchmarks.server_process import ROOT, ServerProcess

OURS = [sys.executable, "-m", "handoff_lsp", "server"]
BARE = [sys.executable, str(ROOT / "benchmarks" / "bare_server.py")]

HEAD = """# Feature login — Handoff from Developer

## Status
complete

## Status reason

## Abstract
outcome: login built
verdict: n/a
files: 2 created, 1 modified, 0 deleted
next_phase: Tester
open_questions: 0

## Iteration
iter 1

## Files Created
- `src/login.py`
- `src/session.py`

## Files Modified
- `src/app.py`: mounts the routes

## Quality-Gate Results
ruff: All checks passed
pytest: 41 passed

## DoD coverage
- ✓ login form: `src/login.py`
- ⚠️ Tester scope: end-to-end test

## Key decisions
"""


def markdown(lines: int) -> tuple[str, int]:
    """A handoff with the given number of lines, and the line to type in."""
    text = HEAD.splitlines()
    while len(text) < lines - 6:
        n = len(text)
        text.append(f"- decision {n}: the session is kept in `src/part_{n}.py`, since cookies are read twice")
        if n % 40 == 0:
            text += ["", f"### Detail {n}", "", "A paragraph that says why, with `code` and **weight**.", ""]
    text += ["", "## For the next agent", "Start with `src/login.py`.", "", "## Open Questions", "none"]
    return "\n".join(text) + "\n", len(text) // 2


def fenced(lines: int) -> tuple[str, int]:
    """A JSON contract in a fence with about the given number of lines, and the line to type in."""
    contract: dict[str, Any] = {
        "agent_contract_handoff": {
            "agent_status": {
                "plan_status": "IN_PROGRESS",
                "agent_id": "a1",
                "pending_steps": [],
                "next_action": "go on",
            },
            "evidence_report": {
                "patterns_checked": [f"pattern {n}" for n in range(lines // 2)],
                "files_checked": [f"src/file_{n}.py" for n in range(lines // 2 - 20)],
            },
        }
    }
    body = json.dumps(contract, indent=2)
    text = f"# Report\n\n```json:contract\n{body}\n```\n"
    middle = text.index(f'"pattern {lines // 4}"')
    return text, text.count("\n", 0, middle)


def status_file(lines: int) -> tuple[str, int]:
    """The status file of an agent, JSON, with about the given number of lines, and the line to type in."""
    state: dict[str, Any] = {
        "agent_id": "worker-7f3c",
        "agent_type": "worker",
        "status": "running",
        "task": "Teach the importer to read tabs",
        "progress": "2/3: Writing tests",
        "last_checkpoint": "9c1e04b",
        "findings": [f"finding {n}: there is a splitter in lib/split_{n}.py" for n in range(lines // 2)],
        "warnings": [f"warning {n}: the old reader splits by blanks" for n in range(lines // 2 - 16)],
        "errors": [],
        "started_at": "2026-03-02T08:00:00Z",
        "updated_at": "2026-03-02T08:40:00Z",
    }
    text = json.dumps(state, indent=2) + "\n"
    return text, text.count("\n", 0, text.index(f"finding {lines // 4}:"))


def block(lines: int) -> tuple[str, int]:
    """A `key: value` block with the given number of lines in a Markdown document, and the line to type in."""
    head = ["# Run", "", "AGENT_RESULT: architect", "STATUS: success", "ARTIFACT_PATHS:"]
    items = [f"  - PART_{n}: docs/part_{n}.md" for n in range(lines - 10)]
    rest = ["TECH_STACK: Rust, clap", "PHASES: 3", "BRANCH: feat/export", "NEXT: developer", "", "And the rest."]
    return "\n".join([*head, *items, *rest]) + "\n", len(head) + len(items) // 2


def log(lines: int) -> tuple[str, int]:
    """An agent's activity log with the given number of lines, and the line to type in."""
    entries = [
        "[START] Task: teach the importer to read tabs",
        "[STATUS] running",
        "[BASH] make test",
        "[TEST] x -- PASS",
    ]
    text = [f"2026-02-{1 + n // 1000:02d}T10:00:00Z {entries[min(n, 1 + n % 3)]}" for n in range(lines)]
    return "\n".join(text) + "\n", lines // 2


class Session(ServerProcess):
    """One server with one open document."""

    def __init__(self, command: list[str], path: str, text: str, line: int) -> None:
        super().__init__(command)
        self.uri = f"file:///nowhere/{path}"
        self.line, self.version, self.typed = line, 1, False
        self.column = 2 + len(text.split("\n")[line]) // 2
        self.times: list[float] = []
        self.busy = 0.0  # the processor time of the measured edits, in seconds
        self.found = 0
        capabilities = {"textDocument": {"publishDiagnostics": {"versionSupport": True, "relatedInformation": True}}}
        at_once = {"editor": {"wait-while-typing": False}}  # the check is measured, not the wait
        self.initialize(capabilities=capabilities, initializationOptions=at_once)
        item = {"uri": self.uri, "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        self.wait()

    def wait(self) -> None:
        """Read until the diagnostics of the newest version."""
        while True:
            message = self.read()
            if message.get("method") != "textDocument/publishDiagnostics":
                continue
            if message["params"].get("version") == self.version:
                self.found = len(message["params"]["diagnostics"])
                return

    def edit(self) -> None:
        """Type a letter, or take it out again, and note the time to its diagnostics."""
        self.version += 1
        start = {"line": self.line, "character": self.column}
        end = {"line": self.line, "character": self.column + self.typed}
        change = {"range": {"start": start, "end": end}, "text": "" if self.typed else "x"}
        self.typed = not self.typed
        document = {"uri": self.uri, "version": self.version}
        began = perf_counter()
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": [change]})
        self.wait()
        self.times.append(perf_counter() - began)

    def cpu(self) -> float:
        """The processor time of the server so far, in seconds; 0 where the system does not say."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        return (
            sum(int((task / "schedstat").read_text().split()[0]) for task in tasks.iterdir()) / 1e9
            if tasks.is_dir()
            else 0.0
        )


def compare(name: str, path: str, text: str, line: int, edits: int, limit: float) -> bool:
    """Measure one document and print its row. Whether it is within its limit."""
    with Session(BARE, path, text, line) as bare, Session(OURS, path, text, line) as ours:
        for session in (bare, ours):  # warm up
            for _ in range(20):
                session.edit()
            session.times.clear()
            session.busy = -session.cpu()
        for _ in range(edits):
            bare.edit()
            ours.edit()
        for session in (bare, ours):
            session.busy += session.cpu()
        ratio = median(ours.times) / median(bare.times)
        slow = sorted(ours.times)[int(len(ours.times) * 0.95)]
        figures = "".join(f"{seconds * 1e3:>10.2f}" for seconds in (median(bare.times), median(ours.times), slow))
        lines, cpu = text.count("\n"), ours.busy / bare.busy if bare.busy else 0.0
        print(f"{name:<28}{lines:>7}{ours.found:>10}{figures}{ratio:>8.2f}{cpu:>8.2f}{limit:>8.1f}", flush=True)
        return ratio <= limit


# Each document with its path; the limits are for a short and a long one.
DOCUMENTS: list[tuple[str, str, Callable[[int], tuple[str, int]]]] = [
    ("Markdown", "handoffs/developer-handoff.md", markdown),
    ("JSON fence", "handoffs/developer-handoff.md", fenced),
    ("JSON file", ".agent/status.json", status_file),
    ("key: value block", "runs/today.md", block),
    ("log", ".agent/activity.log", log),
]
SIZES = {60: 2.0, 6000: 2.5}


def main() -> int:
    """Print the table. Returns 1 if a ratio is above its limit, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=200, help="measured edits for each document and server")
    parser.add_argument("--only", default="", help="only documents with this word in their names")
    args = parser.parse_args()
    print("document                      lines  findings   bare ms   ours ms    p95 ms   ratio     cpu   limit")
    within = [
        compare(name, path, *make(lines), args.edits, limit)
        for name, path, make in DOCUMENTS
        if args.only in name
        for lines, limit in SIZES.items()
    ]
    return 0 if all(within) else 1


if __name__ == "__main__":
    raise SystemExit(main())
