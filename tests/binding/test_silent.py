"""Items of long lists are made when asked for, and rules pass over the silent ones: the findings are the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from unittest.mock import patch

import pytest
from case_files import Case, read_cases

from handoff_lsp.binding import log_fields, outline_fields
from handoff_lsp.binding.silent import may_be_silent
from handoff_lsp.binding.slot import LongList, Slot
from handoff_lsp.contracts.model import Field, Value
from handoff_lsp.engine import Analysis
from handoff_lsp.rules.rule import Finding
from handoff_lsp.syntax.lines import outline, outline_reader

# Those with logs, and those with lists in `key: value` lines.
CASES = [case for case in read_cases() if case.name.startswith(("activity-log", "agent-result"))]


@contextmanager
def each_item_on_its_own() -> Iterator[None]:
    """No item is silent, and each is made at once."""
    with ExitStack() as stack:
        stack.enter_context(patch.object(outline_reader, "_MANY", 10**4))
        stack.enter_context(patch.object(outline, "_SHORT", -1))
        stack.enter_context(patch.object(log_fields._SilentLines, "read", lambda *_: None))
        for module in (log_fields, outline_fields):
            stack.enter_context(patch.object(module, "may_be_silent", lambda _field: False))
        yield


@contextmanager
def every_list_long() -> Iterator[None]:
    """A list of any length counts as a long one."""
    with patch.object(outline_reader, "_MANY", 1), patch.object(outline, "_SHORT", -1):
        yield


def all_of(slot: Slot) -> tuple[object, ...]:
    """A slot with everything in it."""
    places = slot.carrier, slot.key, slot.value, slot.span, slot.remark
    values = slot.raw, slot.data, slot.problem, slot.present, slot.written, slot.countable
    below = list(slot.children), [item.path for item in slot.items], slot.unknown, slot.duplicates
    return slot.path, slot.name, slot.parent and slot.parent.path, places, values, below


def related_of(one: Finding) -> list[object]:
    return [(other.span, other.message, other.name) for other in one.related]


def found_in(analysis: Analysis) -> list[tuple[object, ...]]:
    return [
        (one.code, one.span, one.message, one.note, one.hint, one.severity, one.field, one.upstream, *related_of(one))
        for one in analysis.findings
    ]


def parts_of(analysis: Analysis) -> list[object]:
    return [(one.mode, one.data, [all_of(slot) for slot in one.slots]) for one in analysis.handoffs]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_differs_from_items_made_at_once(case: Case) -> None:
    with each_item_on_its_own():
        wanted = case.analyze()
        wanted_parts = parts_of(wanted)
    with every_list_long():
        for again in range(2):  # the second time, values are known to be right
            made = case.analyze()
            assert found_in(made) == found_in(wanted), again
            assert parts_of(made) == wanted_parts


def test_the_cases_have_silent_items() -> None:
    silent = judged = 0
    with every_list_long():
        for case in CASES:
            for slot in (slot for handoff in case.analyze().handoffs for slot in handoff.root.walk()):
                if isinstance(slot.items, LongList):
                    judged += len(slot.items.to_judge())
                    silent += len(slot.items) - len(slot.items.to_judge())
    assert silent > 50 and judged > 5


def test_the_slots_to_judge_are_all_but_the_silent_ones() -> None:
    with every_list_long():
        for case in CASES:
            for handoff in case.analyze().handoffs:
                left_out = set(handoff.slots) - set(handoff.to_judge)
                assert set(handoff.to_judge) <= set(handoff.slots)
                assert all(slot.problem is None and slot.remark is None for slot in left_out)
                assert all("[" in slot.path for slot in left_out)


@pytest.mark.parametrize(
    ("field", "silent"),
    [
        (Field(), True),
        (Field(type="line", title="x", about="y"), True),
        (Field(type="enum", values=[Value(value="a")], open=True), True),
        (Field(type="enum", values=[Value(value="a", deprecated="b is better")]), False),
        (Field(type="line", names="agents"), False),
        (Field(type="line", paths=True), False),
        (Field(type="line", maximum=3), False),
        (Field(type="line", required=True), False),
        (Field(type="list"), False),
        (Field(type="pattern", pattern="a"), False),
        (Field(type="object", fields={"a": Field(type="line")}), True),
        (Field(type="object", fields={"a": Field(type="line", forbidden="true")}), False),
    ],
)
def test_which_fields_may_be_silent(field: Field, silent: bool) -> None:
    assert may_be_silent(field) is silent
