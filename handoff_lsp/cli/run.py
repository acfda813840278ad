"""One run over files and folders: which files, their texts, their analyses; what fails is printed and counted."""

from __future__ import annotations

import os
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.checking.files import git_files
from handoff_lsp.cli.checking.progress import FileProgress, progress_for
from handoff_lsp.cli.output.summary import Failed, Skipped, Summary
from handoff_lsp.cli.printable import inert, printable
from handoff_lsp.cli.usage import STDIN, UsageError
from handoff_lsp.reports.report import STDIN_SHOWN
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import ConfigError, relative_to
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import MAX_BYTES, NoText, UnreadableFile, decode_text, read_text
from handoff_lsp.workspace.disk.walking import walk
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.memo import Reads
from handoff_lsp.workspace.surroundings import surroundings_of

if TYPE_CHECKING:
    import argparse

    from handoff_lsp.cli.checking.cache import Cache
    from handoff_lsp.cli.checking.checked import ReportParts
    from handoff_lsp.cli.checking.git_files import GitFiles
    from handoff_lsp.contracts.options import Options
    from handoff_lsp.contracts.owed import Returned
    from handoff_lsp.engine import Analysis

# How long to wait for a writer to open a pipe (seconds).
_PATIENCE = 2.0


class Input(NamedTuple):
    """One input. ``path`` is absolute, None for an unnamed input; ``text`` is its content, if already read."""

    path: Path | None
    named: bool
    stdin: bool = False
    text: str | None = None


def run_with(arguments: argparse.Namespace) -> Run:
    """A run with the config of the arguments. Raises UsageError for arguments that do not fit together."""
    from handoff_lsp.cli.checking.selection import check_severities, given_of  # a hook has no such arguments

    check_stdin_filename(arguments)
    resolver = Resolver(explicit=arguments.config, examples=arguments.examples, given=given_of(arguments))
    check_severities(arguments, resolver)
    run = Run(resolver, force_exclude=arguments.force_exclude, git=git_files(arguments))
    run.agent = getattr(arguments, "agent", None) or ""
    if arguments.command == "check":
        run.progress = progress_for(quiet=arguments.quiet)
    return run


def check_stdin_filename(arguments: argparse.Namespace) -> None:
    """Raise UsageError for a name of standard input where that is not read."""
    if arguments.stdin_filename is not None and STDIN not in arguments.paths:
        raise UsageError("`--stdin-filename` needs `-` as the path", arguments.command)
    if getattr(arguments, "agent", None) == "":  # most likely a variable with nothing in it
        raise UsageError("`--agent` has an empty name", arguments.command)
    if getattr(arguments, "agent", None) is not None and (STDIN not in arguments.paths or arguments.stdin_filename):
        raise UsageError("`--agent` needs `-` as the path, without `--stdin-filename`", arguments.command)


class Run:
    """One run over files. ``summary`` has its failures, its skipped files and the problems of its configs so far."""

    def __init__(self, resolver: Resolver, *, force_exclude: bool = False, git: GitFiles | None = None) -> None:
        """``force_exclude``: named files may be excluded, too. ``git``: only the files that it lists are checked."""
        self.summary: Summary = Summary(only_changed=git is not None)
        self.resolver = resolver
        self.progress: FileProgress = FileProgress()
        self.agent = ""  # the agent of which a text without a path is the final message
        self.returned: Returned | None = None  # the same with what it owes there, if that is known already
        self._force_exclude = force_exclude
        self._git = git
        self._files = Files(resolver, keeps_trees=True)
        self._here = os.getcwd()
        self._reported: set[ConfigError] = set()

    @property
    def files(self) -> Files:
        """The files of the run's workspaces."""
        return self._files

    def targets(self, paths: list[str], stdin_filename: str | None) -> Iterator[Input]:
        """The files of the paths, in their order, each once, however its path is spelled.

        All are found before the first one is given, so that ``progress`` knows their number: a walk takes about a
        hundredth of the time of a check.
        """
        return self.progress.over(self.found(paths, stdin_filename))

    def found(self, paths: list[str], stdin_filename: str | None) -> list[Input]:
        """The same as ``targets``, not counted yet."""
        return list(self._targets(paths, stdin_filename))

    def _targets(self, paths: list[str], stdin_filename: str | None) -> Iterator[Input]:
        # The text of standard input counts, not that of its file.
        seen = {os.path.realpath(stdin_filename)} if stdin_filename and STDIN in paths else set()
        named = {real for given in paths if given and not os.path.isdir(real := os.path.realpath(given))}
        for given in dict.fromkeys(paths):  # the second `-` of a command has no text
            if given == STDIN:
                name = _absolute(stdin_filename) if stdin_filename else None
                if name is None or not self._is_left_out(name):
                    yield Input(name, named=True, stdin=True)
                continue
            if not given:  # most likely a variable with nothing in it, and not the working folder
                self._fail("", "empty path")
                continue
            path = _absolute(given)
            real = os.path.realpath(given)  # no folder below is entered by a link
            if os.path.lexists(path) and self._is_left_out(path):
                continue
            is_folder = os.path.isdir(path)
            if is_folder:
                self.config_is_usable(path / "_")  # a broken config is reported even without any file to check
            if self._git is not None and os.path.isdir(path.parent):
                found: Iterable[Path] = self._listed_by_git(self._git, path)
                if not found and not os.path.lexists(path):
                    found = (path,)  # reading it gives the reason
            elif is_folder:
                told = partial(self._unreadable_folder, path)
                found = walk(path, self.resolver.excluded, told, self.resolver.is_data_file, self._ignored)
            else:
                found = (path,)
            start, above = len(str(path).rstrip(os.sep)), real.rstrip(os.sep)
            for file in found:
                one = f"{above}{str(file)[start:]}"
                if one not in seen:
                    seen.add(one)
                    yield Input(file, named=one in named)

    def _listed_by_git(self, git: GitFiles, path: Path) -> list[Path]:
        """The files of a path that git lists, those that a walk of a folder would find."""
        from handoff_lsp.workspace.disk.git_program import GitError

        try:
            files = [each for each in git.below(path) if each == path or not self.resolver.why_left_out(each, path)]
            git.load(files)
        except GitError as error:
            self._fail("", str(error))
            return []
        return files

    def _is_left_out(self, path: Path) -> bool:
        """Whether a named path is left out, because a walk of a folder above would leave it out; it is counted."""
        if not self._force_exclude:
            return False
        why = self.resolver.why_left_out(path, Path(self._here) if path.is_relative_to(self._here) else None)
        if why:
            self.summary.skipped.append(Skipped(self.shown_path(path), why, os.path.isdir(path)))
        return bool(why)

    def config_of_arguments_is_usable(self, arguments: argparse.Namespace) -> bool:
        """Whether the config that the arguments name, if they do, is usable; its problems are printed."""
        return arguments.config is None or self.config_is_usable(None)

    def analyze(self, target: Input) -> Analysis | None:
        """The analysis of one document; None if it cannot be read or checked, which is printed."""
        text = self.read(target)
        return self.analysis(target, text) if text is not None else None

    def read(self, target: Input) -> str | None:
        """The text of one document; None if it or its config cannot be read, which is printed."""
        if not self.config_is_usable(target.path):
            self.summary.failed.append(Failed(self.shown(target), "its config is broken"))
            return None
        try:
            if target.text is not None:
                return target.text
            if target.stdin:
                return decode_text(target.path or Path(STDIN_SHOWN), self.stdin)
            if self._git is not None and self.reads_staged and target.path is not None:
                return self._git.text(target.path)
            return _read(target)
        except UnreadableFile as error:
            self._unreadable(error, named=target.named or self.resolver.is_named(error.path))
            return None

    @cached_property
    def stdin(self) -> bytes:
        """The bytes of standard input, up to one more than a text may have. Raises UnreadableFile."""
        return read_stdin()

    @property
    def reads_staged(self) -> bool:
        """Whether texts are those of git's index, not those of the disk."""
        return self._git is not None and self._git.staged

    def analysis(self, target: Input, text: str, reads: Reads | None = None) -> Analysis | None:
        """The analysis of a text; None after a crash, which is printed. ``reads`` gets its questions to other files."""
        try:
            return self.analyzed(target, text, reads)
        except Exception as error:  # noqa: BLE001  # the other files are still checked
            self._fail(self.shown(target), f"internal error, please report it ({type(error).__name__}: {error})")
            return None

    def analyzed(self, target: Input, text: str, reads: Reads | None = None) -> Analysis:
        """The analysis of a text, whose config is usable. Raises whatever goes wrong."""
        from handoff_lsp.binding.handoff import NOWHERE  # not before a document is checked
        from handoff_lsp.engine import analyze
        from handoff_lsp.prompts.documents import is_prompt
        from handoff_lsp.text import Source

        path = target.path
        name, registry, options = self.resolver.name(path), self.resolver.registry(path), self.options(target)
        around = surroundings_of(self._files, path, reads) or NOWHERE
        # The prompts of a workspace are read for each other's checks: each is parsed once for both.
        read = self._files.read(os.path.abspath(path)) if path is not None and is_prompt(name) else None
        if read is None or read.source is None or read.source.text != text:
            return analyze(Source(text), name, registry, options, around=around)
        said = partial(getattr, read, "said")
        return analyze(read.source, name, registry, options, parse=read.take_tree, around=around, said=said)

    def options(self, target: Input) -> Options:
        """The settings of a document, with what its agent owes there."""
        options = self.resolver.options(target.path)
        if target.path is not None or not (self.agent or self.returned):
            return options
        returned = self.returned or self.resolver.agents.returned(self.agent)
        if returned is None and self.resolver.agents.known(self.agent).settings is None:
            # A misspelled name must not look like a clean return.
            told = f"nothing says what `{self.agent}` owes; `handoff-lsp doctor` lists the agents of this folder"
            self._say("warning", told)
        return replace(options, returned=returned)

    def cache_in(self, folder: Path, wanted: ReportParts) -> Cache:
        """The cache in a folder, for reports with what is wanted."""
        from handoff_lsp.cli.checking.cache import Cache  # not before it is needed

        return Cache(folder, self.resolver, self._files, wanted)

    def shown(self, target: Input) -> str:
        """The path of a document as it is shown; empty for an unnamed text."""
        return self.shown_path(target.path) if target.path is not None else STDIN_SHOWN if target.stdin else ""

    def config_is_usable(self, path: Path | None) -> bool:
        """Whether the config for a file is usable; its problems, and those of its contracts, are printed once."""
        problems = self.resolver.problems(path)
        for problem in problems:
            if problem not in self._reported:
                from handoff_lsp.reports.make import problem_of

                self._reported.add(problem)
                shown = self.shown_path(problem.path)
                line = f":{problem.line}" if problem.line is not None else ""
                self._say("error", f"{shown}{line}: {problem.message}")
                found = problem_of(shown, problem.rule, problem.message, problem.line, problem.columns)
                self.summary.problems.append(found)
        return not any(problem.rule == "invalid-config" for problem in problems)

    def not_fixed(self, target: Input, reason: str) -> None:
        """Print why the fixes of a document were not written, and count it."""
        shown = self.shown(target)
        self.summary.not_fixed.append(Failed(shown, f"not fixed: {reason}"))
        self._say("error", f"{shown}: not fixed: {reason}")

    def disk_changed(self) -> None:
        """Files were written: look at the disk again."""
        self.resolver.disk_changed()
        self._files.memo.disk_changed()

    def _unreadable(self, error: UnreadableFile, *, named: bool, is_folder: bool = False) -> None:
        """Fail for a named file; a file found on a walk is most likely no handoff, and is only counted.

        The output lists it if it could not be read.
        """
        shown = self.shown_path(error.path)
        if named:
            self._fail(shown, error.reason)
            return
        self.summary.skipped.append(Skipped(shown, error.brief, is_folder))
        if not isinstance(error, NoText):
            self._say("warning", f"{shown}: {error.reason}")

    def _unreadable_folder(self, walked: Path, error: UnreadableFile) -> None:
        self._unreadable(error, named=error.path == walked, is_folder=True)

    def _ignored(self, _path: Path) -> None:
        self.summary.ignored += 1

    def _fail(self, shown: str, reason: str) -> None:
        self.summary.failed.append(Failed(shown, reason))
        self._say("error", f"{shown}: {reason}" if shown else reason)

    def _say(self, level: str, message: str) -> None:
        self.progress.erase()
        sys.stdout.flush()  # the findings so far come before it
        print(f"handoff-lsp: {level}: {inert(printable(message))}", file=sys.stderr, flush=True)

    def shown_path(self, path: Path) -> str:
        """A path relative to the working folder with ``/`` where it is inside, else absolute."""
        full = str(path)
        inside = relative_to(full, self._here)
        return inside or ("." if full == self._here else full)


def _absolute(path: str) -> Path:
    return Path(os.path.abspath(path))


def _read(target: Input) -> str:
    path = target.path
    assert path is not None, "a path is missing"
    try:
        is_pipe = target.named and stat.S_ISFIFO(os.stat(path).st_mode)
    except (OSError, ValueError):
        is_pipe = False  # reading it gives the reason
    if is_pipe:  # named in the arguments, as in `check <(command)`, so it is meant to be read
        return decode_text(path, _read_pipe(path))
    return read_text(path)


def _read_pipe(path: Path) -> bytes:
    """The content of a pipe. Raises UnreadableFile if no writer opens it."""
    try:
        number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(number, "rb", buffering=0) as pipe:
            until = time.monotonic() + _PATIENCE
            # b"": no process has it open for writing. None: a writer has it open and is not ready.
            while (first := pipe.read(MAX_BYTES + 1)) == b"":
                if time.monotonic() > until:
                    raise UnreadableFile(path, "a pipe without a writer")
                time.sleep(0.02)
            os.set_blocking(number, True)
            data = bytearray(first or b"")
            while len(data) <= MAX_BYTES and (more := pipe.read(MAX_BYTES + 1 - len(data))):
                data += more
    except OSError as error:
        raise UnreadableFile(path, error.strerror or "cannot be read") from error
    return bytes(data)


def read_stdin() -> bytes:
    """The bytes of standard input, up to one more than a text may have. Raises UnreadableFile."""
    try:
        return sys.stdin.buffer.read(MAX_BYTES + 1)
    except OSError as error:
        raise UnreadableFile(Path(STDIN_SHOWN), error.strerror or "cannot be read") from error
