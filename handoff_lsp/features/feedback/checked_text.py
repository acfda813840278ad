"""One text of an agent, checked: its handoffs and findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text.digest import sha256_of
from handoff_lsp.text.lazy_dataclass import lazy_dataclass
from handoff_lsp.text.named_tuple import NamedTuple
from handoff_lsp.text.printable import printable


class AgentFacts(NamedTuple):
    """Facts about an agent at its end.

    Paths are those of files that it wrote, with ``/`` and from the root of the workspace: ``paths`` as far as they are
    known, ``files`` if all are. ``time``: the current time (ISO 8601 in UTC), empty if it must not be written.
    """

    agent: str = ""
    ids: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    time: str = ""


NOTHING = AgentFacts()


@lazy_dataclass(frozen=True)
class CheckedText:
    """The handoffs of one text: ``shown`` is the path of the file, empty for the agent's final message.

    ``wrong``: findings that must be corrected; ``doubtful``: findings that may be. Without ``fixes``, which take time,
    no correction is shown. ``known``: facts about the agent, for the handoff that it owes. ``is_absent``: the
    file does not exist.
    """

    shown: str
    analysis: Analysis
    wrong: list[Finding] = field(default_factory=list)
    doubtful: list[Finding] = field(default_factory=list)
    fixes: bool = True
    known: AgentFacts = NOTHING
    is_absent: bool = False

    @property
    def handoffs(self) -> int:
        """The number of handoffs, without examples."""
        return sum(handoff.mode != "example" for handoff in self.analysis.handoffs)

    def mark(self, findings: Sequence[Finding]) -> str:
        """A hash of a complaint that stays the same wherever its findings are in the text."""
        said = sorted(f"{finding.code} {finding.field} {finding.message}" for finding in findings)
        return sha256_of("\n".join((self.shown, *said)))[:32]

    @property
    def name(self) -> str:
        """The name of the text in a sentence."""
        return f"`{printable(self.shown)}`" if self.shown else "your final message"
