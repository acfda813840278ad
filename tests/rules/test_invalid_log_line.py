"""Lines of a log that are no entries: their fixes, and the limit on their findings."""

from __future__ import annotations

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source, apply_edits

FIRST = "2026-03-02T08:00:00Z [START] Task: tabs\n"


def findings(text: str) -> list[Finding]:
    analysis = analyze(Source(text), ".agent/activity.log", builtin(), Options())
    return [finding for finding in analysis.findings if finding.code == "invalid-log-line"]


@pytest.mark.parametrize(
    ("written", "right", "safe"),
    [
        ("2026-03-02T09:06:00+01:00", "2026-03-02T08:06:00Z", True),
        ("2026-03-02T09:06:00+0100", "2026-03-02T08:06:00Z", True),
        ("2026-03-02 08:06:00 UTC", "2026-03-02T08:06:00Z", True),
        ("2026-03-02 08:06:00Z", "2026-03-02T08:06:00Z", True),
        ("2026-03-02T08:06:00", "2026-03-02T08:06:00Z", False),  # in which zone?
        ("2026-03-02 08:06:00,25 +00:00", "2026-03-02T08:06:00Z", False),  # the fraction is lost
        ("2026-03-02T08:06Z", "2026-03-02T08:06:00Z", True),
        ("2026-03-02", "2026-03-02T00:00:00Z", False),
    ],
)
@pytest.mark.parametrize("eol", ["\n", "\r\n"])
def test_a_time_is_written_as_it_should_be(written: str, right: str, safe: bool, eol: str) -> None:
    text = (FIRST + f"{written} [READ] lib/split.py\n").replace("\n", eol)
    (finding,) = findings(text)
    assert finding.span.of(text) == written
    (fix,) = finding.fixes
    assert fix.safe is safe
    mended = apply_edits(text, fix.edits)
    assert mended == (FIRST + f"{right} [READ] lib/split.py\n").replace("\n", eol)
    assert findings(mended) == []


@pytest.mark.parametrize("written", ["2026-02-30T08:06:00Z", "9999-12-31T23:59:59-10:00", "0001-01-01T00:00:00+10:00"])
def test_a_time_that_is_none_gets_no_fix(written: str) -> None:
    (finding,) = findings(FIRST + f"{written} [READ] lib/split.py\n")
    assert finding.fixes == ()


def test_a_long_list_ends_with_how_many_more_there_are() -> None:
    found = findings(FIRST * 20 + "2026-03-02 08:06:00 [READ] x\n" * 70)
    assert len(found) == 51
    assert found[-1].message == "20 more lines are not log entries"
