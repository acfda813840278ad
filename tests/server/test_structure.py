"""Outline, folds, selections and tokens on the wire: other clients, other line ends, and tokens as deltas."""

from __future__ import annotations

from typing import Any

import pytest
from features.documents import SAMPLES, handoff
from server.client import URI, LspClient, Message, edit

DOCUMENT: Message = {"textDocument": {"uri": URI}}
PULL: Message = {"workspace": {"diagnostics": {"refreshSupport": True}}}
TEXT = handoff('{\n  "🙂": [1,\n    2],\n  "agent_status": {\n    "plan_status": "COMPLETE"\n  }\n}')


def able(encoding: str = "utf-16", **document: Any) -> Message:
    """The capabilities of a client that pulls diagnostics."""
    return {**PULL, "general": {"positionEncodings": [encoding]}, "textDocument": {"diagnostic": {}, **document}}


def test_a_client_without_trees_gets_a_list_with_kinds_that_it_knows() -> None:
    with LspClient(able()) as client:
        client.open(TEXT)
        found = client.request("textDocument/documentSymbol", DOCUMENT)
    told = [(item["name"], item["kind"], item.get("containerName")) for item in found]
    assert told == [
        ("agent_contract_handoff", 5, None),
        ("🙂", 18, "agent_contract_handoff"),
        ("agent_status", 2, "agent_contract_handoff"),
        ("plan_status", 10, "agent_status"),
    ]
    assert all(item["location"]["uri"] == URI for item in found)


def test_a_client_that_folds_whole_lines_and_takes_few() -> None:
    with LspClient(able(foldingRange={"lineFoldingOnly": True})) as client:
        client.open(TEXT)
        found = client.request("textDocument/foldingRange", DOCUMENT)
        assert found == [
            {"startLine": 2, "endLine": 10, "kind": "region"},
            {"startLine": 3, "endLine": 8},
            {"startLine": 4, "endLine": 5},
            {"startLine": 6, "endLine": 7},
        ]
    with LspClient(able(foldingRange={"lineFoldingOnly": True, "rangeLimit": 2})) as client:
        client.open(TEXT)
        assert client.request("textDocument/foldingRange", DOCUMENT) == found[:2]


def test_folds_of_broken_json_do_not_cross() -> None:
    with LspClient(able()) as client:
        client.open("```agent_contract_handoff\n{\n{\r[\n}{\nr")
        found = client.request("textDocument/foldingRange", DOCUMENT)
    lines = [(fold["startLine"], fold["endLine"]) for fold in found]
    assert lines == [(0, 5), (1, 5), (2, 3), (4, 5)]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-32"])
@pytest.mark.parametrize("eol", ["\n", "\r\n", "\r"])
def test_tokens_and_selections_whatever_ends_a_line(encoding: str, eol: str) -> None:
    text = SAMPLES["counts"].replace("日本語", "🙂 日本語").replace("\n", eol)
    lines = text.split(eol)
    number = next(number for number, line in enumerate(lines) if "outcome" in line)
    with LspClient(able(encoding)) as client:
        client.open(text)
        data = client.request("textDocument/semanticTokens/full", DOCUMENT)["data"]
        end = units("outcome: 🙂 日本語", encoding)
        at = {"line": number, "character": end}
        (step,) = client.request("textDocument/selectionRange", {**DOCUMENT, "positions": [at]})
    assert {"Login", "Status", "blocked", "Status reason", "outcome", "3", "4"} <= set(words(data, lines, encoding))
    chosen = []
    while step is not None:
        chosen.append((step["range"]["start"], step["range"]["end"]))
        step = step.get("parent")
    line = {"line": number, "character": 0}
    assert chosen[0] == ({"line": number, "character": units("outcome: 🙂 ", encoding)}, at)
    assert (line, at) in chosen
    assert chosen[-1] == ({"line": 0, "character": 0}, {"line": len(lines) - 1, "character": 0})


def test_tokens_are_sent_as_changes() -> None:
    with LspClient(able()) as client:
        assert client.capabilities["semanticTokensProvider"]["full"] == {"delta": True}
        client.open(TEXT)
        first = client.request("textDocument/semanticTokens/full", DOCUMENT)
        client.change(2, edit((7, 20), (7, 28), "BLOCKED"))
        asked = {**DOCUMENT, "previousResultId": first["resultId"]}
        told = client.request("textDocument/semanticTokens/full/delta", asked)
        whole = client.request("textDocument/semanticTokens/full", DOCUMENT)
        data = list(first["data"])
        assert len(told["edits"]) == 1
        for change in told["edits"]:
            data[change["start"] : change["start"] + change["deleteCount"]] = change.get("data", [])
        assert data == whole["data"]
        again = {**DOCUMENT, "previousResultId": whole["resultId"]}
        assert client.request("textDocument/semanticTokens/full/delta", again)["edits"] == []
        # An answer that is no longer kept is sent in full.
        assert client.request("textDocument/semanticTokens/full/delta", asked)["data"] == whole["data"]


def test_documents_that_are_not_open_have_nothing() -> None:
    with LspClient(able()) as client:
        assert client.request("textDocument/documentSymbol", DOCUMENT) == []
        assert client.request("textDocument/foldingRange", DOCUMENT) == []
        assert client.request("textDocument/selectionRange", {**DOCUMENT, "positions": []}) is None
        assert client.request("textDocument/semanticTokens/full", DOCUMENT) is None
        assert client.request("workspace/symbol", {"query": ""}) == []


def units(text: str, encoding: str) -> int:
    """How long a text is for a client."""
    if encoding == "utf-32":
        return len(text)
    return len(text.encode("utf-8")) if encoding == "utf-8" else len(text.encode("utf-16-le")) // 2


def words(data: list[int], lines: list[str], encoding: str) -> list[str]:
    """The words that tokens are about."""
    found = []
    line = column = 0
    for down, along, length, _, _ in zip(*[iter(data)] * 5, strict=True):
        line, column = line + down, along if down else column + along
        text = lines[line]
        start = next(at for at in range(len(text) + 1) if units(text[:at], encoding) == column)
        end = next(at for at in range(len(text) + 1) if units(text[:at], encoding) == column + length)
        found.append(text[start:end])
    return found
