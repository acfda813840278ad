"""The corrections in a hook's message, applied line by line to the file, remove the findings that they name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from case_files import Case, read_cases
from features.test_fix_laws import Taken, new_errors

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.feedback.complaint import CheckedText, complaint
from handoff_lsp.features.feedback.correction import corrections
from handoff_lsp.rules import contradiction
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source, Span

CASES = read_cases()
_FINDING = re.compile(r"(\d+)\. ")
_ORDER = re.compile(
    r"(?P<what>Replace|Delete) lines? (?P<first>\d+)(?: to (?P<last>\d+))?(?::)|"
    r"Insert before line (?P<before>\d+)(?: \(.*\))?:|(?P<end>Add at the end):"
)


def followed(text: str, lines: list[str]) -> str:
    """A text after all corrections, each with the line numbers of the original text."""
    old = re.split(r"\r\n|\n|\r", text)
    changes: list[tuple[int, int, list[str]]] = []
    at = 0
    while at < len(lines):
        order = _ORDER.fullmatch(lines[at])
        at += 1
        if order is None:
            continue
        handoff, at = fenced(lines, at)
        if order["what"]:
            first = int(order["first"]) - 1
            last = int(order["last"] or order["first"])
            assert old[first:last] == handoff, "what is to be replaced is in those lines"
            new: list[str] = []
            if order["what"] == "Replace":
                assert lines[at] == "with:"
                new, at = fenced(lines, at + 1)
            changes.append((first, last, new))
        else:
            place = len(old) if order["end"] else int(order["before"]) - 1
            changes.append((place, place, handoff))
    for first, last, new in sorted(changes, reverse=True):
        old[first:last] = new
    ordered = sorted(changes)
    assert all(one[1] <= other[0] and one[:2] != other[:2] for one, other in pairwise(ordered)), (
        "they do not overlap, and none is inserted where another is"
    )
    return "\n".join(old)


def fenced(lines: list[str], at: int) -> tuple[list[str], int]:
    fence = lines[at]
    assert set(fence) == {"`"}
    end = lines.index(fence, at + 1)
    return lines[at + 1 : end], end + 1


def keys(analysis: Analysis) -> Counter[tuple[str, str | None, str]]:
    return Counter((finding.code, finding.field, finding.message) for finding in analysis.findings)


def breaches(before: Analysis, wrong: list[Finding], make: Callable[[str], Analysis]) -> Iterator[str]:
    """The corrections that break their promise once all are applied to the file."""
    made = corrections(before, wrong)
    written = [line for one in made.values() for line in one.lines]
    # A correction of many lines is only named.
    told = [number for number, one in made.items() if (one.lines or (one.under and made[one.under].lines))]
    after = make(followed(before.source.text, written))
    was, now = keys(before), keys(after)
    for number in told:
        finding = wrong[number - 1]
        key = (finding.code, finding.field, finding.message)
        if now[key] >= was[key]:
            yield f"{key} is still there"
    taken = [Taken(before, after, wrong[number - 1], fix) for number in told if (fix := wrong[number - 1].fix)]
    if taken:
        new = [set(new_errors(one)) for one in taken]
        for error in set.intersection(*new):
            yield f"{error} is new"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_correction_can_be_followed(case: Case) -> None:
    before = case.analyze()
    wrong = [finding for finding in before.findings if finding.severity in {"error", "warning"}]
    if not wrong:
        return
    assert complaint([CheckedText(case.path, before, wrong)], stopping=True)
    assert list(breaches(before, wrong, case.analyze)) == []
    some = wrong[1::2]  # as in a message without room for all findings
    assert list(breaches(before, some, case.analyze)) == []


@pytest.mark.parametrize("status", ["dnoe", "", "<complete | blocked | failed | incomplete>"])
def test_no_value_is_suggested_if_several_are_equal(status: str) -> None:
    case = next(
        case for case in CASES if case.path.endswith("-handoff.md") and "\n## Status\n\ncomplete\n" in case.text
    )
    text = case.text.replace("\n## Status\n\ncomplete\n", f"\n## Status\n\n{status}\n", 1)
    analysis = case.analyze(text)
    wrong = [finding for finding in analysis.findings if finding.field == "status"]
    assert wrong
    message = complaint([CheckedText(case.path, analysis, wrong)], stopping=True)
    assert "\nChoose one of `complete`, `blocked`, `failed`, `incomplete`\n" in f"{message}\n"
    assert "Fix" not in message


def test_findings_of_ordinary_length_are_all_listed() -> None:
    analysis = analyze(Source(""), "report.md", builtin(), Options())
    wrong = [Finding(contradiction.RULE, None, Span(0, 0), f"Number {number} " + "x" * 500) for number in range(1, 9)]
    message = complaint([CheckedText("report.md", analysis, wrong)], stopping=True)
    assert re.findall(r"^(\d+)\. ", message, re.MULTILINE) == list("12345678")
    assert "more" not in message


def test_findings_without_room_are_counted_and_none_behind_them_is_listed() -> None:
    analysis = analyze(Source(""), "report.md", builtin(), Options())
    wrong = [
        Finding(contradiction.RULE, None, Span(0, 0), f"Number {number} " + "x" * size)
        for number, size in enumerate((3_000, 2_000, 2_000, 10), 1)
    ]
    message = complaint([CheckedText("report.md", analysis, wrong)], stopping=True)
    assert re.findall(r"^(\d+)\. ", message, re.MULTILINE) == ["1", "2"]
    assert "… and 2 more. `handoff-lsp check report.md` lists all." in message
