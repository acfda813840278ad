"""Lists of sections and items with lists below them in contracts: what can never take effect is refused."""

from __future__ import annotations

import pytest
from contracts.problems import problems

from handoff_lsp.contracts.load import read_contract

CONTRACT = r"""contract: plan
title: Plan
about: Tasks in phases.
detect: {enough: 1, content: 1, signs: [{has: phases}]}
fields:
  phases:
    type: list
    each: '^Phase (?P<n>\d+): (?P<name>.+)'
    items:
      type: object
      fields:
        goal: {title: Goal, type: line}
        tasks:
          carriers: [body]
          type: checklist
          items: {type: pattern, pattern: '(?P<id>T\d+) .*', fields: {subtasks: {type: checklist}}}
  notes: {title: Notes, carriers: [section], type: list}
checks:
  ids:
    rule: contradiction
    at: phases[].tasks[]
    check: "this.id != '' && this.text != '' && !this.done && size(this.subtasks) < 3"
    message: "{this.id}"
  below:
    rule: contradiction
    at: phases[].tasks[].subtasks[]
    check: "this.done"
    message: "{this.text}"
  numbers:
    rule: contradiction
    at: phases[]
    check: "this.index == this.n && this.name != this.goal"
    message: "{this.n}"
"""

MISTAKES = {
    "no list": ("type: list\n    each", "type: text\n    each", "each", "sections as items need `type: list`"),
    "no pattern": (r"(?P<n>\d+)", "(?P<n>", r"'^Phase (?P<n>: (?P<name>.+)'", "invalid RE2 pattern"),
    "no Markdown": (
        "detect: {enough: 1, content: 1, signs: [{has: phases}]}",
        "file: {syntax: json, path: 'x', holds: [notes]}",
        "each",
        "sections are in Markdown",
    ),
    "a heading of its own": (
        "    each:",
        "    carriers: [section]\n    each:",
        "carriers",
        "a list of sections has no heading",
    ),
    "items that are no objects": ("      type: object\n", "      type: line\n", "line", "must be an `object`"),
    "a group and a field": ("        goal:", "        name:", "name", "`name` is already a value of each item"),
    "the number and a field": ("        goal:", "        index:", "index", "`index` is already a value of each item"),
    "content of no section": (
        "notes: {title: Notes, carriers: [section]",
        "notes: {carriers: [body]",
        "carriers",
        "`body`",
    ),
    "a group that is none": ("this.id != ''", "this.ident != ''", "ident", "`this.ident` is not a field"),
    "a field of the item that is none": ("this.goal", "this.gaol", "gaol", "did you mean `this.goal`"),
    "a list that is none": (
        "at: phases[].tasks[].subtasks[]",
        "at: phases[].tasks[].subtask[]",
        "phases[].tasks[].subtask[]",
        "phases[].tasks[].subtasks[]",
    ),
}


def test_the_contract_above_is_right() -> None:
    assert problems(CONTRACT, {}) == []


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_reported_at_its_token(name: str) -> None:
    old, new, token, words = MISTAKES[name]
    assert old in CONTRACT
    found = problems(CONTRACT.replace(old, new, 1), {})
    assert any(at == token and words in message for at, message in found), found


def test_what_an_item_lacks_has_a_carrier() -> None:
    """Without one, what may have several lines is a section in an item, and what has one line a label."""
    entry, _ = read_contract(CONTRACT.replace("goal: {title: Goal, type: line}", "goal: {type: text}"), None, {})
    assert entry is not None
    items = entry.spec("default").fields["phases"].items
    assert items is not None
    assert items.fields["goal"].carriers == ["section"]
