"""An output format of ``check``: what it receives, and the table of all of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from importlib import import_module
from typing import NamedTuple, Protocol

from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.reports.report import Report
from handoff_lsp.text import Source


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
    """How text looks: with colors, without the summary, wrapped at a terminal's ``width`` in cells (None: not)."""

    color: bool = False
    quiet: bool = False
    width: int | None = None


class Format(Protocol):
    """Receives each document of a run, and the summary at its end. It writes text by ``write``, in any pieces."""

    def __init__(self, write: Callable[[str], object], look: Look) -> None: ...

    def document(self, document: Document) -> None:
        """Receive one document, in the order of the run."""

    def finish(self, summary: Summary) -> None:
        """Receive the end of the run, with the problems of configs and contracts and the files that failed."""


class FormatKind(NamedTuple):
    """A row of the table: the module under ``cli/output`` with its class ``Output``, and whether it shows fixes."""

    module: str
    about: str
    fixes: bool = False

    def load(self) -> type[Format]:
        """The class of the format."""
        found: type[Format] = import_module(f"handoff_lsp.cli.output.{self.module}").Output
        return found


FORMATS: dict[str, FormatKind] = {
    "text": FormatKind("text", "each finding with its line and its fix"),
    "json": FormatKind("json", "one object with files, handoffs, failures, a summary and all findings", fixes=True),
}
