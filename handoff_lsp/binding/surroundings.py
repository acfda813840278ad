"""What a handoff may ask of the files around it. The workspace answers; without one nothing is known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from handoff_lsp.binding.block import Block


class Surroundings(Protocol):
    """Answers about other files of the workspace, open ones as their editors have them.

    Paths are written with ``/``. One that leads out of the workspace, or an absolute one, is never looked at.
    """

    def exists(self, path: str) -> bool | None:
        """Whether there is a file or folder at a path from the workspace's root; None where nobody can tell."""

    def exists_beside(self, path: str) -> bool | None:
        """Whether there is one at a path from the folder of this document; None where nobody can tell."""

    def block(self, path: str, contract: str) -> Block | None:
        """The first handoff of a contract in the document at a path from the folder of this one."""

    def before(self, contract: str, mentioning: str) -> Sequence[Block]:
        """The handoffs of a contract in the files of this folder that come before this one, in their order.

        Only those of files that have ``mentioning`` in their text.
        """

    def defined(self, globs: Sequence[str]) -> frozenset[str]:
        """The names, without suffix, of the files that match globs from the workspace's root."""

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """How often a pattern is found in files below the folder of this document: those that match the first glob \
        that matches any. None where none does, or not all could be looked at."""

    def name_of(self, block: Block) -> str:
        """How to call the document that a block from here is in: its path from the folder of this one."""

    def limits(self) -> Sequence[str]:
        """What was asked but is too much to look at all of it, a sentence each."""


class Note(str):
    """A limit of a folder as a whole, which is no doubt about one handoff."""

    __slots__ = ()


class Nowhere:
    """No surroundings: a text that nobody has put anywhere."""

    def exists(self, path: str) -> bool | None:
        """Nobody can tell."""
        return None

    def exists_beside(self, path: str) -> bool | None:
        """Nobody can tell."""
        return None

    def block(self, path: str, contract: str) -> Block | None:
        """There is none."""
        return None

    def before(self, contract: str, mentioning: str) -> Sequence[Block]:
        """There are none."""
        return ()

    def defined(self, globs: Sequence[str]) -> frozenset[str]:
        """There are none."""
        return frozenset()

    def count(self, globs: Sequence[str], pattern: str) -> int | None:
        """There are none."""
        return None

    def name_of(self, block: Block) -> str:
        """It has no name."""
        return ""

    def limits(self) -> Sequence[str]:
        """There are none."""
        return ()


NOWHERE = Nowhere()
