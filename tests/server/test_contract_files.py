"""Contract files as documents of the server: problems while typing, fixes, and silence for other YAML."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.client import LspClient, Message, ResponseError, edit
from server.contract_file_client import ABLE, CONTRACT, DOCUMENT, Files, applied, asked, fixes, marked, place
from server.test_diagnostics import PULL


@pytest.mark.parametrize(
    ("right", "wrong", "token"),
    [
        ("required: true", "requird: true", "requird"),
        ("at: left", "at: lef", "lef"),
        ("left == 0", "lft == 0", "lft"),
        ("state == 'open'", "state == 'opn'", "'opn'"),
        ("rule: contradiction", "rule: contradicton", "contradicton"),
        ("reads: [owner]", "reads: [ownr]", "ownr"),
        ("type: integer", "type: intger", "intger"),
        ("Owner, carriers: [list-label]", "Owner, carriers: [list-labl]", "list-labl"),
        ("default_profile: v1", "default_profile: v", ""),
        ("action: advance", "action: advnce", "advnce"),
        ("contract: ticket", "contract: ticket\nextends: status-blok", "status-blok"),
    ],
)
def test_a_slip_is_reported_at_its_token_while_typing_and_mended(
    tmp_path: Path, right: str, wrong: str, token: str
) -> None:
    files = Files(tmp_path)
    broken = CONTRACT.replace(right, wrong)
    assert broken != CONTRACT
    with LspClient(ABLE) as client:
        client.open(CONTRACT, files.uri)
        assert client.diagnostics(1, files.uri) == []
        client.change(2, {"text": broken}, uri=files.uri)
        found = client.diagnostics(2, files.uri)
        assert {item["code"] for item in found} == {"invalid-contract"}
        if not token:
            return
        item = next(item for item in found if marked(broken, item["range"]) == token)
        (fix,) = fixes(client, files.uri, item["range"], found)
        assert fix["isPreferred"] and fix["diagnostics"] == [item]
        mended = CONTRACT.replace(right, wrong.replace("status-blok", "status-block"))
        assert applied(broken, fix) == (mended if "extends" in wrong else CONTRACT)
        assert files.contract.read_text() == CONTRACT


def test_the_last_good_contract_stays_in_force_while_the_file_is_broken(tmp_path: Path) -> None:
    files = Files(tmp_path)
    broken = CONTRACT.replace("required: true", "requird: true")
    with LspClient() as client:
        client.open(DOCUMENT, files.document)
        before = client.diagnostics(1, files.document)
        assert {item["code"] for item in before} == {"invalid-value"}
        client.open(CONTRACT, files.uri)
        assert client.diagnostics(1, files.uri) == []
        client.change(2, {"text": broken}, uri=files.uri)
        assert client.codes(2, files.uri) == ["invalid-contract"]
        files.contract.write_text(broken)
        client.save(files.uri)
        assert "unknown key `requird`" in client.expect("window/showMessage")["message"]
        (item,) = client.diagnostics(2, files.uri)
        assert marked(broken, item["range"]) == "requird"
        client.change(2, {"text": DOCUMENT + "\nMore.\n"}, uri=files.document)
        assert client.diagnostics(2, files.document) == before
        client.take_unread()

        # A good text counts once it is saved, as in ruff and tsconfig: no document flickers with a half-typed key.
        more = CONTRACT.replace("{value: open}", "{value: open}, {value: opn}")
        client.change(3, {"text": more}, uri=files.uri)
        assert client.codes(3, files.uri) == []
        client.change(3, {"text": DOCUMENT}, uri=files.document)
        assert client.diagnostics(3, files.document) == before
        files.contract.write_text(more)
        client.save(files.uri)
        assert "invalid-value" not in client.codes(3, files.document)
        assert client.codes(3, files.uri) == []
        client.take_unread()


def test_a_broken_yaml_file_has_one_problem_where_it_breaks(tmp_path: Path) -> None:
    files = Files(tmp_path)
    broken = CONTRACT.replace("checks:\n", "checks: [\n")
    with LspClient() as client:
        client.open(broken, files.uri)
        (item,) = client.diagnostics(1, files.uri)
        assert item["message"].startswith("not YAML")


def test_a_client_that_pulls_gets_the_same(tmp_path: Path) -> None:
    files = Files(tmp_path)
    broken = CONTRACT.replace("at: left", "at: lef")
    with LspClient(PULL) as client:
        client.open(broken, files.uri)
        first = client.pull(uri=files.uri)
        assert [marked(broken, item["range"]) for item in first["items"]] == ["lef"]
        assert client.pull(first["resultId"], files.uri)["kind"] == "unchanged"
        client.change(2, {"text": CONTRACT}, uri=files.uri)
        assert client.pull(first["resultId"], files.uri)["items"] == []


def test_closing_a_contract_file_takes_its_unsaved_problems_away(tmp_path: Path) -> None:
    files = Files(tmp_path)
    with LspClient() as client:
        client.open(CONTRACT.replace("at: left", "at: lef"), files.uri)
        assert client.codes(1, files.uri) == ["invalid-contract"]
        client.close(files.uri)
        assert client.published(files.uri)["diagnostics"] == []


def test_a_contract_that_no_config_names_is_judged_by_its_first_key(tmp_path: Path) -> None:
    uri = (tmp_path / "x.yml").as_uri()
    broken = CONTRACT.replace("at: left", "at: lef")
    with LspClient() as client:
        client.open(broken, uri)
        (item,) = client.diagnostics(1, uri)
        assert marked(broken, item["range"]) == "lef"


@pytest.mark.parametrize("where", ["left", "state"])
def test_columns_are_in_the_client_s_encoding(tmp_path: Path, where: str) -> None:
    files = Files(tmp_path)
    broken = CONTRACT.replace('"{left} is left"', '"\U0001f600 {lft} is left"')
    with LspClient() as client:
        client.open(broken, files.uri)
        (item,) = client.diagnostics(1, files.uri)
        line = next(line for line in broken.split("\n") if "lft" in line)
        assert item["range"]["start"]["character"] == line.index("lft") + 1  # UTF-16: the emoji takes two


OTHER = {
    "a compose file": ("docker-compose.yaml", "services:\n  web:\n    image: nginx\n    ports: [80]\n"),
    "another key first": ("a.yaml", "title: x\ncontract: ticket\nfields: [a]\n"),
    "another tool's contract": ("a.yaml", "contract: lease\nparties: [a, b]\nrent: 5\n"),
    "a contract that is no name": ("a.yaml", "contract: {a: b}\nfields: 4\n"),
    "prose": ("a.yml", "contract\n"),
    "nothing": ("a.yaml", ""),
    "not YAML": ("a.yaml", "a: [\n"),
    "Markdown": ("a.md", "contract: ticket\nfields: 4\n"),
}


@pytest.mark.parametrize(("name", "text"), OTHER.values(), ids=OTHER)
def test_other_files_get_nothing(tmp_path: Path, name: str, text: str) -> None:
    files = Files(tmp_path)
    uri = (files.folder / name).as_uri()
    with LspClient(ABLE) as client:
        client.open(text, uri)
        assert client.diagnostics(1, uri) == []
        whole: Message = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        assert [action for action in fixes(client, uri, whole, []) if action["kind"] == "quickfix"] == []


def test_a_name_that_is_taken_is_reported_at_the_name(tmp_path: Path) -> None:
    files = Files(tmp_path)
    second = files.contract.with_name("other.yaml")
    text = CONTRACT.replace("contract: ticket", "contract: status-block")
    with LspClient() as client:
        client.open(text, files.uri)
        (item,) = client.diagnostics(1, files.uri)
        assert marked(text, item["range"]) == "status-block" and "is built in" in item["message"]
        client.open(CONTRACT, second.as_uri())
        (item,) = client.diagnostics(1, second.as_uri())
        assert marked(CONTRACT, item["range"]) == "ticket" and "already in ticket.yaml" in item["message"]


def test_completion_and_hover_in_a_contract_file(tmp_path: Path) -> None:
    files = Files(tmp_path)
    text = CONTRACT.replace("at: left", "at: ")
    with LspClient(ABLE) as client:
        client.open(text, files.uri)
        client.diagnostics(1, files.uri)
        offered = asked(client, "completion", files.uri, place(text, "at: ", by=4))["items"]
        assert [item["label"] for item in offered] == ["state", "owner", "left"]
        assert offered[2]["textEdit"]["newText"] == "left"
        page = asked(client, "hover", files.uri, place(text, "required", by=2))
        assert "Whether the field is required" in str(page["contents"])
        assert marked(text, page["range"]) == "required"
        # What other documents have is not there.
        lens = client.request("textDocument/codeLens", {"textDocument": {"uri": files.uri}})
        assert not lens


@pytest.mark.parametrize(("name", "text"), OTHER.values(), ids=OTHER)
def test_other_yaml_has_no_completion_and_no_hover(tmp_path: Path, name: str, text: str) -> None:
    if name.endswith("md") or text.startswith("contract: lease"):
        return
    files = Files(tmp_path)
    uri = (files.folder / name).as_uri()
    with LspClient(ABLE) as client:
        client.open(text, uri)
        assert client.diagnostics(1, uri) == []
        for line in range(text.count("\n") + 1):
            at = {"line": line, "character": 0}
            assert not (asked(client, "completion", uri, at) or {}).get("items")
            assert asked(client, "hover", uri, at) is None


def test_an_empty_file_that_the_config_names_is_a_contract(tmp_path: Path) -> None:
    files = Files(tmp_path, text="")
    with LspClient(ABLE) as client:
        client.open("", files.uri)
        (item,) = client.diagnostics(1, files.uri)
        assert "begins with `contract: NAME`" in item["message"]
        labels = [item["label"] for item in asked(client, "completion", files.uri, place("x", "x"))["items"]]
        assert labels[0] == "contract" and {"fields", "extends"} <= set(labels)
        client.take_unread()


@pytest.mark.parametrize(
    "place_of",
    [
        "usual: ['tickets/*.md']\n",
        "signs: [{path: '(^|/)tickets/'}]\n",
        "detect: {enough: 2, content: 1, signs: [{path: '(^|/)tickets/'}, {value: {state: ''}}]}\n",
    ],
)
def test_an_empty_document_in_a_folder_of_an_own_contract_begins_with_it(tmp_path: Path, place_of: str) -> None:
    files = Files(tmp_path, text=CONTRACT.replace("fields:\n", place_of + "fields:\n", 1))
    (tmp_path / ".git").mkdir()
    inside, outside = ((tmp_path / folder / "new.md").as_uri() for folder in ("tickets", "notes"))
    with LspClient(ABLE) as client:
        for uri in (inside, outside):
            client.open("", uri)
            assert client.diagnostics(1, uri) == []
        first = asked(client, "completion", inside, place("x", "x"))["items"][0]
        text = first["textEdit"]["newText"]
        assert first["label"] == "Ticket" and "Ticket" in text and "State" in text
        labels = [item["label"] for item in asked(client, "completion", outside, place("x", "x"))["items"]]
        assert "Ticket" not in labels
        client.change(2, {"text": text}, uri=inside)
        assert "placeholder-left" in client.codes(2, inside)  # it is recognized
        assert files.contract.exists()


def test_definition_references_and_rename_in_a_contract_file(tmp_path: Path) -> None:
    files = Files(tmp_path)
    able = {**ABLE, "textDocument": {**ABLE["textDocument"], "rename": {"prepareSupport": True}}}
    at = place(CONTRACT, "at: left", by=5)
    with LspClient(able) as client:
        client.open(CONTRACT, files.uri)
        assert client.diagnostics(1, files.uri) == []
        (target,) = asked(client, "definition", files.uri, at)
        assert target["uri"] == files.uri
        assert target["range"]["start"] == place(CONTRACT, "left: {type")
        found = asked(client, "references", files.uri, at, context={"includeDeclaration": True})
        assert [marked(CONTRACT, item["range"]) for item in found] == ["left"] * 4
        assert len(asked(client, "documentHighlight", files.uri, at)) == 4
        assert asked(client, "prepareRename", files.uri, at)["placeholder"] == "left"
        (change,) = asked(client, "rename", files.uri, at, newName="rest")["documentChanges"]
        assert change["textDocument"] == {"uri": files.uri, "version": 1}
        assert [item["newText"] for item in change["edits"]] == ["rest"] * 4
        value = place(CONTRACT, "'done'", by=2)
        (change,) = asked(client, "rename", files.uri, value, newName="closed")["documentChanges"]
        assert [marked(CONTRACT, item["range"]) for item in change["edits"]] == ["done"] * 3
        with pytest.raises(ResponseError, match="There already is a value `open`"):
            asked(client, "rename", files.uri, value, newName="open")


def test_a_key_that_is_being_typed_is_not_told_at_once(tmp_path: Path) -> None:
    files = Files(tmp_path)
    line = CONTRACT[: CONTRACT.index("  owner:")].count("\n")
    with LspClient(ABLE, initializationOptions={}) as client:
        client.open(CONTRACT, files.uri)
        assert client.diagnostics(1, files.uri) == []
        client.change(2, edit((line, 10), (line, 10), "requ: true, "), uri=files.uri)
        assert client.diagnostics(2, files.uri) == []
        (item,) = client.diagnostics(2, files.uri)  # after a moment
        assert "unknown key `requ`" in item["message"]
