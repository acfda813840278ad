"""The cached results of files that are not open, and when these are checked again."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from handoff_lsp.engine import Analysis
from handoff_lsp.text import Span
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.memo import Reads
from handoff_lsp.workspace.store import TextChange, Workspace

STATUS = """{
  "agent_id": "a", "agent_type": "worker", "task": "t", "progress": "p", "last_checkpoint": null, "notes": "",
  "status": "running",
  "started_at": "2026-03-02T08:00:00Z", "updated_at": "2026-03-02T08:05:00Z"
}
"""
LOG = "2026-03-02T08:01:00Z [START] a\n2026-03-02T08:10:00Z [STATUS] running\n"
TURN = """```agent_contract_handoff
{"agent_status": {"plan_status": "%s", "agent_id": "a0123456", "pending_steps": [], "next_action": "x"}}
```
"""


@pytest.fixture
def agents(tmp_path: Path) -> list[Path]:
    """The folders of ten agents' files."""
    (tmp_path / ".git").mkdir()
    folders = [tmp_path / f"task-{index}" / ".agent" for index in range(10)]
    for folder in folders:
        folder.mkdir(parents=True)
        (folder / "status.json").write_text(STATUS)
        (folder / "activity.log").write_text(LOG)
    return folders


class Session:
    """A workspace with the cached results of its closed files."""

    def __init__(self) -> None:
        self.workspace = Workspace(Resolver())
        self.memo = self.workspace.memo

    def of(self, paths: Sequence[Path], *, verify: bool = False) -> list[list[str] | None]:
        """The results of files."""
        return [self.memo.until_event(str(path), partial(self._codes, str(path)), verify=verify) for path in paths]

    def changed(self, path: Path) -> bool:
        """The text of a file changed."""
        return self.memo.changed(str(path))

    def again(self, paths: Sequence[Path]) -> int:
        """The number of files that are checked when the results of all are requested."""
        before = self.memo.computed
        self.of(paths)
        return self.memo.computed - before

    def _codes(self, full: str, reads: Reads) -> list[str] | None:
        closed = self.workspace.closed(full, reads)
        return [finding.code for finding in closed[1].findings] if closed is not None else None


def test_only_what_an_edit_touches_is_checked_again(agents: list[Path]) -> None:
    session = Session()
    statuses = [folder / "status.json" for folder in agents]
    assert session.of(statuses) == [[]] * 10
    assert session.again(statuses) == 0
    path = agents[3] / "activity.log"
    document = session.workspace.open(path.as_uri(), path, 1, LOG)
    assert session.changed(path)
    assert session.again(statuses) == 1
    document.change(2, [TextChange(Span(LOG.index("running"), LOG.index("running") + 7), "failed")])
    session.changed(path)
    assert session.of(statuses) == [["file-disagreement"] if folder == agents[3] else [] for folder in agents]
    assert session.memo.computed == 12
    session.workspace.close(path.as_uri())
    session.changed(path)
    assert session.of(statuses) == [[]] * 10
    # No result depended on this one.
    other = agents[0].parent / "notes.md"
    assert not session.changed(other)


def test_the_disk_is_left_alone_until_there_is_a_doubt(agents: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    statuses = [folder / "status.json" for folder in agents]
    session.of(statuses)
    session.memo._answers.clear()

    def no_stat(*_: object, **__: object) -> os.stat_result:
        raise AssertionError("the disk was looked at")

    with monkeypatch.context() as patch:
        patch.setattr(os, "stat", no_stat)
        assert session.again(statuses) == 0
    (agents[0] / "activity.log").write_text(LOG.replace("running", "failed"))
    (agents[1] / "status.json").write_text(STATUS.replace("running", "walking"))
    (agents[2] / "status.json").unlink()
    session.workspace.disk_changed()
    assert session.again(statuses) == 3  # the deleted file is now missing
    found = session.of(statuses)
    assert (found[0], found[2], found[3]) == (["file-disagreement"], None, [])
    assert found[1]


def test_turns_of_one_folder(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    turns = [tmp_path / f"turn-{index}.md" for index in range(12)]
    for index, path in enumerate(turns):
        path.write_text(TURN % ("COMPLETE" if index == 11 else "IN_PROGRESS"))
    session = Session()
    session.of(turns)
    document = session.workspace.open(turns[9].as_uri(), turns[9], 1, turns[9].read_text())
    session.changed(turns[9])
    others = [path for path in turns if path != turns[9]]
    # Those that come after it, as people order names.
    assert session.again(others) == 2
    document.change(2, [TextChange(None, TURN % "BLOCKED")])
    session.changed(turns[9])
    session.of(others)
    assert session.memo.computed == 12 + 4


def test_no_part_of_the_text_is_kept(agents: list[Path]) -> None:
    import gc

    session = Session()
    session.of([folder / name for folder in agents for name in ("status.json", "activity.log")])
    session.workspace.files._texts._newest.clear()  # data for other consumers is cached elsewhere, up to a limit
    gc.collect()
    assert not [item for item in gc.get_objects() if isinstance(item, Analysis) and item.path.startswith("task-")]


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"\xff\xfe")])
def test_a_file_that_cannot_be_read(agents: list[Path], spoil: Callable[[Path], object]) -> None:
    session = Session()
    path = agents[0] / "status.json"
    assert session.of([path]) == [[]]
    spoil(path)
    session.memo._answers.clear()
    assert session.of([path], verify=True) == [None]


def test_a_config_counts_when_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "status.json"
    path.write_text('{"status": "running"}')
    session = Session()
    before = session.of([path])
    (tmp_path / ".handoff-lsp.toml").write_text('[[files]]\npattern = "*.json"\ncontract = "agent-status"\n')
    session.workspace.disk_changed()
    assert session.again([path]) == 1
    session.memo.keep_only([])
    assert session.of([path]) is not before
