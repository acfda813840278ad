"""Finding the files to check, and reading them: every reason why one cannot be read has its words here."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

# A file beyond this is not a handoff (bytes).
MAX_BYTES = 5_000_000

SUFFIXES = (".md", ".markdown")
# Folders that hold other people's files, or what a build left behind.
_OTHERS = "__pycache__ build dist node_modules site-packages venv"
# Hidden folders of which the same is known. Any other one is entered: ever new tools of agents have one of their own.
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

_BINARY_WITHIN = 8192
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class UnreadableFile(Exception):
    """A file that cannot be read as text. ``line`` is 1-based, or None where no place in it is to blame."""

    def __init__(self, path: Path, reason: str, line: int | None = None) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason
        self.line = line

    @property
    def brief(self) -> str:
        """The reason in two words."""
        return re.split(r",| \(", self.reason, maxsplit=1)[0]


class NoText(UnreadableFile):
    """A file of which it is known that what it holds is no text, or too long to be a handoff."""


def read_text(path: Path, *, limit: int = MAX_BYTES) -> str:
    """The text of a file, with its line endings and its byte order mark (as U+FEFF) as they are.

    ``limit`` is in bytes. Raises UnreadableFile, never anything else. Reads regular files only, so that it never waits.
    """
    try:
        # O_NONBLOCK: opening a pipe that nobody writes to would wait for ever.
        number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(number, "rb") as file:
            about = os.fstat(number)
            if stat.S_ISDIR(about.st_mode):
                raise IsADirectoryError
            if not stat.S_ISREG(about.st_mode):
                raise UnreadableFile(path, "not a regular file")
            if about.st_size > limit:
                raise NoText(path, too_large(about.st_size, limit))
            data = file.read(limit + 1)
    except (OSError, ValueError) as error:
        raise UnreadableFile(path, _reason(error)) from error
    return decode_text(path, data, limit=limit)


def decode_text(path: Path, data: bytes, *, limit: int = MAX_BYTES) -> str:
    """The text of a file's bytes. Raises UnreadableFile where they are too many or not text in UTF-8."""
    if len(data) > limit:
        raise NoText(path, too_large(len(data), limit))
    if data.startswith(_UTF16_MARKS):
        raise NoText(path, "UTF-16, but handoffs are UTF-8")
    if b"\0" in data[:_BINARY_WITHIN]:
        raise NoText(path, f"binary (a NUL byte at offset {data.index(0)})")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 (byte 0x{data[error.start]:02x} at offset {error.start})"
        raise NoText(path, reason, data.count(b"\n", 0, error.start) + 1) from error


def too_large(size: int, limit: int) -> str:
    """The reason for a file of ``size`` bytes."""
    return f"too large ({size:,} bytes; the limit is {limit:,})"


def _reason(error: OSError | ValueError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, IsADirectoryError):
        return "a folder, not a file"
    if isinstance(error, PermissionError):
        return "permission denied"
    return (error.strerror if isinstance(error, OSError) else str(error)) or type(error).__name__


def walk(
    folder: Path,
    excluded: Callable[[Path], bool] | None = None,
    on_error: Callable[[UnreadableFile], None] | None = None,
    also: Callable[[Path], bool] | None = None,
) -> Iterator[Path]:
    """The Markdown files of a folder and the folders in it, in the order of their names.

    ``excluded`` is asked for each file and folder (``Resolver.excluded``), ``on_error`` told of each folder that
    cannot be read, ``also`` asked for each file that is not Markdown whether to take it (``Resolver.is_data_file``).
    ``folder`` itself is always walked. Symbolic links are not followed: what they lead to is found where it stands, and
    a loop or a way out of the folder is none.
    """
    return (path for path in walk_in_steps(folder, excluded, on_error, also) if path is not None)


def walk_in_steps(
    folder: Path,
    excluded: Callable[[Path], bool] | None = None,
    on_error: Callable[[UnreadableFile], None] | None = None,
    also: Callable[[Path], bool] | None = None,
) -> Iterator[Path | None]:
    """The same as ``walk``, with a None for each folder that was looked at, so that something else can be done."""
    waiting = [(folder, True)]
    while waiting:
        at, is_folder = waiting.pop()
        if not is_folder:
            yield at
            continue
        try:
            with os.scandir(at) as scanned:
                entries = sorted(scanned, key=lambda entry: entry.name, reverse=True)
        except OSError as error:
            if on_error is not None:
                on_error(UnreadableFile(at, _reason(error)))
            continue
        for entry in entries:
            path = at / entry.name
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                wanted = not skipped_folder(entry.name) if is_folder else _is_wanted(entry, path, also)
            except OSError:
                continue
            if wanted and (excluded is None or not excluded(path)):
                waiting.append((path, is_folder))
        yield None


def _is_wanted(entry: os.DirEntry[str], path: Path, also: Callable[[Path], bool] | None) -> bool:
    by_name = entry.name.lower().endswith(SUFFIXES) or (also is not None and also(path))
    return by_name and entry.is_file(follow_symlinks=False)


def skipped_folder(name: str) -> bool:
    """Whether folders of that name are passed over wherever they stand."""
    return name in SKIPPED_FOLDERS or (name.startswith(".") and name.endswith(_CACHE))
