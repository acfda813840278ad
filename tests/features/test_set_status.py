"""Setting the status, organizing and fixing whole documents, on every document in ``tests/cases``."""

from __future__ import annotations

from collections import Counter

import pytest
from case_files import Case, read_cases

from handoff_lsp.engine import Analysis
from handoff_lsp.features.actions.action import each
from handoff_lsp.features.actions.fix_all import fix_all
from handoff_lsp.features.actions.organize import organize
from handoff_lsp.features.actions.set_status import set_status
from handoff_lsp.rules.shared.vocabulary import own_values
from handoff_lsp.text import apply_edits

# The most values to try for one status.
MOST = 3

# The reasons why something may still be missing after the status is set.
KEPT = {
    "status-block: Words for nothing come in many forms": "a sentence about why there is nothing is the author's",
    "agent-status: Four of the names are enough, with or without an id": "the word is the author's",
    "agent-status: Completed with a word for no blockers in place of the list": "the word is the author's",
}


def missing(analysis: Analysis, index: int) -> Counter[tuple[str, str | None]]:
    """The fields missing by their own requirements: demands of checks, such as a named gap, are left to the author."""
    handoff = analysis.handoffs[index]
    checked = {check.at for check in handoff.spec.contract.checks.values()}
    found = (item for item in analysis.findings if item.handoff is handoff and item.field not in checked)
    return Counter((item.code, item.field) for item in found if item.code.startswith("missing-"))


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_each_value(case: Case) -> None:
    analysis = case.analyze()
    for number, handoff in enumerate(analysis.handoffs):
        for action in list(each(set_status(analysis, handoff.home())))[:MOST]:
            assert action.key.split()[1] == str(number)
            made = apply_edits(case.text, action.edits)
            assert made != case.text, action.title
            after = case.analyze(made)
            status = after.handoffs[number].status
            assert status is not None
            assert status.data == action.key.split(" ", 2)[2]
            assert action.key not in {again.key for again in each(set_status(after, after.handoffs[number].home()))}
            left = missing(after, number) - missing(analysis, number)
            assert not left or case.name in KEPT, f"{action.title} leaves {left}\n{made}"


@pytest.mark.parametrize("case", read_cases(), ids=lambda case: case.name)
def test_twice(case: Case) -> None:
    for eol in ("\n", "\r\n"):
        text = case.text.replace("\n", eol)
        analysis = case.analyze(text)
        for whole in (fix_all, organize):
            action = whole(analysis)
            if action is not None:
                made = apply_edits(text, action.edits)
                assert made != text
                assert whole(case.analyze(made)) is None, f"{action.title} twice:\n{made}"


def test_a_profile_has_values_of_its_own() -> None:
    case = next(case for case in read_cases() if case.name.startswith("agent-result:") and "reviewer" in case.text)
    known = {
        handoff.spec.profile: {value.value for value in own_values(handoff)}
        for other in read_cases()
        for handoff in other.analyze().handoffs
        if handoff.spec.name == case.analyze().handoffs[0].spec.name
    }
    assert known["reviewer"] == {"approved", "conditional", "rejected", "error", "suspended"}
    assert "approved" not in known["tester"]
