"""Names that fields define, over a real connection: what the editor shows of a set of files that name one another."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT
from server.client import LspClient, Message, edit, range_
from server.test_workspace_diagnostics import WATCHING, Puller, client_in

SHOWN: Message = {
    "textDocument": {"publishDiagnostics": {"relatedInformation": True}},
    "workspace": {"workspaceEdit": {"documentChanges": True}},
}
CONTRACT = """\
contract: plan
title: plan
about: Tasks of a plan.
file: {syntax: json, path: '(^|/)plans/[^/]+\\.json$', holds: [tasks]}
definitions:
  steps: {inside: ['plans/*.json'], about: step}
fields:
  tasks:
    type: list
    items:
      type: object
      fields:
        id: {type: line, names: steps, introduces: true}
        after: {type: list, items: {type: line, names: steps, acyclic: true}}
"""


def plan(*tasks: tuple[str, list[str]]) -> str:
    return json.dumps({"tasks": [{"id": name, "after": after} for name, after in tasks]})


@pytest.fixture
def plans(tmp_path: Path) -> Path:
    """The folder of plans in a workspace."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["contracts/*.yaml"]\n')
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "plan.yaml").write_text(CONTRACT)
    (tmp_path / "plans").mkdir()
    return tmp_path / "plans"


def start(root: Path) -> LspClient:
    return LspClient(SHOWN, workspaceFolders=[{"uri": root.as_uri(), "name": "w"}], rootUri=root.as_uri())


def at(uri: str, text: str, word: str) -> dict[str, Any]:
    position = {"line": 0, "character": text.index(word) + 1}
    return {"textDocument": {"uri": uri}, "position": position}


def test_an_edit_of_another_file_is_noticed(plans: Path) -> None:
    one, two = plans / "1.json", plans / "2.json"
    text = plan(("build", ["design"]))
    with start(plans.parent) as client:
        client.open(text, one.as_uri())
        (found,) = client.diagnostics(1, one.as_uri())
        assert found["message"].startswith("No step `design` is defined in plans")
        other = plan(("design", []))
        client.open(other, two.as_uri())
        assert client.codes(1, two.as_uri()) == []
        assert client.codes(1, one.as_uri()) == []
        # The same name twice: both files say so, each with the other's place.
        start_of = other.index('"design"') + 1
        client.change(2, edit((0, start_of), (0, start_of + 6), "build"), uri=two.as_uri())
        (here,) = client.diagnostics(2, two.as_uri())
        assert here["message"] == "The step `build` is defined in 1.json, too"
        place = text.index('"build"') + 1
        assert here["relatedInformation"][0]["location"] == {
            "uri": one.as_uri(),
            "range": range_((0, place), (0, place + 5)),
        }
        twice, gone = client.diagnostics(1, one.as_uri())
        assert twice["message"] == "The step `build` is defined in 2.json, too"
        assert gone["message"].startswith("No step `design`")
        # A circle, and out of it again.
        client.change(3, {"text": plan(("design", ["build"]))}, uri=two.as_uri())
        (around,) = client.diagnostics(3, two.as_uri())
        assert around["message"] == "The step `design` comes after itself: `design` → `build` → `design`"
        (around,) = client.diagnostics(1, one.as_uri())
        assert around["message"] == "The step `build` comes after itself: `build` → `design` → `build`"
        assert [one["location"]["uri"] for one in around["relatedInformation"]] == [two.as_uri(), one.as_uri()]
        client.change(4, {"text": plan(("design", []))}, uri=two.as_uri())
        assert client.codes(4, two.as_uri()) == []
        assert client.codes(1, one.as_uri()) == []
        client.quiet()


def test_a_file_on_disk_counts_as_well(plans: Path) -> None:
    one, two = plans / "1.json", plans / "2.json"
    with start(plans.parent) as client:
        two.write_text(plan(("design", [])))
        client.open(plan(("build", ["design"])), one.as_uri())
        assert client.codes(1, one.as_uri()) == []
        two.write_text(plan(("draft", [])))
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": two.as_uri(), "type": 2}]})
        assert client.codes(1, one.as_uri()) == ["file-disagreement"]
        two.write_text(plan(("design", ["build"])))
        time.sleep(0.6)
        client.save(one.as_uri())
        (found,) = client.diagnostics(1, one.as_uri())
        assert "comes after itself" in found["message"]


def test_a_file_that_is_not_open_notices_it_too(plans: Path) -> None:
    one, two = plans / "1.json", plans / "2.json"
    one.write_text(plan(("build", ["design"])))
    two.write_text(plan(("design", [])))
    with client_in(plans.parent, WATCHING) as client:
        client.expect("client/registerCapability")
        puller = Puller(client, plans.parent)
        assert puller.done(puller.hold()) == {"plans/1.json": [], "plans/2.json": []}
        held = puller.hold()
        client.open(plan(("design", [])), two.as_uri())
        client.change(2, {"text": plan(("design", ["build"]))}, uri=two.as_uri())
        assert puller.done(held)["plans/1.json"] == ["file-disagreement"]
        # A file that is only open, and new, may define a name, too.
        held = puller.hold()
        client.open(plan(("build", [])), (plans / "3.json").as_uri())
        assert puller.done(held)["plans/1.json"] == ["file-disagreement"] * 2


def test_the_graph_knows_where_a_name_is_defined(plans: Path) -> None:
    one, two = plans / "1.json", plans / "2.json"
    text, other = plan(("build", ["design"])), plan(("design", []), ("draw", ["design"]))
    two.write_text(other)
    with start(plans.parent) as client:
        client.open(text, one.as_uri())
        client.diagnostics(1, one.as_uri())
        here = at(one.as_uri(), text, "design")
        defined = client.request("textDocument/definition", here)
        start_of = other.index("design")
        whole = range_((0, start_of), (0, start_of + 6))
        assert defined == [{"uri": two.as_uri(), "range": whole}]
        places = client.request("textDocument/references", {**here, "context": {"includeDeclaration": True}})
        assert sorted(place["uri"] for place in places) == [one.as_uri(), two.as_uri(), two.as_uri()]
        hover = client.request("textDocument/hover", here)
        assert "Defined in plans/2.json" in hover["contents"]["value"]
        renamed = client.request("textDocument/rename", {**here, "newName": "sketch"})
        edits = {change["textDocument"]["uri"]: len(change["edits"]) for change in renamed["documentChanges"]}
        assert edits == {one.as_uri(): 1, two.as_uri(): 2}
        inside = {"textDocument": here["textDocument"], "position": {"line": 0, "character": text.index("design")}}
        items = client.request("textDocument/completion", inside)
        labels = {item["label"]: item.get("detail", "") for item in items["items"]}
        assert labels["draw"] == "step, defined in the workspace"


def test_a_name_that_is_a_part_of_a_files_name_is_renamed_in_it(plans: Path) -> None:
    """The gallery's decision records: `superseded by ADR-0009` leads to `0009-orders.md`."""
    gallery = ROOT / "docs" / "gallery" / "decision.yaml"
    (plans.parent / "contracts" / "decision.yaml").write_text(gallery.read_text())
    folder = plans.parent / "docs" / "decisions"
    folder.mkdir(parents=True)
    target = folder / "0009-orders.md"
    target.write_text("# Orders\n")
    text = "---\nstatus: superseded by ADR-0009\ndecision-makers: [Ann]\n---\n# Old\n"
    uri = (folder / "0004-old.md").as_uri()
    rename = {"workspaceEdit": {"documentChanges": True, "resourceOperations": ["rename"]}}
    with LspClient(
        {**SHOWN, "workspace": rename},
        workspaceFolders=[{"uri": plans.parent.as_uri(), "name": "w"}],
        rootUri=plans.parent.as_uri(),
    ) as client:
        client.open(text, uri)
        codes = client.codes(1, uri)
        assert "file-disagreement" not in codes
        assert "invalid-value" not in codes
        here = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": text.index("0009") - 4 + 1}}
        (defined,) = client.request("textDocument/definition", here)
        assert defined["uri"] == target.as_uri()
        changes = client.request("textDocument/rename", {**here, "newName": "0010"})["documentChanges"]
    moved = [change for change in changes if change.get("kind") == "rename"]
    assert [change["newUri"] for change in moved] == [(folder / "0010-orders.md").as_uri()]
    texts = [change for change in changes if "edits" in change]
    assert [(one["textDocument"]["uri"], [each["newText"] for each in one["edits"]]) for one in texts] == [
        (uri, ["0010"])
    ]
