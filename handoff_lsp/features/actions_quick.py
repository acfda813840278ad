"""Quick fixes: what mends the findings at a place, and comments that silence them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handoff_lsp.engine import Analysis
from handoff_lsp.features.action import Action, Change
from handoff_lsp.features.actions_organize import organized
from handoff_lsp.features.counts import counts_at
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.rules.suppression import ignore_edits
from handoff_lsp.text import Edit, Span

# A comment that silences one of these would itself be the next finding, or hide that a rule is broken.
_NEVER_SILENCED = {"unused-suppression", "internal-error"}
# These tell that sections stand in another order than they should.
_ABOUT_ORDER = {"section-order", "status-not-first"}


def quick_fixes(analysis: Analysis, span: Span) -> list[Action]:
    """What can be done about the findings at ``span`` (code points); without any, about those on its lines.

    Real fixes come first, of these the preferred ones, then the comments that silence.
    """
    found = _touched(analysis, span)
    fixes = [action for finding in found for action in [*_fixes(finding), *_ordered(analysis, finding)]]
    fixes += [
        _fix(count.title, (count.edit,), count.finding, preferred=True, safe=False)
        for count in counts_at(analysis, span)
        if count.finding not in found
    ]
    fixes.sort(key=lambda action: not action.preferred)
    silences = [action for finding in found for action in _silences(analysis, finding)]
    return list(_once([*fixes, *silences]))


def _touched(analysis: Analysis, span: Span) -> list[Finding]:
    exact = [finding for finding in analysis.findings if finding.span.overlaps(span)]
    if exact:
        return exact
    lines = analysis.source.lines
    first, last = lines.line_of(span.start), lines.line_of(span.end)
    return [
        finding
        for finding in analysis.findings
        if lines.line_of(finding.span.start) <= last and lines.line_of(finding.span.end) >= first
    ]


def _once(offered: Iterable[Action]) -> Iterator[Action]:
    seen: set[tuple[str, tuple[Edit, ...]]] = set()
    for action in offered:
        if (action.title, action.edits) not in seen:
            seen.add((action.title, action.edits))
            yield action


def preferred_fix(finding: Finding) -> Fix | None:
    """The fix that is clearly the one to take: the only one that is preferred."""
    wanted = [fix for fix in finding.fixes if fix.preferred]
    return wanted[0] if len(wanted) == 1 else None


def _fix(title: str, edits: tuple[Edit, ...], finding: Finding, *, preferred: bool, safe: bool) -> Action:
    return Action(title, "quickfix", lambda: Change(edits), finding=finding, preferred=preferred, safe=safe)


def _fixes(finding: Finding) -> Iterator[Action]:
    preferred = preferred_fix(finding)
    for fix in finding.fixes:
        if fix.edits:
            yield _fix(fix.title, fix.edits, finding, preferred=fix is preferred, safe=fix.safe)


def _ordered(analysis: Analysis, finding: Finding) -> Iterator[Action]:
    """Sections that are out of order go where they belong all at once."""
    if finding.code in _ABOUT_ORDER and finding.block is not None:
        edits = organized(analysis, [finding.block])
        if edits:
            yield _fix("Put the sections in the contract's order", edits, finding, preferred=True, safe=True)


def _silences(analysis: Analysis, finding: Finding) -> Iterator[Action]:
    if finding.block is None or finding.block.form == "file" or finding.code in _NEVER_SILENCED:
        return  # comments silence what is found in a handoff, and a file of data has none
    forms = [("", "here"), ("-block", "in this handoff"), ("-file", "in this file")]
    seen: set[Edit] = set()
    for form, where in forms:
        if form == "-block" and finding.block.node is None:
            continue  # the handoff is the file
        edit = ignore_edits(finding, analysis.tree, form)
        if edit is not None and edit not in seen:
            seen.add(edit)
            title = f"Ignore `{finding.code}` {where}"
            yield _fix(title, (edit,), finding, preferred=False, safe=False)
