"""``--changed`` and ``--staged``: only the files that git lists, in real repositories."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from cli.documents import BAD
from repositories import Repository

from handoff_lsp.cli.main import main

GOOD = BAD.replace("compleet", "complete")


@pytest.fixture
def repository(here: Path) -> Repository:
    """A repository with committed notes and an excluded folder; it is the working folder."""
    made = Repository.new(here)
    made.write(".handoff-lsp.toml", 'exclude = ["vendor"]\n')
    for name in ("one.md", "docs/two.md", "docs/three.md", "code.py"):
        made.write(name)
    made.commit("first", "one.md", "docs/two.md", "docs/three.md", "code.py", ".handoff-lsp.toml")
    return made


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    main(["check", "--output-format", "json", *arguments])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def files(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    return [each["path"] for each in checked(capsys, *arguments)["files"]]


def test_changed_files_are_those_that_a_walk_would_find(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert files(capsys, "--changed") == []
    repository.write("docs/two.md", "changed\n")
    repository.write("code.py", "changed\n")
    repository.write("new-handoff.md", BAD)
    repository.write("vendor/x.md", "new\n")
    repository.write("node_modules/x.md", "new\n")
    repository.git("rm", "-q", "one.md")
    (repository.path / "link.md").symlink_to("docs/two.md")
    assert files(capsys, "--changed") == ["docs/two.md", "new-handoff.md"]
    assert files(capsys, "docs", "--changed") == ["docs/two.md"]
    assert files(capsys, "docs/two.md", "docs/three.md", "--changed") == ["docs/two.md"]


def test_changed_since_a_branch(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("docs/two.md", "changed\n")
    repository.commit("second", "docs/two.md")
    repository.git("checkout", "-q", "--detach")
    assert files(capsys, "--changed") == []
    assert files(capsys, "--changed", "main") == files(capsys, "--changed=main") == ["docs/two.md"]


def test_before_the_first_commit_every_file_is_new(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Repository.new(here).write("one.md")
    assert files(capsys, "--changed") == ["one.md"]
    assert files(capsys, "--staged") == []


def test_of_a_staged_file_the_staged_content_is_checked(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("a-handoff.md", BAD)
    repository.write("b-handoff.md", GOOD)
    repository.git("add", "a-handoff.md")
    repository.write("a-handoff.md", GOOD)
    found = checked(capsys, "--staged")
    assert [(each["path"], each["verdict"]["state"]) for each in found["files"]] == [("a-handoff.md", "findings")]
    (repository.path / "a-handoff.md").unlink()
    assert files(capsys, "--staged") == ["a-handoff.md"]  # as it will be committed
    assert files(capsys, "a-handoff.md", "--staged") == ["a-handoff.md"]


def test_a_renamed_and_a_deleted_file(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.git("mv", "docs/two.md", "docs/2.md")
    repository.git("rm", "-q", "docs/three.md")
    assert files(capsys, "--staged") == files(capsys, "--changed") == ["docs/2.md"]


def test_a_file_with_a_conflict_has_nothing_staged(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.git("checkout", "-q", "-b", "topic")
    repository.write("one.md", "theirs\n")
    repository.commit("theirs", "one.md")
    repository.git("checkout", "-q", "main")
    repository.write("one.md", "ours\n")
    repository.commit("ours", "one.md")
    with pytest.raises(Exception, match="merge"):
        repository.git("merge", "topic")
    assert main(["check", "--staged"]) == 0
    told = capsys.readouterr()
    assert told.err == "handoff-lsp: warning: one.md: a merge conflict, so its content is not staged\n"
    assert told.out == "Nothing to check; 1 file skipped: one.md (a merge conflict).\n"


def test_a_submodule_is_asked_from_its_own_folder(
    repository: Repository, tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]
) -> None:
    other = Repository.new(tmp_path_factory.mktemp("other"))
    other.write("inner.md")
    other.commit("first", "inner.md")
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")
    repository.git(*add, str(other.path), "inner")
    repository.commit("submodule", ".gitmodules", "inner")
    repository.write("inner/inner.md", "changed\n")
    assert files(capsys, "--changed") == []
    assert files(capsys, "inner", "--changed") == ["inner/inner.md"]


def test_by_a_link_the_files_keep_the_spelling_of_the_path(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("docs/two.md", "changed\n")
    (repository.path / "linked").symlink_to("docs", target_is_directory=True)
    assert files(capsys, "linked", "--changed") == ["linked/two.md"]


def test_nothing_changed_is_said(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--changed"]) == 0
    assert capsys.readouterr().out == "No changed files to check.\n"


@pytest.mark.parametrize("option", ["--changed", "--staged"])
def test_without_a_work_tree_the_run_fails(here: Path, capsys: pytest.CaptureFixture[str], option: str) -> None:
    (here / "a.md").write_text("x\n")
    assert main(["check", "a.md", option]) == 2
    assert capsys.readouterr().err == f"handoff-lsp: error: no git repository: {here}\n"
    Repository.new(here / "bare", "--bare")
    assert main(["check", "bare", option]) == 2
    assert capsys.readouterr().err == f"handoff-lsp: error: no work tree of git: {here / 'bare'}\n"


def test_a_clean_answer_is_never_given_for_a_missing_file(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--changed=HEAD", "--staged"):
        for name in ("nope.md", "no/folder/nope.md"):
            assert main(["check", option, name]) == 2
            assert f"{name}: no such file or folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--changed="], "`--changed` has an empty BASE; leave it out for the last commit"),
        (["--changed", "nope"], "git knows no commit `nope`"),
        (
            ["--changed", "docs"],
            "`--changed docs` names a path, not a commit: for changed files in it, write `docs --changed`; "
            "if it is a branch, too, name it `refs/heads/docs`",
        ),
        (["--changed", "main", "--staged"], "`--changed` includes staged files: use it, or `--staged`, but not both"),
        (["-", "--staged"], "`--staged` is about files, so it cannot be used with `-`"),
    ],
)
def test_wrong_arguments(
    repository: Repository, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["check", *arguments]) == 2
    assert capsys.readouterr().err.splitlines()[0] == f"handoff-lsp: error: {message}"


def test_a_staged_link_is_no_document(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    (repository.path / "link.md").symlink_to("one.md")
    repository.write("one.md", "changed\n")
    repository.git("add", "link.md", "one.md")
    told = checked(capsys, "--staged", "link.md", "one.md")
    assert ([each["path"] for each in told["files"]], told["failed"]) == (["one.md"], [])


def test_a_fix_of_staged_text_spares_a_file_with_other_changes(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("a-handoff.md", BAD)
    repository.git("add", "a-handoff.md")
    repository.write("a-handoff.md", f"{BAD}more\n")
    assert main(["check", "--staged", "--fix", "--unsafe-fixes"]) == 2
    assert "a-handoff.md: not fixed: it has changes that are not staged" in capsys.readouterr().err
    assert (repository.path / "a-handoff.md").read_text(encoding="utf-8") == f"{BAD}more\n"
