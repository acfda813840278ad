"""``handoff-lsp monitor``: the agents of all work trees of real repositories."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from cli.documents import BAD
from repositories import Repository

from handoff_lsp.cli.main import main
from handoff_lsp.text import width

ROOT = Path(__file__).parents[2]
Agent = Callable[..., Repository]


def ago(minutes: float) -> str:
    """A time as a status file has it; half a minute more, so that a slow machine shows the same age."""
    return (datetime.now(UTC) - timedelta(minutes=minutes, seconds=30)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with one commit on ``main``, which is the working folder."""
    made = Repository.new(tmp_path / "shop")
    made.write(".gitignore", ".agent/\n")
    made.commit("start", ".gitignore")
    monkeypatch.chdir(made.path)
    return made


@pytest.fixture
def agent(shop: Repository, tmp_path: Path) -> Agent:
    """Make a work tree with commits and a status file, that of a running agent with some fields changed."""

    def make(name: str, *subjects: str, raw: str | None = None, log: str = "", **changed: Any) -> Repository:
        tree = shop.worktree(tmp_path / f"shop--{name}", "-b", f"agent/{name}")
        checkpoint = None
        for number, subject in enumerate(subjects):
            tree.write(f"{name}-{number}.py")
            found = tree.commit(subject, f"{name}-{number}.py")
            checkpoint = found if subject.startswith("checkpoint:") else checkpoint
        state = {
            "agent_id": name,
            "agent_type": "worker",
            "status": "running",
            "task": "Add auth middleware",
            "success_criteria": {"type": "test", "command": "npm test", "passed": False},
            "progress": "2/4: Writing tests",
            "last_checkpoint": checkpoint,
            "blockers": [],
            "warnings": [],
            "errors": [],
            "started_at": ago(90),
            "updated_at": ago(12),
            **changed,
        }
        tree.write(".agent/status.json", raw if raw is not None else json.dumps(state))
        if log:
            tree.write(".agent/activity.log", log)
        return tree

    return make


@pytest.fixture
def rows(capfd: pytest.CaptureFixture[str]) -> Callable[..., dict[str, dict[str, Any]]]:
    """The JSON of the command, by agent."""

    def run(*arguments: str) -> dict[str, dict[str, Any]]:
        capfd.readouterr()
        assert main(["monitor", "--output-format", "json", *arguments]) == 0
        found = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
        return {row["agent"]: row for row in found}

    return run


Rows = Callable[..., dict[str, dict[str, Any]]]


def concerns(row: dict[str, Any]) -> dict[str, str]:
    return {one["concern"]: one["reason"] for one in row["concerns"]}


# What is shown of an agent


def test_a_running_agent(agent: Agent, rows: Rows) -> None:
    tree = agent("auth-a1b2", "wip: skeleton", "checkpoint: tests pass", "wip: tokens", "fix typo")
    row = rows()["auth-a1b2"]
    assert row["path"] == str(tree.path) and row["branch"] == "agent/auth-a1b2" and not row["main"]
    assert (row["task"], row["status"], row["progress"]) == ("Add auth middleware", "running", "2/4: Writing tests")
    assert row["commits"]["total"] == 4
    assert row["commits"]["by_prefix"] == {"wip": 2, "checkpoint": 1, "complete": 0}
    assert row["commits"]["own"][0]["subject"] == "fix typo", "the newest first"
    assert row["commits"]["latest"][-1]["subject"] == "start", "`git log -5` goes on behind the base"
    assert 12 * 60 <= row["age"] < 20 * 60
    assert row["state"]["decision"] == "continue: the agent is running; /monitor watches it"
    assert row["merged"] is False and row["concerns"] == []


def test_the_main_work_tree_is_shown_without_concern(shop: Repository, rows: Rows) -> None:
    row = rows()["main"]
    assert row["main"] and row["status"] is None and row["concerns"] == []
    assert row["no_status"] == "no status file: .agent/status.json"


@pytest.mark.parametrize("folder", ["shop", "shop--auth-a1b2", "shop--auth-a1b2/.agent"])
def test_every_folder_of_every_work_tree_shows_the_same(
    folder: str, shop: Repository, agent: Agent, rows: Rows, capfd: pytest.CaptureFixture[str]
) -> None:
    agent("auth-a1b2", "wip: a")
    assert list(rows(str(shop.path.parent / folder))) == ["main", "auth-a1b2"]
    assert rows(str(shop.path.parent / folder))["auth-a1b2"]["commits"]["total"] == 1


LOG = "2026-02-08T10:00:00Z [START] Task: Add auth middleware\n"
PASSED = {"type": "test", "command": "npm test", "passed": True}
FAILING = {**PASSED, "passed": False}


@pytest.mark.parametrize(
    ("criteria", "log", "shown"),
    [
        (PASSED, "", "passed"),
        (FAILING, "", "failing"),
        (FAILING, LOG, "not run"),
        (FAILING, LOG + "2026-02-08T10:10:00Z [TEST] npm test -- FAIL\n", "failing"),
        (PASSED, LOG + "2026-02-08T10:10:00Z [TEST] npm test -- PASS\n", "passed"),
        (PASSED, LOG + "2026-02-08T10:10:00Z [TEST] npm test -- FAIL\n", "failing"),
        ({"type": "test", "command": "npm test"}, "", "unknown"),
        ({"type": "test", "command": "npm test", "passed": "true"}, "", "unknown"),
        (None, "", "none"),
        ({}, "", "none"),
    ],
)
def test_success_criteria(criteria: Any, log: str, shown: str, agent: Agent, rows: Rows) -> None:
    agent("auth-a1b2", log=log, success_criteria=criteria)
    assert rows()["auth-a1b2"]["criteria"] == shown


def test_lists_lose_nothing(agent: Agent, rows: Rows) -> None:
    error = {"type": "out_of_scope", "message": "Timeout", "context": "In tests", "timestamp": "2026-02-08T10:40:00Z"}
    agent(
        "a-1", blockers=["a key", 3, "two\nlines"], errors=[error, {"message": 'a "quote"'}, "plain"], warnings="text"
    )
    row = rows()["a-1"]
    assert row["blockers"] == ["a key", "3", "two\nlines"]
    assert row["errors"] == ["out_of_scope · Timeout · In tests", 'a "quote"', "plain"]
    assert row["warnings"] == ["text"], "not a list, but it is something"


# What needs attention


def test_a_blocked_agent(agent: Agent, rows: Rows) -> None:
    agent("a-1", status="blocked", blockers=["a key"])
    assert concerns(rows()["a-1"]) == {"blocked": "ask: the agent is blocked: it needs input or guidance"}


def test_a_failed_agent(agent: Agent, rows: Rows) -> None:
    agent("a-1", status="failed", notes="It broke")
    assert concerns(rows()["a-1"]).keys() == {"failed"}


def test_completed_against_its_criteria_is_no_success(agent: Agent, rows: Rows) -> None:
    agent("a-1", status="completed")
    row = rows()["a-1"]
    assert row["state"]["action"] != "advance" and concerns(row).keys() & {"blocked", "failed"}


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (
            '{"agent_id": "a", "agent_type": "b", "status": "completed", "task": "c" "progress": 1',
            "stop: the JSON cannot",
        ),
        ('{"agent_id": "a", "sta', "`.agent/status.json` is not valid JSON, so the agent counts as failed"),
        ("", "`.agent/status.json` is not valid JSON, so the agent counts as failed"),
        ("\udcff\udcfe{}", "`.agent/status.json` cannot be read: UTF-16"),
        ("[" * 100_000, "`.agent/status.json` is not valid JSON, so the agent counts as failed"),
    ],
)
def test_a_broken_status_file_is_a_failed_agent(raw: str, reason: str, agent: Agent, rows: Rows) -> None:
    agent("a-1", "wip: a", raw=raw)
    row = next(row for row in rows().values() if not row["main"])
    assert concerns(row)["failed"].startswith(reason)
    assert row["status"] is None and row["progress"] is None and row["criteria"] in (None, "unknown")
    assert row["commits"]["total"] == 1, "the branch can be read all the same"


def test_a_status_that_is_no_status_is_never_fine(agent: Agent, rows: Rows) -> None:
    agent("a-1", status="done")
    row = rows()["a-1"]
    assert row["status"] is None and concerns(row).keys() == {"failed", "findings"}
    assert concerns(row)["findings"] == "1 error in .agent/status.json"


def test_a_status_file_of_another_format_is_left_alone(agent: Agent, rows: Rows) -> None:
    agent("a-1", raw='{"turn": 3, "lastVerdict": "ok"}')
    expected = "`.agent/status.json` is no status file that a contract describes"
    assert concerns(rows()["a-1"]) == {"no-status": expected}


def test_a_status_in_which_nothing_was_filled_in_needs_attention(agent: Agent, rows: Rows) -> None:
    agent("a-1", agent_id="<injected by spawner>", task="<injected by spawner>")
    row = next(row for row in rows().values() if not row["main"])
    assert concerns(row).keys() == {"failed", "findings"}


@pytest.mark.parametrize(
    ("minutes", "arguments", "stale"),
    [(12, (), False), (31, (), True), (31, ("--stale", "1h"), False), (12, ("--stale", "10m"), True), (-90, (), True)],
)
def test_a_running_agent_that_is_silent_is_stale(
    minutes: float, arguments: tuple[str, ...], stale: bool, agent: Agent, rows: Rows
) -> None:
    agent("a-1", updated_at=ago(minutes))
    assert ("stale" in concerns(rows(*arguments)["a-1"])) == stale


def test_without_a_time_a_running_agent_is_stale(agent: Agent, rows: Rows) -> None:
    agent("a-1", updated_at="yesterday", started_at=ago(5))
    row = rows()["a-1"]
    assert row["age"] is None and concerns(row)["stale"] == "running, but the status has no valid time"


def test_the_zero_time_of_go_is_a_time(agent: Agent, rows: Rows) -> None:
    agent("a-1", updated_at="0001-01-01T00:00:00Z")
    agent("a-2")
    found = rows()
    assert found["a-1"]["updated"] == "0001-01-01T00:00:00Z" and "stale" in concerns(found["a-1"])
    assert found["a-2"]["concerns"] == []


def test_a_checkpoint_that_the_branch_lacks(shop: Repository, agent: Agent, rows: Rows) -> None:
    agent("kept", "checkpoint: a")
    agent("unknown", "wip: a", last_checkpoint="deadbee")
    shop.git("checkout", "-q", "-b", "other")
    shop.write("x")
    other = shop.commit("checkpoint: elsewhere", "x")
    agent("elsewhere", "wip: a")
    shop.git("checkout", "-q", "main")
    agent("reset", "wip: a", last_checkpoint=other)
    found = {name: concerns(row).get("checkpoint") for name, row in rows().items()}
    assert found["kept"] is None and found["elsewhere"] is None
    assert found["unknown"] == "the last checkpoint is not in the branch: deadbee"
    assert found["reset"] == f"the last checkpoint is not in the branch: {other}"


def test_the_log_names_a_checkpoint_too(agent: Agent, rows: Rows) -> None:
    log = LOG + "2026-02-08T10:10:00Z [COMMIT] checkpoint: a\n2026-02-08T10:20:00Z [COMMIT] checkpoint: {}\n"
    agent("kept", "checkpoint: a", "checkpoint: b", log=log.format("b"))
    agent("lost", "checkpoint: a", log=log.format("b"))
    found = rows()
    assert found["kept"]["lost_checkpoints"] == []
    assert found["lost"]["lost_checkpoints"] == ["checkpoint: b"]


def test_completed_and_unmerged(shop: Repository, agent: Agent, rows: Rows) -> None:
    done = {"status": "completed", "success_criteria": PASSED, "progress": "4/4: Done"}
    tree = agent("a-1", "wip: a", "complete: b", **done)
    assert concerns(rows()["a-1"]) == {"unmerged": "completed, but 2 commits not in `main`"}
    assert concerns(rows("--base", "agent/a-1")["a-1"]) == {}
    shop.git("merge", "-q", "--squash", "agent/a-1")
    shop.git("commit", "-q", "-m", "squashed")
    assert concerns(rows()["a-1"]) == {}, "one commit with the same content"
    tree.write("late.py")
    assert concerns(rows()["a-1"]) == {"unmerged": "completed, but 1 changed file not committed"}


def test_the_state_of_an_agent_is_no_uncommitted_work(shop: Repository, agent: Agent, rows: Rows) -> None:
    tree = agent("a-1", "wip: a")
    tree.write(".gitignore", "")
    tree.commit("wip: ignore nothing", ".gitignore")
    assert rows()["a-1"]["uncommitted"] == 0
    tree.write("new.py")
    assert rows()["a-1"]["uncommitted"] == 1


def test_what_is_removed_or_moved_is_uncommitted_work(
    shop: Repository, agent: Agent, rows: Rows, tmp_path: Path
) -> None:
    allowed = ("-c", "protocol.file.allow=always")
    inner = Repository.new(tmp_path / "inner")
    first, _ = inner.commit("one"), inner.commit("two")
    shop.git(*allowed, "submodule", "--quiet", "add", str(inner.path), "lib")
    shop.write("old.py")
    shop.commit("a submodule", "old.py", ".gitmodules", "lib")
    tree = agent("a-1", status="completed", success_criteria=PASSED, progress="4/4: Done")
    assert concerns(rows()["a-1"]) == {}, "its folder of the submodule is empty"
    (tree.path / "old.py").unlink()
    assert concerns(rows()["a-1"]) == {"unmerged": "completed, but 1 changed file not committed"}
    tree.git("rm", "-q", "old.py")
    assert rows()["a-1"]["uncommitted"] == 1
    tree.git(*allowed, "submodule", "--quiet", "update", "--init")
    lib = Repository(tree.path / "lib")
    lib.write("new.py")
    assert rows()["a-1"]["uncommitted"] == 1, "no submodule is entered"
    lib.git("checkout", "-q", first)
    assert rows()["a-1"]["uncommitted"] == 2
    tree.git("add", "lib")
    assert rows()["a-1"]["uncommitted"] == 2


def test_a_work_tree_in_another_one_is_no_uncommitted_work(shop: Repository, rows: Rows) -> None:
    shop.worktree(shop.path / ".worktrees/a-1", "-b", "a-1")
    assert rows()["main"]["uncommitted"] == 0


# The newest handoff


def test_the_newest_handoff_of_a_branch(shop: Repository, agent: Agent, rows: Rows) -> None:
    blocked, done = (BAD.replace("compleet", status) for status in ("blocked", "complete"))
    shop.write("old-handoff.md", blocked)
    shop.commit("an old handoff", "old-handoff.md")
    tree = agent("a-1", "wip: a")
    assert rows()["a-1"]["handoff"] is None, "that one is the base's"
    tree.write("z/dev-handoff.md", done)
    tree.commit("wip: one", "z/dev-handoff.md")
    tree.write("a/dev-handoff.md", blocked)
    tree.commit("wip: another", "a/dev-handoff.md")
    handoff = rows()["a-1"]["handoff"]
    assert (handoff["path"], handoff["status"], handoff["action"]) == ("a/dev-handoff.md", "blocked", "ask")
    assert concerns(rows()["a-1"])["handoff"] == f"a/dev-handoff.md: {handoff['decision']}"
    tree.write("z/dev-handoff.md", done.replace("did it", "did it again"))
    assert rows()["a-1"]["handoff"]["path"] == "z/dev-handoff.md", "a changed file is newer than any commit"
    assert rows()["main"]["handoff"]["path"] == "old-handoff.md"


def test_an_old_draft_is_older_than_a_later_commit(agent: Agent, rows: Rows) -> None:
    tree = agent("a-1", "wip: a")
    draft = tree.write("draft-handoff.md", BAD.replace("compleet", "complete"))
    tree.write("dev-handoff.md", BAD.replace("compleet", "blocked"))
    tree.commit("wip: b", "dev-handoff.md")
    hours = 3600
    os.utime(draft, (time.time() - 3 * hours,) * 2)
    assert rows()["a-1"]["handoff"]["path"] == "dev-handoff.md"
    os.utime(draft)
    assert rows()["a-1"]["handoff"]["path"] == "draft-handoff.md"


def test_of_one_commit_the_handoff_that_needs_a_person(agent: Agent, rows: Rows) -> None:
    tree = agent("a-1", "wip: a")
    for name, status in {"a-handoff.md": "complete", "b-handoff.md": "blocked", "c-handoff.md": "complete"}.items():
        tree.write(name, BAD.replace("compleet", status))
    tree.commit("wip: b", "a-handoff.md", "b-handoff.md", "c-handoff.md")
    assert rows()["a-1"]["handoff"]["path"] == "b-handoff.md"


# Repositories of all kinds


def test_a_work_tree_that_is_gone_among_twenty(shop: Repository, agent: Agent, rows: Rows) -> None:
    for number in range(19):
        agent(f"a-{number}", *(["wip: a"] if number == 7 else []))
    shutil.rmtree(shop.path.parent / "shop--a-7")
    found = rows()
    assert len(found) == 20
    assert concerns(found["a-7"]) == {"gone": "its folder is missing; `git worktree prune` forgets it"}
    assert found["a-7"]["commits"]["total"] == 1, "its branch is still there"


def test_locked_detached_and_without_commits(shop: Repository, agent: Agent, rows: Rows) -> None:
    agent("locked")
    shop.git("worktree", "lock", "--reason", "on a stick", str(shop.path.parent / "shop--locked"))
    shop.worktree(shop.path.parent / "detached", "--detach")
    orphan = shop.worktree(shop.path.parent / "orphan", "-b", "agent/orphan")
    orphan.git("checkout", "-q", "--orphan", "empty")
    found = rows()
    assert found["locked"]["locked"] == "on a stick"
    assert found["detached"]["branch"] is None and found["detached"]["commits"]["total"] == 0
    assert found["empty"]["head"] is None and found["empty"]["commits"]["total"] == 0
    shutil.rmtree(shop.path.parent / "shop--locked")
    expected = "its folder is missing, and it is locked: mount its disk, or `git worktree unlock` and `prune` forget it"
    assert concerns(rows()["locked"]) == {"gone": expected}


def test_a_bare_repository_with_work_trees(shop: Repository, tmp_path: Path, rows: Rows) -> None:
    shop.git("clone", "-q", "--bare", ".", str(tmp_path / "bare.git"))
    bare = Repository(tmp_path / "bare.git")
    bare.worktree(tmp_path / "one", "-b", "agent/one").commit("wip: a")
    for place in (bare.path, tmp_path / "one"):
        assert [(name, row["base"], row["commits"]["total"]) for name, row in rows(str(place)).items()] == [
            ("one", "main", 1)
        ]


def test_a_repository_without_any_commit(tmp_path: Path, rows: Rows, capfd: pytest.CaptureFixture[str]) -> None:
    made = Repository.new(tmp_path / "new")
    row = rows(str(made.path))["main"]
    assert row["head"] is None and row["base"] is None
    assert main(["monitor", str(made.path)]) == 0
    assert "main (no commits)" not in capfd.readouterr().err


def test_a_detached_main_work_tree(shop: Repository, agent: Agent, rows: Rows) -> None:
    agent("a-1", "wip: a", status="completed", success_criteria=PASSED)
    shop.git("checkout", "-q", "--detach")
    row = rows()["a-1"]
    assert row["base"] == shop.git("rev-parse", "HEAD")[:7] and row["commits"]["total"] == 1


def test_a_broken_work_tree_is_shown_beside_the_others(agent: Agent, rows: Rows) -> None:
    agent("a-1").write(".git", "gitdir: /nowhere\n")
    agent("a-3", status="completed", success_criteria=PASSED, progress="4/4: Done").write(".git", "gitdir: /nowhere\n")
    agent("a-2", "wip: a")
    found = rows()
    assert concerns(found["a-1"]).keys() == {"unread"} and found["a-1"]["status"] == "running"
    assert found["a-2"]["commits"]["total"] == 1
    assert concerns(found["a-3"])["unmerged"] == "completed, but its branch cannot be read"


def test_a_link_out_of_the_work_tree_is_not_followed(agent: Agent, rows: Rows, tmp_path: Path) -> None:
    tree = agent("a-1")
    (tree.path / ".agent").rename(tmp_path / "elsewhere")
    (tree.path / ".agent").symlink_to(tmp_path / "elsewhere")
    row = rows()["a-1"]
    assert row["status"] is None
    assert "a link leads out of the work tree" in concerns(row)["failed"]


def test_the_config_of_a_work_tree(agent: Agent, rows: Rows) -> None:
    agent("broken").write(".handoff-lsp.toml", "rules = 3\n")
    agent("off").write(".handoff-lsp.toml", 'disable = ["agent-status"]\n')
    found = rows()
    assert ".handoff-lsp.toml" in concerns(found["broken"])["unread"]
    assert concerns(found["off"]).keys() == {"no-status"}


def test_a_contract_of_your_own_describes_a_state(agent: Agent, rows: Rows) -> None:
    tree = agent("a-1", "step: one", "wip: two", raw="{}")
    tree.write("robot.json", json.dumps({"robot": "r2", "state": "going", "at": ago(8)}))
    tree.write(".handoff-lsp.toml", 'contract-files = ["robot.yaml"]\ndisable = ["agent-status"]\n')
    tree.write("robot.yaml", ROBOT)
    row = next(row for row in rows().values() if not row["main"])
    assert row["agent"] == "r2" and row["state"]["contract"] == "robot" and row["status"] == "going"
    assert row["commits"]["by_prefix"] == {"step": 1}
    assert concerns(row).keys() == {"stale"}, "after its own 5 minutes"


ROBOT = """\
contract: robot
title: Robot
about: The state of a robot.
status: state
unread: nobody knows
default_profile: plain
locations: [robot.json]
file: {syntax: json, path: '(^|/)robot\\.json$', holds: [{needs: [robot, state]}]}
profiles: {plain: {about: Any.}}
routing:
  - {when: {state: going}, action: continue, reason: It goes.}
  - {action: stop, reason: It does not go.}
overview: {agent: [robot], changed: [at], state: {commits: [step], stale_minutes: 5}}
fields:
  robot: {type: line, required: true, about: Its name., because: It has one.}
  state: {type: enum, required: true, about: Its state., because: It has one., values: [{value: going, about: Goes.}]}
  at: {type: timestamp, about: When.}
"""


# Output


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
def test_the_table_fits_the_terminal(
    columns: int, agent: Agent, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    agent("auth-a1b2", *(f"{prefix}: {'x' * 200}" for prefix in ("wip", "checkpoint", "complete")))
    agent(
        "long-" + "x" * 90, progress="日本語のとても長い進捗" * 9, blockers=["言" * 300, "word " * 300], task="t" * 500
    )
    assert main(["monitor"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert all(width(line) <= columns for line in lines), max(lines, key=width)
    heads = ["AGENT", "STATUS", "PROGRESS", "CRITERIA", "UPDATED", "COMMITS"]
    assert lines[0].split() == (heads if columns > 40 else [head for head in heads if head not in heads[2::3]])
    assert len({line.index("running") for line in lines[1:4] if "running" in line}) == 1, "one column"
    assert lines[-1].endswith("attention")


def test_the_numbers_by_prefix_are_never_cut(
    agent: Agent, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent("auth-a1b2", "wip: a", "checkpoint: b", "complete: c")
    for columns in ("80", "120"):
        monkeypatch.setenv("COLUMNS", columns)
        main(["monitor"])
        out = capfd.readouterr().out
        assert "1 wip, 1 checkpoint, 1 complete" in out
        assert re.search(r"^auth-a1b2 .* 12 min ago  (3|1 wip, 1 checkpoint, 1 complete)$", out, re.MULTILINE)


HOSTILE = "\x1b]0;owned\x07\r\n# <script> | `tick` ``` @octocat #1 https://evil.example ![x](y) <!-- \u202e"


def test_text_of_others_controls_no_terminal(agent: Agent, capfd: pytest.CaptureFixture[str]) -> None:
    agent(
        "a-1", f"wip: {HOSTILE}", task=HOSTILE, progress=HOSTILE, agent_id=HOSTILE, blockers=[HOSTILE], status="blocked"
    )
    for arguments in ((), ("--output-format", "json"), ("--output-format", "markdown")):
        assert main(["monitor", *arguments]) == 0
        out = capfd.readouterr().out
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", out), arguments


def test_text_of_others_is_no_markdown(agent: Agent, capfd: pytest.CaptureFixture[str]) -> None:
    from markdown_it import MarkdownIt

    agent(
        "a-1", f"wip: {HOSTILE}", task=HOSTILE, progress=HOSTILE, agent_id=HOSTILE, blockers=[HOSTILE], status="blocked"
    )
    assert main(["monitor", "--output-format", "markdown"]) == 0
    tokens = MarkdownIt("gfm-like", {"linkify": False}).parse(capfd.readouterr().out)
    blocks = {token.type for token in tokens}
    assert "table_open" in blocks and not blocks & {"html_block", "fence", "heading_open", "code_block"}
    row = [token for token in tokens if token.type in {"tr_open", "th_open", "td_open"}]
    assert len(row) == 3 * 8, "three rows of seven cells: no pipe made a cell"
    inline = [child for token in tokens for child in token.children or []]
    assert {child.type for child in inline} <= {"text", "code_inline", "strong_open", "strong_close", "softbreak"}
    assert not any(re.search("[@<>#|]|evil", child.content) for child in inline if child.type == "text")
    assert any("evil" in child.content for child in inline if child.type == "code_inline")


def test_markdown_shows_the_table_and_the_details(agent: Agent, capfd: pytest.CaptureFixture[str]) -> None:
    agent("a-1", "wip: a", status="blocked", blockers=["a key"])
    assert main(["monitor", "--output-format", "markdown"]) == 0
    out = capfd.readouterr().out
    row = "| `a-1` | `blocked` | `2/4: Writing tests` | failing | 12 min ago | `1 wip` | **blocked** |"
    assert row in out.splitlines()
    assert "- blocked: `ask: the agent is blocked: it needs input or guidance`" in out.splitlines()
    assert "- blocker: `a key`" in out.splitlines()
    assert out.endswith("\n2 work trees, 1 needs attention: 1 blocked\n")


def test_a_terminal_without_unicode(agent: Agent, run: Any, shop: Repository) -> None:
    agent("a-1", progress="naïve … 日本", status="blocked", blockers=["→"])
    done = run("monitor", str(shop.path), PYTHONIOENCODING="ascii", COLUMNS="80")
    assert done.returncode == 0 and done.stdout.isascii() and b"Traceback" not in done.stderr
    assert b"a-1 - agent/a-1 - shop--a-1" in done.stdout


# Exit codes and arguments


@pytest.mark.parametrize(
    ("names", "code"), [("blocked", 1), ("stale,blocked", 1), ("stale", 0), ("failed, unmerged", 0)]
)
def test_fail_on(names: str, code: int, agent: Agent) -> None:
    agent("a-1", status="blocked", blockers=["a key"])
    assert main(["monitor", "--fail-on", names]) == code


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-on", "bloked"], "unknown name `bloked`; did you mean `blocked`?"),
        (["--fail-on", "blocked,"], "unknown name ``: it is one of gone, failed, blocked, stale"),
        (["--fail-on", "stale", "--watch"], "`--fail-on` cannot be combined with `--watch`"),
        (["--stale", "soon"], "`soon` is no length of time such as 90s, 45m, 2h or 1d"),
        (["--stale", "0m"], "`0m` is no length of time"),
        (["--watch", "never"], "`never` is no number of seconds; a PATH comes before --watch"),
        (["--watch", "0"], "`0` is not between 0.1 and 86400 seconds"),
        (["--base", "mian"], "git knows no commit `mian`"),
        (["nowhere"], "no such folder: nowhere"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
    ],
)
def test_wrong_arguments(
    arguments: list[str], message: str, shop: Repository, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["monitor", *arguments]) == 2
    captured = capfd.readouterr()
    assert captured.out == "" and message in captured.err and "Traceback" not in captured.err


def test_no_repository_and_no_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert main(["monitor", str(tmp_path)]) == 2
    assert capfd.readouterr().err == f"handoff-lsp: error: no git repository: {tmp_path}\n"
    monkeypatch.setenv("PATH", str(tmp_path))
    assert main(["monitor", str(tmp_path)]) == 2
    assert capfd.readouterr().err == "handoff-lsp: error: git is not installed, or not on the PATH\n"


def test_nothing_is_written(shop: Repository, agent: Agent, tmp_path: Path) -> None:
    agent("a-1", "wip: a")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert main(["monitor"]) == 0
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


# --watch


def test_watching_a_terminal_draws_over_itself_until_ctrl_c(agent: Agent, shop: Repository) -> None:
    tree = agent("a-1")
    process, terminal = _watch_in_terminal(shop.path)
    try:
        seen = _until(terminal, b"2/4: Writing tests")
        status = tree.path / ".agent/status.json"
        status.write_text(status.read_text().replace("2/4: Writing tests", "3/4: Reviewing"))
        seen += _until(terminal, b"3/4: Reviewing")
        os.write(terminal, b"\x03")
        assert process.wait(timeout=30) == 130
    finally:
        process.kill()
        os.close(terminal)
    assert seen.count(b"\x1b[2J") == 1, "the screen is only cleared at the beginning"
    assert seen.count(b"\x1b[H") >= 2 and b"Traceback" not in seen


def test_watching_a_narrow_terminal_cuts_the_lines(
    agent: Agent, shop: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent("a-1", task="t" * 90)
    monkeypatch.setenv("COLUMNS", "30")
    monkeypatch.setenv("LINES", "12")
    process, terminal = _watch_in_terminal(shop.path)
    try:
        picture = _until(terminal, b"\x1b[J").decode()
    finally:
        process.kill()
        process.wait()
        os.close(terminal)
    lines = re.sub(r"\x1b\[\d*[HJK]", "", picture).splitlines()
    assert len(lines) < 12 and max(map(width, lines)) == 30, "none takes two rows"


def _watch_in_terminal(folder: Path) -> tuple[subprocess.Popen[bytes], int]:
    command = [sys.executable, "-m", "handoff_lsp", "monitor", "--watch", "0.1"]
    terminal, inner = pytest.importorskip("pty").openpty()

    def take_terminal() -> None:
        import fcntl
        import termios

        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    process = subprocess.Popen(
        command,
        cwd=folder,
        stdin=inner,
        stdout=inner,
        stderr=inner,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TERM": "xterm"},
        preexec_fn=take_terminal,
    )
    os.close(inner)
    return process, terminal


def _until(terminal: int, wanted: bytes) -> bytes:
    """The output of a terminal until some text in it."""
    seen, last = b"", time.monotonic() + 60
    while wanted not in seen:
        assert time.monotonic() < last and select.select([terminal], [], [], 60)[0], seen
        seen += os.read(terminal, 65_536)
    return seen


def test_watching_into_a_pipe_prints_one_picture_after_another(agent: Agent, shop: Repository) -> None:
    agent("a-1")
    command = [sys.executable, "-m", "handoff_lsp", "monitor", "--watch", "0.1", "--output-format", "json"]
    process = subprocess.Popen(
        command,
        cwd=shop.path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    lines = [json.loads(process.stdout.readline())["agent"] for _ in range(4)]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert lines == ["main", "a-1"] * 2 and process.returncode == 130 and errors == b""


# The page


def test_the_page_shows_the_output(
    agent: Agent, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    agent("auth-a1b2", "wip: add middleware skeleton", "checkpoint: middleware + tests passing")
    agent(
        "billing-c3d4",
        "wip: invoices",
        status="blocked",
        task="Invoices as PDF",
        progress="1/3: Reading the API",
        blockers=["The staging key is missing"],
        updated_at=ago(200),
    )
    agent(
        "search-e5f6",
        "wip: index",
        "checkpoint: index",
        "complete: search",
        status="completed",
        task="Full-text search",
        progress="3/3: Done",
        success_criteria=PASSED,
        updated_at=ago(31),
    )
    agent("mail-g7h8", task="Mail in two languages", progress="1/2: Templates", updated_at=ago(95))
    monkeypatch.setenv("COLUMNS", "90")
    assert main(["monitor"]) == 0
    page = (ROOT / "docs/command-line.md").read_text(encoding="utf-8")
    shown = re.search(r"^\$ cd shop && handoff-lsp monitor\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert shown is not None
    expected, found = (re.sub(r"\b[0-9a-f]{7}\b", "HASH", text) for text in (shown[1], capfd.readouterr().out))
    assert found == expected
