"""The files that git ignores and tracks, compared with git itself where that matters."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from handoff_lsp.cli.main import main
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.git_index import git_folder, index_names, tracked
from handoff_lsp.workspace.disk.walking import walk, why_passed_over
from handoff_lsp.workspace.store import Workspace

Git = Callable[..., str]


def make(folder: Path, *names: str, text: str = "x") -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def ignore(folder: Path, *lines: str, name: str = ".gitignore") -> None:
    make(folder, name, text="\n".join(lines) + "\n")


def found(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in walk(folder))


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """Run git in a folder, without the user's settings."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")

    def run(*arguments: str, folder: Path = tmp_path) -> str:
        settings = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        command = ["git", "-c", "user.name=a", "-c", "user.email=a@b.invalid", *arguments]
        done = subprocess.run(command, cwd=folder, env={**os.environ, **settings}, capture_output=True, check=True)
        return done.stdout.decode()

    return run


NAMES = [
    "a.md",
    "b.md",
    "vendor/c.md",
    "docs/vendor/d.md",
    "docs/draft-1.md",
    "docs/keep/draft-2.md",
    "out/deep/e.md",
    "out/keep.md",
    "logs/x/f.md",
    "logs/g.md",
    "sub/only here.md",
    "sub/inner/h.md",
    "sub/inner/i.md",
    "space /j.md",
    "#hash/k.md",
    "café/l.md",
    "star/m.md",
    "star/deep/n.md",
]
PATTERNS = [
    ["vendor"],
    ["/vendor"],
    ["vendor/"],
    ["docs/vendor"],
    ["**/vendor/"],
    ["draft-*"],
    ["draft-*", "!draft-2.md"],
    ["out/*", "!out/keep.md"],
    ["out/", "!out/keep.md"],
    ["*", "!*/", "!a.md"],
    ["logs/**"],
    ["logs/**/f.md"],
    ["sub/**/h.md"],
    ["?.md"],
    ["[ab].md"],
    ["[!a].md"],
    ["\\#hash"],
    ["#hash"],
    ["space\\ /"],
    ["café"],
    ["star/*/"],
    ["a.md   "],
    ["", "  ", "!", "/", "\\"],
    ["\ufeffa.md"],
    ["a.md\r"],
    ["sub/inner", "!sub/inner/h.md"],
    ["**"],
    ["*.MD"],
]


@pytest.mark.parametrize("patterns", PATTERNS, ids=" ".join)
def test_the_same_is_ignored_as_by_git(tmp_path: Path, git: Git, patterns: list[str]) -> None:
    make(tmp_path, *NAMES)
    ignore(tmp_path, *patterns)
    git("init")
    listed = git("ls-files", "-z", "--others", "--exclude-standard").split("\0")
    assert found(tmp_path) == sorted(name for name in listed if name.endswith(".md"))


def test_files_of_patterns_in_folders_and_in_info(tmp_path: Path, git: Git) -> None:
    make(tmp_path, *NAMES, "docs/keep/o.md", "sub/p.md")
    git("init")
    ignore(tmp_path, "*.md", "!/sub/", "star")
    ignore(tmp_path / "sub", "!*.md", "/inner/")
    ignore(tmp_path / "docs", "!d*.md", "vendor/")
    ignore(tmp_path / "docs" / "keep", "*", "!o.md")
    ignore(tmp_path, "café/", "space */", name=".git/info/exclude")
    listed = git("ls-files", "-z", "--others", "--exclude-standard").split("\0")
    expected = sorted(name for name in listed if name.endswith(".md"))
    assert found(tmp_path) == expected
    assert {"docs/keep/o.md", "sub/p.md", "docs/draft-1.md"} <= set(expected)


def test_without_git_nothing_is_ignored(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "vendor/b.md")
    ignore(tmp_path, "vendor/", "a.md")
    assert found(tmp_path) == ["a.md", "vendor/b.md"]


def test_what_git_tracks_is_found(tmp_path: Path, git: Git) -> None:
    kept = ["a.md", "vendor/deep/b.md", "dist/c.md", "build/deep/d.md", ".next/e.md", ".toolcache/f.md", "x/dist/g.md"]
    make(tmp_path, *kept, "vendor/h.md", "dist/i.md", "build/j.md", ".next/k.md", "node_modules/l.md", "venv/m.md")
    git("init")
    git("add", "--force", *kept, "node_modules/l.md", "venv/m.md")
    ignore(tmp_path, "vendor/", "a.md", "x/**")
    assert found(tmp_path) == sorted(kept)
    git("rm", "--cached", "a.md", "dist/c.md")  # the index changes at once
    assert found(tmp_path) == sorted({*kept} - {"a.md", "dist/c.md"})


def test_a_folder_that_someone_names_is_looked_into(tmp_path: Path, git: Git) -> None:
    make(tmp_path, "vendor/a.md", "vendor/deep/b.md", "vendor/c.md", "other/d.md", "star/e.md")
    git("init")
    ignore(tmp_path, "vendor", "d.md", "star/*")
    ignore(tmp_path / "vendor", "c.md")
    assert found(tmp_path / "vendor") == ["a.md", "deep/b.md"]
    assert found(tmp_path / "other") == found(tmp_path / "star") == []


def test_a_repository_in_another_begins_anew(tmp_path: Path, git: Git) -> None:
    make(tmp_path, "inner/a.md", "inner/vendor/b.md", "vendor/c.md")
    git("init")
    ignore(tmp_path, "vendor/", "a.md")
    (tmp_path / "inner").mkdir(exist_ok=True)
    git("init", folder=tmp_path / "inner")
    assert found(tmp_path) == ["inner/a.md", "inner/vendor/b.md"]


@pytest.mark.parametrize("version", [2, 3, 4])
@pytest.mark.parametrize("form", ["sha1", "sha256"])
def test_the_index_is_read(tmp_path: Path, git: Git, version: int, form: str) -> None:
    names = [*NAMES, "deep/" * 30 + "long.md", "n" * 200 + ".md"]
    make(tmp_path, *names)
    git("init", f"--object-format={form}")
    git("add", "--all")
    if version == 3:
        make(tmp_path, "later.md")
        git("add", "--intent-to-add", "later.md")
        names.append("later.md")
    git("update-index", f"--index-version={version}")
    data = (tmp_path / ".git" / "index").read_bytes()
    assert data[7] == version
    size = 20 if form == "sha1" else 32
    assert index_names(data, size) == sorted(name.encode() for name in names)
    known = tracked(str(tmp_path / ".git"))
    assert all(known.file(name) for name in names) and not known.file("a") and not known.file("deep/")
    assert known.below("out") and known.below("out/deep") and not known.below("ou") and not known.below("a.md")
    # However it is truncated or changed: it is read or not, and nothing is raised.
    for end in range(0, len(data), 7):
        index_names(data[:end], size)
    for at in range(0, min(len(data), 3_000), 3):
        index_names(data[:at] + bytes([data[at] ^ 0xFF]) + data[at + 1 :], size)


def test_what_is_no_index(tmp_path: Path) -> None:
    assert index_names(b"", 20) is index_names(b"DIRC\0\0\0\7\0\0\0\1", 20) is None
    assert index_names(b"DIRC\0\0\0\2\xff\xff\xff\xff" + b"x" * 1_000, 20) is None
    (tmp_path / "index").mkdir()
    assert not tracked(str(tmp_path)).below("a")
    assert not tracked(str(tmp_path / "nowhere\0")).file("a")


def test_a_linked_work_tree(tmp_path: Path, git: Git) -> None:
    main, other = tmp_path / "main", tmp_path / "other"
    make(main, "a.md", "dist/b.md")
    git("init", folder=main)
    git("add", "--force", "--all", folder=main)
    git("commit", "-m", "x", folder=main)
    ignore(main, "secret/", name=".git/info/exclude")
    git("worktree", "add", str(other), folder=main)
    make(other, "dist/c.md", "secret/d.md")
    assert found(other) == ["a.md", "dist/b.md"]


@pytest.mark.parametrize("text", ["", "gitdir:", "gitdir: nowhere", "\0", "x" * 10_000, "gitdir: ."])
def test_a_file_in_the_place_of_the_git_folder(tmp_path: Path, text: str) -> None:
    make(tmp_path, "a.md", "vendor/b.md", "dist/c.md")
    make(tmp_path, ".git", text=text)
    ignore(tmp_path, "vendor")
    assert found(tmp_path) == ["a.md"]
    assert git_folder(str(tmp_path)) is None or text.startswith("gitdir: ")


def test_patterns_that_nobody_can_follow(tmp_path: Path) -> None:
    make(tmp_path, "a.md", "vendor/b.md", ".git/HEAD", "rules")
    for patterns in (b"\xff\xfe\nvendor\n", b"vendor\n" + b"#" * 600_000, b"vendor\0\n"):
        (tmp_path / ".gitignore").write_bytes(patterns)
        assert found(tmp_path) == ["a.md", "vendor/b.md"]
    (tmp_path / ".gitignore").unlink()
    ignore(tmp_path, "vendor", name="rules")
    (tmp_path / ".gitignore").symlink_to(tmp_path / "rules")  # git does not follow it, either
    assert found(tmp_path) == ["a.md", "vendor/b.md"]


def test_a_pattern_that_would_take_for_ever(tmp_path: Path) -> None:
    """In Python's own `re` this pattern would practically run for ever."""
    make(tmp_path, ".git/HEAD", "a" * 200 + ".md")
    ignore(tmp_path, "*a" * 40 + "b")
    assert len(found(tmp_path)) == 1


def test_a_name_that_is_not_utf_8(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD")
    ignore(tmp_path, "vendor", "*.log")
    try:
        (tmp_path / os.fsdecode(b"caf\xe9.md")).write_text("x")
    except OSError:
        pytest.skip("this file system takes names in UTF-8 only")
    assert len(list(walk(tmp_path))) == 1


def test_the_summary_counts_what_git_ignores_where_no_handoff_was_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make(tmp_path, ".git/HEAD", "a.md", "handoffs/b.md", "c.md", "node_modules/d.md", "notes.txt")
    ignore(tmp_path, "/handoffs/", "c.md", "node_modules", "notes.txt")
    monkeypatch.chdir(tmp_path)
    assert main(["check"]) == 0
    assert capsys.readouterr().out == (
        "No findings in 1 file (0 handoffs).\n2 paths ignored by git; name one to check it.\n"
    )
    assert main(["check", "handoffs", "c.md"]) == 0
    assert "No findings in 2 files" in capsys.readouterr().out


def test_the_project_lists_no_ignored_file(tmp_path: Path) -> None:
    make(tmp_path, ".git/HEAD", "a.md", "vendor/b.md")
    ignore(tmp_path, "vendor/")
    workspace = Workspace(Resolver())
    workspace.set_folders([tmp_path])
    assert [Path(path).name for path in workspace.project.paths()] == ["a.md"]


def test_why_a_file_is_passed_over(tmp_path: Path, git: Git) -> None:
    make(tmp_path, "a.md", "vendor/deep/b.md", "dist/c.md", "dist/d.md", "docs/e.md", "node_modules/f.md")
    git("init")
    git("add", "--force", "dist/c.md")
    ignore(tmp_path, "# others'", "vendor/")
    ignore(tmp_path / "docs", "e.md")
    why = {path.relative_to(tmp_path).as_posix(): why_passed_over(tmp_path, path) for path in tmp_path.rglob("?.md")}
    assert why == {
        "a.md": "",
        "vendor/deep/b.md": "git ignores the folder `vendor`: `vendor/` in line 2 of `.gitignore`",
        "dist/c.md": "",
        "dist/d.md": "in the folder `dist` only what git tracks is looked at",
        "docs/e.md": "git ignores it: `e.md` in line 1 of `docs/.gitignore`",
        "node_modules/f.md": "a folder `node_modules` is not entered",
    }
    assert sorted(name for name, reason in why.items() if not reason) == found(tmp_path)
