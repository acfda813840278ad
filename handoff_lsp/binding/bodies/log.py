"""A handoff that is a log."""

from __future__ import annotations

from handoff_lsp.binding.bodies.body import Body, root_slot
from handoff_lsp.binding.log_fields import bind_log
from handoff_lsp.binding.put import with_empties
from handoff_lsp.binding.slot import Slot
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.syntax.lines.log import Log
from handoff_lsp.text import Source


class LogBody(Body):
    """The lines of a log, in offsets of the document."""

    syntax = "log"
    append_only = True
    log: Log

    def __init__(self, log: Log) -> None:
        self.log = log

    def bind(self, spec: Spec, source: Source) -> Slot:
        root = root_slot(spec)
        bind_log(root, self.log, spec, source)
        root.data = with_empties(root)
        return root
