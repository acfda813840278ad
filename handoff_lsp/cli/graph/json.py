"""The packs as one JSON object, for programs; each pack is on a line of its own."""

from __future__ import annotations

from collections.abc import Sequence

from handoff_lsp import __version__
from handoff_lsp.cli.output.json import array, because
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.reports.data import data_of, json_line
from handoff_lsp.reports.pack import PackReport


def json_of(packs: Sequence[PackReport], summary: Summary) -> str:
    """The object: the packs with all their findings, and the files without an answer."""
    parts = [
        f'"version": {json_line(__version__)}',
        f'"packs": {array([json_line(data_of(pack)) for pack in packs])}',
        f'"failed": {array([because(each) for each in summary.failed])}',
        f'"skipped": {array([because(each) for each in summary.skipped])}',
    ]
    return "{\n " + ",\n ".join(parts) + "\n}\n"
