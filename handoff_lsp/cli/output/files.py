"""The outputs of a run: one to standard output, and any number to files (``-o FORMAT:FILE``)."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from errno import EEXIST
from types import TracebackType
from typing import Self

from handoff_lsp.cli.checking.checked import ReportParts
from handoff_lsp.cli.output.format import FORMATS, Document, Format, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.output.utf8 import tell_skipped
from handoff_lsp.cli.printable import printable
from handoff_lsp.cli.usage import UsageError
from handoff_lsp.workspace.config.search import OWN_NAME, SHARED_NAME


class Outputs:
    """Several formats as one. As a context: the files get their new content at its end, unless it ends early.

    ``failed`` is True after a file could not be written, which is printed.
    """

    def __init__(self, wanted: str, first: Format, files: list[tuple[str, str]], look: Look) -> None:
        """``wanted`` is the name of the format ``first``; ``files`` are names of formats, each with its file.

        Raises UsageError if a file cannot be written.
        """
        self.failed: bool = False
        kinds = [FORMATS[name] for name in (wanted, *(name for name, _ in files))]
        self.wants: ReportParts = ReportParts(any(kind.fixes for kind in kinds), any(kind.decisions for kind in kinds))
        self._tells = not FORMATS[wanted].people
        self._formats = [first]
        self._files: list[_NewFile] = []
        try:
            for name, path in files:
                file = _NewFile(path, [each.real for each in self._files])
                self._files.append(file)
                self._formats.append(
                    FORMATS[name].load()(file.write, look._replace(color=False, width=None, alone=True))
                )
        except BaseException:
            self._drop()
            raise

    def document(self, document: Document) -> None:
        """Receive one document, in the order of the run."""
        for each in self._formats:
            each.document(document)
        if self._files and document.report.handoffs:
            real = os.path.realpath(document.report.path)
            for file in self._files:
                if file.real == real:
                    file.refuse("it holds a handoff that was checked")

    def finish(self, summary: Summary) -> None:
        """Receive the end of the run, and write the files."""
        for each in self._formats:
            each.finish(summary)
        if self._tells:
            tell_skipped(summary)
        for file in self._files:
            try:
                file.keep()
            except OSError as error:
                self.failed = True
                sys.stdout.flush()
                reason = error.strerror or "cannot be written"
                print(f"handoff-lsp: error: {printable(file.given)}: {reason}; it is as it was", file=sys.stderr)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._drop()

    def _drop(self) -> None:
        for file in self._files:
            file.drop()


class _NewFile:
    """A file that is written whole or not at all: a new one beside it takes its place at the end.

    A pipe or a device is written at the end.
    """

    def __init__(self, given: str, others: list[str]) -> None:
        self.given = given
        self._error: OSError | None = None
        self._texts: list[str] = []
        self._new = ""
        try:
            about = os.stat(given) if os.path.exists(given) else None
            regular = about is None or stat.S_ISREG(about.st_mode)
            self.real = os.path.realpath(given) if regular else given  # of a pipe it would be no path
            self._refuse(about, others)
            if regular:
                self._open(about)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "not a path"
            raise UsageError(f"cannot write `{given}`: {reason}", "check") from error

    def _refuse(self, about: os.stat_result | None, others: list[str]) -> None:
        """Raise UsageError for a file that cannot be written."""
        if self.real in others:
            raise UsageError(f"two outputs to the same file `{self.given}`", "check")
        if about is None and not os.path.isdir(os.path.dirname(self.real)):
            raise UsageError(f"cannot write `{self.given}`: no such folder", "check")
        if about is not None and stat.S_ISDIR(about.st_mode):
            raise UsageError(f"cannot write `{self.given}`: it is a folder", "check")
        if os.path.basename(self.real) in (OWN_NAME, SHARED_NAME):
            raise UsageError(f"cannot write `{self.given}`: it is a config", "check")
        if about is not None and not os.access(self.real, os.W_OK):
            raise UsageError(f"cannot write `{self.given}`: it is read-only", "check")

    def _open(self, about: os.stat_result | None) -> None:
        new = os.path.join(os.path.dirname(self.real), f".{os.path.basename(self.real)[:40]}.{os.urandom(6).hex()}.tmp")
        number = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
        self._new = new
        self._file = os.fdopen(number, "wb")
        if about is not None:
            with suppress(OSError):
                os.chmod(new, stat.S_IMODE(about.st_mode))

    def write(self, text: str) -> None:
        """Write a piece. A failure is remembered: the run goes on."""
        if not self._new:
            self._texts.append(text)
        elif self._error is None:
            try:
                self._file.write(text.encode("utf-8", "replace"))
            except OSError as error:
                self._error = error

    def refuse(self, reason: str) -> None:
        """Have ``keep`` fail for this reason."""
        self._error = OSError(EEXIST, reason)

    def keep(self) -> None:
        """Have the new file take its place. Raises OSError."""
        if self._error is not None:
            raise self._error
        if self._new:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            os.replace(self._new, self.real)
            self._new = ""
            return
        with open(self.real, "ab") as file:
            file.write("".join(self._texts).encode("utf-8", "replace"))

    def drop(self) -> None:
        """Remove the new file, unless it has taken its place."""
        if self._new:
            with suppress(OSError):
                self._file.close()
            with suppress(OSError):
                os.unlink(self._new)
            self._new = ""
