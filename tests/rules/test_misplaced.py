"""Keys of JSON in the wrong object: no safe fix moves them, or closes an object behind them."""

from __future__ import annotations

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.features.actions.offered import fix_all
from handoff_lsp.text import Source

BLOCK = """```agent_contract_handoff
{
  "agent_status": {"plan_status": "COMPLETE", "agent_id": "ab7e4d2", "pending_steps": [], "next_action": "done",
  "evidence_report": {
    "patterns_checked": [], "files_checked": [], "commands_run": [], "key_outputs": [], "verbatim_outputs": [],
    "cross_layer_impacts": [], "open_gaps": [], "verification": {"method": "test", "result": "pass"}
  },
  "approval_request": null
}
```
"""


@pytest.mark.parametrize("text", [BLOCK, BLOCK.replace("null\n}", "null\n}}")], ids=["open", "closed at the end"])
def test_no_safe_fix_where_a_bracket_is_missing_in_the_middle(text: str) -> None:
    made = analyze(Source(text), "", builtin(), Options())
    fixes = [fix for finding in made.findings for fix in finding.fixes]
    assert [fix.title for fix in fixes if fix.safe] == []
    assert not fix_all(made)
