"""``check --statistics``: counts in place of findings."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from cli.documents import BAD

from handoff_lsp.cli.checking.statistics import FindingKind, RuleCount, top_rules
from handoff_lsp.cli.main import main


def test_rules_are_counted_with_their_fixes(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (bad.parent / "b-handoff.md").write_text(BAD.replace("1 created", "3 created"), encoding="utf-8")
    assert main(["check", "--statistics"]) == 1
    assert capsys.readouterr().out == (
        "2  error  invalid-value   2 with `--unsafe-fixes`\n"
        "1  error  count-mismatch  1 with `--unsafe-fixes`\n"
        "\n"
        "Found 3 errors in 2 of 2 files (2 handoffs).\n"
        "3 findings are fixable with `--fix --unsafe-fixes`.\n"
    )
    main(["check", "--statistics", "--quiet", "--ignore", "invalid-value"])
    assert capsys.readouterr().out == "1  error  count-mismatch  1 with `--unsafe-fixes`\n"


def test_json_has_the_counts_of_the_findings(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--output-format", "json"])
    full = json.loads(capsys.readouterr().out)
    main(["check", "--output-format", "json", "--statistics"])
    found = json.loads(capsys.readouterr().out)
    assert found.pop("statistics") == [
        {"rule": "invalid-value", "severity": "error", "count": 1, "fixable": 0, "unsafe": 1}
    ]
    assert found == {key: full[key] for key in ("version", "failed", "skipped", "summary")}


def test_without_findings_there_is_only_the_summary(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "notes.md").write_text("# Notes\n")
    assert main(["check", "--statistics"]) == 0
    assert capsys.readouterr().out == "No findings in 1 file (0 handoffs).\n"


def test_the_most_frequent_rules_are_first_then_the_gravest() -> None:
    counts = Counter(
        {
            FindingKind("rare", "error", None): 1,
            FindingKind("often", "warning", "safe"): 3,
            FindingKind("often", "warning", None): 2,
            FindingKind("grave", "error", "unsafe"): 5,
        }
    )
    grave, often = RuleCount("grave", "error", 5, 0, 5), RuleCount("often", "warning", 5, 3, 0)
    assert top_rules(counts, 2) == [grave, often]
    assert top_rules(counts)[2:] == [RuleCount("rare", "error", 1, 0, 0)]
