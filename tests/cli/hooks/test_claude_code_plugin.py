"""The plugin for Claude Code: its files have the keys that its pages name, and its commands are run.

"Plugins reference" and "Create and distribute a plugin marketplace", code.claude.com/docs/en/plugins-reference and
/plugin-marketplaces. `claude plugin validate --strict` checks the same: see with_agents.py.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.conftest import ROOT
from cli.hooks.told import AFTER_EDIT, BROKEN, PATH, recorded

from handoff_lsp import __version__
from handoff_lsp.cli.hooks.agents import agent

PLUGIN = ROOT / "editors" / "claude-code"


def load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


HOOKS = load(PLUGIN / "hooks" / "hooks.json")["hooks"]


def test_manifest() -> None:
    manifest = load(PLUGIN / ".claude-plugin" / "plugin.json")
    assert set(manifest) <= {
        *("name", "version", "description", "author", "homepage", "repository", "license", "keywords"),
        *("commands", "agents", "skills", "hooks", "mcpServers", "lspServers"),
    }
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", manifest["name"])
    assert manifest["version"] == __version__


def test_marketplace() -> None:
    market = load(ROOT / ".claude-plugin" / "marketplace.json")
    assert {"name", "owner", "plugins"} <= set(market)
    (plugin,) = market["plugins"]
    assert plugin["source"].startswith("./")
    assert (ROOT / plugin["source"]).resolve() == PLUGIN
    assert plugin["name"] == load(PLUGIN / ".claude-plugin" / "plugin.json")["name"]


def test_language_server() -> None:
    (server,) = load(PLUGIN / ".lsp.json").values()
    assert {"command", "extensionToLanguage"} <= set(server) <= {"command", "args", "extensionToLanguage", "env"}
    assert all(suffix.startswith(".") for suffix in server["extensionToLanguage"])
    assert server["command"] == "handoff-lsp"
    done = subprocess.run(
        [sys.executable, "-m", "handoff_lsp", *server["args"]],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
    )
    assert (done.stdout, b"Traceback" in done.stderr) == (b"", False)


def test_hooks_run_for_what_the_command_answers() -> None:
    """The same events and tools as in the config that the command prints."""
    assert set(HOOKS) == {*agent("claude-code").config["hooks"], "SessionStart"}
    for event, groups in agent("claude-code").config["hooks"].items():
        (printed,), (written,) = groups, HOOKS[event]
        assert written.get("matcher") == printed.get("matcher")
        assert [hook["timeout"] for hook in written["hooks"]] == [hook["timeout"] for hook in printed["hooks"]]
        assert all(hook["command"].endswith(printed["hooks"][0]["command"]) for hook in written["hooks"])


def _run(event: str, root: Path, path: Path, stdin: dict[str, Any]) -> subprocess.CompletedProcess[bytes]:
    """Run an event's command as Claude Code does, in a shell."""
    ((hook,),) = (group["hooks"] for group in HOOKS[event])
    assert hook["type"] == "command"
    return subprocess.run(
        ["/bin/sh", "-c", hook["command"]],
        input=json.dumps(stdin).encode(),
        capture_output=True,
        cwd=root,
        env={**os.environ, "PATH": str(path)},
        timeout=60,
        check=False,
    )


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder for PATH in which the command is installed."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "handoff-lsp"
    run = f"PYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -m handoff_lsp"
    program.write_text(f'#!/bin/sh\n{run} "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return folder


posix = pytest.mark.skipif(os.name != "posix", reason="the commands are for a POSIX shell, as Claude Code runs them")


@posix
def test_the_hooks_answer(root: Path, installed: Path) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    done = _run("PostToolUse", root, installed, recorded("claude-code", "edit", root))
    assert (done.returncode, json.loads(done.stdout)) == (0, {"decision": "block", "reason": AFTER_EDIT})
    done = _run("SubagentStop", root, installed, recorded("claude-code", "subagent-stop", root))
    assert json.loads(done.stdout)["decision"] == "block"
    done = _run("Stop", root, installed, recorded("claude-code", "stop", root))
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    done = _run("SessionStart", root, installed, {})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@posix
@pytest.mark.parametrize("event", ["PostToolUse", "SubagentStop", "Stop"])
def test_without_the_command_hooks_are_silent(event: str, root: Path, tmp_path: Path) -> None:
    done = _run(event, root, tmp_path, {})
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@posix
def test_without_the_command_a_session_begins_with_the_reason(root: Path, tmp_path: Path) -> None:
    done = _run("SessionStart", root, tmp_path, {})
    assert done.returncode == 0
    assert list(json.loads(done.stdout)) == ["systemMessage"]
