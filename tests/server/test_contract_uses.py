"""References and renames across contract files and the config, over a real connection."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.client import LspClient, Message, ResponseError
from server.contract_file_client import ABLE, CONTRACT, asked, marked, place

BASE = CONTRACT.replace(
    "fields:\n", "definitions:\n  people: {about: a person, files: ['people/*.md']}\nfields:\n", 1
).replace("title: Owner,", "title: Owner, names: people,")
CHILD = """\
contract: urgent
title: Urgent ticket
extends: ticket
section: {title: '(?i)^urgent'}
default_profile: v1
fields:
  left: {about: Hours.}
checks:
  soon: {rule: contradiction, check: left < 9, at: left, message: "{left} hours"}
"""
READER = """\
contract: day
title: Day
about: What was done on a day.
status: state
companions:
  todo: {contract: ticket, where: day.md}
section: {title: '(?i)^report', holds: [state, hours], labels: true}
fields:
  state: {type: enum, title: State, carriers: [list-label], values: [good, bad]}
  hours: {type: integer, title: Hours, carriers: [list-label]}
checks:
  enough: {rule: contradiction, check: todo.left <= hours, at: hours, related: ['todo:left'], message: not enough}
"""
CONFIG = """\
contract-files = ["formats/*.yaml"]

[contracts.ticket]
profile = "v1"

[contracts.urgent]
profile = "v1"

[rules]
"ticket/nothing_left" = "warning"
"urgent/nothing_left" = "off"
"urgent/soon" = "hint"
"""
RENAMES = {**ABLE, "textDocument": {**ABLE["textDocument"], "rename": {"prepareSupport": True}}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with three contracts: one, one that extends it, and one that reads it."""
    (tmp_path / "formats").mkdir()
    for name, text in (("ticket", BASE), ("urgent", CHILD), ("day", READER)):
        (tmp_path / "formats" / f"{name}.yaml").write_text(text)
    (tmp_path / ".handoff-lsp.toml").write_text(CONFIG)
    return tmp_path


def texts(folder: Path) -> dict[str, str]:
    paths = [*(folder / "formats").iterdir(), folder / ".handoff-lsp.toml"]
    return {path.name: path.read_text() for path in paths}


def renamed(folder: Path, edit: Message) -> dict[str, str]:
    """The files with the edits of a rename."""
    found = texts(folder)
    for change in edit["documentChanges"]:
        name = change["textDocument"]["uri"].rpartition("/")[2]
        lines = found[name].split("\n")
        for each in sorted(change["edits"], key=lambda one: str(one["range"]["start"]), reverse=True):
            start, end = each["range"]["start"], each["range"]["end"]
            line = lines[start["line"]]
            lines[start["line"]] = line[: start["character"]] + each["newText"] + line[end["character"] :]
        found[name] = "\n".join(lines)
    return found


def is_clean(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name if name.startswith(".") else folder / "formats" / name).write_text(text)
    with LspClient(ABLE) as client:
        uri = (folder / ".handoff-lsp.toml").as_uri()
        client.open(files[".handoff-lsp.toml"], uri)
        assert client.diagnostics(1, uri) == []


@pytest.mark.parametrize(
    ("name", "token", "by", "new", "changed"),
    [
        ("ticket.yaml", "left: {type", 1, "rest", {"ticket.yaml": 4, "urgent.yaml": 4, "day.yaml": 2}),
        ("urgent.yaml", "at: left", 5, "rest", {"ticket.yaml": 4, "urgent.yaml": 4, "day.yaml": 2}),
        ("day.yaml", "todo.left", 6, "rest", {"ticket.yaml": 4, "urgent.yaml": 4, "day.yaml": 2}),
        ("ticket.yaml", "nothing_left", 1, "all-done", {"ticket.yaml": 1, ".handoff-lsp.toml": 2}),
        (".handoff-lsp.toml", "/nothing_left", 3, "all-done", {"ticket.yaml": 1, ".handoff-lsp.toml": 2}),
        ("urgent.yaml", "soon", 1, "today", {"urgent.yaml": 1, ".handoff-lsp.toml": 1}),
        ("ticket.yaml", "default_profile: v1", 18, "v2", {"ticket.yaml": 2, "urgent.yaml": 1, ".handoff-lsp.toml": 2}),
        (".handoff-lsp.toml", '"v1"', 2, "v2", {"ticket.yaml": 2, "urgent.yaml": 1, ".handoff-lsp.toml": 2}),
        ("ticket.yaml", "names: people", 8, "owners", {"ticket.yaml": 2}),
    ],
)
def test_a_rename_changes_all_files_that_use_the_name(
    folder: Path, name: str, token: str, by: int, new: str, changed: dict[str, int]
) -> None:
    path = folder / name if name.startswith(".") else folder / "formats" / name
    text = path.read_text()
    with LspClient(RENAMES) as client:
        client.open(text, path.as_uri())
        assert client.diagnostics(1, path.as_uri()) == []
        at = place(text, token, by=by)
        found = asked(client, "references", path.as_uri(), at, context={"includeDeclaration": True})
        told: dict[str, int] = {}
        before = texts(folder)
        for one in found:
            file = one["uri"].rpartition("/")[2]
            assert marked(before[file], one["range"]) in token.replace('"', "")
            told[file] = told.get(file, 0) + 1
        assert told == changed
        assert asked(client, "definition", path.as_uri(), at)[0]["uri"].startswith("file://")
        assert asked(client, "prepareRename", path.as_uri(), at)["placeholder"] in token
        edit = asked(client, "rename", path.as_uri(), at, newName=new)
    assert {
        one["textDocument"]["uri"].rpartition("/")[2]: len(one["edits"]) for one in edit["documentChanges"]
    } == changed
    is_clean(folder, renamed(folder, edit))


@pytest.mark.parametrize(
    ("text", "token", "why"),
    [
        (
            CHILD.replace("extends: ticket", "extends: status-block").partition("section")[0]
            + "checks:\n  soon: {rule: contradiction, check: abstract.summary != '', at: abstract, message: none}\n",
            "at: abstract",
            "declared in `status-block`, which is built in",
        ),
        (CHILD.replace("at: left", "at: lft"), "check: left", "the contract has problems"),
    ],
)
def test_what_cannot_be_renamed_says_why(folder: Path, text: str, token: str, why: str) -> None:
    uri = (folder / "formats" / "urgent.yaml").as_uri()
    with LspClient(RENAMES) as client:
        client.open(text, uri)
        client.diagnostics(1, uri)
        for method, more in (("prepareRename", {}), ("rename", {"newName": "x"})):
            with pytest.raises(ResponseError, match=why):
                asked(client, method, uri, place(text, token, by=len(token) - 1), **more)


def test_an_open_file_counts_as_it_is_typed(folder: Path) -> None:
    base, child = ((folder / "formats" / f"{name}.yaml").as_uri() for name in ("ticket", "urgent"))
    typed = "# A note.\n" + CHILD
    with LspClient(RENAMES) as client:
        client.open(typed, child)
        assert client.diagnostics(1, child) == []
        client.open(BASE, base)
        assert client.diagnostics(1, base) == []
        edit = asked(client, "rename", base, place(BASE, "at: left", by=5), newName="rest")
        (its,) = [one for one in edit["documentChanges"] if one["textDocument"]["uri"] == child]
        assert its["textDocument"]["version"] == 1
        assert {marked(typed, one["range"]) for one in its["edits"]} == {"left"}
