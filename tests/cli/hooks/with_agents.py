"""The hooks in real agents: a model writes a broken handoff, ends, and corrects it only when a hook complains.

Not among the tests that always run: the programs are large. With them in a folder:

    npm install --prefix DIR @anthropic-ai/claude-code @openai/codex @google/gemini-cli
    PATH=DIR/node_modules/.bin:$PATH python -m pytest tests/cli/hooks/with_agents.py

The model is a server in this process. No other server is called.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.conftest import ROOT
from cli.hooks.told import AFTER_EDIT, AT_END, BROKEN, GOOD, PATH, emitted

from handoff_lsp.cli.hooks.agents import agent

_PATCH = (
    "*** Begin Patch\n*** Update File: {path}\n@@\n # Board title — Handoff from Backend Developer\n \n"
    "+## Status\n+\n+complete\n+\n ## Status reason\n*** End Patch"
)


class Model:
    """The model's answers, turn by turn, in the form of one provider, and the text it got before each turn."""

    def __init__(self, reply: Callable[[Model, dict[str, Any]], tuple[str, str]]) -> None:
        self.turn = 0
        self.told: list[str] = []
        self._reply = reply

    def answer(self, request: dict[str, Any]) -> tuple[str, bytes]:
        kind, text = self._reply(self, request)
        return kind, text.encode()

    def next(self, told: object) -> int:
        """The number of this turn."""
        self.told.append(json.dumps(told, ensure_ascii=False))
        self.turn += 1
        return min(self.turn, 4)

    def was_told(self, turn: int, text: str) -> bool:
        """Whether the model got a text before a turn; some agents mark it up."""
        return json.dumps(text.split("\n")[0], ensure_ascii=False)[1:-1] in self.told[turn - 1]


@pytest.fixture
def serve() -> Iterator[Callable[[Model], str]]:
    servers = []

    def start(model: Model) -> str:
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                request = json.loads(self.rfile.read(int(self.headers["content-length"] or 0)) or b"{}")
                self._send(*model.answer(request))

            def do_GET(self) -> None:
                self._send("application/json", b"{}")

            do_HEAD = do_GET

            def _send(self, kind: str, data: bytes) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            def log_message(self, *about: object) -> None:
                pass

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_address[1]}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


@pytest.fixture
def run(root: Path, tmp_path: Path) -> Callable[..., str]:
    """Run an agent in the project, with its own home folder and the command on PATH. Returns its output."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "handoff-lsp").write_text(
        f'#!/bin/sh\nPYTHONPATH={shlex.quote(str(ROOT))} exec {shlex.quote(sys.executable)} -m handoff_lsp "$@"\n'
    )
    (folder / "handoff-lsp").chmod(0o755)
    subprocess.run(["git", "init", "-q", str(root)], check=True)

    def run_(name: str, *arguments: str, **env: str) -> str:
        program = shutil.which(name)
        if program is None:
            pytest.skip(f"no {name} on PATH")
        done = subprocess.run(
            [program, *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            cwd=root,
            env={**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", **env},
            timeout=180,
            check=False,
        )
        return (done.stdout + done.stderr).decode("utf-8", "replace")

    return run_


def _sse(*events: dict[str, Any]) -> tuple[str, str]:
    return "text/event-stream", "".join(f"event: {e.get('type')}\ndata: {json.dumps(e)}\n\n" for e in events)


def codex_answer(item: dict[str, Any]) -> tuple[str, str]:
    """The stream of one answer of a model to Codex, with one item."""
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    return _sse(
        {"type": "response.created", "response": {"id": "r"}},
        {"type": "response.output_item.done", "output_index": 0, "item": item},
        {"type": "response.completed", "response": {"id": "r", "usage": usage}},
    )


def test_claude_code(root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]) -> None:
    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        messages, tools = request.get("messages", [{}]), [tool.get("name") for tool in request.get("tools", [])]
        first = json.dumps(messages[0])
        if not tools or ("MAIN-TASK" not in first and "SUB-TASK" not in first):
            handoff: dict[str, Any] = {"type": "text", "text": "ok"}
        elif "MAIN-TASK" in first and all(message["role"] != "assistant" for message in messages):
            given: dict[str, Any] = {"description": "d", "prompt": "SUB-TASK", "subagent_type": "general-purpose"}
            given["run_in_background"] = False
            handoff = {"type": "tool_use", "name": "Agent" if "Agent" in tools else "Task", "input": given}
        elif "MAIN-TASK" in first:
            handoff = {"type": "text", "text": "All done."}
        else:
            said = max((at for at, message in enumerate(messages) if message["role"] == "assistant"), default=-1)
            turn = model.next(messages[said + 1 :])
            text = BROKEN if turn == 1 else GOOD
            handoff = {"type": "tool_use", "name": "Write", "input": {"file_path": str(root / PATH), "content": text}}
            if turn in (2, 4):
                handoff = {"type": "text", "text": "Done."}
        return _anthropic(request, handoff)

    model = Model(reply)
    home = tmp_path / "caches"
    env = {
        "HOME": str(home),
        "ANTHROPIC_BASE_URL": serve(model),
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    for what in (ROOT / "editors" / "claude-code", ROOT):
        assert "Validation passed" in run("claude", "plugin", "validate", "--strict", str(what), **env)
    assert "Successfully" in run("claude", "plugin", "marketplace", "add", str(ROOT), **env)
    assert "Successfully" in run("claude", "plugin", "install", "handoff-lsp@handoff-lsp", **env)
    allowed = ("--permission-mode", "acceptEdits", "--allowedTools", "Write Agent Task")
    log = tmp_path / "debug.txt"
    told = run("claude", "-p", "MAIN-TASK", *allowed, "--debug-file", str(log), **env)
    assert told.strip() == "All done."
    assert (root / PATH).read_text(encoding="utf-8") == GOOD
    assert model.turn == 4
    assert model.was_told(2, AFTER_EDIT)
    assert model.was_told(3, AT_END)
    assert not model.was_told(4, AFTER_EDIT) and not model.was_told(4, AT_END)
    assert "LSP server plugin:handoff-lsp:handoff-lsp initialized" in log.read_text(encoding="utf-8")


_NARRATIVE = "I have done all the tasks, and the tests pass."
_AGENT = "---\nname: sdd-apply\ndescription: Does the tasks.\n---\n\nDo the tasks.\n"


def _complaint(told: object) -> str:
    """The complaint of the hook in a message to a model; empty without one."""
    if isinstance(told, str):
        start = told.find("handoff-lsp: your final message: ")
        return unescape(told[start:]) if start >= 0 else ""  # Codex escapes it, as HTML does
    parts = told.values() if isinstance(told, dict) else told if isinstance(told, list) else ()
    return next(filter(None, map(_complaint, parts)), "")


@pytest.mark.parametrize("obeys", [True, False])
def test_claude_code_returns(
    obeys: bool, root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]
) -> None:
    """A subagent ends with a narrative, is sent back once, and ends with the block, or badly again."""
    returned: list[str] = []

    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        messages, tools = request.get("messages", [{}]), [tool.get("name") for tool in request.get("tools", [])]
        first = json.dumps(messages[0])
        part: dict[str, Any] = {"type": "text", "text": "ok"}
        if tools and "MAIN-TASK" in first:
            part["text"] = "All done."
            if all(message["role"] != "assistant" for message in messages):
                given: dict[str, Any] = {"description": "d", "prompt": "SUB-TASK", "subagent_type": "sdd-apply"}
                given["run_in_background"] = False
                part = {"type": "tool_use", "name": "Agent" if "Agent" in tools else "Task", "input": given}
        elif tools and "SUB-TASK" in first:
            model.next(messages[-1])
            complaint = _complaint(messages[-1])
            part["text"] = f"{_NARRATIVE}\n\n{emitted(complaint)}" if complaint and obeys else _NARRATIVE
            returned.append(part["text"])
        return _anthropic(request, part)

    (root / ".claude" / "agents").mkdir(parents=True)
    (root / ".claude" / "agents" / "sdd-apply.md").write_text(_AGENT, encoding="utf-8")
    (root / ".claude" / "settings.json").write_text(json.dumps(agent("claude-code").config), encoding="utf-8")
    model = Model(reply)
    env = {
        "HOME": str(tmp_path / "caches"),
        "ANTHROPIC_BASE_URL": serve(model),
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    allowed = ("--permission-mode", "acceptEdits", "--allowedTools", "Agent Task")
    told = run("claude", "-p", "MAIN-TASK", *allowed, "--output-format", "stream-json", "--verbose", **env)
    assert model.turn == 2, told
    assert "[missing-handoff] The result envelope that `sdd-apply` owes is missing" in model.told[1]
    assert ("**Status**: success" in returned[1]) == obeys


def _anthropic(request: dict[str, Any], handoff: dict[str, Any]) -> tuple[str, str]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    is_tool = handoff["type"] == "tool_use"
    if is_tool:
        handoff["id"] = f"toolu_{os.urandom(10).hex()}"
    reason = "tool_use" if is_tool else "end_turn"
    message = {
        "id": f"msg_{os.urandom(10).hex()}",
        "type": "message",
        "role": "assistant",
        "model": request.get("model"),
        "content": [],
    }
    message |= {"stop_reason": None, "stop_sequence": None, "usage": usage}
    if not request.get("stream"):
        return "application/json", json.dumps({**message, "content": [handoff], "stop_reason": reason})
    empty = {**handoff, "input": {}} if is_tool else {**handoff, "text": ""}
    delta = {"type": "input_json_delta", "partial_json": json.dumps(handoff.get("input"))}
    if not is_tool:
        delta = {"type": "text_delta", "text": handoff["text"]}
    return _sse(
        {"type": "message_start", "message": message},
        {"type": "content_block_start", "index": 0, "content_block": empty},
        {"type": "content_block_delta", "index": 0, "delta": delta},
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": reason, "stop_sequence": None}, "usage": usage},
        {"type": "message_stop"},
    )


def test_codex(root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]) -> None:
    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        turn = model.next(request["input"][-1])
        added = "".join(f"+{line}\n" for line in BROKEN.splitlines())
        patch = (
            f"*** Begin Patch\n*** Add File: {PATH}\n{added}*** End Patch" if turn == 1 else _PATCH.format(path=PATH)
        )
        item = {"type": "custom_tool_call", "id": f"c{turn}", "call_id": f"call{turn}", "name": "apply_patch"}
        item["input"] = patch
        if turn in (2, 4):
            item = {"type": "message", "role": "assistant", "id": f"m{turn}"}
            item["content"] = [{"type": "output_text", "text": "Done."}]  # type: ignore[assignment]
        return codex_answer(item)

    model = Model(reply)
    settings = tmp_path / "caches" / ".codex"
    settings.mkdir(parents=True)
    (settings / "hooks.json").write_text(json.dumps(agent("codex").config))
    (settings / "config.toml").write_text(
        'model_provider = "fake"\n[model_providers.fake]\nname = "fake"\nwire_api = "responses"\nenv_key = "KEY"\n'
        f'base_url = "{serve(model)}/v1"\n'
    )
    bypass = ("--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox")
    run("codex", "exec", *bypass, "-m", "gpt-5.6-sol", "write", CODEX_HOME=str(settings), KEY="none")
    assert (root / PATH).read_text(encoding="utf-8") == GOOD
    assert model.turn == 4
    assert model.was_told(2, AFTER_EDIT)
    assert model.was_told(3, AT_END)


@pytest.mark.parametrize("obeys", [True, False])
def test_codex_returns(
    obeys: bool, root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]
) -> None:
    """The same as in Claude Code."""
    returned: list[str] = []

    def called(name: str, **given: str | int) -> dict[str, Any]:
        item = {"type": "function_call", "id": f"f{name}", "call_id": f"call-{name}", "name": name}
        return {**item, "namespace": "collaboration", "arguments": json.dumps(given)}

    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        told = json.dumps(request["input"])
        words = "All done."
        if "call-spawn_agent" not in told and "/root/sub" not in told:
            item = called("spawn_agent", agent_type="sdd-apply", message="SUB-TASK", task_name="sub")
        elif 'recipient": "/root/sub' not in told and "call-wait_agent" not in told:
            item = called("wait_agent", timeout_ms=30_000)
        else:
            if 'recipient": "/root/sub' in told:
                model.next(request["input"][-1])
                complaint = _complaint(request["input"][-1]).removesuffix("</hook_prompt>")
                words = f"{_NARRATIVE}\n\n{emitted(complaint)}" if complaint and obeys else _NARRATIVE
                returned.append(words)
            item = {"type": "message", "role": "assistant", "id": f"m{model.turn}"}
            item["content"] = [{"type": "output_text", "text": words}]
        return codex_answer(item)

    model = Model(reply)
    settings = tmp_path / "caches" / ".codex"
    (settings / "agents").mkdir(parents=True)
    (settings / "agents" / "sdd-apply.toml").write_text(
        'name = "sdd-apply"\ndescription = "Does the tasks."\ndeveloper_instructions = "Do the tasks."\n'
    )
    (settings / "hooks.json").write_text(json.dumps(agent("codex").config))
    (settings / "config.toml").write_text(
        'model_provider = "fake"\n[features]\nmulti_agent_v2 = true\n[model_providers.fake]\nname = "fake"\n'
        f'wire_api = "responses"\nenv_key = "KEY"\nbase_url = "{serve(model)}/v1"\n'
    )
    bypass = ("--dangerously-bypass-hook-trust", "--dangerously-bypass-approvals-and-sandbox")
    told = run("codex", "exec", *bypass, "-m", "gpt-5.6-sol", "MAIN-TASK", CODEX_HOME=str(settings), KEY="none")
    assert model.turn == 2, told
    assert "[missing-handoff] The result envelope that `sdd-apply` owes is missing" in model.told[1]
    assert ("**Status**: success" in returned[1]) == obeys


def test_gemini(root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]) -> None:
    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        part: dict[str, Any] = {"text": "{}"}
        if request.get("tools"):
            turn = model.next(request["contents"][-1])
            part = {"text": "Done."}
            if turn in (1, 3):
                given = {"file_path": PATH, "content": BROKEN if turn == 1 else GOOD}
                part = {"functionCall": {"name": "write_file", "args": given}}
        answer = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        return "text/event-stream", f"data: {json.dumps({'candidates': [answer]})}\r\n\r\n"

    model = Model(reply)
    settings = tmp_path / "caches" / ".gemini"
    settings.mkdir(parents=True)
    secure = {"auth": {"selectedType": "gemini-api-key"}}
    (settings / "settings.json").write_text(json.dumps({**agent("gemini").config, "security": secure}))
    env = {"GOOGLE_GEMINI_BASE_URL": serve(model), "GEMINI_API_KEY": "none", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    run("gemini", "-p", "write", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", **env)
    assert (root / PATH).read_text(encoding="utf-8") == GOOD
    assert model.turn == 4
    assert model.was_told(2, AFTER_EDIT)
    assert model.was_told(3, AT_END)
