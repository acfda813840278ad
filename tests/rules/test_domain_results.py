"""The results of Aphelion's flows among other files: old places, and the paths that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.file_settings import Fixed
from handoff_lsp.workspace.known_files import Files
from handoff_lsp.workspace.surroundings import surroundings_of

DELIVERY = """\
# Delivery Result: Tool lending

> PRODUCT_TYPE: tool

## Artifacts
- SPEC.md: present (resolved path: docs/SPEC.md)
- ARCHITECTURE.md: present (resolved path: docs/ARCHITECTURE.md)
- UI_SPEC.md: absent (resolved path: docs/UI_SPEC.md)
- VISUAL_SPEC.md: N/A (resolved path: N/A)
- Implementation code: 31 files

## Tech Stack
Go

## Test Results
- Total: 12 / Pass: 12 / Fail: 0

## Security Audit Results
- CRITICAL: 0 / WARNING: 0
"""
DOC_FLOW = """\
# Doc Flow Result: Tool lending

> Slug: lending
> Output Language: en

## Generated Deliverables

| Type | Path |
|---|---|
| HLD | docs/deliverables/lending/hld.en.md |
| LLD | `docs/deliverables/lending/lld.en.md` |

## Skipped Types

## Suggested Next Steps
"""
MAINTENANCE = """\
# Maintenance Result: Drop the old login

## Change Overview
The old login goes.

## change-classifier Verdict
- PLAN: Major
- BREAKING_CHANGE: false
- SPEC_IMPACT: major
- RATIONALE: nobody uses it

## impact-analyzer Findings
- TARGET_FILES:
  - src/login.py
  - src/session.py
- BREAKING_API_CHANGES: none
- DB_SCHEMA_CHANGES: false
- REGRESSION_RISK: low
- RECOMMENDED_TEST_SCOPE: unit

## analyst-core Differential Design Approach
One use case less.

## security-auditor Pre-audit Results
- CRITICAL: 0
- WARNING: 0

## Handoff to delivery-flow
- Recommended plan: Standard

## PRODUCT_TYPE
tool
"""


def put(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")


def found(root: Path, name: str, text: str) -> list[Finding]:
    around = surroundings_of(Files(Fixed(root, builtin(), Options())), root / name)
    assert around is not None
    return list(analyze(Source(text), name, builtin(), Options(), around=around).findings)


def told(root: Path, name: str, text: str) -> list[tuple[str, str, str]]:
    return [(finding.code, finding.severity, finding.span.of(text)) for finding in found(root, name, text)]


def test_resolved_paths_that_are_not_there(tmp_path: Path) -> None:
    put(tmp_path, "docs/SPEC.md")
    assert told(tmp_path, "docs/DELIVERY_RESULT.md", DELIVERY) == [
        ("path-not-found", "information", "docs/ARCHITECTURE.md")
    ]
    put(tmp_path, "docs/ARCHITECTURE.md")
    assert told(tmp_path, "docs/DELIVERY_RESULT.md", DELIVERY) == []


def test_deliverables_that_are_not_there(tmp_path: Path) -> None:
    put(tmp_path, "docs/deliverables/lending/hld.en.md")
    assert told(tmp_path, "docs/DOC_FLOW_RESULT.md", DOC_FLOW) == [
        ("path-not-found", "information", "docs/deliverables/lending/lld.en.md")
    ]


def test_target_files_that_are_not_there(tmp_path: Path) -> None:
    put(tmp_path, "src/login.py")
    assert told(tmp_path, "docs/MAINTENANCE_RESULT.md", MAINTENANCE) == [
        ("path-not-found", "information", "src/session.py")
    ]


@pytest.mark.parametrize("flow", ["DISCOVERY", "DELIVERY", "OPS", "MAINTENANCE", "DOC_FLOW"])
def test_of_two_places_the_old_one_is_ignored(tmp_path: Path, flow: str) -> None:
    title = {"OPS": "Operations", "DOC_FLOW": "Doc Flow"}.get(flow, flow.capitalize())
    text = f"# {title} Result: Tool lending\n"
    put(tmp_path, f"docs/{flow}_RESULT.md")
    assert "legacy-duplicate" not in {code for code, _, _ in told(tmp_path, f"docs/{flow}_RESULT.md", text)}
    put(tmp_path, f"{flow}_RESULT.md")
    old, new = (
        next(finding for finding in found(tmp_path, name, text) if finding.code == "legacy-duplicate")
        for name in (f"{flow}_RESULT.md", f"docs/{flow}_RESULT.md")
    )
    assert old.severity == "warning"
    assert old.upstream == (f"WARNING_LEGACY_DUPLICATE: {flow}_RESULT",)
    assert new.severity == "information"
