"""Quick fixes: the fixes of the findings at a place, and ways to silence them by a comment or the config."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.decide.value_effects import status_actions
from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import Action, Alternative, Change, each, makes_nothing_wrong, one_of
from handoff_lsp.features.actions.organize import organized
from handoff_lsp.features.actions.set_status import settings
from handoff_lsp.features.counts import counts_at
from handoff_lsp.language import later, say, translated
from handoff_lsp.rules.rule import Finding, Fix
from handoff_lsp.rules.shared.absent import is_section, is_status
from handoff_lsp.rules.suppression import ignore_edits
from handoff_lsp.text import Edit, Span, apply_edits

# Silencing one of these would itself be the next finding, or hide that a rule is broken.
_NEVER_SILENCED = {"unused-suppression", "internal-error"}
_FORMS = (("", later("here")), ("-block", later("in this handoff")), ("-file", later("in this file")))
# Comments to try at a time. A user who selects more findings will not silence them one by one.
_MOST_TRIED = 30
# Characters to read for all these trials.
_MOST_READ = 4_000_000
# Insertions of a single field to list beside the one that inserts all.
_MOST_SINGLE = 2
# The rules about the order of sections.
_ABOUT_ORDER = {"section-order", "status-not-first"}


def quick_fixes(analysis: Analysis, span: Span) -> list[Action]:
    """The actions for the findings at ``span`` (code points); if it has none, for those on its lines.

    Fixes come first, the preferred ones before the others, then equal values to choose from; silencing comes last.
    """
    findings = _touched(analysis, span)
    fixes = [action for finding in findings for action in [*_fixes(finding), *_ordered(analysis, finding)]]
    fixes += [
        _fix(count.title, (count.edit,), count.finding, preferred=True, safe=False)
        for count in counts_at(analysis, span)
        if count.finding not in findings
    ]
    fixes = list(_insertions(_once(fixes)))
    fixes.sort(key=lambda action: not action.preferred)
    values = [action for finding in findings for action in _values(analysis, finding)]
    return [*fixes, *_once(values), *_silences(analysis, findings)]


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


def _once(offered: Iterable[Action]) -> list[Action]:
    """Actions without duplicates: what several findings offer is one action for all of them."""
    found: dict[object, Action] = {}
    for action in offered:
        key = (action.title, *(one.key or one.edits for one in each([action])))
        first = found.setdefault(key, action)
        if first is not action and action.finding is not None and action.finding is not first.finding:
            preferred = first.preferred or action.preferred
            found[key] = replace(first, also=(*first.also, action.finding), preferred=preferred)
    return list(found.values())


def _fix(title: str, edits: tuple[Edit, ...], finding: Finding, *, preferred: bool, safe: bool) -> Action:
    return Action(title, "quickfix", lambda: Change(edits), finding=finding, preferred=preferred, safe=safe)


def _fixes(finding: Finding) -> Iterator[Action]:
    """The fixes of a finding, but for those that choose a value for the author."""
    preferred = finding.fix
    for fix in finding.fixes:
        if fix.edits and not fix.sets:
            action = _fix(fix.title, fix.edits, finding, preferred=fix is preferred, safe=fix.safe)
            yield replace(action, inserts=tuple(slot.title for slot in fix.inserts))


def _insertions(fixes: Iterable[Action]) -> Iterator[Action]:
    """The same actions, but insertions of a single field as one action with choices where they are many.

    All of them at once is then the preferred one.
    """
    actions = list(fixes)
    single = [action for action in actions if len(action.inserts) == 1 and not _inserts_status(action)]
    if len(single) <= _MOST_SINGLE:
        yield from actions
        return
    choices = (Alternative(action.inserts[0], "", replace(action, preferred=False)) for action in single)
    for action in actions:
        if action is single[0]:
            sections = action.finding is not None and action.finding.slot and is_section(action.finding.slot)
            title = say("Insert a missing section …") if sections else say("Insert a missing field …")
            yield from one_of(title, choices, listed=_MOST_SINGLE)
        elif len(action.inserts) > 1:
            yield replace(action, preferred=not any(map(_inserts_status, actions)))
        elif not any(action is one for one in single):
            yield action


def _inserts_status(action: Action) -> bool:
    finding = action.finding
    if finding is None or finding.handoff is None or finding.slot is None:
        return False
    return action.inserts == (finding.slot.title,) and is_status(finding.handoff, finding.slot)


def _values(analysis: Analysis, finding: Finding) -> Iterator[Action]:
    """The action that sets a field to one of several equal values.

    A status is set together with the fields that the value requires.
    """
    handoff, slot = finding.handoff, finding.slot
    fixes = [fix for fix in _in_order(finding) if fix.sets and fix.edits]
    if not fixes or handoff is None or slot is None:
        return
    fuller: dict[str, Alternative] = {}
    if slot.path == handoff.spec.contract.status:
        index = next(number for number, one in enumerate(analysis.handoffs) if one is handoff)
        fuller = {choice.label: choice for choice in settings(analysis, index)}
    about = {value.value: value.about for value in slot.field.values}
    choices = []
    for fix in fixes:
        action = _fix(fix.title, fix.edits, finding, preferred=False, safe=fix.safe)
        if fix.sets in fuller:
            action = replace(fuller[fix.sets].action, kind="quickfix", finding=finding)
        choices.append(Alternative(fix.sets, about.get(fix.sets, ""), action))
    yield from one_of(say("Set `{field}` to …", field=slot.title), choices)


def _silences(analysis: Analysis, findings: Sequence[Finding]) -> Iterator[Action]:
    """One action that silences the findings; the choices are their rules, each with the extents that are possible."""
    silencing = _Silencing(analysis)
    actions = _once(replace(action, last=True) for finding in findings for action in silencing.actions(finding))
    rules = {action.finding.code for action in actions if action.finding is not None}
    title = say("Ignore `{rule}` …", rule=next(iter(rules))) if len(rules) == 1 else say("Ignore …")
    said = title.removesuffix("…")  # a label leaves out what the title says, where it begins with that
    choices = (Alternative(action.title.removeprefix(said).replace("`", ""), "", action) for action in actions)
    yield from one_of(title, choices, listed=1)


def _in_order(finding: Finding) -> Sequence[Fix]:
    """The fixes of a finding. Among those that set the status: values in the text first, those that proceed last."""
    handoff, slot = finding.handoff, finding.slot
    if handoff is None or slot is None or slot.path != handoff.spec.contract.status:
        return finding.fixes
    actions, text = status_actions(handoff.spec), f" {slot.raw} ".casefold()

    def rank(fix: Fix) -> tuple[bool, bool, int]:
        match = re.search(rf"(?<!\w){re.escape(fix.sets.casefold())}(?!\w)", text)
        return actions.get(fix.sets) in GOES_ON, match is None, match.start() if match is not None else 0

    chosen = iter(sorted((fix for fix in finding.fixes if fix.sets), key=rank))
    return [next(chosen) if fix.sets else fix for fix in finding.fixes]


def _ordered(analysis: Analysis, finding: Finding) -> Iterator[Action]:
    """The action that puts all sections of a handoff in order at once."""
    if finding.code in _ABOUT_ORDER and finding.handoff is not None:
        edits = organized(analysis, [finding.handoff])
        if edits:
            yield _fix(say("Sort sections in contract order"), edits, finding, preferred=True, safe=True)


class _Silencing:
    """Actions that silence the findings of a document by a comment, or by the config if no comment fits."""

    def __init__(self, analysis: Analysis) -> None:
        self._analysis = analysis
        self._tried: dict[Edit, Analysis] = {}
        self._room = min(_MOST_TRIED, _MOST_READ // max(len(analysis.source.text), 1))

    def actions(self, finding: Finding) -> Iterator[Action]:
        """The actions that silence a finding and change nothing else."""
        handoff = finding.handoff
        if finding.code in _NEVER_SILENCED or (handoff is None and finding.rule.group == "internal"):
            return  # comments silence only findings in a handoff, or in the text that handoffs come from
        seen: set[Edit] = set()
        for form, where in _FORMS:
            whole = form == "-block" and (handoff is None or (handoff.node is None and handoff.form != "run"))
            edit = self._edit(finding, form) if not whole else None  # else the handoff is the file
            if edit is not None and edit not in seen:
                seen.add(edit)
                yield _fix(
                    say("Ignore `{rule}` {where}", rule=finding.code, where=translated(where)),
                    (edit,),
                    finding,
                    preferred=False,
                    safe=False,
                )
        if not seen and len(self._tried) < _MOST_TRIED:
            change = Change((), off=finding.code)
            title = say("Ignore `{rule}` in this file (config)", rule=finding.code)
            yield Action(title, "quickfix", lambda: change, finding=finding, safe=False)

    def _edit(self, finding: Finding, form: str) -> Edit | None:
        if finding.handoff is not None and finding.handoff.form == "file":
            return None  # a data file has no comments
        edits = ignore_edits(finding, self._analysis.tree, form)
        return next((edit for edit in edits if self._silences(finding, edit)), None)

    def _silences(self, finding: Finding, edit: Edit) -> bool:
        """Whether a comment silences a finding, adds no other and leaves the handoffs as they are."""
        if edit not in self._tried:
            if len(self._tried) >= self._room:
                return False
            self._tried[edit] = self._analysis.again(apply_edits(self._analysis.source.text, [edit]))
        before, after = self._analysis, self._tried[edit]
        if _count(after, finding) >= _count(before, finding) or not makes_nothing_wrong(before, after):
            return False
        return _others(before, finding) == _others(after, finding) and _handoffs(before) == _handoffs(after)


def _count(analysis: Analysis, finding: Finding) -> int:
    like = (finding.code, finding.field, finding.message)
    return sum((item.code, item.field, item.message) == like for item in analysis.findings)


def _others(analysis: Analysis, finding: Finding) -> Counter[tuple[str, str | None, str]]:
    """The findings of other rules, which a comment must not silence."""
    return Counter((item.code, item.field, item.message) for item in analysis.findings if item.code != finding.code)


def _handoffs(analysis: Analysis) -> list[tuple[str, str, str, str, Any, tuple[str, ...]]]:
    """The handoffs of a document: their content, and the companions in the document that belong to them."""
    return [
        (handoff.spec.name, handoff.spec.profile, handoff.mode, handoff.form, handoff.root.data, _belonging(handoff))
        for handoff in analysis.handoffs
    ]


def _belonging(handoff: Handoff) -> tuple[str, ...]:
    companions = handoff.spec.contract.companions.items()
    return tuple(name for name, one in companions if not one.path and handoff.companion(name) is not None)
