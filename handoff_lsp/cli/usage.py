"""Shared by all commands: exit codes, levels, and the error for wrong arguments."""

from __future__ import annotations

TYPE_CHECKING = False  # as of `typing`
if TYPE_CHECKING:
    from collections.abc import Iterable

# Exit codes.
CLEAN, FINDINGS, FAILED, INTERRUPTED = 0, 1, 2, 130

# In place of a path: standard input, or standard output.
STDIN = STDOUT = "-"

SEVERITIES = ("error", "warning", "information", "hint")
# The name of the error handler for streams that cannot encode everything.
FALLBACK = "handoff-marks"
LOG_LEVELS = ("debug", "info", "warning", "error")


class UsageError(Exception):
    """Wrong arguments; ``command`` is the one they were for."""

    def __init__(self, message: str, command: str = "") -> None:
        super().__init__(message)
        self.command = command


def did_you_mean(given: str, known: Iterable[str]) -> str:
    """The end of a message with the likely name; empty if no name is similar."""
    from handoff_lsp.contracts import names  # not before it is needed

    return names.did_you_mean(given, known)
