"""The files around a document: those that are read, those that never are, and when an answer becomes outdated."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options
from handoff_lsp.text import Span
from handoff_lsp.workspace import known_files, surroundings
from handoff_lsp.workspace.config.file_settings import Fixed
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.memo import TRUSTED_FOR, Memo
from handoff_lsp.workspace.store import TextChange, Workspace
from handoff_lsp.workspace.surroundings import Around, surroundings_of

STATUS = """{
  "agent_id": "a", "agent_type": "worker", "task": "t", "status": "running", "progress": "p", "last_checkpoint": null,
  "notes": "", "started_at": "2026-03-02T08:00:00Z", "updated_at": "2026-03-02T08:05:00Z"
}
"""
LOG = "2026-03-02T08:01:00Z [START] t\n2026-03-02T08:10:00Z [STATUS] %s\n"


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    def later(self) -> None:
        """As much later as the disk is trusted."""
        self.now += TRUSTED_FOR


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a workspace."""
    folder = tmp_path / "root"
    (folder / ".git").mkdir(parents=True)
    return folder


def put(path: Path, text: str = "x") -> Path:
    """Write a file, its folders too."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def around(root: Path) -> Callable[[str], Around]:
    """The surroundings of a document in the root."""

    def make(name: str = "docs/a.md") -> Around:
        found = surroundings_of(Files(Fixed(root, builtin(), Options())), root / name)
        assert found is not None
        return found

    return make


def test_paths_from_the_root_and_beside_the_document(root: Path, around: Callable[..., Around]) -> None:
    put(root / "src" / "a.py")
    put(root / "docs" / "b.md")
    here = around()
    assert (here.exists("src/a.py"), here.exists_beside("src/a.py")) == (True, False)
    assert (here.exists("b.md"), here.exists_beside("b.md")) == (False, True)
    assert (here.exists("docs"), here.exists("docs/"), here.exists("./docs/../src")) == (True, True, True)
    assert here.exists_beside("../src/a.py") is True


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "~/x.md", "../x.md", "a/../../x.md", "\\\\host\\x", "C:/x.md", "", "a\0b", "x/" * 600]
)
def test_nobody_can_learn_what_is_not_in_the_root(root: Path, around: Callable[..., Around], path: str) -> None:
    put(root.parent / "x.md")
    assert around().exists(path) is None
    assert around("a.md").exists_beside(path) is None
    assert around("a.md").handoff(path, "agent-status") is None


def test_no_link_leads_out(root: Path, around: Callable[..., Around]) -> None:
    put(root.parent / "out" / "status.json", STATUS)
    put(root / "in" / "status.json", STATUS)
    (root / "docs").mkdir()
    (root / "docs" / "out").symlink_to(root.parent / "out")
    (root / "docs" / "in").symlink_to(root / "in")
    here = around()
    assert here.exists_beside("out/status.json") is None
    assert here.exists_beside("in/status.json") is True
    assert here.handoff("out/status.json", "agent-status") is None
    (root / ".claude" / "agents").mkdir(parents=True)
    put(root / ".claude" / "agents" / "a.md")
    assert here.defined([".claude/agents/*.md"]) == {"a"}
    (root / ".claude" / "agents" / "b.md").symlink_to(root.parent / "out" / "status.json")
    assert around().defined([".claude/agents/*.md"]) == frozenset()


def test_a_document_in_no_workspace_has_no_surroundings(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    put(root.parent / "elsewhere" / "a.md")
    files = Files(Resolver())
    assert surroundings_of(files, None) is None
    assert surroundings_of(files, root.parent / "elsewhere" / "a.md") is None
    assert surroundings_of(files, root / "a.md") is not None
    assert Resolver().root(root / "x" / "a.md") == root


def test_the_names_that_files_define(root: Path, around: Callable[..., Around]) -> None:
    for name in ("developer", "code-reviewer"):
        put(root / ".claude" / "agents" / f"{name}.md")
    put(root / ".claude" / "agents" / "notes.txt")
    put(root / ".claude" / "agents" / "deeper" / "x.md")
    here = around()
    assert here.defined([".claude/agents/*.md"]) == {"developer", "code-reviewer"}
    assert here.defined(["agents/*.md"]) == frozenset()
    assert here.defined(["../*", "/etc/*"]) == frozenset()
    assert here.limits() == []


def test_too_many_definitions_are_reported_and_define_nothing(root: Path, around: Callable[..., Around]) -> None:
    for number in range(known_files.MAX_FILES + 1):
        put(root / "agents" / f"{number}.md")
    here = around()
    assert here.defined(["agents/*.md"]) == frozenset()
    assert "agents/*.md" in here.limits()[0]


def turn(state: str, agent: str = "a0123456") -> str:
    """A turn's report."""
    handoff = '{"agent_status": {"plan_status": "%s", "agent_id": "%s", "pending_steps": [], "next_action": "x"}}'
    return f"# Turn\n\n```agent_contract_handoff\n{handoff % (state, agent)}\n```\n"


def test_the_files_before_a_document_in_the_order_of_their_names(root: Path, around: Callable[..., Around]) -> None:
    for number in (1, 2, 9, 10, 11):
        put(root / "turns" / f"turn-{number}.md", turn("COMPLETE"))
    put(root / "turns" / "turn-3.md", turn("COMPLETE", "another1"))
    put(root / "turns" / "turn-4.txt", turn("COMPLETE"))
    put(root / "turns" / "turn-5" / "x.md", turn("COMPLETE"))
    here = around("turns/turn-10.md")
    found = [here.name_of(handoff) for handoff in here.before("agent-contract", "a0123456")]
    assert found == ["turn-1.md", "turn-2.md", "turn-9.md"]
    assert list(around("turns/turn-1.md").before("agent-contract", "a0123456")) == []
    assert list(here.before("status-block", "a0123456")) == []


def test_of_too_many_files_the_nearest_are_looked_at_and_that_is_reported(
    root: Path, around: Callable[..., Around], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(surroundings, "MAX_SIBLINGS", 2)
    for number in range(1, 6):
        put(root / f"{number}.md", turn("COMPLETE"))
    here = around("5.md")
    assert [here.name_of(handoff) for handoff in here.before("agent-contract", "a0123456")] == ["3.md", "4.md"]
    assert here.limits() == []  # it is reported once in a folder, in the first file that it affects
    there = around("4.md")
    assert [there.name_of(handoff) for handoff in there.before("agent-contract", "a0123456")] == ["2.md", "3.md"]
    assert "3 files of its folder come before this one" in there.limits()[0]
    monkeypatch.setattr(surroundings, "MAX_SIBLING_CHARACTERS", 200)
    here = around("5.md")
    assert [here.name_of(handoff) for handoff in here.before("agent-contract", "a0123456")] == ["4.md"]


def test_a_companion_that_is_too_large_is_reported(root: Path, around: Callable[..., Around]) -> None:
    put(root / ".agent" / "status.json", " " * 5_000_001)
    here = around(".agent/activity.log")
    assert here.handoff("status.json", "agent-status") is None
    assert "status.json" in here.limits()[0]
    assert "too large" in here.limits()[0]


def test_what_is_not_looked_at_becomes_a_finding(root: Path) -> None:
    put(root / ".agent" / "activity.log", "x" * 5_000_001)
    workspace = opened(root)
    analysis = workspace.analysis("s")
    assert analysis is not None
    (finding,) = analysis.findings
    assert (finding.code, finding.severity) == ("too-large", "warning")
    assert finding.message.startswith("activity.log, which this is judged by, is too large (5,000,001 bytes")


@pytest.mark.parametrize("what", ["a folder", "binary", "not there", "another contract"])
def test_a_companion_that_is_none(root: Path, around: Callable[..., Around], what: str) -> None:
    path = root / ".agent" / "status.json"
    if what == "a folder":
        path.mkdir(parents=True)
    elif what == "binary":
        put(path).write_bytes(b"\0\1\2")
    elif what == "another contract":
        put(path, '{"status": "RUNNING"}')
    here = around(".agent/activity.log")
    assert here.handoff("status.json", "agent-status") is None
    assert here.limits() == []


def test_an_answer_is_true_until_the_file_changes(root: Path) -> None:
    clock = Clock()
    log = put(root / ".agent" / "activity.log", LOG % "running")
    files = Files(Fixed(root, builtin(), Options()), memo=Memo(clock))

    def ask() -> Around:
        around = surroundings_of(files, root / ".agent" / "status.json")
        assert around is not None
        around.handoff("activity.log", "activity-log")
        return around

    here = ask()
    assert here.reads.hold()
    log.write_text(LOG % "completed")
    assert here.reads.hold(), "trusted for a moment"
    clock.later()
    assert not here.reads.hold()
    here = ask()
    handoff = here.handoff("activity.log", "activity-log")
    assert handoff is not None
    assert handoff.data["status"] == "completed"
    log.unlink()
    files.memo.disk_changed()
    assert not here.reads.hold()
    here = ask()
    assert here.reads.hold()
    put(log, LOG % "failed")
    files.memo.disk_changed()
    assert not here.reads.hold()


def test_unchanged_files_are_read_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root / ".agent" / "activity.log", LOG % "running")
    reads: list[Path] = []
    read_text = known_files.read_text
    monkeypatch.setattr(known_files, "read_text", lambda path: reads.append(path) or read_text(path))
    files = Files(Fixed(root, builtin(), Options()))
    for _ in range(3):
        around = surroundings_of(files, root / ".agent" / "status.json")
        assert around is not None
        assert around.handoff("activity.log", "activity-log") is not None
    assert len(reads) == 1


def test_what_is_kept_is_bounded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_files, "MAX_KEPT_CHARACTERS", 1_000)
    for number in range(30):
        put(root / f"{number}.md", turn("COMPLETE"))
    files = Files(Fixed(root, builtin(), Options()))
    around = surroundings_of(files, root / "99.md")
    assert around is not None
    assert len(around.before("agent-contract", "a0123456")) == 30
    assert files._size <= 1_000
    kept = [known.value for known in files._texts._newest.values()]
    assert sum(len(read.source or "") for read in kept) == files._size > 0


def test_the_handoffs_that_are_kept_are_bounded(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_files, "MAX_BOUND", 10)
    paths = [root / f"{number}.md" for number in range(30)]
    for path in paths:
        put(path, turn("COMPLETE"))
    files = Files(Fixed(root, builtin(), Options()))
    bound = {path: files.read(str(path)).handoffs for path in paths}
    used = files.read(str(paths[20])).handoffs
    assert used is bound[paths[20]]
    assert files.read(str(paths[0])).handoffs is not bound[paths[0]]
    kept = [path for path in paths if files.read(str(path))._handoffs is not None]
    assert kept == [paths[0], paths[20], *paths[22:]]
    for _ in range(known_files.MAX_UNUSED + 1):
        files.memo.changed(str(root / "other.md"))
    assert files.read(str(paths[25])).handoffs
    assert [path for path in paths if files.read(str(path))._handoffs is not None] == [paths[25]]


# Open documents


def opened(root: Path) -> Workspace:
    """A workspace with an open status file."""
    workspace = Workspace(Resolver())
    workspace.open("s", root / ".agent" / "status.json", 1, STATUS)
    return workspace


def outdated(workspace: Workspace) -> list[str]:
    """The open documents whose newest analysis no longer holds."""
    found = []
    for uri in workspace.uris:
        document = workspace.get(uri)
        assert document is not None
        newest = document._results.newest("analysis")
        if newest is not None and not document.is_newest(newest.value):
            found.append(uri)
    return found


def codes(workspace: Workspace, uri: str = "s") -> list[str]:
    """The rules that an open document breaks."""
    analysis = workspace.analysis(uri)
    assert analysis is not None
    return [finding.code for finding in analysis.findings]


def test_an_open_buffer_counts_and_not_the_disk(root: Path) -> None:
    put(root / ".agent" / "activity.log", LOG % "completed")
    workspace = opened(root)
    assert codes(workspace) == ["file-disagreement"]
    log = workspace.open("l", root / ".agent" / "activity.log", 1, LOG % "running")
    assert outdated(workspace) == ["s"]
    assert codes(workspace) == []
    assert outdated(workspace) == []
    at = log.source.text.rindex("running")
    log.change(2, [TextChange(Span(at, at + 7), "blocked")])
    assert outdated(workspace) == ["s"]
    assert codes(workspace) == ["file-disagreement"]
    workspace.close("l")
    assert outdated(workspace) == ["s"]
    assert codes(workspace) == ["file-disagreement"]
    assert "completed" in workspace.analysis("s").findings[0].message  # type: ignore[union-attr]


def test_the_same_analysis_as_long_as_nothing_changes(root: Path) -> None:
    put(root / ".agent" / "activity.log", LOG % "completed")
    workspace = opened(root)
    first = workspace.analysis("s")
    assert workspace.analysis("s") is first
    workspace.open("m", root / "notes.md", 1, "# Notes\n")
    assert outdated(workspace) == []
    workspace.disk_changed()
    assert workspace.analysis("s") is first
    os.utime(root / ".agent" / "activity.log", ns=(1, 1))
    workspace.disk_changed()
    assert workspace.analysis("s") is not first


def test_two_companions_do_not_ask_one_another_for_ever(root: Path) -> None:
    workspace = opened(root)
    workspace.open("l", root / ".agent" / "activity.log", 1, LOG % "completed")
    assert codes(workspace) == ["file-disagreement"]
    assert codes(workspace, "l") == []
    assert outdated(workspace) == []


def test_a_file_that_only_an_editor_has(root: Path) -> None:
    workspace = Workspace(Resolver())
    for number in (1, 2):
        workspace.open(str(number), root / f"turn-{number}.md", 1, turn("COMPLETE"))
    around = surroundings_of(workspace.files, root / "turn-3.md")
    assert around is not None
    before = around.before("agent-contract", "a0123456")
    assert [around.name_of(handoff) for handoff in before] == ["turn-1.md", "turn-2.md"]
    assert around.exists("turn-1.md") is True
    workspace.open("d", root / ".claude" / "agents" / "zed.md", 1, "")
    assert around.defined([".claude/agents/*.md"]) == {"zed"}


def test_a_buffer_is_found_by_a_path_through_a_link(root: Path) -> None:
    put(root / ".agent" / "activity.log", LOG % "running")
    (root.parent / "link").symlink_to(root)
    workspace = opened(root)
    workspace.open("l", root.parent / "link" / ".agent" / "activity.log", 1, LOG % "completed")
    assert codes(workspace) == ["file-disagreement"]


def test_the_same_document_opened_twice_and_closed(root: Path) -> None:
    workspace = opened(root)
    workspace.open("s", root / ".agent" / "status.json", 2, STATUS)
    workspace.close("s")
    workspace.close("s")
    assert workspace.uris == []
    around = surroundings_of(workspace.files, root / ".agent" / "activity.log")
    assert around is not None
    assert around.handoff("status.json", "agent-status") is None
