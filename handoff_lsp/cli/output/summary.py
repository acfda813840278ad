"""What `check` did, and what each format of the output is given."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from handoff_lsp.engine import Analysis


@dataclass
class Summary:
    """What was done: numbers of files, of handoffs, and of findings by severity.

    ``skipped`` are the files and folders that a walk met and that cannot be read.
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
    ignored: int = 0  # files and folders that a walk passed over because git ignores them


class Skipped(NamedTuple):
    """A file or folder that a walk passed over, as its path is shown, and why in two words."""

    shown: str
    reason: str
    is_folder: bool


class Output(Protocol):
    """A format of the output: told of each document, and at the end of the whole."""

    def report(self, shown: str, analysis: Analysis, *, named: bool) -> None:
        """Print what is known of one document, whose path is shown as ``shown``; ``named``: someone asked for it."""

    def finish(self, summary: Summary) -> None:
        """Print what is left to say."""
