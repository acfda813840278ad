"""Caches of files do not grow for ever: deleted files are dropped, and the clock can be held."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

import pytest

from handoff_lsp.workspace import known_files
from handoff_lsp.workspace.clock import Clock
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.memo import Memo
from handoff_lsp.workspace.store import Workspace

RESULT = "AGENT_RESULT: tester\nSTATUS: success\nNEXT: critic\n"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    (tmp_path / ".git").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.md").write_text(RESULT, encoding="utf-8")
    clock = Clock()
    workspace = Workspace(Resolver(clock=clock))
    workspace.set_folders([tmp_path])
    return workspace


def test_nothing_is_kept_of_deleted_files_but_open_ones(workspace: Workspace, tmp_path: Path) -> None:
    project, opened = workspace.project, tmp_path / "open.md"
    workspace.open(opened.as_uri(), opened, 1, RESULT)
    assert len(project.names("agents")["tester"]) == 4
    (tmp_path / "a.md").unlink()
    workspace.disk_changed()
    assert len(project.names("agents")["tester"]) == 3
    about = {Path(full) for full in workspace.memo._about} - {tmp_path}  # of the root, the agents' definitions are kept
    assert sorted(path.name for path in about) == ["b.md", "c.md", "open.md"]


def test_results_of_files_that_are_no_longer_listed_are_forgotten(workspace: Workspace, tmp_path: Path) -> None:
    memo, kept = workspace.memo, str(tmp_path / "b.md")

    def check(full: str) -> bool:
        return memo.until_event(full, lambda reads: workspace.closed(full, reads)) is not None

    assert all(check(full) for full in workspace.project.paths())
    memo.keep_only([kept])
    assert list(memo._until_event) == [kept]
    assert check(kept)
    assert memo.computed == 3


def test_files_that_cannot_be_read_do_not_add_up(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_files, "MAX_LOOKS", 5)
    for number in range(20):
        assert workspace.files.read(f"/nowhere/{number}.md").source is None
    assert len(workspace.files._texts._newest) == 5


def test_answers_about_files_of_the_past_are_dropped() -> None:
    now = [0.0]
    memo = Memo(lambda: now[0])
    for number in range(30_000):
        now[0] += 0.01
        memo.look(str, number)
        assert len(memo._answers) <= 2_001
    memo.note(("listed",), "files")
    asked: list[int] = []
    for number in [*range(3_000), 2_999]:
        memo.look(asked.append, number)
    assert asked == list(range(3_000)), "all of a moment are kept"
    now[0] += 1
    for number in range(10_000):
        memo.look(str, number)
    assert memo.noted(("listed",), 60) == "files"


def test_files_that_nothing_asks_about_do_not_keep_old_contracts(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".handoff-lsp.toml").write_text('contract-files = ["own.yaml"]\n', encoding="utf-8")
    contract = (Path(__file__).parents[2] / "docs" / "gallery" / "plan.yaml").read_text(encoding="utf-8")
    workspace, known = Workspace(Resolver()), []
    for number in range(5):
        (tmp_path / "own.yaml").write_text(f"{contract}# {number}\n", encoding="utf-8")
        workspace.disk_changed()
        document = tmp_path / f"{number}.md"
        document.write_text(RESULT, encoding="utf-8")
        assert workspace.files.read(str(document)).handoffs
        assert workspace.project.mentions(str(document))
        known.append(weakref.ref(workspace.resolver.registry(document)))
    gc.collect()
    assert [each() is not None for each in known] == [False, False, False, False, True]


def test_in_a_moment_that_is_held_nothing_is_looked_at_again(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, project, now = workspace.memo.clock, workspace.project, [1_000.0]
    assert isinstance(clock, Clock)
    monkeypatch.setattr("handoff_lsp.workspace.clock.time.monotonic", lambda: now[0])
    began = clock()
    now[0] += 5
    assert len(project.names("agents")["tester"]) == 3
    now[0] += 60
    (tmp_path / "a.md").unlink()
    with clock.held(began):
        assert len(project.names("agents")["tester"]) == 3
    assert len(project.names("agents")["tester"]) == 2


def test_a_config_that_was_deleted_does_not_come_back(tmp_path: Path) -> None:
    resolver, file, document = Resolver(), tmp_path / ".handoff-lsp.toml", tmp_path / "a-handoff.md"

    def severities(config: str | None) -> dict[str, str]:
        file.unlink(missing_ok=True)
        if config is not None:
            file.write_text(config)
        resolver.disk_changed()
        return dict(resolver.options(document).severities)

    assert severities('[rules]\ninvalid-value = "off"\n') == {"invalid-value": "off"}
    # A config that is broken while it is written leaves the last good one in force, but none of another file.
    assert severities("not toml [") == {"invalid-value": "off"}
    assert severities(None) == {}
    assert severities("not toml [") == {}
