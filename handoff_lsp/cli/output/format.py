"""An output format of ``check``: what it receives, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import Protocol

from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.reports.report import Report
from handoff_lsp.text import Source
from handoff_lsp.text.named_tuple import NamedTuple


class Document:
    """One checked document: its report, and whether an argument named it. ``read`` returns its text when needed."""

    def __init__(self, report: Report, *, named: bool, read: Callable[[], str]) -> None:
        self.report = report
        self.named = named
        self._read = read

    @cached_property
    def source(self) -> Source:
        """Its text with the index of its lines."""
        return Source(self._read())


class Look(NamedTuple):
    """How output looks: with colors, without the summary, wrapped at a terminal's ``width`` in cells (None: not).

    ``alone``: its reader does not see standard error, so that failures belong into it. ``fails``: the severities that
    fail the run. ``because``: the variable for which the format was chosen; empty if it was asked for.
    """

    color: bool = False
    quiet: bool = False
    width: int | None = None
    alone: bool = False
    fails: tuple[str, ...] = ("error",)
    because: str = ""


class Format(Protocol):
    """Receives each document of a run, and the summary at its end. It writes text by ``write``, in any pieces."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None: ...

    def document(self, document: Document) -> None:
        """Receive one document, in the order of the run."""

    def finish(self, summary: Summary) -> None:
        """Receive the end of the run, with the problems of configs and contracts and the files that failed."""


class FormatKind(NamedTuple):
    """A row of the table: the module under ``cli/output`` with its class ``Output``, whether it shows fixes, whether
    it shows what handoffs say and the decisions about them, and whether people read it: such a format has colors and a
    summary. ``lines``: its output is text for others."""

    module: str
    about: str
    fixes: bool = False
    decisions: bool = False
    people: bool = False
    lines: bool = False

    @property
    def log(self) -> bool:
        """Whether its output is text in a log, in which a document must not give commands."""
        return self.people or self.lines

    def load(self) -> type[Format]:
        """The class of the format."""
        found: type[Format] = import_module(f"handoff_lsp.cli.output.{self.module}").Output
        return found


FORMATS: dict[str, FormatKind] = {
    "text": FormatKind("text", "each finding with its line and its fix", people=True),
    "concise": FormatKind("concise", "each finding on one line", people=True),
    "grouped": FormatKind("grouped", "each finding on one line, below its file", people=True),
    "json": FormatKind(
        "json", "one object with files, handoffs, failures, a summary and all findings", fixes=True, decisions=True
    ),
    "jsonl": FormatKind(
        "jsonl", "the same as JSON Lines: an object for each file, finding and failure", fixes=True, decisions=True
    ),
    "sarif": FormatKind("sarif", "SARIF 2.1.0, for code scanning", fixes=True),
    "github": FormatKind(
        "github", "annotations of GitHub Actions, and a table of handoffs in the job's summary", decisions=True
    ),
    "gitlab": FormatKind("gitlab", "a Code Quality report of GitLab"),
    "junit": FormatKind("junit", "JUnit's XML, for lists of tests"),
    "rdjson": FormatKind("rdjson", "the Reviewdog Diagnostic Format, with suggestions", fixes=True),
    "azure": FormatKind("azure", "logging commands of Azure Pipelines"),
    "pylint": FormatKind("pylint", "lines as pylint prints them, for Jenkins and others", lines=True),
    "agent": FormatKind(
        "agent", "for AI agents: a verdict on each file, and the text to write", fixes=True, decisions=True, lines=True
    ),
}
