"""Conditions over more items than CEL iterates over."""

from __future__ import annotations

import json
import re

import pytest

from handoff_lsp.contracts.conditions import Conditions
from handoff_lsp.contracts.lines import names_in
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.contracts.values import Values
from handoff_lsp.decide.routing import routing_of
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source


def test_a_walk_through_too_many_items_does_not_apply() -> None:
    values = Values(Conditions({"items": "list"}), {"items": [{"tag": "a"}] * 20_000})
    assert values.evaluate("size(items)") == 20_000
    assert values.evaluate("items[19999].tag") == "a"
    assert values.evaluate("items.all(item, item.tag == 'a')") is None


def test_a_copy_of_too_many_items_is_not_made() -> None:
    """CEL takes seconds for it."""
    gave_up: dict[str, None] = {}
    few = Values(Conditions({"inner": "object"}), {"inner": {"items": ["a"] * 100}}, gave_up)
    line = "inner.items.filter(item, item == 'a').size()"
    assert few.evaluate(line) == 100
    assert not gave_up
    many = Values(Conditions({"inner": "object"}), {"inner": {"items": ["a"] * 2_000}}, gave_up)
    assert many.evaluate(line) is None
    assert many.evaluate("inner.items.all(item, item == 'a')") is True
    assert list(gave_up) == [line]


def test_a_term_gets_the_values_that_it_names_and_not_those_named_in_its_texts() -> None:
    gave_up: dict[str, None] = {}
    terms = {
        "texts": "['an items'].filter(one, one.matches(r' (?:items)?$')).size() == 1",
        "comment": "// it isn't one\nstate == 'done' && title != ''",
    }
    given = {"title": "an item", "state": "done", "items": ["a"] * 2_000}
    kinds = {"title": "string", "state": "string", "items": "list", **dict.fromkeys(terms, "any")}
    values = Values(Conditions(kinds, terms), given, gave_up)
    assert (values.evaluate("texts"), values.evaluate("comment")) == (True, True)
    assert not gave_up


def test_the_lines_that_were_given_up_are_reported() -> None:
    gave_up: dict[str, None] = {}
    values = Values(Conditions({"items": "list"}), {"items": ["a"] * 20_000}, gave_up)
    assert values.evaluate("size(items)") == 20_000
    assert not gave_up
    assert not values.fails("items.all(item, item == 'a')")
    assert list(gave_up) == ["items.all(item, item == 'a')"]


@pytest.mark.parametrize(
    ("count", "told"), [(100, []), (20_000, ["text_ran", "command_ran", "cmd_ran", "commands-are-told"])]
)
def test_a_list_that_is_too_long_for_a_check_gets_one_finding_that_names_it(count: int, told: list[str]) -> None:
    evidence = {"commands_run": ["skipped"] * count, "verbatim_outputs": []}
    handoff = {"agent_status": {"plan_status": "IN_PROGRESS"}, "evidence_report": evidence}
    text = f"```agent_contract_handoff\n{json.dumps(handoff)}\n```\n"
    analysis = analyze(Source(text), "", builtin(), Options())
    found = [finding for finding in analysis.findings if finding.code == "too-large"]
    assert [finding.severity for finding in found] == ["warning"] * bool(told)
    assert [name for finding in found for name in re.findall(r"`(.*?)`", finding.message)] == told


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("inner.few.size()", 1),
        ("inner.few.all(one, one == 'b') && inner.name == 'n'", True),
        ("has(inner.many) && !has(inner.none)", True),
        ("inner.none", None),
        ("inner.size()", 3),
        ("inner.exists(one, one == 'many')", True),
        ("inner['many'].size() + inner.few.size()", 201),
        ("[inner].exists(inner, inner.many.size() == 200)", True),
        ("'inner.few' == 'inner.few' && inner.many[199] == 'a'", True),
    ],
)
def test_a_line_sees_all_that_it_reads_of_an_object_with_a_long_list(line: str, value: object) -> None:
    data = {"inner": {"many": ["a"] * 200, "few": ["b"], "name": "n"}}
    assert Values(Conditions({"inner": "object"}), data).evaluate(line) == value


def test_terms_have_values_where_a_line_names_them() -> None:
    terms = {"one": "text + '!'", "two": "one + later", "later": "'x'", "far": "one + '?'"}
    conditions = Conditions({"text": "string", **dict.fromkeys(terms, "any")}, terms)
    values = Values(conditions, {"text": "a"})
    assert values.evaluate("later") == "x"
    assert values.evaluate("two") is None  # a term sees only the terms above it
    assert values.evaluate("far == 'a!?' && text == 'a'") is True
    assert values.of(frozenset({"far", "text"})) == {"far": "a!?", "text": "a"}


LISTED = """
contract: listed
title: Listed
about: A contract whose routes go through a list.
status: result
unread: nobody reads it
default_profile: v1
profiles:
  v1: {about: The only version}
fence: {tags: {listed: own}, syntax: json}
fields:
  result: {type: enum, required: true, values: [{value: done}]}
  items: {type: list, items: {type: line}}
routing:
  - {when: "items.exists(item, item == 'stop')", action: stop, reason: An item says so.}
  - {when: "result == 'done'", action: advance, reason: It is done.}
  - {action: stop, reason: It is not done.}
"""


@pytest.mark.parametrize(("count", "action"), [(100, "advance"), (20_000, "stop")])
def test_a_route_that_cannot_go_through_its_list_advances_nothing(count: int, action: str) -> None:
    entry, problems = read_contract(LISTED)
    assert entry is not None, problems
    registry = Registry({"listed": entry})
    text = f"```listed\n{json.dumps({'result': 'done', 'items': ['go'] * count})}\n```\n"
    (handoff,) = analyze(Source(text), "", registry, Options()).handoffs
    decision = routing_of(handoff)
    assert decision is not None
    assert decision.action == action


def test_a_lone_surrogate_is_a_value() -> None:
    assert Values(Conditions({"text": "string"}), {"text": "\ud800"}).evaluate("size(text)") == 1


def test_the_words_of_lines() -> None:
    assert names_in("size(log.entries) > 0", "{this} is `x`") == {"size", "log", "entries", "this", "is", "x"}


def test_a_value_that_is_kept_is_the_value_of_the_same_values() -> None:
    """What Python takes as equal is not equal in CEL: each line has the value that new conditions give it."""
    terms = {"first": "items.exists(one, one == 1)", "both": "first && name != ''"}
    variables = {"items": "list", "name": "string", "other": "any", "first": "any", "both": "any"}
    lines = ["first", "both", "size(items) + 1", "type(other) == bool", "other == true ? 'yes' : name", "other == 1"]
    lines += ["first || size(items) > 20000", "size(items) > 20000 && name != ''", "size(items) > 0 && items[0] == 'a'"]
    many = (["a"] * 20_000, ["b"] * 20_000, [1] * 20_001)
    given = [
        {"items": items, "name": name, **({} if other is None else {"other": other})}
        for items in ([], [1], [1.0], [True], ["1"], *many)
        for name in ("", "x")
        for other in (None, 1, 1.0, True, "true")
    ]
    kept = Conditions(variables, terms)
    for data in (*given, *reversed(given)):
        for line in lines:
            gave_up: tuple[dict[str, None], dict[str, None]] = ({}, {})
            values = Values(kept, data, gave_up[0])
            now = [values.evaluate(line), values.evaluate(line)]
            fresh = Values(Conditions(variables, terms), data, gave_up[1]).evaluate(line)
            assert [(type(value), value) for value in now] == [(type(fresh), fresh)] * 2, (line, data)
            assert gave_up[0] == gave_up[1]


def test_no_more_than_some_values_are_kept() -> None:
    conditions = Conditions({"name": "string"})
    for number in range(1_000):
        assert Values(conditions, {"name": f"{number}"}).evaluate(f"name == '{number}'") is True
    assert len(conditions.known) <= 200
