"""The verdict that an agent reads: clean, findings or not checked; never silence that could mean either."""

from __future__ import annotations

from typing import Literal

from handoff_lsp import __version__
from handoff_lsp.text.lazy_dataclass import lazy_dataclass

VerdictState = Literal["clean", "findings", "not checked"]

NO_HANDOFF = "no handoff found"
ONLY_EXAMPLES = "only examples"
NONE_FILLED_IN = "only templates and examples"

# Enough of a hash to recognize a text by, and to compare with that of `sha256sum`.
_SHOWN = 12


@lazy_dataclass(frozen=True, slots=True)
class Verdict:
    """The result of checking one text.

    ``state`` is ``clean`` only if a handoff was found and nothing about it: no finding of any severity, and no hidden
    one that withholds the decision. ``reason`` says why a text was not checked; with ``findings``, what is wrong
    although it is not listed, or not checked; else it is empty. ``sha256`` is the hash of the judged text in UTF-8, as
    ``sha256sum`` prints that of its file, and empty if the text could not be read. ``version`` is that of handoff-lsp.
    """

    state: VerdictState
    reason: str = ""
    sha256: str = ""
    version: str = __version__

    @property
    def line(self) -> str:
        """The verdict in one line, with the beginning of the hash if it is clean."""
        if self.state == "clean":
            return f"clean (sha256 {self.sha256[:_SHOWN]}, handoff-lsp {self.version})"
        return f"{self.state}: {self.reason}" if self.reason else self.state


def not_checked(reason: str, sha256: str = "") -> Verdict:
    """The verdict on a text that was not checked; without a hash, it was not even read."""
    return Verdict("not checked", reason, sha256)
