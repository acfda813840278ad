"""The contracts that an action is about: those named by its arguments, else those of the config."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import UsageError, did_you_mean
from handoff_lsp.contracts.registry import ContractEntry, Registry, builtin, schemas_folder
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.workspace.config.config_file import Config, ConfigError
from handoff_lsp.workspace.config.contract_files import SUFFIXES, FileProblem, expand_contracts, read_contracts
from handoff_lsp.workspace.config.resolver import Resolver

CASES_SUFFIX = ".cases.md"


class OwnContracts(NamedTuple):
    """Contract files with what they hold.

    ``paths`` are those that are meant, ``entries`` their contracts, ``problems`` the reasons why others have none.
    ``registry``: all contracts of the workspace, with these. ``case_files``: those that the arguments name.
    ``wrong``: the problems of the config itself, and of its packages.
    """

    resolver: Resolver
    paths: list[Path]
    entries: list[ContractEntry]
    problems: list[FileProblem]
    registry: Registry
    case_files: list[Path]
    wrong: list[ConfigError]


def own_contracts(arguments: argparse.Namespace, command: str, *, tolerant: bool = False) -> OwnContracts:
    """The contracts of an action. Raises UsageError without any.

    Also raises it if the config that lists them is broken, unless ``tolerant``.
    """
    resolver = Resolver(explicit=arguments.config)
    config = resolver.config(None)
    wrong = [problem for problem in resolver.problems(None) if problem.rule == "invalid-config"]
    if wrong and not tolerant and not arguments.paths:
        line = f":{wrong[0].line}" if wrong[0].line is not None else ""
        raise UsageError(f"{shown(wrong[0].path)}{line}: {wrong[0].message}", command)
    packaged = [one for one in resolver.problems(None) if one.path in (config.path, *config.extended)]
    wrong = list(dict.fromkeys([*wrong, *packaged]))
    known = _listed(config)
    named, case_files = _named(arguments.paths, resolver, command) if arguments.paths else (known, [])
    if not named and not wrong:
        raise _no_contract(config, command)
    paths, others = _real(named), _real(known)
    if config.contract_packages:
        from handoff_lsp.workspace.config.packages import find_package
    packages = {name: find_package(name) for name in config.contract_packages}
    contracts = read_contracts([*paths, *(path for path in others if path not in paths)], packages=packages)
    entries = [entry for entry in contracts.entries if entry.origin in paths]
    all_read = {entry.origin for entry in entries}.issuperset(paths)  # else a contract that they extend may be broken
    problems = [problem for problem in contracts.problems if problem.path in paths or not all_read]
    return OwnContracts(resolver, paths, entries, problems, _registry(contracts.entries), case_files, wrong)


def contract_paths(arguments: argparse.Namespace, command: str) -> list[Path]:
    """The contract files of an action, valid or not. Raises UsageError without any."""
    resolver = Resolver(explicit=arguments.config)
    config = resolver.config(None)
    named = _named(arguments.paths, resolver, command)[0] if arguments.paths else _listed(config)
    if not named:
        raise _no_contract(config, command)
    return _real(named)


def _listed(config: Config) -> list[Path]:
    """The contract files that a config lists."""
    return [path for one in config.contract_files for path in expand_contracts(one.folder, one.pattern).files]


def _real(paths: Iterable[Path]) -> list[Path]:
    """Files without symbolic links, each once."""
    return list(dict.fromkeys(Path(os.path.realpath(path)) for path in paths))


def _no_contract(config: Config, command: str) -> UsageError:
    where = shown(config.path) if config.path is not None else "the config"
    return UsageError(f"no contract: name its file, or list it in `contract-files` of {where}", command)


def _registry(entries: Iterable[ContractEntry]) -> Registry:
    """The built-in contracts and these; one of the same name keeps the place of the built-in one."""
    found = {entry.name: entry for entry in entries}
    own = {name: entry for name, entry in found.items() if name not in builtin()}
    return Registry({**own, **{entry.name: found.get(entry.name, entry) for entry in builtin()}})


def _named(given: list[str], resolver: Resolver, command: str) -> tuple[list[Path], list[Path]]:
    """The contract files and the case files that arguments name."""
    own = {path.stem: path for path in _listed(resolver.config(None))}
    own.update({one.name: one.origin for one in resolver.registry(None) if one.origin and one.name not in builtin()})
    contracts: list[Path] = []
    cases: list[Path] = []
    for name in given:
        path = Path(os.path.abspath(name))
        found = list(_contracts_in(path)) if os.path.isdir(path) else []
        if name in builtin() and not found and not os.path.isfile(path):
            contracts.append(schemas_folder() / "contracts" / f"{name}.yaml")
        elif name in own and not os.path.exists(path):
            contracts.append(own[name])
        elif os.path.isdir(path):
            if not found:
                raise UsageError(f"no contract in the folder {name}: its files end in .yaml or .yml", command)
            contracts += found
        elif path.name.endswith(CASES_SUFFIX):
            beside = contract_of(path)
            if beside is None:
                wanted = path.name.removesuffix(CASES_SUFFIX)
                raise UsageError(f"no contract beside {name}: {wanted}.yaml is missing", command)
            contracts.append(beside)
            cases.append(path)
        elif not os.path.exists(path) and not path.suffix:
            meant = did_you_mean(name, [*own, *builtin().names]) or ", and no contract has this name"
            raise UsageError(f"no such file: `{name}`{meant}", command)
        else:
            contracts.append(path)
    return contracts, cases


def _contracts_in(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES and os.path.isfile(path))


def contract_of(cases: Path) -> Path | None:
    """The contract beside a case file; None without one."""
    stem = cases.name.removesuffix(CASES_SUFFIX)
    return next((path for suffix in SUFFIXES if (path := cases.with_name(stem + suffix)).is_file()), None)


def cases_of(contract: Path) -> Path:
    """The case file beside a contract, there or not."""
    return contract.with_name(contract.stem + CASES_SUFFIX)


def shown(path: Path) -> str:
    """A path for people: relative to the working folder where it is inside, with ``/``."""
    here = os.path.realpath(os.getcwd())
    real = Path(os.path.realpath(path))
    return real.relative_to(here).as_posix() if real.is_relative_to(here) else str(path)


def print_error(message: str) -> None:
    """Print an error to standard error, after all that is printed so far."""
    sys.stdout.flush()
    print(f"handoff-lsp: error: {printable(message)}", file=sys.stderr, flush=True)


def problem_line(problem: FileProblem) -> str:
    """A problem of a contract file on one line."""
    line = f":{problem.line}" if problem.line is not None else ""
    return f"{shown(problem.path)}{line}: {problem.message}"
