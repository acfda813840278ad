"""The code actions of the situations in ``few_choices``, as VS Code, Neovim and other clients list them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message
from server.few_choices import SITUATIONS, Situation
from server.profiles import PROFILES, folders

# The most entries that a person reads through.
MOST = 6
CHOOSE: Message = {"experimental": {"handoff": {"choose": True}}}


def listed(client: LspClient, situation: Situation, root: Path, **context: Any) -> list[Message]:
    """The actions that a user asks for at the cursor of a situation."""
    before, _, after = situation.text.partition("‸")
    for name, text in situation.beside:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    uri = (root / situation.path).as_uri()
    client.open(before + after, uri=uri)
    here = {"line": before.count("\n"), "character": len(before) - before.rfind("\n") - 1}
    asked = {
        "textDocument": {"uri": uri},
        "range": {"start": here, "end": here},
        "context": {"diagnostics": [], "triggerKind": 1, **context},
    }
    found: list[Message] = client.request("textDocument/codeAction", asked)
    client.close(uri)
    return found


def capabilities(name: str, *, chooses: bool) -> Message:
    """The capabilities of a client for code actions and edits, with or without an extension of ours."""
    whole = PROFILES[name].capabilities
    # It pulls diagnostics, so that none are pushed.
    able = {
        "textDocument": {"codeAction": whole["textDocument"]["codeAction"], "diagnostic": {}},
        "workspace": {
            "workspaceEdit": whole.get("workspace", {}).get("workspaceEdit", {}),
            "diagnostics": {"refreshSupport": True},
        },
    }
    return {**able, **CHOOSE} if chooses else able


@pytest.mark.parametrize("name", ["vscode", "neovim 0.11"])
def test_the_same_few_choices_in_vs_code_and_neovim(name: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with LspClient(capabilities(name, chooses=True), **folders(tmp_path)) as client:
        for situation in SITUATIONS:
            found = listed(client, situation, tmp_path)
            assert tuple(action["title"] for action in found) == situation.titles, situation.name
            assert len(found) <= MOST
            assert sum(action.get("isPreferred", False) for action in found) <= 1, situation.name
            for action in found:
                several = action["title"].endswith("…")
                assert several == ("command" in action), situation.name
                assert not (several and action.get("isPreferred")), situation.name


@pytest.mark.parametrize("name", ["vscode", "neovim 0.11", "helix", "zed", "emacs", "kate"])
def test_few_entries_in_a_client_that_cannot_choose(name: str, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    with LspClient(capabilities(name, chooses=False), **folders(tmp_path)) as client:
        for situation in SITUATIONS:
            found = listed(client, situation, tmp_path)
            assert found
            assert len(found) <= MOST, situation.name
            assert not any("command" in action for action in found), situation.name
            ignoring = [number for number, action in enumerate(found) if action["title"].startswith("Ignore")]
            assert ignoring in ([], [len(found) - 1]), situation.name


def test_a_status_is_chosen_with_what_it_requires(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    situation = next(one for one in SITUATIONS if one.name == "a word that is no status")
    with LspClient(capabilities("vscode", chooses=True), **folders(tmp_path)) as client:
        first, *_ = listed(client, situation, tmp_path)
        (argument,) = first["command"]["arguments"]
        assert [choice["label"] for choice in argument["choices"]] == ["blocked", "failed", "incomplete", "complete"]
        assert all(choice["about"] and choice["action"]["kind"] == "quickfix" for choice in argument["choices"])
        uri = argument["choices"][0]["action"]["data"]["uri"]
        client.open(situation.text.replace("‸", ""), uri=uri)
        resolved = client.request("codeAction/resolve", argument["choices"][0]["action"])
        (change,) = resolved["edit"]["documentChanges"]
        new = "".join(edit["newText"] for edit in change["edits"])
        assert new.startswith("blocked") and "## Open Questions" in new
