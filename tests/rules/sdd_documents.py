"""SDD documents to fill in, and the decision about them."""

from __future__ import annotations

from handoff_lsp import check_text

REPORT = """## Verification Report

**Change**: night-mode

### Issues Found

%s

### Verdict
%s
"""

ENVELOPE = """## Design Complete

**Change**: night-mode
**Status**: %s

### Summary
The design is written.

### Artifacts
- engram `sdd/night-mode/design`

### Next Recommended
%s

### Risks
%s
"""

FOLDER = "openspec/changes/night-mode/"


def action_of(text: str, name: str) -> str:
    """The decision about the only handoff of a file of the change."""
    return check_text(text, FOLDER + name).handoffs[0].routing.action
