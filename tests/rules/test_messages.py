"""Messages of findings: short, what is wrong and what is right; the consequence is in the note."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import MESSAGE_LENGTH, Finding
from handoff_lsp.text import Source

CASES = Path(__file__).parents[1] / "cases"
# Characters of half of the messages.
USUAL = 60

# Words of a consequence, and habits of prose that reads translated.
_CONSEQUENCE = re.compile(
    r"\b(?:the (?:orchestrator(?!'s)|runtime(?! harness)|parser)\b|is told|tells\b|stands\b|is taken for|there is none)"
    r"|\b(?:nobody|whoever)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r'`[^`]*`|"[^"]*"')


def of_cases() -> Iterator[tuple[str, Finding]]:
    for path in sorted(CASES.glob("*.md")):
        contract = path.stem if path.stem in builtin() else "agent-contract"
        cases, _ = read_case_file(path.read_text(encoding="utf-8"), path.stem, contract)
        for case in cases:
            for finding in case.analyze(registry=builtin()).findings:
                yield f"{path.name}:{case.line}", finding


def faults(finding: Finding) -> list[str]:
    """What is wrong with a finding's texts."""
    message = finding.message
    found = [f"{len(message)} characters"] if len(message) > MESSAGE_LENGTH else []
    found += ["a final full stop"] if message.endswith(".") and not message.endswith("…") else []
    found += ["a line break"] if "\n" in message else []
    own = _QUOTED.sub("", message)
    found += ["two sentences"] if re.search(r"[.!?] [A-Z]", own) else []
    found += [f"the words {match[0]}" for match in _CONSEQUENCE.finditer(own)]
    found += ["a full stop after the note"] if finding.note.endswith(".") else []
    return [f"{message}: {fault}" for fault in found]


def test_messages_of_the_cases() -> None:
    found = list(of_cases())
    assert len(found) > 1_000
    wrong = [f"{place}: {fault}" for place, finding in found for fault in faults(finding)]
    assert not wrong, "\n".join(wrong)
    assert median(len(finding.message) for _, finding in found) <= USUAL


def test_messages_of_the_corpus(corpus: Path) -> None:
    wrong, seen = [], 0
    for path in sorted(path for path in corpus.rglob("*") if path.is_file()):
        try:
            text = path.read_text(encoding="utf-8")
        except ValueError:
            continue
        for finding in analyze(Source(text), os.fspath(path), builtin(), Options()).findings:
            seen += 1
            wrong += [f"{path.name}: {fault}" for fault in faults(finding)]
    assert seen
    assert not wrong, "\n".join(wrong)


def test_long_values_are_cut() -> None:
    """Values of any length, in a message of a rule and in one of a contract."""
    long = "x" * 500
    status = f'"agent_status": {{"plan_status": "COMPLETE", "agent_id": "{long}", "next_action": "x"}}'
    evidence = f'"evidence_report": {{"verification": {{"result": "{long}"}}}}'
    texts = [
        f"# Login — Handoff from Developer\n\n## Status\n\n{long}\n\n## Abstract\n\noutcome: x\nverdict: {long}\n",
        f"```agent_contract_handoff\n{{{status}, {evidence}}}\n```\n",
    ]
    for text in texts:
        findings = list(analyze(Source(text), "report.md", builtin(), Options()).findings)
        assert findings
        assert all(len(finding.message) <= MESSAGE_LENGTH for finding in findings), [f.message for f in findings]


def test_of_many_known_values_the_first_six_are_listed() -> None:
    for named, listed in (
        (
            "a fence tagged `agent_contract_handoff`, with `agent_state`: `ESCALATED`",
            "`IN_PROGRESS`, `APPROVAL_REQUEST`, `COMPLETE`, `BLOCKED`, `NEEDS_INPUT`, `NEEDS_VERIFICATION`",
        ),
        (
            "an `AGENT_RESULT` block with `STATUS: escalated`",
            "`success`, `error`, `failure`, `suspended`, `blocked`, `approved`, …",
        ),
    ):
        analysis = analyze(Source(f"End with {named}.\n"), "agents/planner.md", builtin(), Options())
        assert [finding.hint for finding in analysis.findings] == [f"Known values: {listed}"]
