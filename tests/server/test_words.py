"""Renaming the words of a contract over a real connection: previews, versions of open documents, and files on disk."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.client import LspClient, Message, ResponseError
from server.contract_file_client import ABLE, asked, place

from editors import pack

PREVIEW: Message = {
    **ABLE,
    "textDocument": {**ABLE["textDocument"], "rename": {"prepareSupport": True}},
    "workspace": {"workspaceEdit": {"documentChanges": True, "changeAnnotationSupport": {"groupsOnLabel": True}}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    pack.write(tmp_path)
    prompt = tmp_path / pack.PROMPT
    prompt.write_text(prompt.read_text("utf-8").replace(pack.DRIFT, "completed"), "utf-8")
    return tmp_path


def opened(client: LspClient, folder: Path, path: str) -> tuple[str, str]:
    text = (folder / path).read_text("utf-8")
    uri = (folder / path).as_uri()
    client.open(text, uri)
    client.diagnostics(1, uri)
    return uri, text


def edits_of(found: Message, folder: Path) -> dict[str, list[Message]]:
    return {
        Path(change["textDocument"]["uri"].removeprefix("file://")).relative_to(folder).as_posix(): change["edits"]
        for change in found["documentChanges"]
    }


def client_of(folder: Path, able: Message) -> LspClient:
    return LspClient(able, workspaceFolders=[{"uri": folder.as_uri(), "name": "pack"}])


def test_a_preview_has_groups_and_asks_about_doubtful_places(folder: Path) -> None:
    prompt = folder / pack.PROMPT
    prompt.write_text(prompt.read_text("utf-8") + "\nThe `State` is yours; `completed` is a good word.\n", "utf-8")
    with client_of(folder, PREVIEW) as client:
        uri, text = opened(client, folder, pack.PROMPT)
        found = asked(client, "rename", uri, place(text, "completed"), newName="closed")
    assert {name: one["label"] for name, one in found["changeAnnotations"].items()} == {
        "Contracts": "Contracts",
        "Prompts": "Prompts",
        "Prompts?": "Prompts",
        "Handoffs": "Handoffs",
    }
    assert [name for name, one in found["changeAnnotations"].items() if one["needsConfirmation"]] == ["Prompts?"]
    groups = {path: [edit["annotationId"] for edit in edits] for path, edits in edits_of(found, folder).items()}
    assert groups == {
        pack.CONTRACT: ["Contracts"] * 2,
        pack.PROMPT: ["Prompts", "Prompts", "Prompts?"],
        pack.TEMPLATE: ["Prompts"],
        pack.HANDOFF: ["Handoffs"],
    }


def test_without_previews_all_places_are_plain_edits(folder: Path) -> None:
    with client_of(folder, ABLE) as client:
        uri, text = opened(client, folder, pack.PROMPT)
        found = asked(client, "rename", uri, place(text, "completed"), newName=" closed ")
    assert "changeAnnotations" not in found
    assert {path: len(edits) for path, edits in edits_of(found, folder).items()} == pack.SAID


def test_open_texts_count_with_their_versions_and_closed_ones_as_they_are_on_disk(folder: Path) -> None:
    with client_of(folder, ABLE) as client:
        contract, text = opened(client, folder, pack.CONTRACT)
        opened(client, folder, pack.HANDOFF)
        handoff = folder / pack.HANDOFF
        start = {"line": 0, "character": 0}
        client.change(2, {"range": {"start": start, "end": start}, "text": "\n\n"}, uri=handoff.as_uri())
        client.diagnostics(2, handoff.as_uri())
        template = folder / pack.TEMPLATE
        template.write_text("\n\n\n" + template.read_text("utf-8"), "utf-8")
        found = asked(client, "rename", contract, place(text, "completed"), newName="closed")
    versions = {change["textDocument"]["uri"]: change["textDocument"]["version"] for change in found["documentChanges"]}
    assert versions == {
        contract: 1,
        (folder / pack.PROMPT).as_uri(): None,
        template.as_uri(): None,
        handoff.as_uri(): 2,
    }
    lines = {
        path: [edit["range"]["start"]["line"] for edit in edits] for path, edits in edits_of(found, folder).items()
    }
    assert lines[pack.HANDOFF] == [6]
    assert lines[pack.TEMPLATE] == [7]


def test_a_rename_from_the_title_in_the_contract(folder: Path) -> None:
    with client_of(folder, ABLE) as client:
        uri, text = opened(client, folder, pack.CONTRACT)
        at = place(text, "title: State", by=8)
        assert asked(client, "prepareRename", uri, at)["placeholder"] == "State"
        found = asked(client, "rename", uri, at, newName="Phase")
    assert {path: len(edits) for path, edits in edits_of(found, folder).items()} == {
        pack.CONTRACT: 1,
        pack.PROMPT: 2,
        pack.TEMPLATE: 1,
        pack.HANDOFF: 1,
    }


@pytest.mark.parametrize(
    ("new", "why"),
    [
        ("", "is empty"),
        ("clo\nsed", "must be one line"),
        ("open", "There already is a value `open`"),
        ("Open", "There already is a value `open`"),
        ("a`b", "cannot be a value"),
        ("no", "YAML reads it"),
        ("12", "YAML reads it"),
        ("one two three four five", "at most four words"),
    ],
)
def test_a_value_that_cannot_be_is_refused(folder: Path, new: str, why: str) -> None:
    with client_of(folder, ABLE) as client:
        uri, text = opened(client, folder, pack.HANDOFF)
        with pytest.raises(ResponseError, match=why):
            asked(client, "rename", uri, place(text, "completed"), newName=new)


def test_a_broken_contract_refuses_a_rename(folder: Path) -> None:
    contract = folder / pack.CONTRACT
    (folder / "contracts/other.yaml").write_text("contract: other\nfields: [", "utf-8")
    with client_of(folder, ABLE) as client:
        uri, text = opened(client, folder, pack.HANDOFF)
        with pytest.raises(ResponseError, match="has problems"):
            asked(client, "rename", uri, place(text, "completed"), newName="closed")
        client.take_unread()  # the broken contract is reported
    assert "completed" in contract.read_text("utf-8")


def test_a_value_of_a_built_in_contract_leads_to_its_file_from_a_prompt(folder: Path) -> None:
    text = "# Developer\n\nEnd with `AGENT_RESULT`, `NEXT` and `STATUS: success`.\n"
    uri = (folder / "agents/developer.md").as_uri()
    with client_of(folder, ABLE) as client:
        client.open(text, uri)
        client.diagnostics(1, uri)
        (found,) = asked(client, "definition", uri, place(text, "success"))
        assert found["uri"].endswith("agent-result.yaml")
        with pytest.raises(ResponseError, match="built-in contract `agent-result`"):
            asked(client, "prepareRename", uri, place(text, "success"))
