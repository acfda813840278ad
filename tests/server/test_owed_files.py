"""A file that an agent must write, in an editor: the finding, the block to insert, and silence while it is typed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from server.client import LspClient, edit
from server.test_code_actions import LITERALS, actions, titled
from server.test_typing import DEFAULT

CONFIG = """\
[agents.reporter]
returns = "status-block"
profile = "developer"
where = "file"
files = ["handoffs/*.md"]
must = ["open_questions"]
"""
HINT, ERROR = 4, 1
CAPABILITIES = {
    "textDocument": {
        "codeAction": LITERALS,
        "completion": {"completionItem": {"preselectSupport": True, "snippetSupport": True}},
    }
}


@pytest.fixture
def handoffs(tmp_path: Path) -> Path:
    """The folder of the reports in a workspace whose config says who writes them."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".handoff-lsp.toml").write_text(CONFIG, encoding="utf-8")
    folder = tmp_path / "handoffs"
    folder.mkdir()
    return folder


@pytest.fixture
def client() -> Iterator[LspClient]:
    """A client with default settings."""
    with LspClient(CAPABILITIES, **DEFAULT) as client:
        yield client


def found(client: LspClient, version: int, uri: str) -> list[tuple[str, int]]:
    return [(item["code"], item["severity"]) for item in client.diagnostics(version, uri)]


def test_an_empty_file_is_a_hint_with_the_block_to_insert(client: LspClient, handoffs: Path) -> None:
    uri = (handoffs / "01.md").as_uri()
    client.open("", uri)
    (diagnostic,) = client.diagnostics(1, uri)
    assert (diagnostic["code"], diagnostic["severity"]) == ("empty-return", HINT)
    assert "`reporter`" in diagnostic["message"]
    action = titled(actions(client, uri, 0, diagnostics=[diagnostic]), "Insert the Status block handoff")
    (inserted,) = action["edit"]["changes"][uri]
    assert "Handoff from Developer" in inserted["newText"]
    client.change(2, {"text": inserted["newText"]}, uri=uri)
    assert set(found(client, 2, uri)) == {("placeholder-left", HINT)}


def test_completion_offers_what_is_owed_first(client: LspClient, handoffs: Path) -> None:
    uri = (handoffs / "01.md").as_uri()
    client.open("", uri)
    client.diagnostics(1, uri)
    params = {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}
    answer = client.request("textDocument/completion", params)
    items = answer["items"] if isinstance(answer, dict) else answer
    first = min(items, key=lambda item: item.get("sortText", item["label"]))
    assert (first["label"], first.get("preselect")) == ("Status block handoff", True)
    assert "Handoff from Developer" in str(first)


def test_nothing_flashes_while_the_file_is_typed(client: LspClient, handoffs: Path) -> None:
    uri = (handoffs / "01.md").as_uri()
    client.open("", uri)
    assert found(client, 1, uri) == [("empty-return", HINT)]
    for at, letter in enumerate("Notes"):
        client.change(2 + at, edit((0, at), (0, at), letter), uri=uri)
        assert found(client, 2 + at, uri) == []
    # A moment later it is.
    assert found(client, 6, uri) == [("missing-handoff", ERROR)]


def test_other_files_of_the_folder_owe_nothing(client: LspClient, handoffs: Path) -> None:
    for name, text in (("README.md", ""), ("report-template.md", "# <title>\n"), ("deep/01.md", "")):
        uri = (handoffs / name).as_uri()
        client.open(text, uri)
        assert found(client, 1, uri) == []


def test_the_config_decides_at_once(client: LspClient, handoffs: Path) -> None:
    uri = (handoffs / "01.md").as_uri()
    client.open("Notes.\n", uri)
    assert found(client, 1, uri) == [("missing-handoff", ERROR)]
    config = handoffs.parent / ".handoff-lsp.toml"
    config.write_text("[agents.reporter]\nreturns = false\n", encoding="utf-8")
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
    assert found(client, 1, uri) == []
