"""The language of a server: the client's locale, or the one of its command line."""

from __future__ import annotations

import pytest
from server import client as clients
from server.client import URI, LspClient, Message

HANDOFF = """\
# Login — Handoff from Developer

## Status

compleet

## Status reason

## Abstract

```yaml
outcome: x
verdict: n/a
files: 1 created, 0 modified, 0 deleted
next_phase: tester
open_questions: 0
```
"""
ABLE = {
    "textDocument": {
        "hover": {"contentFormat": ["markdown"]},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": []}}},
    }
}


def asked(client: LspClient) -> tuple[str, str, list[str]]:
    """The message at the status, the hover on it, and the titles of the actions there."""
    client.open(HANDOFF)
    found = client.diagnostics(1)
    wrong: Message = next(one for one in found if one["code"] == "invalid-value")
    hover = client.request("textDocument/hover", {"textDocument": {"uri": URI}, "position": wrong["range"]["start"]})
    context = {"diagnostics": [wrong]}
    where = {"textDocument": {"uri": URI}, "range": wrong["range"], "context": context}
    actions = client.request("textDocument/codeAction", where)
    return wrong["message"], hover["contents"]["value"], [action["title"] for action in actions]


@pytest.mark.parametrize("locale", ["ja", "ja-JP", "ja_JP.UTF-8"])
def test_a_client_in_japanese(locale: str) -> None:
    with LspClient(ABLE, locale=locale) as client:
        message, hover, titles = asked(client)
    assert message.startswith("`Status` は「compleet」ですが、`complete`, `blocked`")
    assert "**`Status`** は次のいずれかです" in hover
    assert "プロファイル" in hover
    assert '"compleet" を `complete` に変更' in titles


@pytest.mark.parametrize("locale", ["en-US", "de", "xx-YY", "", "../ja", "j" * 1_000])
def test_english_for_any_other_locale(locale: str) -> None:
    with LspClient(ABLE, locale=locale) as client:
        message, hover, titles = asked(client)
    assert message.startswith('`Status` is "compleet", but must be one of')
    assert "must be one of" in hover
    assert 'Change "compleet" to `complete`' in titles


def test_the_command_line_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clients, "SERVER", [*clients.SERVER, "--lang", "ja"])
    with LspClient(ABLE, locale="en") as client:
        message, _, _ = asked(client)
    assert message.startswith("`Status` は")
