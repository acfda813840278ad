"""Counts: the right one is offered at the list that got an item, and ages are shown in one unit."""

from __future__ import annotations

from datetime import timedelta

import pytest
from features.documents import analysed, markdown, split

from handoff_lsp.features.actions.offered import quick_fixes
from handoff_lsp.features.decision.hints import age
from handoff_lsp.text import Span, apply_edits

QUESTIONS = markdown("blocked", "outcome: 🙂\nopen_questions: 1", "## Open Questions\n\n- 掲示板?\n- wh‸y?\n")


def test_the_fix_of_a_count_is_offered_where_an_item_was_added() -> None:
    text, offset = split(QUESTIONS)
    offered = quick_fixes(analysed(text), Span(offset, offset))
    assert [(action.title, action.preferred, action.safe) for action in offered] == [
        ("Change `open_questions` to 2", True, False)
    ]
    assert apply_edits(text, offered[0].edits) == text.replace("open_questions: 1", "open_questions: 2")


def test_it_is_offered_once_where_the_count_is_selected_as_well() -> None:
    text, _ = split(QUESTIONS)
    start = text.index("open_questions: 1")
    changes = [action for action in quick_fixes(analysed(text), Span(start, len(text))) if "to 2" in action.title]
    assert len(changes) == 1


def test_nothing_is_offered_for_a_count_that_is_right() -> None:
    text, offset = split(QUESTIONS.replace("open_questions: 1", "open_questions: 2"))
    assert quick_fixes(analysed(text), Span(offset, offset)) == []


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "now"),
        (59.9, "now"),
        (60, "1 min ago"),
        (3 * 3600 + 3599, "3 h ago"),
        (86_400, "1 day ago"),
        (29 * 86_400, "29 days ago"),
        (30 * 86_400, "1 month ago"),
        (800 * 86_400, "2 years ago"),
        (-30, "now"),
        (-7200, "in 2 h"),
    ],
)
def test_ages(seconds: float, told: str) -> None:
    assert age(timedelta(seconds=seconds)) == told
