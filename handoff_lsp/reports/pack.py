"""What the prompts of a workspace say about contracts, for other programs: frozen, comparable, picklable.

The rows of a matrix are fields and their values; its columns are what the prompts do with them. Paths are spelled as
those of reports, ranges count as theirs.
"""

from __future__ import annotations

from typing import Literal

from handoff_lsp.prompts.statement import SpeakerKind
from handoff_lsp.reports.report import Finding, Level, Range
from handoff_lsp.text.lazy_dataclass import lazy_dataclass


@lazy_dataclass(frozen=True, slots=True)
class PromptPlace:
    """A place where a prompt names a field or a value. ``speaker`` is the agent's name, else that of the file."""

    path: str
    speaker: str
    role: SpeakerKind
    range: Range


@lazy_dataclass(frozen=True, slots=True)
class Drift:
    """A finding of a rule about prompts, in short."""

    rule: str
    severity: Level
    message: str
    path: str
    range: Range


@lazy_dataclass(frozen=True, slots=True)
class MatrixRow:
    """A value of a field, or the field itself if ``value`` is empty, and what prompts do with it.

    ``field`` is a dotted path, or a name as written that is none of the contract's; of markers and of the files of
    handoffs, it is ``(marker)`` and ``(file)``, and ``value`` as written. ``known``: the contract has it, in
    one of its profiles. ``emitted``: prompts have their agents write it; ``handled``: they react to it;
    ``forbidden``: it must not be written; ``documented``: they only name it. ``seen`` is the number of real handoffs
    with it, ``drift`` the findings about it.
    """

    field: str
    value: str
    known: bool
    emitted: tuple[PromptPlace, ...]
    handled: tuple[PromptPlace, ...]
    documented: tuple[PromptPlace, ...]
    forbidden: tuple[PromptPlace, ...]
    seen: int
    drift: tuple[Drift, ...]

    @property
    def places(self) -> tuple[PromptPlace, ...]:
        """All places, by what is done there."""
        return (*self.emitted, *self.handled, *self.documented, *self.forbidden)


@lazy_dataclass(frozen=True, slots=True)
class ContractMatrix:
    """The matrix of one contract. ``status`` is the field with its status, empty without one.

    ``prompts`` is the number of prompts about it, ``handoffs`` that of the real handoffs. The row of a field comes
    before those of its values; the status comes first.
    """

    contract: str
    title: str
    status: str
    prompts: int
    handoffs: int
    rows: tuple[MatrixRow, ...]

    @property
    def drift(self) -> int:
        """The number of rows with drift."""
        return sum(bool(row.drift) for row in self.rows)


@lazy_dataclass(frozen=True, slots=True)
class PromptRow:
    """A prompt about a contract. ``refers``: the paths of other prompts that it sends its reader to."""

    path: str
    speaker: str
    role: SpeakerKind
    contracts: tuple[str, ...]
    refers: tuple[str, ...]
    drift: int


@lazy_dataclass(frozen=True, slots=True)
class PackEdge:
    """What goes from one speaker to another. ``field`` is a dotted path, ``drift`` what is found about it.

    ``status``: the values of the status that the sender emits and the receiver handles. ``route``: the sender names
    the receiver as the next agent.
    """

    kind: Literal["status", "route"]
    sender: str
    receiver: str
    contract: str
    field: str
    values: tuple[str, ...]
    drift: tuple[Drift, ...]


@lazy_dataclass(frozen=True, slots=True)
class PackReport:
    """The prompts of a workspace, the matrix of each contract that they are about, and all findings about them.

    ``root`` is the folder of the workspace. ``unread`` is empty, unless the workspace has too many files for its
    prompts to be compared.
    """

    root: str
    prompts: tuple[PromptRow, ...]
    contracts: tuple[ContractMatrix, ...]
    edges: tuple[PackEdge, ...]
    findings: tuple[Finding, ...]
    unread: Literal["", "too many prompts"] = ""
