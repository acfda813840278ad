"""The doctor's report for an editor: the negotiated capabilities, and the recognition of a document."""

from __future__ import annotations

import sys
from dataclasses import fields
from pathlib import Path

import pytest
from server.client import URI, LspClient, Message
from server.documents import SOUND
from server.test_command_list import client_in
from server.test_commands import opened, refused, run

import handoff_lsp
from handoff_lsp.server.wire.client import Client
from handoff_lsp.server.wire.negotiated import _LACKED


def client_section(report: str) -> str:
    """The part of a report about the editor."""
    return report.split("\n## Editor\n")[1].split("\n## ")[0]


def test_a_report_about_an_open_document() -> None:
    with LspClient(clientInfo={"name": "Some*Editor", "version": "1.2"}) as client:
        opened(client, SOUND)
        answer = run(client, "handoff.doctor", {"uri": URI})
        assert answer["problems"] == []
        assert answer["server"]["version"] == handoff_lsp.__version__
        assert answer["server"]["executable"] == sys.executable
        told = answer["client"]
        assert (told["name"], told["version"], told["encoding"], told["diagnostics"]) == (
            "Some*Editor",
            "1.2",
            "utf-16",
            "push",
        )
        assert told["declares"] == []
        file = answer["file"]
        assert file["uri"] == URI
        (recognised,) = file["recognised"]
        assert (recognised["contract"], recognised["profile"], recognised["mode"]) == (
            "status-block",
            "developer",
            "handoff",
        )
        assert {"what": "a section `Status`", "weight": 1, "line": 3} in recognised["signs"]
        assert file["config"]["settings"] == {"editor": {"wait-while-typing": False}}
        assert file["silence"] == ""
        report = answer["report"]
        assert report.startswith("# handoff-lsp doctor\n\nNo problems with the installation or config.\n")
        assert "- Some\\*Editor 1.2\n" in client_section(report)
        assert "  - a section `Status` (1), line 3\n" in report


@pytest.mark.parametrize(
    ("capabilities", "encoding", "why"),
    [
        ({}, "utf-16", "the editor names no encoding"),
        ({"general": {"positionEncodings": ["utf-8", "utf-16"]}}, "utf-8", "of those that the editor offers: utf-8"),
        ({"general": {"positionEncodings": ["utf-7", "utf-32"]}}, "utf-32", "the first that the server knows"),
    ],
)
def test_the_encoding_and_why(capabilities: Message, encoding: str, why: str) -> None:
    with LspClient(capabilities) as client:
        told = run(client, "handoff.doctor")["client"]
        assert told["encoding"] == encoding
        assert why in told["encodingWhy"]


@pytest.mark.parametrize(
    ("capabilities", "way", "why"),
    [
        ({}, "push", "the editor does not ask for them"),
        ({"textDocument": {"diagnostic": {}}}, "push", "does not support refreshes"),
        (
            {"textDocument": {"diagnostic": {}}, "workspace": {"diagnostics": {"refreshSupport": True}}},
            "pull",
            "supports refreshes",
        ),
    ],
)
def test_push_or_pull_and_why(capabilities: Message, way: str, why: str) -> None:
    with LspClient(capabilities) as client:
        told = run(client, "handoff.doctor")["client"]
        assert told["diagnostics"] == way
        assert why in told["diagnosticsWhy"]


def test_what_a_client_lacks_is_reported_and_what_it_declares_is_not() -> None:
    able: Message = {"workspace": {"applyEdit": True}, "window": {"showDocument": {"support": True}}}
    with LspClient(able) as client:
        answer = run(client, "handoff.doctor")
        assert answer["client"]["declares"] == ["workspace.applyEdit", "window.showDocument"]
        missing = {each["ability"]: each["therefore"] for each in answer["client"]["missing"]}
        assert "there are no quick fixes" in missing["textDocument.codeAction.codeActionLiteralSupport"]
        assert "workspace.applyEdit" not in missing
        assert all(f"`{ability}`" in client_section(answer["report"]) for ability in missing)


def test_every_ability_that_is_reported_is_one_of_the_client() -> None:
    flags = {field.name for field in fields(Client)}
    assert set(_LACKED) <= flags


def test_without_a_document_the_open_folders_are_reported(tmp_path: Path) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text("rules = 3\n")
    with client_in(tmp_path) as client:
        answer = run(client, "handoff.doctor")
        assert answer["file"] is None
        (folder,) = answer["folders"]
        assert folder["path"] == str(tmp_path / ".handoff-lsp.toml")
        (problem,) = answer["problems"]
        assert (problem["path"], problem["line"]) == (str(tmp_path / ".handoff-lsp.toml"), 1)
        assert answer["report"].index("## Problems") < answer["report"].index("## Installation")
        assert "rules" in answer["report"].split("## Installation")[0]


def test_a_file_that_is_not_open_and_one_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n")
    (tmp_path / "binary.md").write_bytes(b"\0\1\2")
    with client_in(tmp_path) as client:
        file = run(client, "handoff.doctor", {"uri": (tmp_path / "notes.md").as_uri()})["file"]
        assert file["silence"] == "not a handoff: no contract matches"
        other = {"uri": (tmp_path / "notes.md").as_uri(), "text": "AGENT_RESULT: developer\nSTATUS: success\n"}
        other_file = run(client, "handoff.doctor", other)["file"]
        assert (file["relevant"], other_file["relevant"]) == (False, True)
        answer = run(client, "handoff.doctor", {"uri": (tmp_path / "binary.md").as_uri()})
        assert answer["file"]["unreadable"]
        assert [problem["path"] for problem in answer["problems"]] == [str(tmp_path / "binary.md")]
        assert "neither open nor in one" in refused(client, "handoff.doctor", {"uri": "file:///etc/hosts"})
