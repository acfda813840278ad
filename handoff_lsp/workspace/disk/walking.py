"""The search for files to check below a folder, with the reason for each one that is passed over."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from handoff_lsp.workspace.disk import ignored
from handoff_lsp.workspace.disk.files import UnreadableFile, reason_of
from handoff_lsp.workspace.disk.ignored import Rules, rules_above, rules_of_root

SUFFIXES = (".md", ".markdown")
# Folders with third-party files or build output.
_OTHERS = "__pycache__ build dist node_modules site-packages venv"
# Hidden folders of the same kind. Any other is entered: new agent tools keep adding their own.
_HIDDEN = """
.bzr .git .git-rewrite .hg .jj .sl .svn
.conda .direnv .eggs .hypothesis .ipynb_checkpoints .nox .pixi .pyenv .pyre .pytype .tox .venv .virtualenv .virtualenvs
.astro .bun .docusaurus .next .node-gyp .npm .nuxt .nvm .nyc_output .parcel .pnpm .pnpm-store .svelte-kit .vite .yarn
.asdf .build .bundle .cabal .cargo .dart_tool .elixir_ls .gem .ghcup .gradle .hex .ivy2 .m2 .mix .nuget .opam .rbenv
.rustup .rvm .sbt .sdkman .stack-work .swiftpm .terraform .vagrant
.fleet .idea .vs .vscode .vscode-insiders .vscode-oss .vscode-server .Trash
"""
SKIPPED_FOLDERS = frozenset(f"{_OTHERS} {_HIDDEN}".split())
# The end of the names of more hidden folders, such as `.cache` and `.mypy_cache`.
_CACHE = "cache"
# Folders that are not entered even if git tracks files in them.
_FOREIGN = ".bzr .git .hg .jj .sl .svn __pycache__ node_modules site-packages venv .venv .virtualenv .virtualenvs"
_NEVER = frozenset(_FOREIGN.split())


def walk(
    folder: Path,
    excluded: Callable[[Path], bool] | None = None,
    on_error: Callable[[UnreadableFile], None] | None = None,
    also: Callable[[Path], bool] | None = None,
    on_ignored: Callable[[Path], None] | None = None,
) -> Iterator[Path]:
    """The Markdown files of a folder and the folders in it, in the order of their names.

    ``excluded`` decides for each file and folder (``Resolver.excluded``), ``also`` for each file that is not Markdown
    (``Resolver.is_data_file``). ``on_error`` gets each folder that cannot be read, ``on_ignored`` each file and folder
    that git ignores. ``folder`` itself is always walked. Symbolic links are not followed, so loops and ways out of the
    folder do no harm. In a work tree of git, ignored files are left out, and tracked ones are found even in folders
    that are passed over by name.
    """
    return (path for path in walk_in_steps(folder, excluded, on_error, also, on_ignored) if path is not None)


def walk_in_steps(
    folder: Path,
    excluded: Callable[[Path], bool] | None = None,
    on_error: Callable[[UnreadableFile], None] | None = None,
    also: Callable[[Path], bool] | None = None,
    on_ignored: Callable[[Path], None] | None = None,
) -> Iterator[Path | None]:
    """The same as ``walk``, with a None for each folder visited, so that the caller can do other work in between."""
    waiting: list[tuple[Path, bool, Rules | None]] = [(folder, True, rules_above(os.path.abspath(folder)))]
    while waiting:
        at, is_folder, rules = waiting.pop()
        if not is_folder:
            yield at
            continue
        try:
            with os.scandir(at) as scanned:
                entries = sorted(scanned, key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            if on_error is not None:
                on_error(UnreadableFile(at, reason_of(error)))
            continue
        names = {entry.name for entry in entries}
        rules = _rules_in(at, rules, has_git=".git" in names, has_patterns=ignored.NAME in names)
        for entry in entries:
            path, inner = at / entry.name, rules
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder:
                    wanted, inner = _entered(rules, entry.name)
                else:
                    wanted = _is_wanted(entry, path, also)
                    if not wanted:
                        continue
                    wanted = _is_taken(rules, entry.name)
            except OSError:
                continue
            if excluded is not None and excluded(path):
                continue
            if wanted:
                waiting.append((path, is_folder, inner))
            elif on_ignored is not None and not skipped_folder(entry.name):
                on_ignored(path)
        yield None


def why_passed_over(root: Path, path: Path) -> str:
    """Why a walk of a folder passes over a file somewhere in it, for its name or for git; empty where it does not."""
    try:
        *folders, name = path.relative_to(root).parts
    except ValueError:
        return ""
    at, rules, within = root, _rules_of(root, rules_above(os.path.abspath(root))), ""
    for folder in folders:
        ignored_by = _ignored_by(root, rules, folder, is_folder=True)
        entered, inner = _entered(rules, folder)
        if not entered:
            return within or ignored_by or f"a folder `{folder}` is not entered"
        if inner is not None and inner.only_tracked:
            within = within or f"in the folder `{folder}` only what git tracks is looked at"
        at, rules = at / folder, _rules_of(at / folder, inner)
    if _is_taken(rules, name):
        return ""
    return within or _ignored_by(root, rules, name, is_folder=False)


def _rules_of(folder: Path, rules: Rules | None) -> Rules | None:
    has_git, has_patterns = (os.path.lexists(folder / name) for name in (".git", ignored.NAME))
    return _rules_in(folder, rules, has_git=has_git, has_patterns=has_patterns)


def _rules_in(at: Path, rules: Rules | None, *, has_git: bool, has_patterns: bool) -> Rules | None:
    """The rules of a folder, with its own: the root of a work tree begins anew."""
    if has_git:
        rules = rules_of_root(os.path.abspath(at))
    return rules.with_own() if rules is not None and has_patterns else rules


def _entered(rules: Rules | None, name: str) -> tuple[bool, Rules | None]:
    """Whether a folder is entered, and its ignore rules. It always is if git tracks files in it."""
    if rules is None:
        return not skipped_folder(name), None
    if name in _NEVER:
        return False, None
    only_tracked = rules.only_tracked or skipped_folder(name) or rules.cause(name, is_folder=True) is not None
    if only_tracked and not rules.tracks(name, is_folder=True):
        return False, None
    return True, rules.inside(name, only_tracked=only_tracked)


def _is_taken(rules: Rules | None, name: str) -> bool:
    """Whether git has nothing against a file."""
    if rules is None or not (rules.only_tracked or rules.cause(name, is_folder=False) is not None):
        return True
    return rules.tracks(name, is_folder=False)


def _ignored_by(root: Path, rules: Rules | None, name: str, *, is_folder: bool) -> str:
    cause = rules.cause(name, is_folder=is_folder) if rules is not None else None
    if cause is None:
        return ""
    what = f"the folder `{name}`" if is_folder else "it"
    file = Path(os.path.relpath(cause.file, root)).as_posix()
    return f"git ignores {what}: `{cause.pattern}` in line {cause.line} of `{file}`"


def _is_wanted(entry: os.DirEntry[str], path: Path, also: Callable[[Path], bool] | None) -> bool:
    by_name = entry.name.lower().endswith(SUFFIXES) or (also is not None and also(path))
    return by_name and entry.is_file(follow_symlinks=False)


def skipped_folder(name: str) -> bool:
    """Whether folders of that name are passed over anywhere."""
    return name in SKIPPED_FOLDERS or (name.startswith(".") and name.endswith(_CACHE))
