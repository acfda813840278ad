"""The answers that the bodies of all syntaxes have in common."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from case_files import read_cases

from handoff_lsp.binding.bodies.part import BodyPart, descend
from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Edit, Source, apply_edits

STATUS = '{"agent_id": "dev 🙂", "status": "running", "more": [{"a": [1, 2]}, "b"]}\n'
LOG = "2026-02-08T10:00:00Z [START] login\n2026-02-08T10:01:00Z [STATUS] blocked\n2026-02-09T08:00:00Z [STATUS]\n"


@pytest.fixture(scope="module")
def handoffs() -> list[Handoff]:
    """The handoffs of every sixth case, and one each of JSON and of a log."""
    documents = [(case.path, case.text) for case in read_cases()[::6]]
    documents += [(".agent/status.json", STATUS), (".agent/activity.log", LOG)]
    found: list[Handoff] = []
    for path, text in documents:
        found += analyze(Source(text), path, builtin(), Options()).handoffs
    return found


def _pairs(parts: list[BodyPart]) -> Iterator[tuple[BodyPart, BodyPart]]:
    for part in descend(parts):
        yield from ((part, child) for child in part.below)


def test_all_syntaxes_are_there(handoffs: list[Handoff]) -> None:
    assert {handoff.syntax for handoff in handoffs} == {"markdown", "json", "outline", "log"}
    with_parts = {handoff.syntax for handoff in handoffs if handoff.body.parts}
    assert with_parts == {"json", "outline", "log"}


def test_parts_lie_in_one_another_in_text_order(handoffs: list[Handoff]) -> None:
    for handoff in handoffs:
        for part, child in _pairs(list(handoff.body.parts)):
            assert part.span.covers(child.span), (handoff.syntax, part.span, child.span)
        for part in descend(handoff.body.parts):
            for one, other in pairwise(part.below):
                assert one.span.end <= other.span.start, (handoff.syntax, one.span, other.span)
            assert all(part.span.covers(span) for span in (part.key, part.value, *part.insides) if span is not None)


def test_each_field_in_json_has_a_node_where_its_value_is(handoffs: list[Handoff]) -> None:
    seen = 0
    for handoff in handoffs:
        for slot in handoff.slots:
            node, fragment = handoff.body.node(slot), handoff.body.fragment
            assert (node is None) or handoff.syntax == "json"
            if node is not None and slot.parent is not None and slot.value is not None and fragment is not None:
                assert fragment.outer_span(*node.span) == slot.value
                seen += 1
    assert seen > 50


def test_what_is_quoted_and_written_is_read_back(handoffs: list[Handoff]) -> None:
    """A value of a field in the place of another one, in every syntax."""
    seen = set()
    for handoff in handoffs:
        slot = handoff.status
        if slot is None or slot.value is None or slot.problem is not None or handoff.body.append_only:
            continue
        for value in slot.field.values[:2]:
            text = handoff.body.quote(value.value)
            again = apply_edits(handoff.source.text, [Edit(slot.value, text)])
            made = analyze(Source(again), handoff.path, builtin(), Options(contract=None)).handoffs
            now = [
                one.status
                for one in made
                if one.spec.name == handoff.spec.name and one.span.start == handoff.span.start
            ]
            if now and now[0] is not None and now[0].problem is None:
                seen.add(handoff.syntax)
                assert now[0].data == handoff.body.read(slot.field, value.value, handoff.spec.empty_words)
    assert seen == {"markdown", "json", "outline"}
