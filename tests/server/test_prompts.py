"""Prompts over a real connection: an edit of one updates what is shown in the others, open or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message, edit, range_
from server.test_across_files import PUSH
from server.test_diagnostics import PULL, UNITS
from server.test_workspace_diagnostics import Puller, client_in

AGENT = """# Developer \U0001f600

A `## Status` block per `feature-handoff-template`.

- \u65e5\u672c `Status`: `complete` | `blocked` | `failed`
"""
COMMAND = """# Build

Read the `## Status` of each handoff (`templates/feature-handoff-template.md`):

| Status value | Reaction |
|---|---|
| `complete` | Spawn the next agent |
| `blocked` | Ask |
| `incomplete` | Retry |
"""
LINE = 4
FAILED = AGENT.split("\n")[LINE].index("failed")


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    """A workspace with an agent and the command that spawns it."""
    (tmp_path / ".git").mkdir()
    for name, text in (("agents/developer-agent.md", AGENT), ("commands/build-command.md", COMMAND)):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def uris(pack: Path) -> tuple[str, str]:
    """The agent and the command."""
    return (pack / "agents/developer-agent.md").as_uri(), (pack / "commands/build-command.md").as_uri()


def test_an_edit_of_the_agent_updates_the_open_command(pack: Path) -> None:
    agent, command = uris(pack)
    with client_in(pack, {**PUSH, "general": {"positionEncodings": ["utf-32"]}}) as client:
        client.open(COMMAND, command)
        assert client.codes(1, command) == ["value-nobody-emits"]  # incomplete
        client.open(AGENT, agent)
        (found,) = client.diagnostics(1, agent)
        assert found["code"] == "value-nobody-handles"
        client.change(2, edit((LINE, FAILED), (LINE, FAILED + 6), "incomplete"), uri=agent)
        assert client.codes(2, agent) == []
        # Another look at the disk may send the same findings once more.
        while (codes := client.codes(1, command)) == ["value-nobody-emits"]:
            pass
        assert codes == []
        # And the other way around.
        client.change(2, edit((8, 0), (9, 0), ""), uri=command)
        assert client.codes(2, command) == []
        assert client.codes(2, agent) == ["value-nobody-handles"]
        client.quiet()


@pytest.mark.parametrize("encoding", UNITS)
def test_the_place_in_the_other_prompt(pack: Path, encoding: str) -> None:
    agent, command = uris(pack)
    with client_in(pack, {**PUSH, "general": {"positionEncodings": [encoding]}}) as client:
        client.open(AGENT, agent)
        (found,) = client.diagnostics(1, agent)
        before = UNITS[encoding](AGENT.split("\n")[LINE][:FAILED])
        assert found["range"] == range_((LINE, before), (LINE, before + 6))
        places = [item["location"] for item in found["relatedInformation"] if not item["message"].startswith("note: ")]
        assert {place["uri"] for place in places} == {command}
        assert places[0]["range"]["start"]["line"] == 6


def test_a_pull_is_asked_for(pack: Path) -> None:
    agent, command = uris(pack)
    with client_in(pack) as client:
        client.open(COMMAND, command)
        first = client.pull(uri=command)
        assert [item["code"] for item in first["items"]] == ["value-nobody-emits"]
        client.open(AGENT, agent)
        client.pull(uri=agent)
        client.change(2, edit((LINE, FAILED), (LINE, FAILED + 6), "incomplete"), uri=agent)
        assert client.expect("workspace/diagnostic/refresh") is None
        assert client.pull(first["resultId"], command)["items"] == []


def test_the_place_in_the_other_prompt_follows_an_edit_above_it(pack: Path) -> None:
    agent, command = uris(pack)
    with client_in(pack, PUSH) as client:
        client.open(AGENT, agent)
        client.diagnostics(1, agent)
        client.open(COMMAND, command)
        assert _first_place(client.diagnostics(1, command)) == LINE
        client.diagnostics(1, agent)  # the file of its related place is open now
        client.change(2, edit((0, 0), (0, 0), "A word\n\n"), uri=agent)
        assert client.codes(2, agent) == ["value-nobody-handles"]
        assert _first_place(client.diagnostics(1, command)) == LINE + 2


def _first_place(found: list[Message]) -> int:
    """The line of the first related place of the only diagnostic."""
    (one,) = found
    line: int = one["relatedInformation"][0]["location"]["range"]["start"]["line"]
    return line


def test_closed_prompts_follow_an_edit(pack: Path) -> None:
    agent, _ = uris(pack)
    with client_in(pack) as client:
        client.open(AGENT, agent)
        puller = Puller(client, pack)
        first = puller.pull()
        assert first["commands/build-command.md"] == ["value-nobody-emits"]
        client.change(2, edit((LINE, FAILED), (LINE, FAILED + 6), "incomplete"), uri=agent)
        assert client.expect("workspace/diagnostic/refresh") is None
        assert puller.pull()["commands/build-command.md"] == []


def test_hover_and_lens_know_the_other_buffers(pack: Path) -> None:
    agent, command = uris(pack)
    where = {"textDocument": {"uri": command}, "position": {"line": 8, "character": 5}}
    with client_in(pack, {**PULL, **_MARKDOWN}) as client:
        client.open(COMMAND, command)
        assert "No prompt has its agent write it." in _page(client, where)
        (lens,) = [one for one in _lenses(client, command) if one["command"]["command"] == "handoff.showPrompt"]
        assert "nobody emits incomplete" in lens["command"]["title"]
        client.open(AGENT.replace("failed", "incomplete"), agent)
        assert "**Emitted by** [`agents/developer-agent.md:5`]" in _page(client, where)
        assert "nobody emits" not in _lenses(client, command)[0]["command"]["title"]
        client.take_unread()


def test_a_value_that_is_being_typed_waits(pack: Path) -> None:
    agent, _ = uris(pack)
    with client_in(pack, PUSH, initializationOptions=None) as client:
        client.open(AGENT.replace("failed", "incomplete"), agent)
        assert client.codes(1, agent) == []
        client.change(2, edit((LINE, FAILED), (LINE, FAILED + 10), ""), uri=agent)
        assert client.codes(2, agent) == []
        for at, letter in enumerate("incomplet"):
            client.change(3 + at, edit((LINE, FAILED + at), (LINE, FAILED + at), letter), uri=agent)
            assert client.codes(3 + at, agent) == []
        # A moment later it is reported.
        assert client.codes(11, agent) == ["unknown-value-in-prompt"]


def test_the_quick_fix_and_the_ways_to_ignore(pack: Path) -> None:
    agent, _ = uris(pack)
    with client_in(pack, {**PUSH, **_ACTIONS}) as client:
        client.open(AGENT.replace("blocked", "blockd").replace("failed", "incomplete"), agent)
        (found,) = client.diagnostics(1, agent)
        params = {"textDocument": {"uri": agent}, "range": found["range"], "context": {"diagnostics": [found]}}
        actions = {one["title"]: one for one in client.request("textDocument/codeAction", params)}
        fix = client.request("codeAction/resolve", actions["Change `blockd` to `blocked`"])
        ((made,),) = [each["edits"] for each in fix["edit"]["documentChanges"]]
        assert made["newText"] == "blocked"
        ignore = client.request("codeAction/resolve", actions["Ignore `unknown-value-in-prompt` here"])
        ((made,),) = [each["edits"] for each in ignore["edit"]["documentChanges"]]
        client.change(2, {"range": made["range"], "text": made["newText"]}, uri=agent)
        assert client.codes(2, agent) == []


_MARKDOWN: Message = {"textDocument": {**PULL["textDocument"], "hover": {"contentFormat": ["markdown"]}}}
_ACTIONS: dict[str, Any] = {
    "workspace": {"workspaceEdit": {"documentChanges": True}},
    "textDocument": {
        **PUSH["textDocument"],
        "codeAction": {
            "codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}},
            "dataSupport": True,
            "resolveSupport": {"properties": ["edit"]},
        },
    },
}


def _page(client: LspClient, where: Message) -> str:
    return str(client.request("textDocument/hover", where)["contents"]["value"])


def _lenses(client: LspClient, uri: str) -> list[Message]:
    return list(client.request("textDocument/codeLens", {"textDocument": {"uri": uri}}))
