"""Questions to git are asked of real repositories. Nothing is written, and no program of a repository's config runs."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from subprocess import CalledProcessError

import pytest
from repositories import Repository

from handoff_lsp.workspace.disk import git, git_program
from handoff_lsp.workspace.disk.git import changed_files, staged_files, worktrees
from handoff_lsp.workspace.disk.git_program import GitError


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """A repository with the committed files ``one.md`` and ``folder/two.md``."""
    made = Repository.new(tmp_path / "repository")
    made.write("one.md")
    made.write("folder/two.md")
    made.commit("first", "one.md", "folder/two.md")
    return made


# Changed and staged files


def test_changed_files_are_edited_staged_and_new_ones(repository: Repository) -> None:
    repository.write(".gitignore", "ignored.md\n")
    repository.commit("ignore", ".gitignore")
    repository.write("folder/two.md", "edited\n")
    staged, new, _ = (repository.write(name) for name in ("staged.md", "new\nline ü.md", "ignored.md"))
    repository.git("add", "staged.md")
    assert changed_files(repository.path) == sorted([repository.path / "folder/two.md", new, staged])
    assert changed_files(repository.path / "folder") == changed_files(repository.path), "always of the whole work tree"


def test_a_clean_work_tree_has_no_changed_files(repository: Repository) -> None:
    os.utime(repository.path / "one.md", (1, 1))  # git must compare the content
    assert changed_files(repository.path) == staged_files(repository.path) == []


def test_a_removed_file_and_a_submodule_are_not_listed(repository: Repository, tmp_path: Path) -> None:
    inner = Repository.new(tmp_path / "inner")
    inner.commit("inner")
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.path), "inner")
    repository.git("rm", "-q", "one.md")
    (repository.path / "folder/two.md").unlink()
    assert changed_files(repository.path) == staged_files(repository.path) == [repository.path / ".gitmodules"]


def test_changes_since_a_branch_leave_out_what_happened_there_later(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    mine = repository.write("mine.md")
    repository.commit("mine", "mine.md")
    repository.git("checkout", "-q", "main")
    repository.write("theirs.md")
    repository.commit("theirs", "theirs.md")
    repository.git("checkout", "-q", "topic")
    assert changed_files(repository.path, "main") == [mine]
    assert changed_files(repository.path) == []


def test_before_the_first_commit_all_files_are_changed(tmp_path: Path) -> None:
    repository = Repository.new(tmp_path)
    staged, new = repository.write("a.md"), repository.write("b.md")
    repository.git("add", "a.md")
    assert changed_files(tmp_path) == [staged, new]
    assert staged_files(tmp_path) == [staged]


def test_a_hook_of_git_commit_sees_the_files_of_that_commit(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = repository.write("one.md", "edited\n"), repository.write("folder/two.md", "edited\n")
    monkeypatch.chdir(repository.path)
    # `git commit one.md` makes an index of its own, and names it and the repository to its hook.
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index")
    repository.git("read-tree", "HEAD")
    repository.git("add", "one.md")
    monkeypatch.setenv("GIT_DIR", str(repository.path / "nowhere"))
    assert staged_files(repository.path) == [one]


@pytest.mark.parametrize("base", ["no-such-branch", "--output=stolen", ""])
def test_an_unknown_base_is_an_error(repository: Repository, base: str) -> None:
    with pytest.raises(GitError, match=f"git knows no commit `{base}`"):
        changed_files(repository.path, base)
    assert not (repository.path / "stolen").exists()


def test_a_shallow_clone_says_so(repository: Repository, tmp_path: Path) -> None:
    repository.commit("second")
    clone = Repository(repository.path)
    clone.git("clone", "-q", "--depth=1", f"file://{repository.path}", str(tmp_path / "clone"))
    with pytest.raises(GitError, match="this clone is shallow, fetch its history first"):
        changed_files(tmp_path / "clone", "HEAD~1")


# Work trees


def test_work_trees(repository: Repository, tmp_path: Path) -> None:
    repository.worktree(tmp_path / "topic", "-b", "agent/topic")
    repository.worktree(tmp_path / "detached", "--detach")
    repository.worktree(tmp_path / "locked", "-b", "locked")
    repository.git("worktree", "lock", "--reason", "on a\nstick", str(tmp_path / "locked"))
    gone = repository.worktree(tmp_path / "gone", "-b", "gone")
    gone.git("checkout", "-q", "--orphan", "empty")
    (gone.path / ".git").unlink()
    found = {each.path.name: each for each in worktrees(tmp_path / "topic")}
    assert [each.path.name for each in found.values() if each.is_main] == ["repository"]
    assert found["topic"].branch == "agent/topic" and found["topic"].head == found["repository"].head
    assert found["detached"].branch is None and found["detached"].head
    assert found["locked"].locked == "on a\nstick" and found["topic"].locked is None
    assert found["gone"].prunable and found["gone"].head is None and found["gone"].branch == "empty"


def test_the_main_work_tree_of_a_submodule_is_the_folder_of_its_files(repository: Repository, tmp_path: Path) -> None:
    inner = Repository.new(tmp_path / "inner")
    inner.commit("inner")
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.path), "inner")
    submodule = Repository(repository.path / "inner")
    submodule.worktree(tmp_path / "linked", "-b", "topic")
    for folder in (submodule.path, tmp_path / "linked"):
        assert [each.path for each in worktrees(folder)] == [submodule.path, tmp_path / "linked"]


def test_a_bare_repository(repository: Repository, tmp_path: Path) -> None:
    bare = Repository.new(tmp_path / "bare.git", "--bare")
    assert [each.bare for each in worktrees(bare.path)] == [True]
    with pytest.raises(GitError, match="no work tree of git"):
        changed_files(bare.path)


# Bad input


def test_no_git_on_the_path(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    program = repository.write("git", "#!/bin/sh\ntouch ran\n")
    program.chmod(0o755)
    monkeypatch.chdir(repository.path)
    monkeypatch.setenv("PATH", f".{os.pathsep}")  # the working folder is no place for a program
    with pytest.raises(GitError, match="git is not installed, or not on the PATH"):
        worktrees(repository.path)


@pytest.mark.parametrize("ask", [worktrees, changed_files, staged_files])
def test_no_repository(tmp_path: Path, ask: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert callable(ask)
    with pytest.raises(GitError, match="no git repository: "):
        ask(tmp_path)
    with pytest.raises(GitError, match=r"git cannot be run in .*No such file or directory"):
        ask(tmp_path / "gone")


def test_a_git_that_never_answers_is_given_up(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "git"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(git_program, "TIMEOUT", 0.1)
    with pytest.raises(GitError, match=r"git took longer than 0\.1 s"):
        worktrees(repository.path)


# Trust


def test_no_program_of_the_config_runs_and_nothing_is_written(repository: Repository, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\necho \"$0 $*\" >> '{ran}'\ncat\n")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    repository.write(".gitattributes", "*.md filter=evil diff=evil\n*.txt filter=slow\n")
    repository.commit("attributes", ".gitattributes")
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("topic")
    for key in (
        *("core.fsmonitor", "core.pager", "pager.log", "pager.diff", "diff.external", "diff.evil.command"),
        *("diff.evil.textconv", "filter.evil.clean", "filter.evil.smudge", "filter.slow.process", "gpg.program"),
    ):
        repository.git("config", key, str(program))
    repository.git("config", "filter.evil.required", "true")
    repository.git("config", "log.showSignature", "true")
    inner = Repository.new(tmp_path / "inner")
    inner.write(".gitattributes", "* filter=evil\n")
    first, _ = inner.commit("one", ".gitattributes"), inner.commit("two")
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.path), "inner")
    moved = Repository(repository.path / "inner")
    moved.git("checkout", "-q", first)
    os.utime(moved.path / ".gitattributes", (1, 1))
    for key in ("core.fsmonitor", "filter.evil.clean", "filter.evil.smudge"):
        moved.git("config", key, str(program))
    ran.unlink(missing_ok=True)
    for name in ("post-index-change", "reference-transaction"):
        hook = repository.path / ".git/hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(program.read_text())
        hook.chmod(0o755)
    os.utime(repository.path / "one.md", (1, 1))  # git must compare the content
    repository.write("new.txt")
    before = _state(repository.path)
    changed_files(repository.path, "main")
    staged_files(repository.path)
    assert "inner" in git.uncommitted(repository.path)
    for tree in worktrees(repository.path):
        assert tree.head
        assert git.commits(repository.path, tree.head)
        assert git.contains(repository.path, tree.head, tree.head)
    assert not ran.exists(), ran.read_text()
    assert _state(repository.path) == before
    repository.git("status")
    assert ran.exists(), "git itself runs these programs"


def test_missing_objects_are_not_fetched(repository: Repository, tmp_path: Path) -> None:
    ran, program = tmp_path / "ran", tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch '{ran}'\n")
    program.chmod(0o755)
    head, tree = repository.git("rev-parse", "HEAD"), repository.git("rev-parse", "HEAD^{tree}")
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::{program}",
        "remote.origin.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():
        repository.git("config", key, value)
    (repository.path / ".git/objects" / tree[:2] / tree[2:]).unlink()
    with pytest.raises(GitError):
        git.files_of(repository.path, head)
    assert not ran.exists()
    with pytest.raises(CalledProcessError):
        repository.git("log", "--name-only")
    assert ran.exists(), "git itself runs the program of the remote"


def _state(folder: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.stat().st_mtime_ns, path.stat().st_size) for path in folder.rglob("*")}


# Merged


def test_merged_by_commits_by_content_or_not(repository: Repository) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("new.md")
    repository.commit("new", "new.md")
    head, base = repository.git("rev-parse", "HEAD"), repository.git("rev-parse", "main")
    assert not git.is_merged(repository.path, head, base)
    assert git.is_merged(repository.path, base, head), "all of it is behind"
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--squash", "topic")
    repository.commit("squashed")
    repository.write("other.md")
    repository.commit("later", "other.md")
    assert git.is_merged(repository.path, head, repository.git("rev-parse", "main"))
    repository.write("new.md", "changed since\n")
    repository.commit("changed", "new.md")
    assert not git.is_merged(repository.path, head, repository.git("rev-parse", "main")), "that may be of another one"


def test_a_new_commit_of_a_submodule_is_work_to_merge(repository: Repository, tmp_path: Path) -> None:
    inner = Repository.new(tmp_path / "inner")
    inner.commit("inner")
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.path), "inner")
    repository.commit("submodule")
    base = repository.git("rev-parse", "HEAD")
    Repository(repository.path / "inner").commit("more")
    repository.commit("bump", "inner")
    assert not git.is_merged(repository.path, repository.git("rev-parse", "HEAD"), base)


def test_staged_content_is_that_of_the_index(repository: Repository) -> None:
    repository.write("one.md", "staged\n")
    repository.write("new.md", "new\r\n")
    (repository.path / "link.md").symlink_to("one.md")
    repository.git("add", "one.md", "new.md", "link.md")
    repository.git("rm", "-q", "folder/two.md")
    repository.write("one.md", "edited since\n")
    objects = git.staged_objects(repository.path)
    assert list(objects) == [repository.path / "new.md", repository.path / "one.md"]
    assert git.contents(repository.path, list(objects.values())) == [b"new\r\n", b"staged\n"]
    assert git.contents(repository.path, []) == []


def test_content_of_an_unknown_object_is_an_error(repository: Repository) -> None:
    with pytest.raises(GitError, match="git has no content for the object"):
        git.contents(repository.path, ["0" * 40])
