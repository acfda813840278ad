"""The block that an agent owes is filled in with what is known, as far as each field takes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import Severity
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.owed import Owed
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.features.feedback.checked_text import AgentFacts
from handoff_lsp.features.feedback.owed_block import filled_block

CONTRACT = """\
contract: shift
title: Shift report
about: What one shift leaves the next.
status: state
unread: nobody takes over
fence: {tags: {shift: own}, syntax: yaml}
fields:
  state: {type: enum, values: [open, closed], required: true}
  changed: {type: TYPE, required: true}
overview: {changed: [changed]}
"""
KNOWN = AgentFacts("keeper", time="2026-11-23T10:00:00Z")


@pytest.mark.parametrize(("type_", "written"), [("timestamp", "2026-11-23T10:00:00Z"), ("date", "2026-11-23")])
@pytest.mark.parametrize("severities", [{}, {"invalid-format": "off", "invalid-type": "off", "invalid-value": "off"}])
def test_the_time_is_written_in_the_form_of_its_field_also_where_no_rule_asks_for_it(
    type_: str, written: str, severities: dict[str, Severity]
) -> None:
    entry, problems = read_contract(CONTRACT.replace("TYPE", type_), Path("shift.yaml"))
    assert entry is not None, problems
    registry = builtin().with_entries([entry])
    options = Options(severities=severities)
    block = filled_block(Owed("keeper", "shift"), registry, options, "", KNOWN)
    assert f"changed: {written}\n" in f"{block.text}\n"
