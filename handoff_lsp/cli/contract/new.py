"""``handoff-lsp contract new``: a small contract of one's own that works, with its cases."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path

from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.cases.rewriting import rewritten
from handoff_lsp.cli.contract.files import cases_of, shown
from handoff_lsp.cli.contract.new_texts import Names, cases_text, contract_text
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import CLEAN, UsageError
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import Form
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.workspace.config.config_file import Config
from handoff_lsp.workspace.config.contract_files import SUFFIXES, names_contract
from handoff_lsp.workspace.config.resolver import Resolver

_COMMAND = "contract new"
_LONGEST_NAME = 100  # its patterns and its file names have the name in them
_NAME = re.compile(r"^[a-z][a-z0-9]*([_-][a-z0-9]+)*$")
# The file of the schema of contracts beside them.
_SCHEMA = "contract.schema.json"


def new(arguments: argparse.Namespace) -> int:
    """Run the action. Returns the exit code."""
    name = arguments.name
    if len(name) > _LONGEST_NAME:
        raise UsageError(f"a contract name has at most {_LONGEST_NAME} characters", _COMMAND)
    if not _NAME.match(name):
        raise UsageError(
            f"`{name}` is not a contract name; use lower-case words joined by hyphens, such as `nightly-report`",
            _COMMAND,
        )
    if name in builtin():
        raise UsageError(f"`{name}` is a built-in contract; choose another name", _COMMAND)
    resolver = Resolver(explicit=arguments.config)
    config = resolver.config(None)  # with a pattern that matches no file yet, it is broken and right
    path = Path(os.path.abspath(arguments.output or os.path.join("contracts", f"{name}.yaml")))
    if path.suffix not in SUFFIXES:
        raise UsageError(f"{arguments.output}: a contract file must end in .yaml", _COMMAND)
    schema = _schema_near(path, resolver.root(path) or path.parent)
    texts = _texts(Names(name), arguments.form, schema)
    for file in (path, cases_of(path)):
        _check(file, force=arguments.force)
    for file, text in zip((path, cases_of(path)), texts, strict=True):
        _write(file, text)
    print(printable(f"Wrote {shown(path)} and {shown(cases_of(path))}."))
    _print_next(config, path, name, has_schema=bool(schema))
    return CLEAN


def _texts(names: Names, form: Form, schema: str) -> tuple[str, str]:
    """The contract, and its cases with what is found in them as what is expected."""
    contract = contract_text(names, form, schema)
    entry, problems = read_contract(contract)
    assert entry is not None, problems
    registry = builtin().with_entries([entry])
    cases = cases_text(names, form)
    read = read_case_file(cases, names.name, names.name).cases
    return contract, rewritten(cases, [(case, case.analyze(registry=registry)) for case in read])


def _schema_near(path: Path, root: Path) -> str:
    """The path of a JSON Schema of contracts in the workspace, from the folder of a contract; empty without one."""
    folder = path.parent
    while True:
        for found in (folder / _SCHEMA, folder / "schemas" / _SCHEMA):
            if found.is_file():
                return Path(os.path.relpath(found, path.parent)).as_posix()
        if folder == root or folder == folder.parent:
            return ""
        folder = folder.parent


def _check(path: Path, *, force: bool) -> None:
    if os.path.lexists(path) and not force:
        raise UsageError(f"{shown(path)} already exists; `--force` overwrites it", _COMMAND)


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"cannot write {shown(path)}: {error.strerror or error}", _COMMAND) from error


def _print_next(config: Config, path: Path, name: str, *, has_schema: bool) -> None:
    """Print how to use the contract: in the config, in new documents, in an editor."""
    folder = Path(os.path.realpath(config.folder))
    real = Path(os.path.realpath(path))
    inside = real.relative_to(folder).as_posix() if real.is_relative_to(folder) else ""
    lines = []
    if not inside:
        lines.append(f"The config reads contracts below its own folder only, {shown(folder)}: move it there.")
    elif not any(names_contract(one.folder, one.pattern, path) for one in config.contract_files):
        file = shown(config.path) if config.path is not None else ".handoff-lsp.toml"
        table = ", in [tool.handoff-lsp]" if file.endswith("pyproject.toml") else ""
        own = [one.pattern for one in config.contract_files if one.folder == config.folder]
        patterns = [*own, inside if own else _pattern(inside)]
        listed = ", ".join(f'"{pattern}"' for pattern in patterns)
        lines += [f"Write into {file}{table}:", "", f"    contract-files = [{listed}]", ""]
    lines += [
        f"  handoff-lsp contract test {shown(path)}",
        f"  handoff-lsp new {name}",
    ]
    if not has_schema:
        beside = shown(path.with_name(_SCHEMA))
        lines += ["", f"For completion in an editor: `handoff-lsp schema contract > {beside}`, and as its first line:"]
        lines += ["", f"    # yaml-language-server: $schema={_SCHEMA}"]
    print("\n".join(printable(line) for line in lines))


def _pattern(path: str) -> str:
    """The pattern of the contracts in the folder of one."""
    folder, slash, name = path.rpartition("/")
    return f"{folder}/*{Path(name).suffix}" if slash else path
