"""A safe fix for a missing part never lets a handoff advance: the inserted placeholder is a finding."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from features.test_skeletons import EVERY, GOES_ON, IDS, path_of, routes

from handoff_lsp.contracts.field_types import KINDS
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.features.actions.offered import fix_all
from handoff_lsp.samples.example import example
from handoff_lsp.text import Source, apply_edits
from handoff_lsp.writing.removal import removal

CONTRACT = """
contract: own
title: Own
about: A contract with one field of a type.
status: state
%s
fields:
  state: {title: State, %s type: enum, values: [done, failed], required: true}
  part: {title: Part, %s type: %s, %s required: %s}
routing:
  - {when: {state: done}, action: advance, reason: Goes.}
  - {action: stop, reason: Stops.}
"""
DOCUMENT = 'detect: {enough: 4, signs: [{weight: 4, title: "^Note"}]}'
FENCE = "fence: {tags: {own: own}, syntax: %s}"
# How a contract recognizes a handoff, how the field is written, and a handoff without it.
FORMS = {
    "section": (DOCUMENT, "carriers: [bold-label],", "carriers: [section],", "# Note\n\n**State**: done\n"),
    "label": (DOCUMENT, "carriers: [bold-label],", "carriers: [bold-label],", "# Note\n\n**State**: done\n"),
    "yaml": (FENCE % "yaml", "", "", "```own\nState: done\n```\n"),
    "json": (FENCE % "json", "", "", '```own\n{"State": "done"}\n```\n'),
}
MORE = {
    "enum": "values: [low, high],",
    "rows": "values: [low, high],",
    "pattern": "pattern: 'v[0-9]+', pattern_about: a version,",
}
OBJECTS = {
    "object": "",
    "object of a list": "fields: {inner: {title: Inner, type: list, required: true}},",
    "object of a text": "fields: {inner: {title: Inner, carriers: [section], type: text, required: true}},",
    "object of nothing": "fields: {inner: {title: Inner, type: line}},",
}


def cases() -> Iterator[tuple[str, str, str, str]]:
    for form in FORMS:
        for kind in sorted(KINDS.keys() - {"object"}):
            yield form, kind, MORE.get(kind, ""), "true"
        yield form, "list", "", "{state: [done, failed]}"
        for more in OBJECTS.values():
            yield form, "object", more, "true"


def after_fixes(analysis: Analysis) -> Analysis:
    action = fix_all(analysis)
    return analysis.again(apply_edits(analysis.source.text, action.edits)) if action is not None else analysis


@pytest.mark.parametrize(("form", "kind", "more", "required"), list(cases()))
def test_a_missing_field_of_each_type_withholds_after_all_safe_fixes(
    form: str, kind: str, more: str, required: str
) -> None:
    recognized, label, carriers, text = FORMS[form]
    entry, problems = read_contract(CONTRACT % (recognized, label, carriers, kind, more, required), Path("own.yaml"))
    assert entry is not None, problems
    registry: Registry = builtin().with_entries([entry])
    before = analyze(Source(text), "notes.md", registry, Options())
    assert routes(before) == {"stop"}, text
    after = after_fixes(before)
    assert not routes(after) & GOES_ON, after.source.text


@pytest.mark.parametrize(("name", "profile"), EVERY, ids=IDS)
def test_a_missing_field_of_each_contract_withholds_after_all_safe_fixes(name: str, profile: str) -> None:
    """A sound example without one of its fields."""
    text = example(builtin(), builtin()[name], profile).text
    options, path = Options(profiles={name: profile}), path_of(name) or "report.md"
    sound = analyze(Source(text), path, builtin(), options)
    for handoff in sound.handoffs:
        for slot in handoff.slots:
            edit = removal(handoff, slot) if slot.parent is not None and slot.present else None
            if edit is None:
                continue
            before = analyze(Source(apply_edits(text, [edit])), path, builtin(), options)
            if not routes(before) & GOES_ON:
                after = after_fixes(before)
                assert not routes(after) & GOES_ON, json.dumps([slot.path, after.source.text])
