"""The MCP server in real agents: they start it, list its tools, and give its answer to a model.

Not among the tests that always run: the programs are large. With them in a folder:

    npm install --prefix DIR @anthropic-ai/claude-code @openai/codex @google/gemini-cli
    PATH=DIR/node_modules/.bin:$PATH python -m pytest tests/mcp/with_agents.py

The model is a server in this process, as in the rig for hooks. No other server is called.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from cli.hooks.conftest import root as root
from cli.hooks.told import BROKEN, PATH
from cli.hooks.with_agents import Model, _anthropic, codex_answer
from cli.hooks.with_agents import run as run
from cli.hooks.with_agents import serve as serve

_SERVER = {"command": "handoff-lsp", "args": ["mcp"]}
_CALL = {"path": PATH}
_TOOLS = ("check", "parse", "new", "explain", "owed")
# As often as an agent may answer that the server is still starting.
_PATIENCE = 20


def test_claude_code(root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]) -> None:
    listed: set[str] = set()

    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        messages, tools = request.get("messages", [{}]), [tool.get("name") for tool in request.get("tools", [])]
        if not tools or "MAIN-TASK" not in json.dumps(messages[0]):
            return _anthropic(request, {"type": "text", "text": "ok"})
        listed.update(name for name in tools if name.startswith("mcp__handoff-lsp__"))
        model.told.append(json.dumps(messages[-1], ensure_ascii=False))
        if "sha256" in model.told[-1] or len(model.told) > _PATIENCE:
            return _anthropic(request, {"type": "text", "text": "All done."})
        if "still connecting" in model.told[-1] and "WaitForMcpServers" in tools:
            return _anthropic(request, {"type": "tool_use", "name": "WaitForMcpServers", "input": {}})
        return _anthropic(request, {"type": "tool_use", "name": "mcp__handoff-lsp__check", "input": _CALL})

    model = Model(reply)
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    (root / ".mcp.json").write_text(json.dumps({"mcpServers": {"handoff-lsp": _SERVER}}))
    env = {
        "ANTHROPIC_BASE_URL": serve(model),
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_AUTOUPDATER": "1",
    }
    allowed = ("--mcp-config", str(root / ".mcp.json"), "--allowedTools", "mcp__handoff-lsp__check WaitForMcpServers")
    run("claude", "-p", "MAIN-TASK", *allowed, **env)
    assert listed == {f"mcp__handoff-lsp__{name}" for name in _TOOLS}
    _has_the_structured_result(model.told[-1])


def _has_the_structured_result(told: str) -> None:
    for part in ('"state":"findings"', '"rule":"missing-status"', '"fixes":['):
        assert part in told.replace("\\", ""), told


def test_codex(root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]) -> None:
    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        last = request["input"][-1]
        model.told.append(json.dumps(last, ensure_ascii=False))
        item: dict[str, Any] = {"type": "function_call", "id": "f", "call_id": f"c{len(model.told)}", "name": "check"}
        item |= {"namespace": "mcp__handoff_lsp", "arguments": json.dumps(_CALL)}
        if "sha256" in model.told[-1] or len(model.told) > _PATIENCE:
            item = {"type": "message", "role": "assistant", "id": "m"}
            item["content"] = [{"type": "output_text", "text": "Done."}]
        return codex_answer(item)

    model = Model(reply)
    settings = tmp_path / "caches" / ".codex"
    settings.mkdir(parents=True)
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    (settings / "config.toml").write_text(
        'model_provider = "fake"\n[model_providers.fake]\nname = "fake"\nwire_api = "responses"\nenv_key = "KEY"\n'
        f'base_url = "{serve(model)}/v1"\n'
        '[mcp_servers.handoff-lsp]\ncommand = "handoff-lsp"\nargs = ["mcp"]\nstartup_timeout_sec = 60\n'
    )
    bypass = "--dangerously-bypass-approvals-and-sandbox"
    run("codex", "exec", bypass, "-m", "gpt-5.6-sol", "check", CODEX_HOME=str(settings), KEY="none")
    _has_the_structured_result(model.told[-1])


def test_gemini(root: Path, tmp_path: Path, serve: Callable[..., str], run: Callable[..., str]) -> None:
    listed: set[str] = set()

    def reply(model: Model, request: dict[str, Any]) -> tuple[str, str]:
        part: dict[str, Any] = {"text": "{}"}
        if request.get("tools"):
            names = [each["name"] for tool in request["tools"] for each in tool.get("functionDeclarations", [])]
            listed.update(name for name in names if "handoff-lsp" in name)
            model.told.append(json.dumps(request["contents"][-1], ensure_ascii=False))
            part = {"functionCall": {"name": "mcp_handoff-lsp_check", "args": _CALL}}
            if "functionResponse" in model.told[-1]:
                part = {"text": "Done."}
        answer = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
        return "text/event-stream", f"data: {json.dumps({'candidates': [answer]})}\r\n\r\n"

    model = Model(reply)
    settings = tmp_path / "caches" / ".gemini"
    settings.mkdir(parents=True)
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    secure = {"auth": {"selectedType": "gemini-api-key"}}
    servers = {"handoff-lsp": {**_SERVER, "trust": True}}
    (settings / "settings.json").write_text(json.dumps({"mcpServers": servers, "security": secure}))
    env = {"GOOGLE_GEMINI_BASE_URL": serve(model), "GEMINI_API_KEY": "none", "GEMINI_CLI_TRUST_WORKSPACE": "true"}
    run("gemini", "-p", "check", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", **env)
    assert listed == {f"mcp_handoff-lsp_{name}" for name in _TOOLS}
    for part in (f"{PATH}: findings", "[missing-status]", "next step is"):
        assert part in model.told[-1]
