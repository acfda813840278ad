"""Questions to git: its work trees, commits, changed and staged files. Nothing is written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.disk.git_program import GitError, refusal, run_git

# The most commits of a branch that are read.
MAX_COMMITS = 1000

# Compares two trees, not files: `git diff` of files writes the index, in spite of GIT_OPTIONAL_LOCKS.
_SHAPE = ("--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-relative")
_STAGED = ("diff", "--cached", *_SHAPE)
_RAW = ("diff", "--cached", "--raw", "--no-abbrev", *_SHAPE[1:])
_STATUS = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
_NO_SUBMODULES = "--ignore-submodules=all"
_ONLY_COMMITS = "--ignore-submodules=dirty"  # compares the commit of a submodule, without entering it
_USAGE = 129  # exit code of git for an option that it does not have


@lazy_dataclass(frozen=True)
class Worktree:
    """A work tree of a repository.

    ``head`` is None before the first commit, ``branch`` (without ``refs/heads/``) if HEAD is detached. ``locked`` and
    ``prunable`` are reasons, None if it is not; the reason for a lock may be empty. ``is_main``: not a linked one.
    """

    path: Path
    head: str | None = None
    branch: str | None = None
    is_main: bool = False
    bare: bool = False
    locked: str | None = None
    prunable: str | None = None


@lazy_dataclass(frozen=True)
class Commit:
    """A commit. ``hash`` is abbreviated, ``time`` in seconds since 1970, ``subject`` as it was written."""

    hash: str
    time: int
    subject: str


def worktrees(folder: Path) -> list[Worktree]:
    """The work trees of the repository that ``folder`` is in, the main one first. Raises GitError."""
    listed = run_git(folder, "worktree", "list", "--porcelain", "-z", expected=(0, _USAGE))
    separator = "\0"
    if listed.returncode == _USAGE:  # git before 2.36
        listed, separator = run_git(folder, "worktree", "list", "--porcelain"), "\n"
    found = list(_worktrees(os.fsdecode(listed.stdout).split(separator)))
    if found and not found[0].bare:
        found[0] = _with_its_place(folder, found[0])
    return found


def changed_files(folder: Path, base: str | None = None) -> list[Path]:
    """The files of a work tree that differ from the merge base of HEAD with ``base`` (default: HEAD), in order.

    The paths are absolute, and exist. New files that git does not ignore are among them, and those of which only the
    staged state differs. Before the first commit all files count as changed. Raises GitError, also for an unknown
    ``base``.
    """
    root = root_of(folder)
    listed = uncommitted(root)
    if base is not None:
        start = merge_base(root, "HEAD", base)
        if start is None:
            raise GitError(f"`{base}` and HEAD have no commit in common{_shallow(root)}")
        listed += _files(root, *_STAGED, _NO_SUBMODULES, start, "--")
    return _existing(root, listed)


def uncommitted(root: Path) -> list[str]:
    """The uncommitted paths of a work tree, from its root: edited, new and removed files, and moved submodules.

    ``root`` is the root of the work tree. Raises GitError.
    """
    # Each line is two letters for the kind of change, a space and the name. Without a commit, all files are new.
    lines = _files(root, *_STATUS, _ONLY_COMMITS)
    return [line[3:] for line in lines if not line.endswith("/")]  # a folder: a repository or a work tree of its own


def staged_files(folder: Path) -> list[Path]:
    """The files of a work tree whose staged state differs from HEAD: absolute paths that exist, in order.

    In a hook of `git commit` these are the files of that commit. Raises GitError.
    """
    root = root_of(folder)
    return _existing(root, _files(root, *_STAGED, _NO_SUBMODULES, "--", keep_index=True))


def staged_objects(folder: Path) -> dict[Path, str]:
    """The name of git's object with the staged content of each file that differs from HEAD, in order.

    The paths are absolute; a file may be gone from the disk, and no link is among them. The name is empty for a file
    with a conflict, of which nothing is staged. Raises GitError.
    """
    root = root_of(folder)
    parts = _files(root, *_RAW, _NO_SUBMODULES, "--", keep_index=True)
    found = {}
    for about, name in zip(parts[::2], parts[1::2], strict=False):
        _, mode, _, staged, kind = about.split(" ")
        if kind.startswith("U"):
            found[root / name] = ""
        elif mode.startswith("100"):
            found[root / name] = staged
    return dict(sorted(found.items()))


def contents(folder: Path, objects: Sequence[str]) -> list[bytes]:
    """The bytes of objects of git, in their order, without any filter. Raises GitError."""
    if not objects:
        return []
    asked = "".join(f"{name}\n" for name in objects).encode("ascii")
    told = run_git(folder, "cat-file", "--batch", given=asked).stdout
    found, at = [], 0
    for name in objects:
        end = told.index(b"\n", at)
        kind, _, size = told[at:end].partition(b" ")[2].partition(b" ")
        if kind != b"blob":
            raise GitError(f"git has no content for the object {name}: {folder}")
        found.append(told[end + 1 : end + 1 + int(size)])
        at = end + 1 + int(size) + 1
    return found


def root_of(folder: Path) -> Path:
    """The root of the work tree that a folder is in. Raises GitError, also in a bare repository."""
    done = run_git(folder, "rev-parse", "--show-toplevel", expected=(0, 128))
    root = os.fsdecode(done.stdout).removesuffix("\n")
    if done.returncode:
        if b"must be run in a work tree" in done.stderr:
            raise GitError(f"no work tree of git: {folder}")
        raise refusal(folder, done)
    return Path(root)


def commit_of(folder: Path, name: str) -> str | None:
    """The full hash of the commit that a branch, a tag or a hash names; None without one. Raises GitError."""
    done = run_git(
        folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}", expected=(0, 1, 128)
    )
    return done.stdout.decode("ascii", "replace").strip() or None if done.returncode == 0 else None


def branch_of(folder: Path) -> str | None:
    """The branch that HEAD names, without ``refs/heads/``; None if it is detached. Raises GitError."""
    done = run_git(folder, "symbolic-ref", "--quiet", "HEAD", expected=(0, 1))
    return _branch(os.fsdecode(done.stdout).removesuffix("\n")) or None


def merge_base(folder: Path, one: str, other: str) -> str | None:
    """The hash of the newest commit that two names have in common; None without one. Raises GitError."""
    hashes = []
    for name in (one, other):
        found = commit_of(folder, name)
        if found is None:
            raise GitError(f"git knows no commit `{name}`{_shallow(folder)}")
        hashes.append(found)
    done = run_git(folder, "merge-base", *hashes, expected=(0, 1))
    return done.stdout.decode("ascii", "replace").strip() or None


def contains(folder: Path, head: str, commit: str) -> bool:
    """Whether ``commit`` is ``head`` or one of the commits before it; both are hashes. Raises GitError."""
    return run_git(folder, "merge-base", "--is-ancestor", commit, head, expected=(0, 1)).returncode == 0


def commits(folder: Path, head: str, without: str | None = None) -> list[Commit]:
    """The commits of ``head`` that ``without`` does not have, both hashes, the newest first; `MAX_COMMITS` at most.

    Raises GitError.
    """
    names = (head, f"^{without}") if without else (head,)
    shape = ("--no-show-signature", "--no-color", "--encoding=UTF-8", "--format=%h%x00%ct%x00%s", "-z")
    done = run_git(folder, "log", *shape, f"--max-count={MAX_COMMITS}", *names, "--")
    parts = done.stdout.decode("utf-8", "replace").removesuffix("\0").split("\0")
    rows = zip(parts[::3], parts[1::3], parts[2::3], strict=False)
    return [Commit(name, _seconds(time), subject) for name, time, subject in rows]


def files_of(folder: Path, head: str, without: str | None = None) -> dict[str, int]:
    """The files that the commits of `commits` changed, by their paths from the root, the last changed first.

    Each has the time of its last commit, in seconds since 1970. Raises GitError.
    """
    names = (head, f"^{without}") if without else (head,)
    most = f"--max-count={MAX_COMMITS}"
    shape = ("--no-show-signature", "--format=/%ct", *_SHAPE, _NO_SUBMODULES)  # no path begins with a slash
    done = run_git(folder, "log", *shape, most, *names, "--")
    found: dict[str, int] = {}
    time, is_first = 0, False
    for part in os.fsdecode(done.stdout).split("\0"):
        if part.startswith("/"):
            time, is_first = _seconds(part[1:]), True
        elif part:  # git writes a line break before the first name of a commit
            found.setdefault(part.removeprefix("\n") if is_first else part, time)
            is_first = False
    return found


def is_merged(folder: Path, head: str, base: str) -> bool:
    """Whether ``base`` has all that the commits of ``head`` changed, perhaps as one commit of another hash.

    Both are hashes. Raises GitError.
    """
    start = merge_base(folder, head, base)
    if start is None or start == head:
        return start == head
    changed, differs = (set(_names_between(folder, one, other)) for one, other in ((start, head), (head, base)))
    return not changed & differs


def _names_between(folder: Path, one: str, other: str) -> list[str]:
    done = run_git(folder, "diff", *_SHAPE, "--ignore-submodules=none", one, other, "--")
    return [name for name in os.fsdecode(done.stdout).split("\0") if name]


def _worktrees(lines: Sequence[str]) -> Iterator[Worktree]:
    """The work trees in the lines of git's list: each begins with its path and ends with an empty line."""
    of_one: dict[str, str] = {}
    first = True
    for line in lines:
        if line:
            key, _, value = line.partition(" ")
            of_one[key] = value
        elif of_one.get("worktree"):
            head = of_one.get("HEAD", "")
            yield Worktree(
                path=Path(of_one["worktree"]),
                head=head if head.strip("0") else None,
                branch=_branch(of_one["branch"]) if "branch" in of_one else None,
                is_main=first,
                bare="bare" in of_one,
                locked=of_one.get("locked"),
                prunable=of_one.get("prunable"),
            )
            of_one, first = {}, False


def _with_its_place(folder: Path, main: Worktree) -> Worktree:
    """The main work tree with the path of its files: for a submodule, git lists that of its repository."""
    if os.path.lexists(main.path / ".git"):
        return main
    asked = run_git(folder, "rev-parse", "--git-dir", "--git-common-dir").stdout.splitlines()
    own, common = (os.path.realpath(os.path.join(folder, os.fsdecode(line))) for line in asked[:2])
    try:
        path = root_of(folder if own == common else main.path)
    except GitError:
        return main
    return Worktree(path, main.head, main.branch, is_main=True, locked=main.locked, prunable=main.prunable)


def _seconds(text: str) -> int:
    """The time of a commit; 0 for a broken one, which has none."""
    return int(text) if text.isdecimal() else 0


def _branch(name: str) -> str:
    return name.removeprefix("refs/heads/")


def _shallow(folder: Path) -> str:
    """The end of a message in a clone without the older commits, as CI makes it."""
    done = run_git(folder, "rev-parse", "--is-shallow-repository")
    return "; this clone is shallow, fetch its history first" if done.stdout.strip() == b"true" else ""


def _files(root: Path, *arguments: str, keep_index: bool = False) -> list[str]:
    done = run_git(root, *arguments, settings=_filters(root), keep_index=keep_index)
    return [name for name in os.fsdecode(done.stdout).split("\0") if name]


def _existing(root: Path, names: Sequence[str]) -> list[Path]:
    """The files that exist, each once, in the order of their names."""
    return [path for name in sorted(set(names)) if os.path.lexists(path := root / name) and not path.is_dir()]


def _filters(root: Path) -> dict[str, str]:
    """Settings that switch off every filter of the config: to compare a file, git would run its command."""
    pattern = r"^filter\..*\.(clean|smudge|process|required)$"
    done = run_git(root, "config", "--name-only", "-z", "--get-regexp", pattern, expected=(0, 1))
    keys = {key for key in os.fsdecode(done.stdout).split("\0") if key}
    return {key: "false" if key.endswith(".required") else "" for key in sorted(keys)}
