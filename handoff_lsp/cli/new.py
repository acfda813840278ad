"""``handoff-lsp new``: a new handoff to fill in."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from handoff_lsp.cli.output.utf8 import write_utf8
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, STDOUT, UsageError, did_you_mean
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import Options
from handoff_lsp.features.new.suggestions import decided_profile, suggestions
from handoff_lsp.samples.new_handoff import new_handoff
from handoff_lsp.workspace.config.config_file import ConfigError
from handoff_lsp.workspace.config.resolver import Resolver


def new(arguments: argparse.Namespace) -> int:
    """Run the command. Returns the exit code."""
    path = Path(os.path.abspath(arguments.output)) if arguments.output not in (None, STDOUT) else None
    resolver = resolver_for(arguments, path)
    registry, options = resolver.registry(path), resolver.options(path)
    entry = entry_of(registry, arguments.contract or _contract(registry, options, resolver.name(path), path), "new")
    profile = _profile(entry, arguments.profile, options, resolver.name(path))
    if path is not None:
        _make_folder(path.parent)
        check_place(path, arguments.output, "new", force=arguments.force)
    made = new_handoff(registry, entry, profile, arguments.mode, resolver.name(path), options)
    if path is None:
        write_utf8(made.text)
    else:
        write_file(path, arguments.output, made.text, "new", force=arguments.force)
    if made.lacks:
        sys.stdout.flush()
        print(f"handoff-lsp: note: {printable(made.lacks)}", file=sys.stderr)
    return CLEAN


def resolver_for(arguments: argparse.Namespace, path: Path | None) -> Resolver:
    """The config of a file (None: of the working folder). Raises UsageError if it is broken.

    Prints the problems of its contract files; the other contracts still count.
    """
    resolver = Resolver(explicit=arguments.config)
    problems = [(problem, _words(problem)) for problem in resolver.problems(path)]
    for problem, words in problems:
        if problem.rule == "invalid-config":
            raise UsageError(words, arguments.command)
    for _, words in problems:
        print(f"handoff-lsp: error: {printable(words)}", file=sys.stderr, flush=True)
    return resolver


def _words(problem: ConfigError) -> str:
    line = f":{problem.line}" if problem.line is not None else ""
    return f"{problem.path}{line}: {problem.message}"


def entry_of(registry: Registry, name: str, command: str) -> ContractEntry:
    """The contract of a name. Raises UsageError for an unknown name."""
    if name not in registry:
        meant = did_you_mean(name, registry.names) or f"; known are {', '.join(registry.names)}"
        raise UsageError(f"unknown contract `{name}`{meant}", command)
    return registry[name]


def _contract(registry: Registry, options: Options, name: str, path: Path | None) -> str:
    """The contract that the path of the output decides. Raises UsageError if it decides none."""
    if path is None:
        raise UsageError("name a CONTRACT, or a file with --output whose path decides it", "new")
    found = [each.contract for each in suggestions(registry, name, options, {}, ())]
    if len(found) != 1:
        raise UsageError(f"the path {name} does not decide the contract; it can be {', '.join(found)}", "new")
    return found[0]


def _profile(entry: ContractEntry, wanted: str | None, options: Options, name: str) -> str:
    profiles = entry.contract.profiles
    if wanted is None:
        return decided_profile(entry.contract, name, options) or entry.contract.default_profile
    if wanted not in profiles:
        meant = did_you_mean(wanted, profiles) or f"; it has {', '.join(profiles)}"
        raise UsageError(f"the contract `{entry.name}` has no profile `{wanted}`{meant}", "new")
    return wanted


def _make_folder(folder: Path) -> None:
    """Create the folder of a new handoff. Raises UsageError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot create the folder {folder}: {error.strerror or error}", "new") from error


def check_place(path: Path, shown: str, command: str, *, force: bool) -> None:
    """Raise UsageError if a path cannot be written, or exists and ``force`` is not set."""
    if os.path.isdir(path):
        raise UsageError(f"{shown} is a folder: name a file in it", command)
    if not os.path.isdir(path.parent):
        raise UsageError(f"no such folder: {os.path.dirname(shown)}", command)
    if os.path.lexists(path) and not force:
        raise UsageError(f"{shown} already exists; `--force` overwrites it", command)


def write_file(path: Path, shown: str, text: str, command: str, *, force: bool) -> None:
    """Write a file. Raises UsageError if that fails, or if it exists and ``force`` is not set."""
    try:
        # `x` fails if the file was created since the check.
        with open(path, "w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageError(f"{shown} already exists; `--force` overwrites it", command) from None
    except OSError as error:
        raise UsageError(f"cannot write {shown}: {error.strerror or error}", command) from error
