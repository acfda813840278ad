"""Config files as documents of the server: problems while typing, fixes, completion and hover."""

from __future__ import annotations

from pathlib import Path

import pytest
from server.client import LspClient, Message
from server.contract_file_client import ABLE, CONFIG, CONTRACT, DOCUMENT, Files, applied, asked, fixes, marked, place

GOOD = (
    CONFIG
    + """\
disable = ["agent-status"]

[contracts.status-block]
profile = "reviewer"

[contracts.agent-contract]
consolidation_required = true

[rules]
missing-field = "warning"
"ticket/nothing_left" = "off"

[agents.builder]
returns = "result-envelope"
profile = "agents-v4"
where = "both"
files = ["out/*.md"]
must = ["artifacts"]

[[files]]
pattern = "docs/*.md"
contract = "ticket"
mode = "template"
rules = { invalid-value = "hint" }

[[prompts.allow]]
value = "nearly"
because = "the next version has it"
"""
)


def shown(good: str, name: str) -> tuple[str, str]:
    """The same config as a file of its own or as the table of a ``pyproject.toml``."""
    if name != "pyproject.toml":
        return good, name
    text = good.replace("[contracts", "[tool.handoff-lsp.contracts").replace("[rules", "[tool.handoff-lsp.rules")
    text = text.replace("[agents", "[tool.handoff-lsp.agents").replace("[[prompts", "[[tool.handoff-lsp.prompts")
    return '[project]\nname = "x"\n\n[tool.handoff-lsp]\n' + text.replace("[[files", "[[tool.handoff-lsp.files"), name


@pytest.fixture(params=[".handoff-lsp.toml", "pyproject.toml"])
def config(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    files = Files(tmp_path)
    (tmp_path / ".handoff-lsp.toml").unlink()
    text, name = shown(GOOD, request.param)
    (tmp_path / name).write_text(text)
    assert files.contract.exists()
    return text, (tmp_path / name).as_uri()


@pytest.mark.parametrize(
    ("right", "wrong", "token"),
    [
        ("disable", "disabl", "disabl"),
        ('"agent-status"', '"agent-statu"', '"agent-statu"'),
        ("contracts.status-block", "contracts.status-blok", "status-blok"),
        ('"reviewer"', '"reviewr"', '"reviewr"'),
        ("consolidation_required", "consolidation_requird", "consolidation_requird"),
        ("missing-field", "missing-fild", "missing-fild"),
        ('"warning"', '"warnin"', '"warnin"'),
        ("nothing_left", "nothing_lft", "ticket/nothing_lft"),
        ("ticket/", "tickt/", "tickt/nothing_left"),
        ("pattern", "patern", "patern"),
        ('contract = "ticket"', 'contract = "tickt"', '"tickt"'),
        ('"template"', '"templat"', '"templat"'),
        ("invalid-value", "invalid-valu", "invalid-valu"),
        ('"hint"', '"hin"', '"hin"'),
        ("returns", "retuns", "retuns"),
        ('"result-envelope"', '"result-envelop"', '"result-envelop"'),
        ('"agents-v4"', '"agents-v"', '"agents-v"'),
        ('"both"', '"bot"', '"bot"'),
        ('"artifacts"', '"artifcts"', '"artifcts"'),
    ],
)
def test_a_slip_is_reported_at_its_token_while_typing_and_mended(
    config: tuple[str, str], right: str, wrong: str, token: str
) -> None:
    text, uri = config
    broken = text.replace(right, wrong, 1)
    assert broken != text
    with LspClient(ABLE) as client:
        client.open(text, uri)
        assert client.diagnostics(1, uri) == []
        client.change(2, {"text": broken}, uri=uri)
        (item,) = client.diagnostics(2, uri)
        assert (item["code"], marked(broken, item["range"])) == ("invalid-config", token)
        (fix,) = fixes(client, uri, item["range"], [item])
        assert applied(broken, fix) == text


def test_the_last_good_config_stays_in_force_while_the_file_is_broken(tmp_path: Path) -> None:
    files = Files(tmp_path)
    path = tmp_path / ".handoff-lsp.toml"
    good = CONFIG + '[rules]\ninvalid-value = "hint"\n'
    path.write_text(good)
    with LspClient() as client:
        client.open(DOCUMENT, files.document)
        (before,) = client.diagnostics(1, files.document)
        assert before["severity"] == 4
        client.open(good, path.as_uri())
        assert client.diagnostics(1, path.as_uri()) == []
        broken = good.replace('"hint"', '"hin')
        client.change(2, {"text": broken}, uri=path.as_uri())
        (item,) = client.diagnostics(2, path.as_uri())
        assert item["message"].startswith("not TOML") and item["range"]["start"]["line"] == 2
        path.write_text(broken)
        client.save(path.as_uri())
        assert "not TOML" in client.expect("window/showMessage")["message"]
        assert len(client.diagnostics(2, path.as_uri())) == 1
        client.change(2, {"text": DOCUMENT + "\nMore.\n"}, uri=files.document)
        assert client.diagnostics(2, files.document) == [before]
        client.take_unread()


def test_contract_files_come_and_go_while_the_config_that_names_them_is_not_saved(tmp_path: Path) -> None:
    files = Files(tmp_path, config="")
    uri, contract = (tmp_path / ".handoff-lsp.toml").as_uri(), files.contract.read_text()
    with LspClient() as client:
        client.open(CONFIG, uri)
        assert client.diagnostics(1, uri) == []
        files.contract.unlink()
        client.change(2, uri=uri)
        (item,) = client.diagnostics(2, uri)
        assert item["message"] == 'the pattern "formats/*.yaml" matches no file'
        files.contract.write_text(contract)
        client.change(3, uri=uri)
        assert client.diagnostics(3, uri) == []


def test_other_toml_gets_nothing(tmp_path: Path) -> None:
    text = '[project]\nname = 4\n[tool.other]\nrules = { a = "b" }\n'
    uri = (tmp_path / "pyproject.toml").as_uri()
    with LspClient(ABLE) as client:
        client.open(text, uri)
        assert client.diagnostics(1, uri) == []
        for line in range(4):
            for character in (0, 3):
                at = {"line": line, "character": character}
                assert not (asked(client, "completion", uri, at) or {}).get("items")
                assert asked(client, "hover", uri, at) is None


@pytest.mark.parametrize(
    ("replaced", "typed", "label", "text"),
    [
        ('disable = ["agent-status"]', "‸", "exclude", "exclude = "),
        ('disable = ["agent-status"]', "‸", "editor", "[editor]"),
        ('disable = ["agent-status"]', "dis‸", "disable", "disable = "),
        ('["agent-status"]', "‸", "status-block", '["status-block"]'),
        ('["agent-status"]', '["agent-status", "‸', "status-block", "status-block"),
        ('["agent-status"]', '["agent-status", ‸]', "ticket", '"ticket"'),
        ('profile = "reviewer"', 'profile = "‸"', "reviewer", "reviewer"),
        ('profile = "reviewer"', "‸", "profile", "profile = "),
        ("consolidation_required = true", "‸", "consolidation_required", "consolidation_required = "),
        ("= true", "= ‸", "false", "false"),
        ('missing-field = "warning"', "‸", "invalid-type", "invalid-type = "),
        ('missing-field = "warning"', "‸", "status-block/", ""),
        ('"ticket/nothing_left" = "off"', "‸", "ticket/nothing_left", '"ticket/nothing_left" = '),
        ('"ticket/nothing_left" = "off"', '"tick‸" = "off"', "ticket/nothing_left", "ticket/nothing_left"),
        ('= "warning"', "= ‸", "error", '"error"'),
        ('= "warning"', '= "e‸"', "error", "error"),
        ('contract = "ticket"', 'contract = "‸"', "ticket", "ticket"),
        ('mode = "template"', "mode = ‸", "example", '"example"'),
        ('mode = "template"', "‸", "mode", "mode = "),
        ('{ invalid-value = "hint" }', "{ ‸ }", "missing-field", "missing-field = "),
        ('{ invalid-value = "hint" }', "{ missing-field = ‸ }", "off", '"off"'),
        ("[rules]", "[ru‸", "rules", "rules"),
        ("[[files]]", "[[‸", "files", "files"),
        ("[contracts.status-block]", "[contracts.‸]", "ticket", "ticket"),
        ("[agents.builder]", "[agents.‸]", "tester", "tester"),
        ("[agents.builder]", "[age‸", "agents", "agents"),
        ('returns = "result-envelope"', "returns = ‸", "status-block", '"status-block"'),
        ('returns = "result-envelope"', "returns = ‸", "false", "false"),
        ('profile = "agents-v4"', 'profile = "‸"', "agents-v4", "agents-v4"),
        ('where = "both"', 'where = "‸"', "file", "file"),
        ('rules = { invalid-value = "hint" }', "[files.‸]", "rules", "rules"),
        ('["artifacts"]', '["‸"]', "artifacts", "artifacts"),
        ('must = ["artifacts"]', 'never = ["‸"]', "status", "status"),
    ],
)
def test_completion(tmp_path: Path, replaced: str, typed: str, label: str, text: str) -> None:
    Files(tmp_path)
    (tmp_path / ".claude" / "agents").mkdir(parents=True)
    (tmp_path / ".claude" / "agents" / "tester.md").write_text("Runs the tests.\n")
    uri = (tmp_path / ".handoff-lsp.toml").as_uri()
    good = GOOD.replace('"reviewer"', '"reviewer"')
    assert replaced in good
    before, _, after = good.replace(replaced, typed, 1).partition("‸")
    with LspClient(ABLE) as client:
        client.open(before + after, uri)
        client.diagnostics(1, uri)
        offered = asked(client, "completion", uri, place(before + "‸", "‸"))["items"]
        found = [item for item in offered if item["label"].startswith(label)]
        if text:
            assert [item["textEdit"]["newText"] for item in found if item["label"] == label] == [text]
        else:
            assert found
        assert all(item["label"] for item in offered)
        client.take_unread()


def test_a_name_in_another_script_is_written_in_it(tmp_path: Path) -> None:
    before = f"{CONFIG}[contracts.ticket]\nprofile = "
    Files(tmp_path, CONTRACT.replace("v1", "掲示板"))
    uri = (tmp_path / ".handoff-lsp.toml").as_uri()
    with LspClient(ABLE) as client:
        client.open(f"{before}\n", uri)
        client.diagnostics(1, uri)
        (item,) = asked(client, "completion", uri, place(f"{before}‸", "‸"))["items"]
        assert item["textEdit"]["newText"] == '"掲示板"'
        client.take_unread()


@pytest.mark.parametrize(
    ("replaced", "typed", "offered", "written"),
    [
        ('disable = ["agent-status"]', 'disable = ["agent-status"]\n‸', {"exclude"}, {"disable", "contract-files"}),
        ('profile = "agents-v4"', 'profile = "agents-v4"\n‸', {"never"}, {"returns", "profile", "where", "must"}),
        ('mode = "template"', "‸", {"mode"}, {"pattern", "contract", "rules"}),
        ('{ invalid-value = "hint" }', '{ invalid-value = "hint", ‸ }', {"missing-field"}, {"invalid-value"}),
    ],
)
def test_a_key_is_offered_once_in_each_table(
    tmp_path: Path, replaced: str, typed: str, offered: set[str], written: set[str]
) -> None:
    Files(tmp_path)
    uri = (tmp_path / ".handoff-lsp.toml").as_uri()
    assert replaced in GOOD
    before, _, after = GOOD.replace(replaced, typed, 1).partition("‸")
    with LspClient(ABLE) as client:
        client.open(before + after, uri)
        client.diagnostics(1, uri)
        items = asked(client, "completion", uri, place(before + "‸", "‸"))["items"]
        labels = {item["label"] for item in items}
        assert offered <= labels and labels.isdisjoint(written)


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("disable", "Contracts to disable"),
        ("agent-status", "agent-status"),
        ("status-block", "status-block"),
        ("reviewer", "profile"),
        ("consolidation_required", "true or false"),
        ("missing-field", "rule"),
        ("ticket/nothing_left", "check"),
        ('"off"', "one of error"),
        ("pattern", "Glob of the files"),
        ("contract-files", "Globs of your own contracts"),
        ("template", "handoffs, templates"),
        ("builder", "owes result-envelope (agents-v4) in its final message and in a file"),
        ("returns", "Contract of the handoff that the agent owes"),
        ("prompts", "What prompts may say about contracts"),
    ],
)
def test_hover(config: tuple[str, str], token: str, words: str) -> None:
    text, uri = config
    with LspClient(ABLE) as client:
        client.open(text, uri)
        client.diagnostics(1, uri)
        page: Message = asked(client, "hover", uri, place(text, token, by=1))
        assert words in str(page["contents"])
        if token not in {'"off"', "template"}:
            assert marked(text, page["range"]) == token


@pytest.mark.parametrize("table", ["", "[rules.more]\n", "[contracts.tickt]\n", "[editor.more]\n"])
def test_a_key_that_nobody_knows_has_no_values_and_no_page(tmp_path: Path, table: str) -> None:
    Files(tmp_path)
    uri = (tmp_path / ".handoff-lsp.toml").as_uri()
    text = f"{table}unknown = true\n"
    with LspClient(ABLE) as client:
        client.open(text, uri)
        client.diagnostics(1, uri)
        assert not (asked(client, "completion", uri, place(text, "true")) or {}).get("items")
        assert asked(client, "hover", uri, place(text, "true", by=1)) is None
