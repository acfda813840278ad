"""The result of detection: a part of a document that is a handoff."""

from __future__ import annotations

from handoff_lsp.contracts.model import PARTS, Form, RunForm
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.syntax.json.parse import JsonTree
from handoff_lsp.syntax.lines.outline import Outline
from handoff_lsp.syntax.markdown.incremental import Node
from handoff_lsp.text import Fragment, Span
from handoff_lsp.text.named_tuple import NamedTuple


class Candidate(NamedTuple):
    """A part of a document that is a handoff, with the reasons for that. ``span`` is in code points.

    ``node`` is the fence that it is, or is in; ``section`` the number of the section that it is; ``fragment`` the
    text of a run, or that of a file without its byte order mark; ``json`` the tree of a JSON file, ``lines`` those of a
    YAML file.
    """

    entry: ContractEntry
    form: Form
    span: Span
    reasons: tuple[str, ...]
    node: Node | None = None
    section: int | None = None
    fragment: Fragment | None = None
    json: JsonTree | None = None
    lines: Outline | None = None
    tagged: bool = True  # a fence by its tag, not by its shape
    quoted: bool = False  # history, or a quotation, which its reader ignores

    @property
    def is_part(self) -> bool:
        """Whether it is a part of its document, which may hold other handoffs."""
        return self.form in PARTS

    @property
    def run_form(self) -> RunForm | None:
        """The contract's demands on a run of lines; None unless it is one."""
        return self.entry.contract.run if self.form == "run" else None
