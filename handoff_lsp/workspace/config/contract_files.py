"""The contracts of a workspace: finding their files by the config's patterns, inside its folder, and reading them."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from handoff_lsp.contracts.registry import ContractEntry, builtin, schemas_folder
from handoff_lsp.text.lazy import lazy_pattern
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import line_and_columns, relative_to
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.globs import Glob
from handoff_lsp.workspace.disk.walking import skipped_folder

if TYPE_CHECKING:
    from handoff_lsp.workspace.config.packages import Package

SUFFIXES = (".yaml", ".yml")
# More than this many files or folders and the pattern is not about contracts.
MAX_FILES = 200
MAX_FOLDERS = 2_000

# The name of a contract in its text, whether or not the rest of it can be read.
NAME = lazy_pattern(r"^contract:[ \t]*[\"']?([\w.-]+)", re.MULTILINE)
_BASE = lazy_pattern(r"^extends:[ \t]*[\"']?([\w.-]+)", re.MULTILINE)


class Expanded(NamedTuple):
    """The files that match a pattern, the folders that were searched, and the reason of a failure, if any.

    ``escapes``: a symbolic link leads out of the folder of the pattern.
    """

    files: list[Path]
    folders: list[Path]
    problem: str | None
    escapes: bool = False


class FileProblem(NamedTuple):
    """A problem of a contract file; ``line`` is 1-based, or None for the file as a whole.

    ``columns``: those of the token, 1-based and in code points, the second one after its last character.
    """

    path: Path
    line: int | None
    message: str
    columns: tuple[int, int] = (1, 1)


class Contracts(NamedTuple):
    """The result of reading contract files: the contracts, the problems, and the names of those that cannot be read.

    ``packaged``: the problem of each package that has one.
    """

    entries: list[ContractEntry]
    problems: list[FileProblem]
    unread: list[str]
    packaged: Mapping[str, str] = MappingProxyType({})


def expand(root: Path, pattern: str, most: int = MAX_FILES) -> Expanded:
    """The files that match a pattern, which is relative and without ``..``, in the order of their names.

    No folder is entered by a symbolic link, and a file that a link leads to must itself be inside ``root``.
    """
    glob = Glob(pattern)
    literal = []
    for part in pattern.split("/")[:-1]:
        if any(char in part for char in "*?["):
            break
        literal.append(part)
    start = root.joinpath(*literal)
    deep = len(glob.parts) - len([part for part in literal if part not in ("", ".")])
    endless = None in glob.parts
    files: list[Path] = []
    folders: list[Path] = []
    waiting = [(start, 1)]
    out = "leads out of the folder of the config file by a symbolic link"
    real_root = os.path.realpath(root)
    if not _inside(os.path.realpath(start), real_root):
        return Expanded([], [], f'the pattern "{pattern}" {out}', True)
    while waiting:
        folder, depth = waiting.pop()
        folders.append(folder)
        if len(folders) > MAX_FOLDERS:
            return Expanded(files, folders, f'the pattern "{pattern}" looks into more than {MAX_FOLDERS:,} folders')
        try:
            with os.scandir(folder) as scanned:
                entries = sorted(scanned, key=lambda entry: entry.name, reverse=True)
        except OSError:
            continue
        for entry in entries:
            path = folder / entry.name
            if entry.is_dir(follow_symlinks=False):
                if (endless or depth < deep) and not (endless and skipped_folder(entry.name)):
                    waiting.append((path, depth + 1))
            elif glob.matches(path.relative_to(root).as_posix()) and entry.is_file():
                if not _inside(os.path.realpath(path), real_root):
                    return Expanded(files, folders, f'"{path.relative_to(root).as_posix()}" {out}', True)
                files.append(path)
                if len(files) > most:
                    return Expanded(files, folders, f'the pattern "{pattern}" matches more than {most:,} files')
    return Expanded(sorted(files), folders, None if files else f'the pattern "{pattern}" matches no file')


def expand_contracts(root: Path, pattern: str) -> Expanded:
    """The contract files of a pattern of the config: a folder's name alone means the YAML files in it."""
    if not _is_folder(root, pattern):
        return expand(root, pattern)
    name = pattern.rstrip("/")
    found = [expand(root, f"{name}/*{suffix}") for suffix in SUFFIXES]
    files = sorted(path for each in found for path in each.files)
    problem = f'no contract in the folder "{name}": no file ends in .yaml or .yml'
    if any(each.files for each in found):
        return Expanded(files, found[0].folders, None)
    led_out = next((each.problem for each in found if each.escapes), None)
    return Expanded([], [root / name], led_out or problem, led_out is not None)


def names_contract(root: Path, pattern: str, path: Path) -> bool:
    """Whether a pattern of the config names a file as a contract."""
    name = relative_to(os.path.abspath(path), str(root))
    if name is None:
        return False
    folder, _, _ = name.rpartition("/")
    in_folder = path.suffix in SUFFIXES and Glob(pattern).matches(folder) and _is_folder(root, pattern)
    return in_folder or Glob(pattern).matches(name)


def _is_folder(root: Path, pattern: str) -> bool:
    return not any(char in pattern for char in "*?[") and (root / pattern).is_dir()


def _inside(path: str, root: str) -> bool:
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def _text(path: Path) -> str | UnreadableFile:
    from handoff_lsp.contracts.load import MAX_BYTES

    try:
        return read_text(path, limit=MAX_BYTES)
    except UnreadableFile as error:
        return error


def read_contracts(
    paths: Sequence[Path], before: Sequence[ContractEntry] = (), packages: Mapping[str, Package] | None = None
) -> Contracts:
    """The contracts of some files and packages; one with a problem does not keep the others from being read.

    ``before`` are those known so far: of a file that is broken now, the last good contract stays in force.
    """
    entries: list[ContractEntry] = []
    problems: dict[str, str] = {}
    unread: list[str] = []
    for name, package in (packages or {}).items():
        read = _read(package.files, before, entries)
        told = [f"{one.path.name}:{one.line or 1}: {one.message}" for one in read.problems]
        if package.problem or told:
            more = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
            reason = f" {package.problem}" if package.problem else f": {told[0]}{more}"
            problems[name] = f"the package `{name}`{reason}"
        for entry in read.entries:
            entry.package = name
        entries += read.entries
        unread += read.unread
    own = _read(paths, before, entries)
    replaced = {entry.name for entry in own.entries}
    entries = [*own.entries, *(entry for entry in entries if entry.name not in replaced)]
    return Contracts(entries, own.problems, [*unread, *own.unread], problems)


def _read(paths: Sequence[Path], before: Sequence[ContractEntry], packaged: Sequence[ContractEntry]) -> Contracts:
    """The contracts of some files beside those of packages."""
    found = Contracts([], [], [])
    origins: dict[str, Path] = {}
    last_good = {entry.origin: entry for entry in before}
    texts = {path: _text(path) for path in paths}
    there = {entry.name: entry for entry in packaged}
    others: dict[str, ContractEntry | None] = {entry.name: entry for entry in builtin()} if paths else {}
    others |= {named[1]: None for text in texts.values() if isinstance(text, str) and (named := NAME.search(text))}
    others |= there
    for path in _bases_first(paths, texts):
        from handoff_lsp.contracts.load import read_contract

        read = texts[path]
        if isinstance(read, str):
            text = read
            entry, problems = read_contract(text, path, others)
        else:
            text, entry, problems = "", None, []
            found.problems.append(FileProblem(path, read.line, read.reason))
        for problem in problems:
            line, columns = line_and_columns(text, problem.span)
            found.problems.append(FileProblem(path, line, problem.message, columns))
        entry = entry or last_good.get(path)
        if entry is None:
            named = NAME.search(text)
            found.unread.extend([named[1]] if named else [])
        elif _shadows(entry, there):
            home = f"in the package `{there[entry.name].package}`" if entry.name in there else "built in"
            message = f"`{entry.name}` is {home}: write `extends: {entry.name}` to change it, or choose another name"
            line = next((text.count("\n", 0, name.start(1)) for name in [NAME.search(text)] if name), 0) + 1
            found.problems.append(FileProblem(path, line, message))
        elif entry.name in origins:
            message = f"the contract `{entry.name}` is already in {origins[entry.name].name}; this one is not used"
            found.problems.append(FileProblem(path, 1, message))
        else:
            origins[entry.name] = path
            entry.replaces = there.get(entry.name)
            found.entries.append(entry)
            others[entry.name] = entry
    found.entries.sort(key=lambda entry: paths.index(entry.origin) if entry.origin in paths else 0)
    return found


def _shadows(entry: ContractEntry, there: Mapping[str, ContractEntry]) -> bool:
    """Whether a contract would take the place of a built-in one, or of a package's, without extending it.

    The own file of a built-in one does not.
    """
    if (entry.name not in builtin() and entry.name not in there) or entry.data.get("extends") == entry.name:
        return False
    return entry.origin is None or entry.origin.parent != Path(os.path.realpath(schemas_folder() / "contracts"))


def _bases_first(paths: Sequence[Path], texts: Mapping[Path, str | UnreadableFile]) -> list[Path]:
    """The files in an order in which a contract follows the one that it extends. In a circle, one comes too early."""
    named = {path: (NAME.search(text), _BASE.search(text)) for path, text in texts.items() if isinstance(text, str)}
    home = {name[1]: path for path, (name, _) in named.items() if name is not None}
    done: dict[Path, None] = {}
    for path in paths:
        chain: dict[Path, None] = {}
        at: Path | None = path
        while at is not None and at not in chain and at not in done:
            chain[at] = None
            base = named.get(at, (None, None))[1]
            at = home.get(base[1]) if base is not None else None
        done |= dict.fromkeys(reversed(chain))
    return list(done)
