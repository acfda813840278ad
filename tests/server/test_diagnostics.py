"""Diagnostics over a real connection: pushed or pulled, with exact ranges, and only for the newest text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from server.client import URI, LspClient, ResponseError, changed, edit, range_
from server.documents import BEFORE, CONTRACT, SOUND, WITHOUT_STATUS, WRONG

from handoff_lsp.rules.pages import page_of

PULL: dict[str, Any] = {
    "textDocument": {"diagnostic": {}, "publishDiagnostics": {}},
    "workspace": {"diagnostics": {"refreshSupport": True}},
}
UNITS = {
    "utf-8": lambda text: len(text.encode()),
    "utf-16": lambda text: len(text.encode("utf-16-le")) // 2,
    "utf-32": len,
}


@pytest.mark.parametrize("encoding", UNITS)
def test_ranges_are_exact_in_each_encoding(encoding: str) -> None:
    units = UNITS[encoding]
    with LspClient({"general": {"positionEncodings": [encoding, "utf-16"]}}) as client:
        assert client.capabilities["positionEncoding"] == encoding
        client.open(CONTRACT)
        found = {item["code"]: item for item in client.diagnostics(1)}
        start, end = units(BEFORE), units(BEFORE + WRONG)
        assert found["invalid-value"]["range"] == range_((3, start), (3, end))
        # The way back: the same range replaces exactly the wrong value.
        client.change(2, edit((3, start), (3, end), '"COMPLETE"'))
        assert "invalid-value" not in client.codes(2)


def test_utf16_where_the_client_says_nothing() -> None:
    with LspClient() as client:
        assert client.capabilities["positionEncoding"] == "utf-16"


def test_push_has_the_version_is_also_empty_and_is_cleared_on_close() -> None:
    with LspClient() as client:
        assert "diagnosticProvider" not in client.capabilities
        client.open(WITHOUT_STATUS, version=7)
        assert "missing-status" in client.codes(7)
        client.change(8, {"text": SOUND})
        assert client.diagnostics(8) == []
        client.change(9, {"text": WITHOUT_STATUS})
        assert client.codes(9)
        client.close()
        assert client.published() == {"uri": URI, "diagnostics": []}
        client.quiet()
        with pytest.raises(ResponseError):
            client.pull()


def test_pull_never_pushes_and_says_unchanged() -> None:
    with LspClient(PULL) as client:
        assert client.capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True
        client.open(WITHOUT_STATUS)
        first = client.pull()
        assert first["kind"] == "full"
        assert "missing-status" in [item["code"] for item in first["items"]]
        assert client.pull(first["resultId"]) == {"kind": "unchanged", "resultId": first["resultId"]}
        client.change(2, {"text": SOUND})
        second = client.pull(first["resultId"])
        assert (second["kind"], second["items"]) == ("full", [])
        client.change(3, {"text": WITHOUT_STATUS})
        assert client.pull(second["resultId"])["resultId"] == first["resultId"]
        client.close()
        assert client.pull() == {"kind": "full", "items": []}
        client.quiet()


@pytest.mark.parametrize("left_out", ["textDocument", "workspace"])
def test_push_where_half_of_pull_is_missing(left_out: str) -> None:
    with LspClient({key: value for key, value in PULL.items() if key != left_out}) as client:
        assert "diagnosticProvider" not in client.capabilities
        client.open(SOUND)
        assert client.diagnostics(1) == []


def test_only_what_the_client_can_take() -> None:
    told = {"relatedInformation": True, "dataSupport": True, "tagSupport": {"valueSet": [1, 2]}}
    with LspClient({"textDocument": {"publishDiagnostics": told}}) as rich, LspClient() as poor:
        for client in (rich, poor):
            client.open(WITHOUT_STATUS)
        one, other = rich.diagnostics(1), poor.diagnostics(1)
        assert all(item["source"] == "handoff-lsp" and item["severity"] in (1, 2, 3, 4) for item in one)
        assert all("data" in item for item in one)
        extra = ("data", "tags", "relatedInformation")
        assert [{key: value for key, value in item.items() if key not in extra} for item in one] == other


def test_a_burst_costs_one_check() -> None:
    with LspClient() as client:
        client.open(SOUND)
        assert client.diagnostics(1) == []
        # Fifty edits in one write take the status away, letter by letter and line by line, or put it back.
        edits = [changed(URI, 2, edit((2, 0), (5, 0), ""))]
        edits += [changed(URI, version, edit((0, 2), (0, 2), "x")) for version in range(3, 51)]
        edits += [changed(URI, 51, edit((0, 2), (0, 50), "Feature login — Handoff from Developer"))]
        client.write(*edits)
        params = client.published()
        assert params["version"] == 51
        assert "missing-status" in [item["code"] for item in params["diagnostics"]]
        client.quiet()


def test_config_on_disk(tmp_path: Path) -> None:
    folder = tmp_path / "handoffs"
    folder.mkdir()
    config, uri = tmp_path / ".handoff-lsp.toml", (folder / "a-developer-handoff.md").as_uri()
    config.write_text("")
    with LspClient() as client:
        client.open(WITHOUT_STATUS, uri)
        assert {item["code"]: item["severity"] for item in client.diagnostics(1, uri)}["missing-status"] == 1

        config.write_text('[rules]\nmissing-status = "information"\n')
        client.save(uri)
        assert {item["code"]: item["severity"] for item in client.diagnostics(1, uri)}["missing-status"] == 3

        config.write_text("[rules\n")
        client.save(uri)
        message = client.expect("window/showMessage")
        assert message["type"] == 1
        assert str(config) in message["message"]
        wrong = client.published(config.as_uri())
        assert [item["code"] for item in wrong["diagnostics"]] == ["invalid-config"]
        assert wrong["diagnostics"][0]["range"]["start"]["line"] == 0
        # The last good config still counts, and the message is not repeated.
        assert {item["code"]: item["severity"] for item in client.diagnostics(1, uri)}["missing-status"] == 3
        client.save(uri)
        client.diagnostics(1, uri)

        config.write_text('[rules]\nmissing-status = "off"\n')
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": config.as_uri(), "type": 2}]})
        assert client.published(config.as_uri())["diagnostics"] == []
        assert "missing-status" not in client.codes(1, uri)


@pytest.mark.parametrize("text", ["x = " + "9" * 5_000, "x = " + "[" * 300 + "]" * 300])
def test_a_config_that_python_cannot_read(tmp_path: Path, text: str) -> None:
    config, uri = tmp_path / ".handoff-lsp.toml", (tmp_path / "a-developer-handoff.md").as_uri()
    config.write_text('[rules]\nmissing-status = "information"\n')
    with LspClient() as client:
        client.open(WITHOUT_STATUS, uri)
        assert {item["code"]: item["severity"] for item in client.diagnostics(1, uri)}["missing-status"] == 3
        config.write_text(text)
        client.save(uri)
        assert str(config) in client.expect("window/showMessage")["message"]
        assert [item["code"] for item in client.published(config.as_uri())["diagnostics"]] == ["invalid-config"]
        assert {item["code"]: item["severity"] for item in client.diagnostics(1, uri)}["missing-status"] == 3


def test_config_and_pull(tmp_path: Path) -> None:
    config, uri = tmp_path / ".handoff-lsp.toml", (tmp_path / "a-developer-handoff.md").as_uri()
    config.write_text("[rules\n")
    with LspClient(PULL) as client:
        client.open(WITHOUT_STATUS, uri)
        first = client.pull(uri=uri)
        assert str(config) in client.expect("window/showMessage")["message"]
        assert [item["code"] for item in client.pull(uri=config.as_uri())["items"]] == ["invalid-config"]
        config.write_text('[rules]\nmissing-status = "off"\n')
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        assert client.expect("workspace/diagnostic/refresh") is None
        second = client.pull(first["resultId"], uri)
        assert "missing-status" not in [item["code"] for item in second["items"]]
        assert client.pull(uri=config.as_uri())["items"] == []


def test_watchers_are_registered_where_the_client_can() -> None:
    with LspClient({"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}) as client:
        (registration,) = client.expect("client/registerCapability")["registrations"]
        assert registration["method"] == "workspace/didChangeWatchedFiles"
        patterns = [watcher["globPattern"] for watcher in registration["registerOptions"]["watchers"]]
        assert "**/.handoff-lsp.toml" in patterns
        # The relations between documents in contracts: companions, definitions, the other places of a document.
        assert {"**/status.json", "**/activity.log", "**/.claude/agents/*.md", "**/docs/OPS_RESULT.md"} < set(patterns)


@pytest.mark.parametrize("where", ["publishDiagnostics", "diagnostic"])
def test_the_code_of_a_diagnostic_links_to_its_rules_page(where: str) -> None:
    told = {"publishDiagnostics": {}, where: {"codeDescriptionSupport": True}}
    capabilities = {**PULL, "textDocument": {**PULL["textDocument"], **told}} if where == "diagnostic" else None
    with LspClient(capabilities or {"textDocument": told}) as client:
        client.open(WITHOUT_STATUS)
        (found,) = client.pull()["items"] if where == "diagnostic" else client.diagnostics(1)
        assert found["codeDescription"]["href"] == page_of("missing-status")
    with LspClient() as client:
        client.open(WITHOUT_STATUS)
        (found,) = client.diagnostics(1)
        assert "codeDescription" not in found
