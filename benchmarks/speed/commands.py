"""Whole processes measured: a cold `check`, a hook, a scan of many files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from benchmarks.cached_check import spread
from benchmarks.hook import inputs
from benchmarks.server_process import ROOT
from benchmarks.speed.documents import in_json, in_markdown
from benchmarks.speed.editing import written
from benchmarks.speed.figures import Row, Table, by_turns
from benchmarks.speed.tools import (
    AGNIX,
    JSONSCHEMA,
    MARKDOWN_IT,
    MARKDOWNLINT,
    OPENSPEC,
    PYTHON,
    REMARK,
    RUMDL,
    Programs,
)

_SKILL = """\
---
name: skill-{0}
description: Use when part {0} is needed
---

# Part {0}

Read `src/part_{0}.py`.
"""
_PROPOSAL = """\
## Why

Part {0} is read twice, and the second time it has changed, so one reader is wrong.

## What Changes

- Read it once.
"""
_SPEC = """\
## ADDED Requirements

### Requirement: Part {0} is read once

The program SHALL read part {0} once.

#### Scenario: Two readers

- **WHEN** two readers ask for it
- **THEN** both get the same text
"""


class Runner:
    """Runs commands in a folder. With `cores`, on as many processors only."""

    def __init__(self, programs: Programs, folder: Path, cores: int | None = None) -> None:
        self.programs, self.folder = programs, folder
        self.cores = sorted(os.sched_getaffinity(0))[:cores]
        self.env = {**programs.env, "XDG_CACHE_HOME": str(folder.parent / "home")}

    def wall(self, command: list[str], given: str = "") -> float:
        """The milliseconds of one process."""
        began = perf_counter()
        self._run(command, given)
        return (perf_counter() - began) * 1e3

    def processor(self, command: list[str], given: str = "") -> float:
        """The processor's milliseconds of one process and its children."""
        before = os.times()
        self._run(command, given)
        after = os.times()
        spent = after.children_user + after.children_system - before.children_user - before.children_system
        return spent * 1e3

    def _run(self, command: list[str], given: str) -> None:
        ran = subprocess.run(
            command,
            input=given.encode(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.env,
            check=False,
            preexec_fn=lambda: os.sched_setaffinity(0, self.cores),
        )
        if ran.returncode not in (0, 1):
            raise SystemExit(f"{command} ended with {ran.returncode}: {ran.stderr.decode()[:2000]}")
        if b"\n    at " in ran.stderr:  # a crash in Node
            raise SystemExit(f"{command} crashed: {ran.stderr.decode()[:2000]}")

    def row(self, commands: dict[str, list[str]], rounds: int, given: str = "", warm: int = 1) -> Row:
        """The wall time of each command, by turns."""
        for name, command in commands.items():
            self.programs.note(name, command, self.folder)
        return by_turns({name: self._timed(command, given) for name, command in commands.items()}, rounds, warm)

    def _timed(self, command: list[str], given: str) -> Callable[[], float]:
        return lambda: self.wall(command, given)


def _baselines(programs: Programs) -> dict[str, list[str]]:
    python = str(programs.ours)
    markdown = "from markdown_it import MarkdownIt; MarkdownIt('commonmark')"
    return {PYTHON: [python, "-c", "pass"], MARKDOWN_IT: [python, "-c", markdown]}


def _linters(programs: Programs, folder: Path, paths: list[str]) -> dict[str, list[str]]:
    """The linters of Markdown for the same files: without their caches, as they are without a config."""
    if programs.peers and not (modules := folder / "node_modules").exists():
        modules.symlink_to(programs.peers / "node_modules")  # where remark looks for its rules
    patterns = [path if path.endswith(".md") else f"{path}/**/*.md" for path in paths]
    return {
        **programs.peer(RUMDL, "rumdl", "check", "--no-cache", *paths),
        **programs.peer(MARKDOWNLINT, "markdownlint-cli2", *patterns),
        **programs.peer(REMARK, "remark", "--use", "remark-preset-lint-recommended", *paths),
    }


def cold(programs: Programs, folder: Path, rounds: int) -> Table:
    """`check` of one file, and hooks, from a cold start."""
    place = folder / "one"
    place.mkdir()
    handoff = str(written(in_markdown(60), place))
    runner = Runner(programs, place)
    one = _baselines(programs) | programs.handoff_lsp("check", handoff) | _linters(programs, folder, [handoff])
    (place / "hooked").mkdir()
    given = inputs(place / "hooked")
    hooks = {
        "hook, an edited file that is no handoff": "edit of a .py file",
        "hook, an edited README": "edit of a README",
        "hook, a clean handoff": "edit of a handoff",
        "hook, a broken handoff": "edit of a broken handoff",
    }
    table = {"`check` of one handoff of 60 lines": runner.row(one, rounds)}
    for title, name in hooks.items():
        commands = _baselines(programs) | programs.handoff_lsp("hook", "claude-code")
        table[title] = runner.row(commands, rounds, json.dumps(given[name]))
    return table


def scans(programs: Programs, folder: Path, count: int, rounds: int) -> Table:
    """`check` of many files of Markdown: on one processor, on all, and unchanged with a cache."""
    place = folder / "many"
    place.mkdir()
    spread(place, count)
    linters = _linters(programs, folder, ["handoffs"])
    check = programs.handoff_lsp("check", "handoffs", "--no-cache")
    cached = programs.handoff_lsp("check", "handoffs", "--cache-dir", str(folder / "cache"))
    name = f"{count:,} files"
    table = {f"{name}, one core": Runner(programs, place, 1).row(check | linters, rounds, warm=0)}
    if len(os.sched_getaffinity(0)) > 1:
        table[f"{name}, two cores"] = Runner(programs, place, 2).row(check | linters, rounds, warm=0)
    warm: Row = {}
    for program, command in cached.items():
        shutil.rmtree(folder / "cache", ignore_errors=True)
        warm |= Runner(programs, place, 1).row({program: command}, rounds)
    cached_rumdl = programs.peer(RUMDL, "rumdl", "check", "--cache-dir", str(folder / "rumdl"), "handoffs")
    table[f"{name}, unchanged, one core"] = warm | Runner(programs, place, 1).row(cached_rumdl, rounds)
    return table


def own_formats(programs: Programs, folder: Path, count: int, rounds: int) -> Table:
    """Checkers of other formats beside `check` of the same files."""
    place = folder / "formats"
    schema = str(ROOT / "schemas" / "agent-status.schema.json")
    state = in_json(60)
    for number in range(count):
        written(state._replace(path=f"states/{number}/.agent/status.json"), place)
        _write(place / f"agents/.claude/skills/skill-{number}/SKILL.md", _SKILL.format(number))
        change = place / f"spec/openspec/changes/change-{number}"
        _write(change / "proposal.md", _PROPOSAL.format(number))
        _write(change / "specs" / f"part-{number}" / "spec.md", _SPEC.format(number))
        _write(change / "tasks.md", f"## 1. Work\n\n- [ ] 1.1 Read part {number} once\n")
    _write(place / "spec/openspec/project.md", "# Project\n\nParts.\n")
    files = [str(path) for path in sorted((place / "states").rglob("status.json"))]
    rows = {
        f"{count:,} files of JSON": (
            "states",
            programs.peer(JSONSCHEMA, "check-jsonschema", "--schemafile", schema, *files),
        ),
        f"{count:,} skills": ("agents", programs.peer(AGNIX, "agnix", ".")),
        f"{count:,} changes of OpenSpec": (
            "spec",
            programs.peer(OPENSPEC, "openspec", "validate", "--all", "--no-interactive"),
        ),
    }
    table = {}
    for title, (name, peer) in rows.items():
        check = programs.handoff_lsp("check", ".", "--no-cache")
        table[title] = Runner(programs, place / name).row(check | peer, rounds)
    return table


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", newline="")
