"""A placeholder is no safe fix where the content of an absent field is there in a form that is not read."""

from __future__ import annotations

import pytest

import handoff_lsp

LINES = """outcome: no findings
verdict: APPROVED
files: 0 created, 0 modified, 0 deleted
next_phase: tester
open_questions: 0
"""
DOCUMENT = f"""# Board title — Handoff from Backend Reviewer

## Status

complete

## Status reason

## Abstract

{LINES}
## Findings

No violations.
"""
JSON = '```json\n{"outcome": "x", "verdict": "APPROVED", "files": "", "next_phase": "", "open_questions": 0}\n```\n'


def _fixes(text: str) -> set[bool]:
    report = handoff_lsp.check_text(text, path="handoffs/board/backend-reviewer-handoff.md")
    return {finding.fix.safe for finding in report.findings if finding.fix is not None}


@pytest.mark.parametrize(
    "text",
    [
        DOCUMENT.replace("## Status\n", "**Status**\n").replace("## Status reason\n", "**Status reason**\n"),
        DOCUMENT.replace("## Status\n", "## Estado\n"),
        DOCUMENT.replace("## Status\n", "## Estado\n").replace("\n", "\r\n"),
        DOCUMENT.replace("## Abstract\n", "## Zusammenfassung\n"),
        DOCUMENT.replace(LINES, JSON),
        DOCUMENT.replace(LINES, "".join(f"1. {line}\n" for line in LINES.splitlines())),
        DOCUMENT.replace(LINES, "```yaml\nabstract:\n" + "".join(f"  {x}\n" for x in LINES.splitlines()) + "```\n"),
    ],
    ids=["bold", "spanish", "crlf", "german", "json", "numbers", "mapping"],
)
def test_a_placeholder_beside_the_content_is_not_safe(text: str) -> None:
    assert _fixes(text) == {False}


@pytest.mark.parametrize(
    "text",
    [DOCUMENT.replace("## Status\n\ncomplete\n\n", ""), DOCUMENT.replace("verdict: APPROVED\n", "")],
    ids=["status", "verdict"],
)
def test_a_placeholder_for_what_is_not_there_is_safe(text: str) -> None:
    assert _fixes(text) == {True}
