"""The summary of a run over files."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from typing import TYPE_CHECKING

from handoff_lsp.cli.printable import printable
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple

if TYPE_CHECKING:
    from handoff_lsp.reports.pack import PackReport
    from handoff_lsp.reports.report import Finding, Report


class Skipped(NamedTuple):
    """A file or folder that a walk skipped: its path as shown, and the reason in two words."""

    shown: str
    reason: str
    is_folder: bool


class Failed(NamedTuple):
    """A path that was given and could not be checked, with the reason; the path is empty where none is to blame."""

    shown: str
    reason: str

    @property
    def line(self) -> str:
        """Both on one printable line."""
        return printable(f"{self.shown}: {self.reason}" if self.shown else self.reason)


@lazy_dataclass
class Summary:
    """The counts of a run: files, handoffs, and findings by severity.

    ``problems`` are those of configs and contract files, ``failed`` the paths that could not be checked,
    ``not_fixed`` those whose fixes could not be written, ``skipped`` the unreadable files and folders found on a walk.
    ``fixable`` counts the findings left by the kind of their fix.
    """

    files: int = 0
    handoffs: int = 0
    with_findings: int = 0
    without_handoff: int = 0  # of the files that were named
    with_examples_only: int = 0  # of the files that were named
    counts: Counter[str] = field(default_factory=Counter)
    fixable: Counter[str] = field(default_factory=Counter)
    problems: list[Finding] = field(default_factory=list)
    failed: list[Failed] = field(default_factory=list)
    not_fixed: list[Failed] = field(default_factory=list)
    fixing: bool = False  # all fixes that were asked for were tried
    fixed: int = 0  # findings that `--fix` removed, or would
    fixed_paths: set[str] = field(default_factory=set)
    skipped: list[Skipped] = field(default_factory=list)
    has_baseline: bool = False  # a baseline was used, or would have been
    baselined: int = 0  # findings that are left out because a baseline has them
    baseline_gone: int = 0  # findings of a baseline that are gone
    baseline_removed: int = 0  # those that were removed from it
    only_changed: bool = False  # of the files, only those that git lists as changed or staged
    packs: tuple[PackReport, ...] | None = None  # with `--drift`
    ignored: int = 0  # files and folders that a walk skipped because git ignores them

    @property
    def broken(self) -> bool:
        """Whether some of the work could not be done."""
        return bool(self.failed or self.not_fixed or self.problems)

    def count_fixed(self, path: str, number: int) -> None:
        """Count findings of a file that were fixed, or would be."""
        self.fixed += number
        self.fixed_paths.add(path)

    def add_packs(self, packs: tuple[PackReport, ...]) -> None:
        """Keep the packs of `--drift`. One that could not be compared is a failure."""
        self.packs = packs
        self.failed += (Failed(pack.root, "too many prompts to compare") for pack in packs if pack.unread)

    def add(self, report: Report, *, named: bool) -> None:
        """Count one checked document; ``named``: an argument named it."""
        self.files += 1
        self.handoffs += len(report.handoffs)
        self.with_findings += bool(report.findings)
        self.counts.update(finding.severity for finding in report.findings)
        self.fixable.update(finding.fixable for finding in report.findings if finding.fixable is not None)
        if named and not report.handoffs and not report.findings:
            self.with_examples_only += bool(report.examples)
            self.without_handoff += not report.examples
