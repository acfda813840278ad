"""The engine as a library: `import handoff_lsp`."""

from __future__ import annotations

import handoff_lsp


def test_one_call_gives_findings_and_handoffs() -> None:
    analysis = handoff_lsp.analyze("# A — Handoff from Tester\n\n## Status\ndone\n", "handoffs/a/tester-handoff.md")
    assert [handoff.spec.profile for handoff in analysis.handoffs] == ["tester"]
    assert "invalid-value" in {finding.code for finding in analysis.findings}


def test_ordinary_text_gives_nothing() -> None:
    analysis = handoff_lsp.analyze("# Notes\n\n## Status\n\nfine\n")
    assert (analysis.handoffs, analysis.findings) == ((), ())
