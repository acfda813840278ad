"""``handoff-lsp baseline``: write the known findings of a repository, or shorten the list."""

from __future__ import annotations

import argparse
import json
import os
import re
from collections import Counter
from pathlib import Path

from handoff_lsp.cli.checking.baseline import Baseline, covers_folder, load
from handoff_lsp.cli.checking.baseline_file import NAME, BaselineEntry, text_of
from handoff_lsp.cli.checking.checked import checked
from handoff_lsp.cli.checking.progress import progress_for
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.run import Run
from handoff_lsp.cli.usage import CLEAN, FAILED, STDOUT, UsageError
from handoff_lsp.language import number_of
from handoff_lsp.text import eol_of
from handoff_lsp.workspace.config.config_file import OWN_NAME, SHARED_NAME, TABLE, relative_to
from handoff_lsp.workspace.config.resolver import Resolver
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.disk.replacing import NotReplaced, replace_text

_TABLE = re.compile(rf"^[ \t]*\[{re.escape('.'.join(TABLE))}\][ \t]*(?:#[^\r\n]*)?(?:\r\n|\n|\r|$)", re.MULTILINE)

_ENDS = "\r\n"


def baseline(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    run = Run(Resolver(explicit=arguments.config))
    run.progress = progress_for(quiet=False)
    if not run.config_of_arguments_is_usable(arguments):
        return FAILED
    path = _path(run, arguments)
    exists = os.path.lexists(path)
    known = _known(path, force=arguments.force) if exists else Baseline(path, "", Counter())
    left = 0
    for document in checked(run, run.targets(arguments.paths or ["."], None), fixes=False):
        if document.target.path is not None:
            left += len(known.uncovered(document.target.path, document.report.findings, document.text))
    name = _shown(path)
    if run.summary.broken:
        print(f"{name} was not written: not everything could be checked.")
        return FAILED
    complete = covers_folder(arguments.paths, path.parent)
    if exists and not arguments.force:
        entries, gone = known.shrunk(complete=complete), known.gone(complete=complete)
        _write(known, text_of(entries), exists=exists)
        print(f"{name}: {_findings(entries)}; {sum(gone.values()):,} gone and removed.")
        if left:
            verb, them = ("is", "it") if left == 1 else ("are", "them")
            print(f"{number_of(left, 'other finding')} {verb} not in it; `handoff-lsp baseline --force` adds {them}.")
    else:
        entries = known.renewed(complete=complete)
        _write(known, text_of(entries), exists=exists)
        print(f"Wrote {name}: {_findings(entries)}.")
    _name_in_config(run, path, _place(arguments))
    return CLEAN


def _path(run: Run, arguments: argparse.Namespace) -> Path:
    """The file to write: that of the arguments, else that of the config, else one beside the config."""
    if arguments.output == STDOUT:
        raise UsageError("a baseline needs a file, not standard output", "baseline")
    if arguments.output is not None:
        path = Path(os.path.abspath(arguments.output))
        if os.path.isdir(path) or not os.path.isdir(path.parent):
            reason = "is a folder: name a file in it" if os.path.isdir(path) else "is in no existing folder"
            raise UsageError(f"{arguments.output} {reason}", "baseline")
        return path
    first = next((path for path in arguments.paths if path), ".")
    place = Path(os.path.abspath(first))
    config = run.resolver.config(place / "_" if os.path.isdir(place) else place)
    if config.baseline is not None:
        return config.baseline
    return (config.folder if config.path is not None else Path.cwd()) / NAME


def _place(arguments: argparse.Namespace) -> Path:
    """A path in the first folder of the arguments, or the first file."""
    place = Path(os.path.abspath(next((path for path in arguments.paths if path), ".")))
    return place / "_" if place.is_dir() else place


def _known(path: Path, *, force: bool) -> Baseline:
    try:
        return load(path)
    except UsageError:
        if not force:
            raise
    try:
        text = read_text(path)
    except UnreadableFile as error:
        raise UsageError(f"{_shown(path)}: {error.reason}; remove it first", "baseline") from error
    if path.name != NAME and text.strip() and not all(f'"{key}"' in text for key in ("version", "findings")):
        raise UsageError(f"{_shown(path)} is no baseline, and is not overwritten; remove it first", "baseline")
    return Baseline(path, text, Counter())


def _write(known: Baseline, after: str, *, exists: bool) -> None:
    """Write a baseline. Raises UsageError."""
    try:
        if not exists:
            _create(known.path, after)
        elif after != known.text:
            replace_text(known.path, known.text, after)
    except (NotReplaced, OSError) as error:
        reason = error.reason if isinstance(error, NotReplaced) else error.strerror
        raise UsageError(f"{_shown(known.path)} was not written: {reason}", "baseline") from error


def _create(path: Path, text: str) -> None:
    """Write a new file, or none. Raises OSError."""
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        try:
            file.write(text)
            file.flush()
        except OSError:
            path.unlink()
            raise


def _name_in_config(run: Run, path: Path, place: Path) -> None:
    """Have the config of ``place`` name a baseline, unless it does. What cannot be written is said."""
    config = run.resolver.config(place)
    if config.baseline == path or run.resolver.given.isolated:
        return
    file = config.path or Path.cwd() / OWN_NAME
    name = relative_to(str(path), str(file.parent))
    line = f"baseline = {json.dumps(name, ensure_ascii=False)}"
    try:
        if name is None or config.baseline is not None:
            raise ValueError
        if config.path is None:
            with open(file, "x", encoding="utf-8", newline="\n") as new:
                new.write(f"{line}\n")
        else:
            before = read_text(file)
            replace_text(file, before, _with_key(before, line, file.name))
    except (NotReplaced, OSError, UnreadableFile, ValueError):
        print(f"Check with `--baseline {_shown(path)}`: {_shown(file)} does not name it.")
        return
    print(f"{'Wrote' if config.path is None else 'Added to'} {_shown(file)}: {line}")


def _with_key(text: str, line: str, name: str) -> str:
    """The text of a config with one more key in front. Raises ValueError if it has no such place."""
    import tomllib

    at = 1 if text.startswith("\ufeff") else 0
    if name == SHARED_NAME:
        table = _TABLE.search(text)
        if table is None:
            raise ValueError
        at = table.end()
    eol = eol_of(text)
    after = f"{text[:at]}{'' if at in (0, 1) or text[at - 1] in _ENDS else eol}{line}{eol}{text[at:]}"
    wanted, made = (tomllib.loads(one.removeprefix("\ufeff")) for one in (text, after))
    at_key = wanted
    for key in TABLE if name == SHARED_NAME else ():
        at_key = at_key[key]
    at_key.update(tomllib.loads(line))
    if wanted != made:
        raise ValueError
    return after


def _findings(entries: Counter[BaselineEntry]) -> str:
    files = len({entry.path for entry in entries})
    return f"{number_of(sum(entries.values()), 'finding')} in {number_of(files, 'file')}"


def _shown(path: Path) -> str:
    here = relative_to(str(path), os.getcwd())
    return printable(here if here is not None else str(path))
