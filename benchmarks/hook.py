"""`hook` for a return or an edit, as ratios to starting Python and to importing markdown-it-py, in the same minute.

Processor time of whole processes, which other work on the machine disturbs less than the clock; the runs alternate.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parent.parent
BOARD = ROOT / "examples" / "handoffs" / "board"
CLEAN, BROKEN = "backend-reviewer-handoff.md", "backend-dev-handoff.md"

ENVELOPE = """\
## Proposal Created

**Change**: add-night-mode
**Status**: success

### Summary
A proposal for night mode: two deliverables, one put off.

### Artifacts
- `openspec/changes/add-night-mode/proposal.md`

### Next Recommended
Ready for specs (sdd-spec)

### Risks
None
"""
AGENT_RESULT = """\
AGENT_RESULT: architect
STATUS: success
ARTIFACT_PATHS:
  - ARCHITECTURE: docs/ARCHITECTURE.md
TECH_STACK: Rust, clap
TECH_STACK_CHANGED: false
PHASES: 3
BRANCH: feat/export
NEXT: developer
"""
STATUS = {"plan_status": "COMPLETE", "agent_id": "ab7e4d2", "pending_steps": [], "next_action": "done"}
LISTS = ("patterns_checked", "files_checked", "commands_run", "key_outputs", "verbatim_outputs", "cross_layer_impacts")
EVIDENCE = {**{key: [] for key in (*LISTS, "open_gaps")}, "verification": {"method": "test", "result": "pass"}}
CONTRACT = json.dumps(
    {"agent_status": STATUS, "evidence_report": EVIDENCE, "consolidation_report": None, "approval_request": None},
    indent=2,
)
# The command as package managers install it.
COMMAND = "import sys\nfrom handoff_lsp.cli.main import main\nsys.exit(main())\n"
SESSION = "5ad7c4f0-6f0d-4c39-9d5a-0d5c8a8f3b1e"
STORY = "I have implemented the change and updated the docs. All tests pass.\n\n- src/a.py\n- src/b.py\n" * 3


class Spent(NamedTuple):
    """The times of one process, in milliseconds: of the processor and of the clock."""

    processor: float
    clock: float


def run(arguments: list[str], given: dict[str, Any] | None, folder: Path) -> Spent:
    """Run one fresh process of Python."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments],
        input=json.dumps(given).encode(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=folder,
        env=environment,
        check=False,
    )
    clock, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Spent(spent * 1000, clock * 1000)


def edit(path: str, folder: Path) -> dict[str, Any]:
    """The input of a hook after an edit."""
    return {
        "session_id": SESSION,
        "hook_event_name": "PostToolUse",
        "tool_name": "Write",
        "tool_input": {"file_path": str(folder / path)},
        "cwd": str(folder),
    }


def end(agent: str, message: str, folder: Path) -> dict[str, Any]:
    """The input of a hook at the end of a subagent."""
    return {
        "session_id": SESSION,
        "hook_event_name": "SubagentStop",
        "agent_id": "1",
        "agent_type": agent,
        "last_assistant_message": message,
        "stop_hook_active": False,
        "cwd": str(folder),
    }


def inputs(folder: Path) -> dict[str, dict[str, Any]]:
    """The inputs by their names; their files are written."""
    (folder / ".git").mkdir()
    handoffs = folder / "handoffs" / "board"
    handoffs.mkdir(parents=True)
    texts = {
        "main.py": "x = 1\n",
        "README.md": "# Project\n\nThe status of the work, and its next steps.\n\n```sh\nmake test\n```\n" * 20,
        "package.json": "{}\n",
        **{f"handoffs/board/{name}": (BOARD / name).read_text(encoding="utf-8") for name in (CLEAN, BROKEN)},
    }
    for path, text in texts.items():
        (folder / path).write_text(text, encoding="utf-8")
    return {
        "edit of a .py file": edit("main.py", folder),
        "edit of a README": edit("README.md", folder),
        "edit of other JSON": edit("package.json", folder),
        "edit of a handoff": edit(f"handoffs/board/{CLEAN}", folder),
        "edit of a broken handoff": edit(f"handoffs/board/{BROKEN}", folder),
        "return: envelope": end("sdd-propose", ENVELOPE, folder),
        "return: AGENT_RESULT": end("architect", AGENT_RESULT, folder),
        "return: agent_contract_handoff": end("gaia", f"```agent_contract_handoff\n{CONTRACT}\n```\n", folder),
        "return: broken envelope": end("sdd-propose", ENVELOPE.replace("success", "okay"), folder),
        "return: none owed": end("Explore", STORY, folder),
    }


def main(rounds: int = 20) -> None:
    """Print the medians and the 95th percentiles of alternating runs."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "handoff-lsp").write_text(COMMAND, encoding="utf-8")
        hook = [str(folder / "handoff-lsp"), "hook", "claude-code"]
        runs: dict[str, tuple[list[str], dict[str, Any] | None]] = {
            "python -c pass": (["-c", "pass"], None),
            "importing markdown-it-py": (["-c", "from markdown_it import MarkdownIt; MarkdownIt('commonmark')"], None),
            **{name: (hook, given) for name, given in inputs(folder).items()},
        }
        spent: dict[str, list[Spent]] = {name: [] for name in runs}
        for number in range(rounds + 1):
            for name, (arguments, given) in runs.items():
                one = run(arguments, given, folder)
                if number:  # the first round compiles
                    spent[name].append(one)
    table(spent)


def table(spent: dict[str, list[Spent]]) -> None:
    """Print a line for each kind of run."""
    medians = {name: statistics.median(one.processor for one in all_of) for name, all_of in spent.items()}
    python, markdown = list(medians.values())[:2]
    print("hook: processor time (median, p95), its ratios, and the clock (median, p95), in ms")
    for name, median in medians.items():
        processor, clock = (sorted(times) for times in zip(*spent[name], strict=True))
        high = int(len(processor) * 0.95)
        print(
            f"  {name:<32} {median:6.1f} {processor[high]:6.1f}  {median / python:5.1f} × python"
            f"  {median / markdown:5.2f} × markdown  {statistics.median(clock):6.1f} {clock[high]:6.1f}"
        )


if __name__ == "__main__":
    main()
