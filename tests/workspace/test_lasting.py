"""What a check asked about the files around a document, kept for the next run: each change of an answer is noticed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from workspace.test_surroundings import put, turn

from handoff_lsp.workspace import lasting
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.lasting import Asked, Lasting
from handoff_lsp.workspace.memo import Reads
from handoff_lsp.workspace.surroundings import Around, surroundings_of

Ask = Callable[[Around], object]
Change = Callable[[Path], object]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """The root of a workspace with some files."""
    folder = tmp_path / "root"
    (folder / ".git").mkdir(parents=True)
    put(folder / "docs" / "b.md", "one")
    for number in (1, 2, 3):
        put(folder / "turns" / f"turn-{number}.md", turn("IN_PROGRESS"))
    put(folder / "plans" / "plan.md", "# Plan\n")
    return folder


def asked(root: Path, ask: Ask, name: str = "docs/a.md") -> list[Asked]:
    """What one run asks and writes."""
    files, reads = Files(Resolver()), Reads()
    around = surroundings_of(files, root / name, reads)
    assert around is not None
    ask(around)
    found = Lasting(files).written(reads)
    assert found is not None
    return found


def holds(found: list[Asked]) -> bool:
    """Whether it holds in the next run."""
    return Lasting(Files(Resolver())).hold(found)


def same_time_and_size(path: Path, text: str) -> None:
    """Write another text of the same size, with the same time."""
    about = path.stat()
    assert len(text.encode()) == about.st_size
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))


def linked_away(root: Path) -> None:
    """Put a link that leads out of the root in the place of a folder."""
    shutil.move(root / "docs", root.parent / "outside")
    (root / "docs").symlink_to(root.parent / "outside")


def exists(around: Around) -> object:
    return around.exists("docs/b.md")


def absent(around: Around) -> object:
    return around.exists("docs/c.md")


def companion_below(around: Around) -> object:
    return around.handoff("docs/b.md", "status-block")


def companion(around: Around) -> object:
    return around.handoff("b.md", "status-block")


def no_companion(around: Around) -> object:
    return around.handoff("c.md", "status-block")


def defined(around: Around) -> object:
    return around.defined(["docs/*.md"])


def counted(around: Around) -> object:
    return around.count(["b.md"], "one")


def before(around: Around) -> object:
    return around.before("agent-contract", "a0123456")


def introduced(around: Around) -> object:
    return around.introduced("task", ["plans/*.md"]).names()


def prompts(around: Around) -> object:
    return around.pack()


def agents(around: Around) -> object:
    return around.agents()


CHANGES: list[tuple[str, Ask, str, Change]] = [
    ("root", exists, "a.md", lambda root: shutil.rmtree(root / ".git")),
    ("root", exists, "docs/a.md", lambda root: (root / "docs" / ".git").mkdir()),
    ("inside", companion_below, "a.md", linked_away),
    ("exists", exists, "a.md", linked_away),
    ("exists", exists, "a.md", lambda root: (root / "docs" / "b.md").unlink()),
    ("exists", absent, "a.md", lambda root: put(root / "docs" / "c.md")),
    ("state", companion, "docs/a.md", lambda root: same_time_and_size(root / "docs" / "b.md", "two")),
    ("state", companion, "docs/a.md", lambda root: (root / "docs" / "b.md").rename(root / "docs" / "d.md")),
    ("state", companion, "docs/a.md", lambda root: put(root / "docs" / ".handoff-lsp.toml", "examples = true\n")),
    ("state", companion, "docs/a.md", lambda root: (root / "docs" / "b.md").write_bytes(b"\xff\xfe")),
    ("state", no_companion, "docs/a.md", lambda root: put(root / "docs" / "c.md")),
    ("state", counted, "docs/a.md", lambda root: same_time_and_size(root / "docs" / "b.md", "two")),
    ("prompts", prompts, "a.md", lambda root: put(root / "agents" / "new-agent.md")),
    ("prompts", prompts, "a.md", lambda root: same_time_and_size(root / "docs" / "b.md", "two")),
    ("prompts", agents, "a.md", lambda root: (root / "docs" / "b.md").rename(root / "docs" / "e.md")),
    ("matching", defined, "a.md", lambda root: put(root / "docs" / "c.md")),
    ("matching", defined, "a.md", lambda root: (root / "docs" / "b.md").rename(root / "docs" / "d.md")),
    ("matching", counted, "docs/a.md", lambda root: (root / "docs" / "b.md").unlink()),
    (
        "before",
        before,
        "turns/turn-3.md",
        lambda root: same_time_and_size(root / "turns" / "turn-1.md", turn("IN-PROGRESS")),
    ),
    ("before", before, "turns/turn-3.md", lambda root: put(root / "turns" / "turn-0.md", turn("BLOCKED"))),
    ("before", before, "turns/turn-3.md", lambda root: (root / "turns" / "turn-2.md").unlink()),
    ("documents", introduced, "plans/b.md", lambda root: put(root / "plans" / "other.md")),
    ("documents", introduced, "plans/b.md", lambda root: same_time_and_size(root / "plans" / "plan.md", "# Plot\n")),
]


@pytest.mark.parametrize(("question", "ask", "name", "change"), CHANGES)
def test_a_change_of_an_answer_is_noticed(root: Path, question: str, ask: Ask, name: str, change: Change) -> None:
    found = asked(root, ask, name)
    assert question in {each for each, _, _ in found}
    assert holds(found)
    change(root)
    assert not holds(found)
    assert not holds([each for each in found if each[0] == question])


def test_each_question_has_a_change() -> None:
    assert {question for question, *_ in CHANGES} | {"excess"} == set(lasting._QUESTIONS)


def test_one_file_too_many_in_the_folder(root: Path) -> None:
    for number in range(4, 202):
        put(root / "turns" / f"turn-{number}.md", "nothing")
    found = asked(root, before, "turns/turn-202.md")
    assert holds(found)
    put(root / "turns" / "a-turn.md", "nothing")  # the first in the folder: one file more than counts
    assert not holds([each for each in found if each[0] == "excess"])


@pytest.mark.parametrize(
    ("ask", "name", "change"),
    [
        (exists, "a.md", lambda root: put(root / "docs" / "b.md", "another text")),
        (companion, "docs/a.md", lambda root: os.utime(root / "docs" / "b.md")),
        (before, "turns/turn-2.md", lambda root: put(root / "turns" / "turn-3.md", turn("BLOCKED"))),
        (before, "turns/turn-3.md", lambda root: put(root / "turns" / "turn-0.md", turn("BLOCKED", "b7654321"))),
        (defined, "a.md", lambda root: put(root / "docs" / "b.md", "another text")),
    ],
)
def test_what_was_not_asked_changes_nothing(root: Path, ask: Ask, name: str, change: Change) -> None:
    found = asked(root, ask, name)
    change(root)
    assert holds(found)


def test_a_file_that_had_two_texts_in_one_state_is_never_written(root: Path) -> None:
    files, reads = Files(Resolver()), Reads()
    around = surroundings_of(files, root / "docs" / "a.md", reads)
    assert around is not None
    companion(around)
    files.read(str(root / "docs" / "b.md"))
    same_time_and_size(root / "docs" / "b.md", "two")
    files._texts._newest.clear()  # as happens where many files are read
    companion(around)
    assert Lasting(files).written(reads) is None


def test_unknown_data_is_no_answer(root: Path) -> None:
    with pytest.raises(KeyError):
        holds([("unknown", [], "")])


def test_two_answers_to_one_question_are_never_kept() -> None:
    answers = iter([1, 2, 2])
    reads = Reads()

    def question() -> int:
        return next(answers)

    assert (reads.ask(question), reads.ask(question)) == (1, 2)
    assert not reads.hold()
    assert Lasting(Files(Resolver())).written(reads) is None
