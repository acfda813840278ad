"""The log of the hook, `--observe`, and `handoff-lsp hook report`."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.conftest import ROOT
from cli.hooks.told import BROKEN, GOOD, PATH, recorded

from handoff_lsp.cli.hooks.agents import NAMES
from handoff_lsp.cli.hooks.event import HookEvent, Reaction
from handoff_lsp.cli.hooks.journal import DAYS, keep, log_folder, read_log
from handoff_lsp.cli.hooks.memory import Memory
from handoff_lsp.cli.main import main

ENVELOPE = """\
**Status**: success
**Summary**: Tasks 1.1 to 1.4 are done.
**Artifacts**: `sdd/add-dark-mode/apply-progress`
**Next**: sdd-verify
**Risks**: None
**Skill Resolution**: injected
"""
Tell = Callable[..., Any]
Show = Callable[..., str]


@pytest.fixture
def tell(root: Path, hook: Callable[..., Any]) -> Tell:
    """The hook's answer to a return of a subagent."""

    def run(agent: str, message: str, *options: str, run: str = "a1", again: bool = False) -> Any:
        stop = recorded("claude-code", "subagent-stop", root, agent_type=agent, agent_id=run, stop_hook_active=again)
        return hook("claude-code", {**stop, "last_assistant_message": message}, *options)[0]

    return run


@pytest.fixture
def show(root: Path, capsys: pytest.CaptureFixture[str]) -> Show:
    """The output of `hook report`."""

    def run(*options: str) -> str:
        assert main(["hook", "report", *options]) == 0
        return capsys.readouterr().out

    return run


def _numbers(show: Show, *options: str) -> dict[str, Any]:
    rows: list[dict[str, Any]] = json.loads(show("--output-format", "json", *options))["agents"]
    return {row["agent"]: {name: value for name, value in row.items() if value and name != "agent"} for row in rows}


def _lines() -> Iterator[dict[str, Any]]:
    folder = log_folder()
    assert folder is not None
    for path in sorted(folder.iterdir()):
        yield from map(json.loads, path.read_text(encoding="ascii").splitlines())


def test_a_retry_that_helped(tell: Tell, show: Show) -> None:
    assert tell("sdd-apply", "All done.")["decision"] == "block"
    assert tell("sdd-apply", ENVELOPE, again=True) is None
    assert _numbers(show)["sdd-apply"] == {
        "returns": 1,
        "bounced": 1,
        "missing": 1,
        "helped": 1,
        "rules": {"missing-handoff": 1},
    }


def test_a_retry_that_did_not_help(tell: Tell, show: Show) -> None:
    wrong = ENVELOPE.replace("success", "fine")
    assert tell("sdd-apply", wrong)["decision"] == "block"
    tell("sdd-apply", wrong, again=True)
    row = _numbers(show)["sdd-apply"]
    assert (row["returns"], row["bounced"], row["wrong"], row["did_not_help"]) == (1, 1, 1, 1)
    assert "helped" not in row


def test_returns_of_two_runs_are_two(tell: Tell, show: Show) -> None:
    tell("sdd-apply", "All done.", run="a1")
    tell("sdd-apply", ENVELOPE, run="a2")
    row = _numbers(show)["sdd-apply"]
    assert (row["returns"], row["clean"], row["bounced"]) == (2, 1, 1)
    assert "helped" not in row, "the other run answered no complaint"


def test_a_hook_that_is_set_up_twice_logs_a_return_once(
    tell: Tell, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("handoff_lsp.cli.hooks.judge._AT_ONCE", 1_000)
    monkeypatch.setattr("handoff_lsp.cli.hooks.report._AT_ONCE", 1_000)
    assert tell("sdd-apply", "All done.")["decision"] == "block"
    assert tell("sdd-apply", "All done.") is None, "the other hook has answered"
    tell("sdd-tasks", ENVELOPE, run="a2")
    tell("sdd-tasks", ENVELOPE, run="a2")
    rows = _numbers(show)
    assert (rows["sdd-apply"]["returns"], rows["sdd-tasks"]["returns"]) == (1, 1)
    assert "did_not_help" not in rows["sdd-apply"]


def test_observing_sends_nothing_and_changes_nothing(tell: Tell, show: Show) -> None:
    assert tell("sdd-apply", "All done.", "--observe") is None
    assert tell("sdd-apply", ENVELOPE, "--observe", run="a2") is None
    row = _numbers(show)["sdd-apply"]
    assert (row["returns"], row["would_bounce"], row["clean"]) == (2, 1, 1)
    assert "bounced" not in row
    assert tell("sdd-apply", "All done.")["decision"] == "block", "what was only observed was not said"


def test_the_environment_observes_where_the_command_is_fixed(
    tell: Tell, show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HANDOFF_LSP_OBSERVE", "1")
    assert tell("sdd-apply", "All done.") is None
    assert _numbers(show)["sdd-apply"]["would_bounce"] == 1
    monkeypatch.setenv("HANDOFF_LSP_OBSERVE", "0")
    assert tell("sdd-apply", "All done.")["decision"] == "block"


@pytest.mark.parametrize("agent", NAMES)
def test_the_printed_setup_observes(capsys: pytest.CaptureFixture[str], agent: str) -> None:
    assert main(["hook", agent, "--print-config"]) == 0
    blocking = capsys.readouterr().out
    assert main(["hook", agent, "--observe", "--print-config"]) == 0
    observing = capsys.readouterr().out
    assert observing.count("--observe") == blocking.count(f"handoff-lsp hook {agent}") > 0
    assert observing.replace(" --observe", "") == blocking


def test_observed_edits_get_no_answer_either(root: Path, hook: Callable[..., Any], show: Show) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    edit = recorded("claude-code", "edit", root)
    assert hook("claude-code", edit, "--observe") == (None, "")
    assert hook("claude-code", edit)[0]["decision"] == "block"
    (root / PATH).write_text(GOOD, encoding="utf-8")
    assert hook("claude-code", edit) == (None, "")
    assert json.loads(show("--output-format", "json"))["edits"] == {"checked": 3, "bounced": 2}


def test_an_agent_that_owes_nothing(tell: Tell, show: Show) -> None:
    tell("Explore", "I looked around.")
    tell("Explore", "I looked again.", run="a2")
    assert _numbers(show) == {"Explore": {"returns": 2, "owes_nothing": 2}}
    assert "Owing nothing: Explore (2 returns)" in show()


def test_what_was_not_checked_has_its_reason(root: Path, tell: Tell, show: Show) -> None:
    (root / ".handoff-lsp.toml").write_text("[agents\n", encoding="utf-8")
    tell("sdd-apply", "All done.")
    row = _numbers(show)["sdd-apply"]
    assert (row["returns"], row["not_checked"]) == (1, 1)
    assert list(row["reasons"]) == ["a broken config or contract, or a text that cannot be read"]
    assert "sdd-apply: not checked: a broken config" in show()


def test_an_error_of_our_own_is_not_clean(monkeypatch: pytest.MonkeyPatch, tell: Tell, show: Show) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("handoff_lsp.cli.hook.judge", fail)
    tell("sdd-apply", ENVELOPE)
    assert _numbers(show)["sdd-apply"] == {"returns": 1, "not_checked": 1, "reasons": {"internal error": 1}}


def test_the_log_has_no_text_and_no_path(root: Path, tell: Tell) -> None:
    tell("sdd-apply", "The secret of /srv/project is 12345.")
    (line,) = _lines()
    assert set(line) == {"time", "program", "agent", "session", "event", "outcome", "rules"}
    assert not any(word in json.dumps(line) for word in ("secret", "12345", str(root), "33df62db", "a3b5b929", "a1"))


def test_the_log_can_be_switched_off(tell: Tell) -> None:
    assert tell("sdd-apply", "All done.", "--no-log")["decision"] == "block"
    assert list(_lines()) == []


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_only_its_user_can_read_the_log(tell: Tell) -> None:
    tell("sdd-apply", "All done.")
    folder = log_folder()
    assert folder is not None
    assert folder.stat().st_mode & 0o077 == 0
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.iterdir())


def test_the_report_as_text(tell: Tell, show: Show) -> None:
    for run, message in {"a1": "All done.", "a2": ENVELOPE, "a3": ENVELOPE.replace("success", "fine")}.items():
        tell("sdd-apply", message, run=run)
    tell("sdd-apply", ENVELOPE, run="a3", again=True)
    tell("sdd-tasks", "All done.", "--observe", run="a4")
    head, *lines = show().splitlines()
    assert head.startswith("Returns since ")
    assert "\n".join(lines) in (ROOT / "docs/hooks.md").read_text(encoding="utf-8"), "the page shows this report"
    assert lines == [
        "",
        "agent      returns  clean  bounced  would bounce  missing  wrong  retry helped  not checked",
        "sdd-apply        3      1        2             0        1      1        1 of 1            0",
        "sdd-tasks        1      0        0             1        1      0             -            0",
        "",
        "sdd-apply: missing-handoff 1, invalid-value 1",
        "sdd-tasks: missing-handoff 1",
        "Nothing was sent back while observing. To block, remove `--observe` or `HANDOFF_LSP_OBSERVE`.",
    ]


def test_an_empty_log_says_what_to_do(show: Show) -> None:
    assert "`handoff-lsp hook AGENT --print-config` prints the setup" in show()
    assert json.loads(show("--output-format", "json"))["agents"] == []


def test_since(tell: Tell, show: Show) -> None:
    tell("sdd-apply", ENVELOPE)
    today = time.strftime("%Y-%m-%d")
    assert "sdd-apply" in _numbers(show, "--since", "1h")
    assert "sdd-apply" in _numbers(show, "--since", today)
    assert _numbers(show, "--since", "2100-01-01") == {}


@pytest.mark.parametrize(
    "arguments",
    [("report", "--since", "soon"), ("claude-code", "--since", "7d"), ("claude-code", "--observe", "--no-log")],
)
def test_wrong_arguments(root: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    assert main(["hook", *arguments]) == 1
    assert capsys.readouterr().err.startswith("handoff-lsp: error: ")


def test_lines_that_are_no_entries_are_skipped(tell: Tell, show: Show) -> None:
    tell("sdd-apply", ENVELOPE)
    folder = log_folder()
    assert folder is not None
    (path,) = folder.iterdir()
    with path.open("ab") as file:
        file.write(b'{"time": "2026\n\xff\xfe\n[]\nnull\n{"time": 3}\n' + b"[" * 100_000 + b"\n")
    tell("sdd-apply", ENVELOPE, run="a2")
    assert _numbers(show)["sdd-apply"]["returns"] == 2


def test_several_hooks_write_at_once(root: Path) -> None:
    memory = Memory("claude-code", "a session", "a1")
    event = HookEvent(kind="stop", subagent="a1", agent="sdd-apply" * 10)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: keep("claude-code", event, memory, Reaction(judged=True), observed=False), range(400)))
    assert len(list(_lines())) == len(list(read_log(log_folder(), 0))) == 400


def test_the_log_is_bounded(root: Path) -> None:
    memory = Memory("claude-code", "a session", "a1")
    event = HookEvent(kind="stop", subagent="a1", agent="x" * 5_000)
    folder = log_folder()
    assert folder is not None
    old = folder / time.strftime("%Y-%m-%d.jsonl", time.gmtime(time.time() - (DAYS + 2) * 86_400))
    other = folder / time.strftime("%Y-%m-%d.jsonl", time.gmtime(time.time() - (DAYS - 2) * 86_400))
    for path in (old, other):
        path.write_text("{}\n", encoding="ascii")
    keep("claude-code", event, memory, Reaction(), observed=False)
    assert (old.exists(), other.exists()) == (False, True)
    (today,) = set(folder.iterdir()) - {other}
    with today.open("ab") as file:
        file.write(b"\n" * 2_000_000)
    keep("claude-code", event, memory, Reaction(), observed=False)
    assert len(today.read_bytes().splitlines()) == 2_000_001
