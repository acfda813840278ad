"""The doctor's facts for support: the installation, the config in force, and the problems."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from handoff_lsp import __version__
from handoff_lsp.contracts.registry import Registry, schemas_folder
from handoff_lsp.features.doctor.agents import AgentReport, agent_reports
from handoff_lsp.features.doctor.file import ConfigReport, FileReport, config_report, file_report
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.workspace.config.config_file import OVERRIDES, ConfigError
from handoff_lsp.workspace.disk.files import UnreadableFile, read_text
from handoff_lsp.workspace.store import OpenDocument, Workspace

NAME = "handoff-lsp"

# Characters of handoffs and our own messages that other encodings lack.
_SIGNS = "✓ ✗ ⚠ — “” 検証"


@lazy_dataclass(frozen=True, slots=True)
class SetupProblem:
    """A problem that keeps handoff-lsp from working; ``path`` and ``line`` (1-based) if it is in a file."""

    message: str
    path: str | None = None
    line: int | None = None


@lazy_dataclass(frozen=True, slots=True)
class Installation:
    """The installation and its places. ``command``: the path of ``handoff-lsp`` in the PATH; None if not found."""

    version: str
    package: str
    python: str
    executable: str
    platform: str
    command: str | None
    dependencies: dict[str, str | None]
    contracts: str
    builtin: tuple[str, ...]
    own: dict[str, str]


@lazy_dataclass(frozen=True, slots=True)
class DoctorReport:
    """The doctor's report. ``folders``: the configs of whole folders, requested without a file.

    ``agents``: what the agents of these folders owe, those that the files define, and those that were named.
    """

    problems: tuple[SetupProblem, ...]
    server: Installation
    folders: tuple[ConfigReport, ...]
    files: tuple[FileReport, ...]
    agents: tuple[AgentReport, ...]

    def as_data(self) -> dict[str, Any]:
        """The same as plain data."""
        return asdict(self)


def examine(
    workspace: Workspace,
    documents: Sequence[OpenDocument | UnreadableFile],
    folders: Iterable[Path | None] = (),
    agents: Sequence[str] = (),
) -> DoctorReport:
    """Examine documents and the configs of folders; ``folders`` holds a path in each, None for the working folder.

    ``agents``: the names of the only agents to examine in the folders; empty for all of them.
    """
    resolver, folders = workspace.resolver, list(folders)
    paths = [*(document.path for document in documents), *folders]
    files = tuple(file_report(workspace, document) for document in documents)
    wrong = dict.fromkeys(error for path in paths for error in resolver.problems(path))
    problems = [*installation_problems(), *(_problem(error) for error in wrong)]
    problems += [SetupProblem(f"cannot be read: {file.unreadable}", file.path) for file in files if file.unreadable]
    registries = dict.fromkeys(resolver.registry(path) for path in paths or [None])
    configs = dict.fromkeys(path.parent if path is not None else None for path in folders)
    return DoctorReport(
        tuple(problems),
        installation(registries),
        tuple(config_report(resolver, folder / "_" if folder is not None else None) for folder in configs),
        files,
        tuple(agent_reports(resolver, [document.path for document in documents], folders, agents)),
    )


def document_at(path: Path) -> OpenDocument | UnreadableFile:
    """The document of a file on disk, or the error that prevents reading it."""
    try:
        return OpenDocument(str(path), path, None, read_text(path))
    except UnreadableFile as error:
        return error


def installation(registries: Iterable[Registry]) -> Installation:
    """The installation, with the contracts that were loaded."""
    entries = {entry.name: entry for registry in registries for entry in registry}
    return Installation(
        version=__version__,
        package=str(Path(__file__).parents[2]),
        python=f"{platform.python_version()} ({platform.python_implementation()})",
        executable=sys.executable,
        platform=platform.platform(),
        command=shutil.which(NAME),
        dependencies={name: _version(name) for name in _dependencies()},
        contracts=str(schemas_folder() / "contracts"),
        builtin=tuple(name for name, entry in entries.items() if entry.origin is None),
        own={name: str(entry.origin) for name, entry in entries.items() if entry.origin is not None},
    )


def installation_problems() -> list[SetupProblem]:
    """The problems of the installation."""
    return [SetupProblem(f"{name} is not installed") for name in _dependencies() if _version(name) is None]


def output_problems(encoding: str | None) -> list[SetupProblem]:
    """The problems of an encoding for output to a terminal (None if it has none)."""
    try:
        _SIGNS.encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        message = (
            f"Standard output is {encoding or 'in no encoding'}, which lacks characters of handoffs: they are shown "
            "as `?` or an ASCII mark. PYTHONUTF8=1 in the environment makes it UTF-8; JSON is always UTF-8"
        )
        return [SetupProblem(message)]
    return []


def _problem(error: ConfigError) -> SetupProblem:
    path = str(error.path) if error.path != OVERRIDES else "the editor's settings"
    return SetupProblem(error.message, path, error.line)


def _dependencies() -> list[str]:
    """The names of the required packages from the package's metadata; none if it is not installed."""
    from importlib import metadata  # loads all that reads mail

    try:
        wanted = metadata.requires(NAME) or []
    except metadata.PackageNotFoundError:
        return []
    plain = (line for line in wanted if "extra ==" not in line)
    return [line[: next((end for end, char in enumerate(line) if char in " <>=!~[;("), len(line))] for line in plain]


def _version(name: str) -> str | None:
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
