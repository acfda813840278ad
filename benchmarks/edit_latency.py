"""Edit to diagnostics, as a ratio to a bare pygls server in the same run.

    python -m benchmarks.edit_latency [--edits 200]

Both servers get the same document and the same edits, by turns, so that a busy machine slows both. An edit types one
letter into a line in the middle, or takes it out again; the time is from the write to the diagnostics of that version.
"""

from __future__ import annotations

import argparse
import json
import sys
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


class Session(ServerProcess):
    """One server with one open document."""

    def __init__(self, command: list[str], text: str, line: int) -> None:
        super().__init__(command)
        self.uri = "file:///nowhere/handoffs/developer-handoff.md"
        self.line, self.version, self.typed = line, 1, False
        self.column = 2 + len(text.split("\n")[line]) // 2
        self.times: list[float] = []
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


def compare(name: str, text: str, line: int, edits: int, limit: float) -> bool:
    """Measure one document and print its row. Whether it is within its limit."""
    with Session(BARE, text, line) as bare, Session(OURS, text, line) as ours:
        for session in (bare, ours):  # warm up
            for _ in range(20):
                session.edit()
            session.times.clear()
        for _ in range(edits):
            bare.edit()
            ours.edit()
        ratio = median(ours.times) / median(bare.times)
        slow = sorted(ours.times)[int(len(ours.times) * 0.95)]
        figures = "".join(f"{seconds * 1e3:>10.2f}" for seconds in (median(bare.times), median(ours.times), slow))
        lines = text.count("\n")
        print(f"{name:<28}{lines:>7}{ours.found:>10}{figures}{ratio:>10.2f}{limit:>10.0f}", flush=True)
        return ratio <= limit


def main() -> int:
    """Print the table. Returns 1 if a ratio is above its limit, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=200, help="measured edits for each document and server")
    edits = parser.parse_args().edits
    print("document                      lines  findings   bare ms   ours ms    p95 ms     ratio     limit")
    within = [
        compare("status-block", *markdown(60), edits, 3),
        compare("status-block", *markdown(6000), edits, 6),
        compare("agent-contract (JSON fence)", *fenced(60), edits, 3),
        compare("agent-contract (JSON fence)", *fenced(6000), edits, 6),
    ]
    return 0 if all(within) else 1


if __name__ == "__main__":
    raise SystemExit(main())
