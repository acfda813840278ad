"""Files that change on disk: reported by a client that watches, or else noticed when a document is next used."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message, edit
from server.documents import WITHOUT_STATUS
from server.test_across_files import LOG, OWN, STATUS
from server.test_diagnostics import PULL
from server.test_settings import document, folder, severity

WATCH: Message = {"didChangeWatchedFiles": {"dynamicRegistration": True}}
# Longer than the server trusts files that it has read from disk.
A_MOMENT = 0.6


def registered(client: LspClient) -> list[str]:
    """The patterns that the server registers next."""
    (registration,) = client.expect("client/registerCapability")["registrations"]
    assert registration["method"] == "workspace/didChangeWatchedFiles"
    return [watcher["globPattern"] for watcher in registration["registerOptions"]["watchers"]]


def test_what_is_watched_follows_the_configs(tmp_path: Path) -> None:
    config, uri = tmp_path / ".handoff-lsp.toml", document(tmp_path)
    with LspClient({"workspace": WATCH}, workspaceFolders=[folder(tmp_path)]) as client:
        patterns = registered(client)
        assert {"**/.handoff-lsp.toml", "**/pyproject.toml", "**/status.json", "**/activity.log"} < set(patterns)
        assert {"**/.claude/agents/*.md", "**/docs/OPS_RESULT.md"} < set(patterns)
        assert not any(pattern.endswith(("yaml", "/*", "**")) for pattern in patterns)
        client.open(WITHOUT_STATUS, uri)
        assert severity(client, uri) == 1

        config.write_text('contract-files = ["formats/*.yaml"]\n[rules]\nmissing-status = "hint"\n')
        (tmp_path / "formats").mkdir()
        companion = "companions:\n  other: {contract: own, where: ../beside/other.json}\n"
        (tmp_path / "formats" / "own.yaml").write_text(OWN % (("own",) * 3) + companion)
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 1}]})
        (old,) = client.expect("client/unregisterCapability")["unregisterations"]
        assert old["method"] == "workspace/didChangeWatchedFiles"
        now = registered(client)
        assert set(now) - set(patterns) == {"**/formats/*.yaml", "**/other.json"}
        assert severity(client, uri) == 4

        # Nothing new to watch: no message.
        config.write_text('contract-files = ["formats/*.yaml"]\n[rules]\nmissing-status = "warning"\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert severity(client, uri) == 2
        client.quiet()


def test_patterns_that_change_while_they_are_registered(tmp_path: Path) -> None:
    config, uri = tmp_path / ".handoff-lsp.toml", document(tmp_path)
    with LspClient({"workspace": WATCH}, workspaceFolders=[folder(tmp_path)]) as client:
        registered(client)
        client.open(WITHOUT_STATUS, uri)
        client.diagnostics(1, uri)
        for name in ("one", "two", "three"):  # each before the answer to the one before
            config.write_text(f'contract-files = ["{name}/*.yaml"]\n')
            client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
            time.sleep(0.05)
        while "**/three/*.yaml" not in registered(client):
            pass
        unread = client.take_unread()
        methods = {message["method"] for message in unread}
        assert methods <= {"client/unregisterCapability", "window/showMessage", "textDocument/publishDiagnostics"}
        client.quiet()


def test_only_what_a_change_touches_is_checked(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".handoff-lsp.toml").write_text("")
    uris = [document(tmp_path / name) for name in ("one", "two")]
    config = tmp_path / "one" / ".handoff-lsp.toml"
    with LspClient({"workspace": WATCH}, workspaceFolders=[folder(tmp_path)]) as client:
        registered(client)
        for uri in uris:
            client.open(WITHOUT_STATUS, uri)
            assert severity(client, uri) == 1
        config.write_text('[rules]\nmissing-status = "hint"\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert severity(client, uris[0]) == 4
        client.quiet()
        # A file that no finding depends on.
        config.write_text('[rules]\nmissing-status = "hint"\n[editor]\ninlay-hints = false\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        client.quiet()


def test_views_are_asked_for_again_where_the_client_can(tmp_path: Path) -> None:
    config, uri = tmp_path / ".handoff-lsp.toml", document(tmp_path)
    config.write_text("")  # it makes its folder the root, which counts for the check
    again = {name: {"refreshSupport": True} for name in ("codeLens", "inlayHint", "semanticTokens")}
    with LspClient({"workspace": again}) as client:
        offered = {
            "workspace/codeLens/refresh": "codeLensProvider",
            "workspace/inlayHint/refresh": "inlayHintProvider",
            "workspace/semanticTokens/refresh": "semanticTokensProvider",
        }
        methods = {method for method, name in offered.items() if client.capabilities.get(name)}
        client.open(WITHOUT_STATUS, uri)
        client.diagnostics(1, uri)
        for text in ("[editor]\ncode-lens = false\n", "", "[editor]\ninlay-hints = false\n"):
            config.write_text(text)
            client.notify("workspace/didChangeConfiguration", {"settings": None})
            for method in methods:
                client.expect(method)
            client.quiet()
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.quiet()


def hover(client: LspClient, uri: str) -> None:
    """A request about the document."""
    client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 3}})


def change(client: LspClient, uri: str) -> None:
    """A change of the document that changes no finding."""
    at = (1, 15) if uri.endswith("status.json") else (0, 12)
    client.change(1, edit(at, at, "x"), uri=uri)


USES = {"a request": hover, "a change": change}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_config_is_looked_at_again_on_use(tmp_path: Path, use: Callable[[LspClient, str], None]) -> None:
    config, uri, other = tmp_path / ".handoff-lsp.toml", document(tmp_path), document(tmp_path / "inner")
    with LspClient() as client:
        client.open(WITHOUT_STATUS, uri)
        client.open(WITHOUT_STATUS, other)
        assert (severity(client, uri), severity(client, other)) == (1, 1)
        for text, expected in (('[rules]\nmissing-status = "hint"\n', 4), ("", 1)):
            config.write_text(text)
            time.sleep(A_MOMENT)
            use(client, uri)
            assert severity(client, uri) == expected
            assert severity(client, other) == expected  # and the other consumers of the change
            client.quiet()


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_contract_file_is_looked_at_again_on_use(tmp_path: Path, use: Callable[[LspClient, str], None]) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["*.yaml"]\n')
    contract, uri = tmp_path / "left.yaml", (tmp_path / "left" / "left.json").as_uri()
    contract.write_text(OWN % (("left",) * 3))
    with LspClient() as client:
        client.open('{"state": "a",\n "more": 1}\n', uri)
        before = client.codes(1, uri)
        contract.write_text((OWN % (("left",) * 3)) + "  task: {type: line, required: true, about: What it does.}\n")
        time.sleep(A_MOMENT)
        use(client, uri)
        assert sorted(client.codes(1, uri)) == sorted([*before, "missing-field"])
        client.quiet()


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_of_a_contract_file_that_breaks_the_last_good_contract_stays_in_force(
    tmp_path: Path, use: Callable[[LspClient, str], None]
) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["*.yaml"]\n')
    contract, uri = tmp_path / "left.yaml", (tmp_path / "left" / "left.json").as_uri()
    text = (OWN % (("left",) * 3)) + "  task: {type: line, required: true, about: What it does.}\n"
    contract.write_text(text)
    with LspClient() as client:
        client.open('{"state": "a",\n "more": 1}\n', uri)
        assert client.codes(1, uri) == ["missing-field"]
        contract.write_text(text.replace("required: true", "required: yes and no &&"))
        time.sleep(A_MOMENT)
        use(client, uri)
        told = client.published(contract.as_uri())["diagnostics"]
        assert [each["code"] for each in told] == ["invalid-contract"]
        client.change(2, {"text": '{"state": "a",\n "more": 2}\n'}, uri=uri)
        assert client.codes(2, uri) == ["missing-field"]
        client.take_unread()


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_file_beside_is_looked_at_again_on_use(tmp_path: Path, use: Callable[[LspClient, str], None]) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".agent").mkdir()
    status, log = (tmp_path / ".agent" / "status.json").as_uri(), tmp_path / ".agent" / "activity.log"
    with LspClient() as client:
        client.open(STATUS, status)
        assert client.codes(1, status) == []
        for text, expected in ((LOG, ["file-disagreement"]), (LOG.replace("completed", "running"), [])):
            log.write_text(text)
            time.sleep(A_MOMENT)
            use(client, status)
            assert client.codes(1, status) == expected
            client.quiet()


def test_a_config_is_looked_at_again_by_a_client_that_pulls(tmp_path: Path) -> None:
    config, uri = tmp_path / ".handoff-lsp.toml", document(tmp_path)
    with LspClient(PULL) as client:
        client.open(WITHOUT_STATUS, uri)
        first = client.pull(uri=uri)
        config.write_text('[rules]\nmissing-status = "off"\n')
        time.sleep(A_MOMENT)
        hover(client, uri)
        client.expect("workspace/diagnostic/refresh")
        hover(client, uri)  # it has been asked already
        client.quiet()
        second = client.pull(first["resultId"], uri)
        assert "missing-status" not in [item["code"] for item in second["items"]]
        hover(client, uri)
        client.quiet()


OPERATIONS: dict[str, dict[str, Any]] = {
    "didCreate": {"files": [{"uri": "file:///new"}]},
    "didRename": {"files": [{"oldUri": "file:///a", "newUri": "file:///b"}]},
    "didDelete": {"files": [{"uri": "file:///old"}]},
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_what_the_editor_does_to_files_is_seen(tmp_path: Path, operation: str) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".agent").mkdir()
    status, log = (tmp_path / ".agent" / "status.json").as_uri(), tmp_path / ".agent" / "activity.log"
    with LspClient({"workspace": {"fileOperations": {operation: True}}}) as client:
        offered = client.capabilities["workspace"]["fileOperations"]
        assert offered == {operation: {"filters": [{"pattern": {"glob": "**/*"}}]}}
        client.open(STATUS, status)
        assert client.codes(1, status) == []
        log.write_text(LOG)
        client.notify(f"workspace/{operation}Files", OPERATIONS[operation])
        assert client.codes(1, status) == ["file-disagreement"]
        client.quiet()
