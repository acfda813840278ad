"""The compared features: what a run must show, and the script for each tool.

A row's `script` is for every tool that `per` does not name. A tool without the feature gets the likeliest command,
which it refuses. `notes` names the tools that have the feature only in part, and why.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from benchmarks.peers.expect import Holds, refused
from benchmarks.peers.run import Ran


@dataclass(frozen=True)
class Row:
    """A feature. `shows` completes the sentence "The run shows …"."""

    feature: str
    shows: str
    shown: Holds
    script: str
    per: dict[str, str] = field(default_factory=dict)
    notes: dict[str, str] = field(default_factory=dict)
    refusal: bool = False  # the row is about a refusal, such as a missing file

    def holds(self, ran: Ran) -> bool:
        """True if the run shows the feature."""
        return (self.refusal or not refused(ran)) and self.shown(ran)

    def script_for(self, tool: str) -> str:
        return self.per.get(tool, self.script)


def every_row() -> list[tuple[str, list[Row]]]:
    """All rows below the titles of their groups."""
    from benchmarks.peers import rows_config, rows_files, rows_fixes, rows_output

    return [
        ("Output", rows_output.ROWS),
        ("Rules and files", rows_files.ROWS),
        ("Fixes", rows_fixes.ROWS),
        ("Adopting and setting up", rows_config.ROWS),
    ]
