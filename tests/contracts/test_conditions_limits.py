"""Conditions over more than CEL goes through."""

from __future__ import annotations

from handoff_lsp.contracts.conditions import Conditions, names_in


def test_a_walk_through_too_many_items_does_not_apply() -> None:
    values = Conditions({"items": "list"}).values({"items": [{"tag": "a"}] * 20_000})
    assert values.evaluate("size(items)") == 20_000
    assert values.evaluate("items[19999].tag") == "a"
    assert values.evaluate("items.filter(item, item.tag == 'a').size() == 20000") is None


def test_a_lone_surrogate_is_a_value() -> None:
    assert Conditions({"text": "string"}).values({"text": "\ud800"}).evaluate("size(text)") == 1


def test_the_words_of_lines() -> None:
    assert names_in("size(log.entries) > 0", "{this} is `x`") == {"size", "log", "entries", "this", "is", "x"}
