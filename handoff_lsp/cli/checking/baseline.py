"""Known findings that ``check`` leaves out: which ones a baseline covers, and which of its entries are gone."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from handoff_lsp.cli.checking.baseline_file import BaselineEntry, BaselineError, entry_of, read_baseline, text_of
from handoff_lsp.cli.checking.checked import Checked
from handoff_lsp.cli.run import Run
from handoff_lsp.cli.usage import UsageError
from handoff_lsp.reports.report import Finding, Report
from handoff_lsp.text import Source

if TYPE_CHECKING:
    import argparse


class Baseline:
    """One baseline during a run. Its paths are relative to its folder.

    Each entry covers as many findings as it counts, in its own file; if that is gone, in one that the baseline does
    not know, as after a move.
    """

    def __init__(self, path: Path, text: str, entries: Counter[BaselineEntry]) -> None:
        self.path = path
        self.text = text
        self.found: Counter[BaselineEntry] = Counter()  # all findings of the run
        self._folder = path.parent
        self._entries = entries
        self._left = Counter(entries)
        self._kept: Counter[BaselineEntry] = Counter()  # those that cover a finding, at its present path
        self._known = {entry.path for entry in entries}
        self._checked: set[str] = set()

    def uncovered(self, path: Path, findings: tuple[Finding, ...], text: str) -> tuple[Finding, ...]:
        """The findings of a file that the baseline does not cover. ``text`` is that of the file."""
        try:
            name = os.path.relpath(path, self._folder).replace(os.sep, "/")
        except ValueError:  # on another drive
            return findings
        self._checked.add(name)
        if not findings:
            return ()
        lines = Source(text).lines
        left = []
        for finding in findings:
            entry = entry_of(name, finding, lines.line_text(finding.line - 1))
            self.found[entry] += 1
            if not self._covers(entry):
                left.append(finding)
        return tuple(left)

    def _covers(self, entry: BaselineEntry) -> bool:
        used = entry if self._left[entry] > 0 else None
        if used is None and entry.path not in self._known:
            same = self._gone.get(entry._replace(path=""), ())
            used = next((old for old in same if self._left[old] > 0), None)
        if used is None:
            return False
        self._left[used] -= 1
        self._kept[entry] += 1
        return True

    @cached_property
    def _gone(self) -> dict[BaselineEntry, list[BaselineEntry]]:
        """The entries of files that are gone, by all but their paths."""
        found: dict[BaselineEntry, list[BaselineEntry]] = {}
        for path in self._gone_paths:
            for entry in sorted(one for one in self._left if one.path == path):
                found.setdefault(entry._replace(path=""), []).append(entry)
        return found

    @cached_property
    def _gone_paths(self) -> list[str]:
        return sorted(path for path in self._known if _is_gone(self._folder / path))

    def gone(self, *, complete: bool) -> Counter[BaselineEntry]:
        """The entries without a finding any more; after a ``complete`` run also those of files that are gone."""
        paths = self._checked | (set(self._gone_paths) if complete else set())
        return Counter({entry: number for entry, number in self._left.items() if number > 0 and entry.path in paths})

    def shrunk(self, *, complete: bool) -> Counter[BaselineEntry]:
        """The entries without those that are gone, those of moved files at their present paths."""
        return self._kept + self._left - self.gone(complete=complete)

    def moved(self) -> bool:
        """Whether an entry has another path now."""
        return any(number > self._entries[entry] for entry, number in self._kept.items())

    def renewed(self, *, complete: bool) -> Counter[BaselineEntry]:
        """All findings of the run, and the entries of the files that it did not check."""
        gone = set(self._gone_paths) if complete else set()
        others = {entry: number for entry, number in self._left.items() if entry.path not in self._checked | gone}
        return self.found + Counter(others)


class Baselines:
    """The baselines of a run: that of ``--baseline`` for all files, else that of the nearest config which names one."""

    def __init__(self, run: Run, arguments: argparse.Namespace) -> None:
        self._run = run
        self._off: bool = arguments.no_baseline
        run.summary.has_baseline = self._off
        self._explicit: Path | None = None
        self._loaded: dict[Path, Baseline] = {}
        self._of_config: dict[Path | None, Path | None] = {}  # by the config's file
        if arguments.baseline is not None:
            self._explicit = Path(os.path.abspath(arguments.baseline))
            if self._off:
                raise UsageError("`--baseline` cannot be used with `--no-baseline`", arguments.command)
            if not os.path.exists(self._explicit):
                raise UsageError(f"no such file: {arguments.baseline}", arguments.command)

    def applied(self, document: Checked, report: Report) -> Report:
        """A report without the findings that its baseline covers, which are counted. Raises UsageError."""
        path = document.target.path
        found = self._of(path)
        if found is None or path is None:
            return report
        left = found.uncovered(path, report.findings, document.text)
        if len(left) == len(report.findings):
            return report
        self._run.summary.baselined += len(report.findings) - len(left)
        shown = set(left)
        handoffs = tuple(
            replace(each, findings=tuple(finding for finding in each.findings if finding in shown))
            for each in report.handoffs
        )
        return replace(report, handoffs=handoffs, findings=left)

    def finish(self, arguments: argparse.Namespace) -> None:
        """Count the entries that are gone, and remove them after a run over all files, except in CI."""
        summary = self._run.summary
        if summary.broken or not _is_whole(arguments):
            return
        for baseline in self._loaded.values():
            if not covers_folder(arguments.paths, baseline.path.parent):
                continue
            gone = sum(baseline.gone(complete=True).values())
            after = text_of(baseline.shrunk(complete=True))
            if (gone or baseline.moved()) and not os.environ.get("CI") and write_baseline(baseline, after):
                summary.baseline_removed += gone
            else:
                summary.baseline_gone += gone

    def _of(self, path: Path | None) -> Baseline | None:
        if self._off:
            return None
        file = self._explicit or self._named(path)
        if file is None or (self._explicit is None and not os.path.exists(file)):
            return None  # the config may name it before it is written
        if file not in self._loaded:
            self._loaded[file] = load(file)
            self._run.summary.has_baseline = True
        return self._loaded[file]

    def _named(self, path: Path | None) -> Path | None:
        """The baseline of a file."""
        config = self._run.resolver.config(path).path
        if config not in self._of_config:
            naming = self._run.resolver.naming_baseline(path)
            self._of_config[config] = naming.baseline if naming is not None else None
        return self._of_config[config]


def _is_gone(path: Path) -> bool:
    """Whether there is certainly no such file: one in a folder that cannot be entered may be there."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def load(path: Path) -> Baseline:
    """The baseline of a file. Raises UsageError if it is broken."""
    try:
        return Baseline(path, *read_baseline(path))
    except BaselineError as error:
        line = f":{error.line}" if error.line is not None else ""
        told = f"{os.path.relpath(error.path)}{line}: {error.message}; `handoff-lsp baseline --force` writes a new one"
        raise UsageError(told, "baseline") from error


def write_baseline(baseline: Baseline, after: str) -> bool:
    """Write the new text of a baseline. Returns whether that was possible."""
    from handoff_lsp.workspace.disk.replacing import NotReplaced, replace_text  # not before it is needed

    try:
        replace_text(baseline.path, baseline.text, after)
    except NotReplaced:
        return False
    return True


def covers_folder(paths: list[str], folder: Path) -> bool:
    """Whether one of the paths of a run is a folder, or the one above it."""
    real = Path(os.path.realpath(folder))
    return any(real.is_relative_to(os.path.realpath(path)) for path in paths or ["."] if path and path != "-")


def _is_whole(arguments: argparse.Namespace) -> bool:
    """Whether the run has all findings of the files that it checks, and checks all files of its folders."""
    filters = ("select", "ignore", "severity", "exclude", "extend_exclude", "changed", "staged", "isolated")
    foreign = arguments.config is not None and arguments.baseline is not None  # its config may find more
    return not foreign and not any(getattr(arguments, name, None) for name in filters)
