"""The summary of a check, and the interface of output formats."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from handoff_lsp.engine import Analysis
    from handoff_lsp.workspace.config.config_file import ConfigError


@dataclass
class Summary:
    """The counts of a check: files, handoffs, and findings by severity.

    ``skipped`` are the unreadable files and folders found on a walk.
    """

    files: int = 0
    handoffs: int = 0
    with_findings: int = 0
    failed: int = 0
    broken: bool = False  # whether some of the work could not be done
    without_handoff: int = 0  # of the files that were named
    with_examples_only: int = 0  # of the files that were named
    counts: Counter[str] = field(default_factory=Counter)
    skipped: list[Skipped] = field(default_factory=list)
    ignored: int = 0  # files and folders that a walk skipped because git ignores them


class Skipped(NamedTuple):
    """A file or folder that a walk skipped: its path as shown, and the reason in two words."""

    shown: str
    reason: str
    is_folder: bool


class Output(Protocol):
    """An output format: receives each document, and the summary at the end."""

    def report(self, shown: str, analysis: Analysis, *, named: bool) -> None:
        """Print the analysis of one document, with its path as ``shown``; ``named``: it was given as an argument."""

    def problem(self, shown: str, error: ConfigError) -> None:
        """Receive a problem of a config or contract file, which is on standard error already."""

    def finish(self, summary: Summary) -> None:
        """Print the summary."""
