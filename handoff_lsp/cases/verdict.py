"""Whether a case holds: the differences between what it expects and the analysis of its document."""

from __future__ import annotations

from collections.abc import Iterator

from handoff_lsp.cases.case import Case, Expected
from handoff_lsp.contracts.model import Route
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.decide.routing import decision
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import apply_edits
from handoff_lsp.text.named_tuple import NamedTuple


class MarkPlace(NamedTuple):
    """The place of a finding as cases write it: zero-based line, columns on that line."""

    line: int
    start: int
    end: int


class Failure(NamedTuple):
    """A difference between a case and the analysis of its document.

    ``line`` is 1-based and of the case file. ``columns``: 1-based, in a line of the document; None elsewhere.
    """

    line: int
    columns: tuple[int, int] | None
    message: str


def place_of(analysis: Analysis, finding: Finding) -> MarkPlace:
    """The place of a finding; one of several lines ends with its first line."""
    lines = analysis.source.lines
    line, start = lines.position(finding.span.start)
    last, end = lines.position(finding.span.end)
    return MarkPlace(line, start, end if last == line else len(lines.line_text(line)))


def decisions(analysis: Analysis) -> list[Route]:
    """The decisions on the handoffs of a document that have routes, in order."""
    return [route for handoff in analysis.handoffs if (route := decision(handoff)) is not None]


def failures(case: Case, registry: Registry | None = None, eol: str = "\n") -> list[Failure]:
    """Every difference between a case and the analysis of its document, in the order of the case file.

    ``registry``: the contracts; left out: the built-in ones. ``eol``: the line break of the document.
    """
    text = case.text.replace("\n", eol)
    return differences(case, case.analyze(text, registry), eol)


def differences(case: Case, analysis: Analysis, eol: str = "\n") -> list[Failure]:
    """The differences between a case and an analysis of its document."""
    return sorted([*_findings(case, analysis), *_fixes(case, analysis, eol), *_routes(case, analysis)])


def meets(item: Expected, finding: Finding) -> bool:
    """Whether a finding at the place of an expected one has its rule, and its severity and words if it states them."""
    texts = finding.message, finding.note, finding.hint
    return (
        item.rule in finding.names
        and item.severity in {None, finding.severity}
        and any(item.words in text for text in texts)
    )


def _findings(case: Case, analysis: Analysis) -> Iterator[Failure]:
    left: dict[MarkPlace, list[Finding]] = {}
    for finding in analysis.findings:
        left.setdefault(place_of(analysis, finding), []).append(finding)
    unmet: list[Expected] = []
    for item in sorted(case.expected, key=lambda item: len(item.words), reverse=True):  # the particular ones first
        there = left.get(MarkPlace(*item[:3]), [])
        met = next((finding for finding in there if meets(item, finding)), None)
        if met is not None:
            there.remove(met)
        else:
            unmet.append(item)
    for item in unmet:
        there = left.get(MarkPlace(*item[:3]), [])
        other = next((finding for finding in there if item.rule in finding.names), None)
        if other is not None:
            there.remove(other)
        instead = f", but found {_found(other)}" if other is not None else ", but it was not found"
        message = f"expected {' '.join(filter(None, (item.rule, item.severity)))}{_quoted(item.words)}{instead}"
        yield Failure(case.line_in_file(item.line), (item.start + 1, item.end + 1), message)
    for place, findings in left.items():
        for finding in findings:
            columns = (place.start + 1, place.end + 1)
            yield Failure(case.line_in_file(place.line), columns, f"found {_found(finding)}, but it was not expected")


def _found(finding: Finding) -> str:
    return f"{finding.code} {finding.severity}: {finding.message}"


def _quoted(words: str) -> str:
    return f' "{words}"' if words else ""


def _fixes(case: Case, analysis: Analysis, eol: str) -> Iterator[Failure]:
    for rule, wanted, at in case.fixed:
        text = fixed_text(analysis, rule)
        if text is None:
            yield Failure(at, None, f"expected a fix of {rule}, but none is offered")
            continue
        made, lines = text.replace(eol, "\n").split("\n"), wanted.split("\n")
        if made != lines:
            differing = next((i for i, pair in enumerate(zip(made, lines, strict=False)) if pair[0] != pair[1]), None)
            index = differing if differing is not None else min(len(made), len(lines))
            found = f'"{made[index]}"' if index < len(made) else "the end"
            yield Failure(at + 1 + index, None, f"the fix of {rule} makes another document; found {found} here")


def fixed_text(analysis: Analysis, rule: str) -> str | None:
    """The document once the first fix of a rule's first finding is applied; None without one."""
    finding = next((finding for finding in analysis.findings if rule in finding.names and finding.fixes), None)
    return apply_edits(analysis.source.text, finding.fixes[0].edits) if finding is not None else None


def _routes(case: Case, analysis: Analysis) -> Iterator[Failure]:
    if not case.routes:
        return
    expected = [route for route in case.routes if route.action != "none"]
    found = decisions(analysis)
    for item, route in zip(expected, found, strict=False):
        if item.action != route.action or item.words not in route.reason:
            message = f"expected routes {item.action}{_quoted(item.words)}, but found {route.action}: {route.reason}"
            yield Failure(item.at, None, message)
    for item in expected[len(found) :]:
        yield Failure(item.at, None, f"expected routes {item.action}{_quoted(item.words)}, but nothing is decided")
    for route in found[len(expected) :]:
        message = f"found routes {route.action}: {route.reason}, but it was not expected"
        yield Failure(case.routes[-1].at, None, message)
