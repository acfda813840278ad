"""The commands behind an editor's own views, and the notification that the list of handoffs may have changed."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from server.client import LspClient, Message, edit
from server.documents import SOUND, WITHOUT_STATUS
from server.test_across_files import OWN
from server.test_commands import refused, run

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.server.publishing.handoff_list import MOMENT

TOLD: Message = {"experimental": {"handoff": {"didChangeHandoffs": True}}}
CHANGED = "handoff/didChangeHandoffs"
# Longer than the server waits for further changes.
LONGER = 2 * MOMENT
DEVELOPER = "handoffs/login/login-developer-handoff.md"
BLOCKED = SOUND.replace("complete", "blocked")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace with a handoff, notes, and an example in a page about the format."""
    for name, text in {DEVELOPER: SOUND, "NOTES.md": "# Notes\n", "docs/concepts/handoff.md": SOUND}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    os.utime(tmp_path / DEVELOPER, (1_700_000_000, 1_700_000_000))
    return tmp_path


def client_in(*folders: Path, more: Message | None = None) -> LspClient:
    """A client that has folders open."""
    return LspClient(more, workspaceFolders=[{"uri": each.as_uri(), "name": each.name} for each in folders])


def handoffs(client: LspClient) -> list[Message]:
    """The list."""
    found: list[Message] = run(client, "handoff.listHandoffs")
    return found


def told(client: LspClient, *keys: str) -> list[tuple[Any, ...]]:
    """Some columns of the list."""
    return [tuple(row[key] for key in keys) for row in handoffs(client)]


def opened(client: LspClient, path: Path, text: str) -> None:
    """Open a document and let its diagnostics be."""
    client.open(text, path.as_uri())
    client.diagnostics(1, path.as_uri())


def test_a_handoff_in_the_list(folder: Path) -> None:
    with client_in(folder) as client:
        assert handoffs(client) == [
            {
                "uri": (folder / DEVELOPER).as_uri(),
                "path": DEVELOPER,
                "range": {"start": {"line": 0, "character": 0}, "end": {"line": 27, "character": 0}},
                "contract": "status-block",
                "title": "Feature login — Handoff from Developer",
                "profile": "developer",
                "status": "complete",
                "statusText": "complete",
                "unread": None,
                "agent": "Developer",
                "label": "login · Developer",
                "openQuestions": 0,
                "changed": "2023-11-14T22:13:20Z",
                "action": "advance",
                "needsPerson": False,
                "reason": "The next phase begins, with the agent in `next_phase`.",
                "brief": "next is Tester",
                "markdown": (
                    "**advance: next is Tester**\n\nThe next phase begins, with the agent in `next_phase`.\n\n"
                    "- Status: complete\n- Reads next: `Status`, `Status reason`, `Abstract`"
                ),
                "errors": 0,
                "warnings": 0,
                "unfilled": 0,
            }
        ]


def test_open_documents_go_before_the_disk_and_the_rest_is_sorted(folder: Path) -> None:
    (folder / "handoffs/login/b-handoff.md").write_text(SOUND, encoding="utf-8")
    with client_in(folder) as client:
        opened(client, folder / DEVELOPER, f"{BLOCKED}\n```agent_contract_handoff\n{{}}\n```\n")
        rows = told(client, "path", "contract", "status", "action")
        assert rows == [
            (DEVELOPER, "status-block", "blocked", "ask"),
            (DEVELOPER, "agent-contract", None, "retry"),
            ("handoffs/login/b-handoff.md", "status-block", "complete", "advance"),
        ]
        client.close((folder / DEVELOPER).as_uri())
        client.published((folder / DEVELOPER).as_uri())
        assert told(client, "status") == [("complete",), ("complete",)]


def test_many_handoffs_can_be_told_apart_and_what_needs_a_person_comes_first(tmp_path: Path) -> None:
    texts = [SOUND, BLOCKED, SOUND.replace("complete", "failed")]
    for number in range(240):
        path = tmp_path / f"handoffs/feature-{number // 2}/{('developer', 'tester')[number % 2]}-handoff.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = texts[number % 3].replace(
            "Handoff from Developer", f"Handoff from {('Developer', 'Tester')[number % 2]}"
        )
        path.write_text(text, encoding="utf-8")
    with client_in(tmp_path) as client:
        rows = handoffs(client)
    assert len({row["label"] for row in rows}) == 240
    assert {row["label"] for row in rows} >= {"feature-0 · Developer", "feature-119 · Tester"}
    order = ["stop", "ask", "retry", "continue", "advance"]
    ranks = [order.index(row["action"]) for row in rows]
    assert ranks == sorted(ranks)
    assert len(set(ranks)) > 1
    for action in {row["action"] for row in rows}:
        numbers = [int(row["label"].split(" ")[0].partition("-")[2]) for row in rows if row["action"] == action]
        assert numbers == sorted(numbers)


def test_two_files_of_an_agent_in_a_folder_are_told_apart(folder: Path) -> None:
    (folder / "handoffs/login/second-developer-handoff.md").write_text(SOUND, encoding="utf-8")
    with client_in(folder) as client:
        assert told(client, "label") == [
            ("login · Developer · login-developer-handoff.md",),
            ("login · Developer · second-developer-handoff.md",),
        ]


def test_of_several_folders_each_path_begins_in_its_own_and_none_need_be_open(folder: Path) -> None:
    with client_in(folder / "handoffs", folder / "docs") as client:
        assert told(client, "path") == [("login/login-developer-handoff.md",)]
    with LspClient() as client:
        assert handoffs(client) == []
        client.open(SOUND, "untitled:Untitled-1")
        client.diagnostics(1, "untitled:Untitled-1")
        assert told(client, "path", "changed") == [("untitled:Untitled-1", None)]


def test_a_document_that_is_no_file_has_a_label_too(folder: Path) -> None:
    unnamed = run_new("status-block")
    with client_in(folder) as client:
        for uri in ("untitled:Untitled-1", "untitled:Untitled-2"):
            client.open(unnamed, uri)
            client.diagnostics(1, uri)
        assert [label for (label,) in told(client, "label") if "login" not in label] == [
            "untitled:Untitled-1",
            "untitled:Untitled-2",
        ]


def test_without_watchers_the_disk_is_looked_at_for_each_list(folder: Path) -> None:
    with client_in(folder) as client:
        assert told(client, "status") == [("complete",)]
        (folder / DEVELOPER).write_text(BLOCKED, encoding="utf-8")
        (folder / "NOTES.md").unlink()
        (folder / "handoffs/login/new-handoff.md").write_text(SOUND, encoding="utf-8")
        assert told(client, "status") == [("blocked",), ("complete",)]
        (folder / DEVELOPER).unlink()
        assert told(client, "status") == [("complete",)]


def test_what_the_config_leaves_out_is_not_in_the_list(folder: Path) -> None:
    (folder / ".handoff-lsp.toml").write_text('exclude = ["handoffs"]\n[editor]\nworkspace-diagnostics = false\n')
    with client_in(folder) as client:
        assert handoffs(client) == []
        (folder / ".handoff-lsp.toml").write_text("[editor]\nworkspace-diagnostics = false\n")
        assert told(client, "status") == [("complete",)], "that switch is about diagnostics"


def test_others_are_answered_while_many_files_are_read(folder: Path) -> None:
    for number in range(60):
        (folder / f"handoffs/login/{number}-handoff.md").write_text(SOUND, encoding="utf-8")
    with client_in(folder) as client:
        opened(client, folder / DEVELOPER, SOUND)
        number, request = client.prepare("workspace/executeCommand", {"command": "handoff.listHandoffs"})
        place = {"textDocument": {"uri": (folder / DEVELOPER).as_uri()}, "position": {"line": 3, "character": 2}}
        other, hover = client.prepare("textDocument/hover", place)
        client.write(request, hover)
        client.answer(other)
        assert client.take_unread() == [], "the list made the hover wait"
        assert len(client.answer(number)) == 61


# handoff/didChangeHandoffs


def test_a_change_that_the_list_shows_is_notified(folder: Path) -> None:
    uri = (folder / DEVELOPER).as_uri()
    with client_in(folder, more=TOLD) as client:
        handoffs(client)
        opened(client, folder / DEVELOPER, SOUND)
        client.change(2, edit((3, 0), (3, 8), "blocked"), uri=uri)
        client.diagnostics(2, uri)
        assert client.expect(CHANGED) == {}
        assert told(client, "status") == [("blocked",)]


def test_a_change_that_it_does_not_show_is_not(folder: Path) -> None:
    uri = (folder / DEVELOPER).as_uri()
    with client_in(folder, more=TOLD) as client:
        handoffs(client)
        opened(client, folder / DEVELOPER, SOUND)
        client.change(2, edit((8, 9), (8, 20), "something!!"), uri=uri)  # the outcome
        client.diagnostics(2, uri)
        client.change(3, edit((3, 0), (3, 8), "blocked"), uri=uri)
        client.diagnostics(3, uri)
        client.expect(CHANGED)
        client.quiet(LONGER)


def test_many_changes_are_notified_once(folder: Path) -> None:
    uri = (folder / DEVELOPER).as_uri()
    with client_in(folder, more=TOLD) as client:
        handoffs(client)
        opened(client, folder / DEVELOPER, SOUND)
        for version, (before, after) in enumerate((("complete", "blocked"), ("blocked", "failed")), 2):
            client.change(version, edit((3, 0), (3, len(before)), after), uri=uri)
            client.diagnostics(version, uri)
        client.expect(CHANGED)
        assert told(client, "status") == [("failed",)]
        client.quiet(LONGER)


def test_files_that_change_on_disk_are_notified(folder: Path) -> None:
    watch: Message = {"workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}}}
    with client_in(folder, more={**TOLD, **watch}) as client:
        client.expect("client/registerCapability")
        assert told(client, "status") == [("complete",)]
        (folder / DEVELOPER).write_text(WITHOUT_STATUS, encoding="utf-8")
        changes = [{"uri": (folder / DEVELOPER).as_uri(), "type": 2}]
        client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
        client.expect(CHANGED)
        assert told(client, "status", "action", "errors") == [(None, "stop", 1)]


def test_a_folder_that_is_opened_is_notified(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    other = tmp_path_factory.mktemp("other")
    (other / "a-handoff.md").write_text(SOUND, encoding="utf-8")
    with client_in(folder, more=TOLD) as client:
        handoffs(client)
        event = {"added": [{"uri": other.as_uri(), "name": "other"}], "removed": []}
        client.notify("workspace/didChangeWorkspaceFolders", {"event": event})
        client.expect(CHANGED)
        assert told(client, "path") == [("a-handoff.md",), (DEVELOPER,)]


@pytest.mark.parametrize("capabilities", [{}, {"experimental": {"handoff": {}}}, {"experimental": None}])
def test_a_client_that_has_not_declared_it_gets_nothing(folder: Path, capabilities: Message) -> None:
    uri = (folder / DEVELOPER).as_uri()
    with client_in(folder, more=capabilities) as client:
        handoffs(client)
        opened(client, folder / DEVELOPER, SOUND)
        client.change(2, edit((3, 0), (3, 8), "blocked"), uri=uri)
        client.diagnostics(2, uri)
        client.quiet(LONGER)


def test_a_client_that_has_not_asked_gets_nothing(folder: Path) -> None:
    uri = (folder / DEVELOPER).as_uri()
    with client_in(folder, more=TOLD) as client:
        opened(client, folder / DEVELOPER, SOUND)
        client.change(2, edit((3, 0), (3, 8), "blocked"), uri=uri)
        client.diagnostics(2, uri)
        client.quiet(LONGER)


# Contracts and topics


def test_contracts_with_their_profiles_own_ones_among_them(folder: Path) -> None:
    (folder / ".handoff-lsp.toml").write_text('contract-files = ["own.yaml"]\n')
    (folder / "own.yaml").write_text(OWN % (("own",) * 3))
    with client_in(folder / "docs", folder) as client:
        found = {contract["name"]: contract for contract in run(client, "handoff.listContracts")}
        assert {"status-block", "agent-contract", "own"} < set(found)
        contract = found["agent-contract"]
        assert [(each["name"], each["default"]) for each in contract["profiles"]] == [
            ("gaia-5.0", True),
            ("gaia-5.4", False),
        ]
        assert contract["title"]
        assert contract["about"]
        assert all(each["about"] for each in contract["profiles"])
        # Of each of them a new handoff can be had, for no document in particular.
        made = run(client, "handoff.insertTemplate", {"contract": "own"})
        assert (made["contract"], made["applied"], made["language"]) == ("own", False, "json")


def test_a_path_and_its_folder_decide_the_contract_of_a_new_handoff(folder: Path) -> None:
    (folder / "turns").mkdir()
    (folder / "turns" / "one.md").write_text(run_new("agent-contract"), encoding="utf-8")
    with client_in(folder) as client:

        def fits(path: str) -> list[tuple[str, str | None]]:
            found = run(client, "handoff.listContracts", {"uri": (folder / path).as_uri()})
            return [(each["name"], each["profile"]) for each in found]

        assert fits("handoffs/search/backend-dev-handoff.md") == [("status-block", "developer")]
        assert fits("handoffs/search/notes.md") == [("status-block", None)]
        assert fits(".agent/status.json") == [("agent-status", "worker")]
        assert fits(".agent/activity.log") == [("activity-log", "worker")]
        assert fits("turns/two.md") == [("agent-contract", None)]
        other = dict(fits("elsewhere/x.md"))
        assert {"status-block", "agent-contract"} < set(other)
        assert not {"activity-log", "agent-status"} & set(other), "no data format in Markdown"
        data = run(client, "handoff.listContracts", {"uri": (folder / "x.json").as_uri()})
        assert {each["name"] for each in data} == {"agent-status", "agent-input"}
        first = {each["name"] for each in run(client, "handoff.listContracts")[:2]}
        assert first == {"status-block", "agent-contract"}, "the used ones come first"
        unnamed = {each["name"] for each in run(client, "handoff.listContracts", {"uri": "untitled:Untitled-1"})}
        assert unnamed == set(other)


def run_new(contract: str) -> str:
    """The text of a new handoff."""
    registry = builtin()
    entry = registry[contract]
    return new_handoff(registry, entry, entry.contract.default_profile, "handoff").text


def test_topics_are_explained(folder: Path) -> None:
    with client_in(folder) as client:
        topics = {each["topic"]: each for each in run(client, "handoff.listTopics")}
        assert {each["kind"] for each in topics.values()} == {"rule", "contract", "field", "value"}
        assert set(topics["missing-status"]) == {"topic", "kind", "title"}
        for name in ("missing-status", "status-block", "status-block.abstract.verdict", "status-block.status=blocked"):
            page = run(client, "handoff.explain", {"topic": name})
            assert (page["topic"], page["title"]) == (name, topics[name]["title"])
            assert page["markdown"].startswith("**")
        assert "did you mean `missing-status`?" in refused(client, "handoff.explain", {"topic": "missing-statu"})
        assert "`topic` is missing" in refused(client, "handoff.explain")
