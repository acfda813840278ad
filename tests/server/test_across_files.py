"""Documents with findings that depend on each other, over a real connection: an edit of one updates the other."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, edit, range_
from server.test_diagnostics import PULL, UNITS

PUSH: dict[str, Any] = {"textDocument": {"publishDiagnostics": {"relatedInformation": True}}}
STATUS = """{
  "agent_id": "a", "agent_type": "worker", "task": "t", "progress": "p", "last_checkpoint": null, "notes": "",
  "status": "running",
  "started_at": "2026-03-02T08:00:00Z", "updated_at": "2026-03-02T08:05:00Z"
}
"""
# Emoji and CJK precede the end of the related line.
LOG = "2026-03-02T08:01:00Z [START] \U0001f600 \u65e5\u672c\n2026-03-02T08:10:00Z [STATUS] completed\n"
LINE = "2026-03-02T08:10:00Z [STATUS] completed"


@pytest.fixture
def agent(tmp_path: Path) -> Path:
    """The folder of an agent's files in a workspace."""
    (tmp_path / ".git").mkdir()
    folder = tmp_path / ".agent"
    folder.mkdir()
    return folder


def test_two_unsaved_buffers(agent: Path) -> None:
    status, log = (agent / "status.json").as_uri(), (agent / "activity.log").as_uri()
    with LspClient(PUSH) as client:
        client.open(STATUS, status)
        assert client.codes(1, status) == []
        client.open(LOG, log)
        assert client.codes(1, log) == []
        (found,) = client.diagnostics(1, status)
        assert found["code"] == "file-disagreement"
        related, note = found["relatedInformation"]
        assert note["message"].startswith("note: ")
        assert related["location"] == {"uri": log, "range": range_((1, 0), (1, len(LINE)))}
        # Edited in the other one: the diagnostic here goes away.
        client.change(2, edit((1, 30), (1, 39), "running"), uri=log)
        assert client.codes(2, log) == []
        assert client.codes(1, status) == []
        client.change(3, edit((1, 30), (1, 37), "failed"), uri=log)
        assert client.codes(3, log) == []
        assert client.codes(1, status) == ["file-disagreement"]
        # And the other way round.
        client.change(2, edit((2, 13), (2, 20), "failed"), uri=status)
        assert "file-disagreement" not in client.codes(2, status)
        client.diagnostics(3, log)
        # The log is not on disk: when it is closed, it no longer exists.
        client.change(3, edit((2, 13), (2, 19), "running"), uri=status)
        assert "file-disagreement" in client.codes(3, status)
        client.diagnostics(3, log)
        client.close(log)
        assert client.published(log)["diagnostics"] == []
        assert client.codes(3, status) == []
        client.quiet()


@pytest.mark.parametrize("encoding", UNITS)
def test_places_in_the_other_file_are_in_the_clients_encoding(agent: Path, encoding: str) -> None:
    mark = "\U0001f600\u65e5"
    status, log = (agent / "status.json").as_uri(), (agent / "activity.log").as_uri()
    with LspClient({"general": {"positionEncodings": [encoding]}, **PUSH}) as client:
        client.open(f"2026-03-02T08:02:00Z [TEST] {mark} make -- FAIL\n", log)
        client.diagnostics(1, log)
        client.open(STATUS.replace("running", "completed"), status)
        related, _ = next(
            item["relatedInformation"] for item in client.diagnostics(1, status) if item["code"] == "file-disagreement"
        )
        end = UNITS[encoding](f"2026-03-02T08:02:00Z [TEST] {mark} make -- FAIL")
        assert related["location"] == {"uri": log, "range": range_((0, 0), (0, end))}
        client.diagnostics(1, log)


def test_a_file_on_disk_is_looked_at_again_on_use(agent: Path) -> None:
    status, log = (agent / "status.json").as_uri(), agent / "activity.log"
    log.write_text(LOG)
    with LspClient(PUSH) as client:
        client.open(STATUS, status)
        (found,) = client.diagnostics(1, status)
        assert found["relatedInformation"][0]["location"]["uri"] == log.as_uri()
        log.write_text(LOG.replace("completed", "running"))
        client.save(status)
        assert client.codes(1, status) == []
        log.write_text(LOG)
        time.sleep(0.6)
        # Any request about the document will do.
        where = {"textDocument": {"uri": status}, "position": {"line": 2, "character": 3}}
        client.request("textDocument/hover", where)
        assert client.codes(1, status) == ["file-disagreement"]
        log.unlink()
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": log.as_uri(), "type": 3}]})
        assert client.codes(1, status) == []
        client.quiet()


def test_pull_is_asked_for_once(agent: Path) -> None:
    status, log = (agent / "status.json").as_uri(), (agent / "activity.log").as_uri()
    with LspClient(PULL) as client:
        client.open(STATUS, status)
        first = client.pull(uri=status)
        assert first["items"] == []
        client.open(LOG, log)
        assert client.expect("workspace/diagnostic/refresh") is None
        assert client.pull(uri=log)["items"] == []
        client.change(2, edit((0, 0), (0, 0), " "), uri=log)  # the client has not pulled since
        client.quiet()
        second = client.pull(first["resultId"], status)
        assert [item["code"] for item in second["items"]] == ["file-disagreement"]
        client.change(3, edit((0, 0), (0, 1), ""), uri=log)
        assert client.expect("workspace/diagnostic/refresh") is None
        assert client.pull(second["resultId"], status)["kind"] == "unchanged"
        client.pull(uri=log)
        client.quiet()


def test_ordinary_documents_are_left_alone(agent: Path) -> None:
    one, other = (agent.parent / "a.md").as_uri(), (agent.parent / "b.md").as_uri()
    with LspClient() as client:
        client.open("# A\n", one)
        client.open("# B\n", other)
        assert (client.codes(1, one), client.codes(1, other)) == ([], [])
        client.change(2, edit((0, 2), (0, 3), "C"), uri=other)
        assert client.codes(2, other) == []
        client.quiet()


OWN = """\
contract: %s
title: %s
about: One of two papers that must agree.
status: state
unread: nobody knows
default_profile: plain
profiles:
  plain: {about: The only one.}
file: {syntax: json, path: '(^|/)%s\\.json$', holds: [state]}
fields:
  state: {type: line, about: What it says.}
"""
AGREE = """\
companions:
  other: {contract: right, where: ../right/right.json}
checks:
  agree:
    rule: file-disagreement
    check: "state == other.state"
    at: state
    message: "This says {state}, the other {other.state}"
    related: ["other:state"]
"""


def test_contracts_of_the_workspace_have_the_same_powers(tmp_path: Path) -> None:
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["*.yaml"]\n')
    (tmp_path / "left.yaml").write_text(OWN % (("left",) * 3) + AGREE)
    (tmp_path / "right.yaml").write_text(OWN % (("right",) * 3))
    left, right = (tmp_path / "left" / "left.json").as_uri(), (tmp_path / "right" / "right.json").as_uri()
    with LspClient(PUSH) as client:
        client.open('{"state": "a"}\n', right)
        assert client.codes(1, right) == []
        client.open('{"state": "b"}\n', left)
        (found,) = client.diagnostics(1, left)
        assert found["message"] == "This says b, the other a"
        assert found["range"] == range_((0, 10), (0, 13))
        (related,) = found["relatedInformation"]
        assert related["location"] == {"uri": right, "range": range_((0, 10), (0, 13))}
        client.change(2, edit((0, 11), (0, 12), "b"), uri=right)
        assert client.codes(2, right) == []
        assert client.codes(1, left) == []
        client.quiet()
