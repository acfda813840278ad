"""Rewriting the expectations of a case file to what is found: ``contract test --update``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handoff_lsp.cases.case import Case
from handoff_lsp.cases.verdict import decisions, fixed_text, meets, place_of
from handoff_lsp.contracts.model import Route
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding

# The most characters of a message or reason to quote.
_MOST_WORDS = 60


class _Draft:
    """The lines of a case file with the changes so far; lines have the numbers of the original."""

    def __init__(self, text: str) -> None:
        self.eol = "\r\n" if "\r\n" in text else "\n"
        self.lines = text.replace("\r\n", "\n").split("\n")
        self.removed: set[int] = set()
        self.added: dict[int, list[str]] = {}

    def text(self) -> str:
        kept: list[str] = []
        for number, line in enumerate(self.lines, 1):
            kept += [line] if number not in self.removed else []
            kept += self.added.get(number, ())
        return self.eol.join(kept)


def rewritten(text: str, found: Sequence[tuple[Case, Analysis]]) -> str:
    """The text of a case file with the expectations of some of its cases as their analyses have them.

    An expectation that is met stays as it is written. Decisions are written only for cases that state some.
    """
    draft = _Draft(text)
    for case, analysis in found:
        _write_marks(draft, case, analysis)
        if case.routes:
            _write_routes(draft, case, decisions(analysis))
        for rule, _, at in case.fixed:
            _write_fixed(draft, at, fixed_text(analysis, rule))
    return draft.text()


def _write_marks(draft: _Draft, case: Case, analysis: Analysis) -> None:
    expected = sorted(case.expected, key=lambda item: len(item.words), reverse=True)  # the particular ones first
    draft.removed.update(item.at for item in expected)
    marks: list[tuple[int, int, int, str]] = []
    for finding in analysis.findings:
        place = place_of(analysis, finding)
        if place.line >= len(case.lines):
            continue  # behind the last line of the document: a mark cannot be below it
        met = next((item for item in expected if item[:3] == place and meets(item, finding)), None)
        if met is not None:
            expected.remove(met)
        written = draft.lines[met.at - 1] if met is not None else _mark(place.start, place.end, finding)
        marks.append((place.line, met is None, met.at if met is not None else 0, written))
    for line, _, _, written in sorted(marks, key=lambda mark: mark[:3]):
        draft.added.setdefault(case.lines[line], []).append(written)


def _mark(start: int, end: int, finding: Finding) -> str:
    return f"{' ' * start}{'^' * (end - start) or '+'} {finding.code} {finding.severity}{_quoted(finding.message)}"


def _write_routes(draft: _Draft, case: Case, found: Sequence[Route]) -> None:
    wanted = [route for route in case.routes if route.action != "none"]
    draft.removed.update(route.at for route in case.routes)
    lines: list[str] = []
    for index, route in enumerate(found):
        known = wanted[index] if index < len(wanted) else None
        if known is not None and known.action == route.action and known.words in route.reason:
            lines.append(draft.lines[known.at - 1])
        else:
            lines.append(f"routes {route.action}{_quoted(route.reason)}")
    draft.added[case.routes[0].at] = lines or ["routes none"]


def _write_fixed(draft: _Draft, at: int, text: str | None) -> None:
    if text is None:
        return  # the case keeps its failure: there is nothing to write
    end = next(_closing(draft.lines, at))
    draft.removed.update(range(at + 1, end))
    draft.added[at] = text.removesuffix("\n").split("\n") if text else []


def _closing(lines: Sequence[str], at: int) -> Iterator[int]:
    """The line that closes the fence of a line."""
    return (number for number in range(at + 1, len(lines) + 1) if lines[number - 1] == "~~~~")


def _quoted(message: str) -> str:
    """The beginning of the longest part of a message without quotation marks, in quotation marks."""
    part = max(message.split('"'), key=len).strip(" ,.;:").partition(". ")[0]
    if len(part) > _MOST_WORDS:
        part = part[:_MOST_WORDS].rpartition(" ")[0] or part[:_MOST_WORDS]
    return f' "{part.strip()}"' if part.strip() else ""
