"""`schema --of handoff`: it refuses no sound handoff, and what is wrong in shape."""

from __future__ import annotations

import copy
import re
from collections import Counter
from typing import Any

import pytest
from features.schemas.fixtures import (
    EVERY,
    GENERATIONS,
    TESTS,
    Found,
    NotWritten,
    all_found,
    recorded,
    spec_of,
    validator,
    written,
)

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.writing.schemas.handoff_schema import handoff_schema, written_syntax

WRITTEN = [each for each in EVERY if written_syntax(spec_of(*each)) is not None]


def documents(found: tuple[Found, ...]) -> list[tuple[Found, Any]]:
    """The handoffs in JSON or YAML that are meant as such, with what a parser reads."""
    made = []
    for one in found:
        try:
            made += [(one, written(one.handoff))] if one.handoff.mode == "handoff" else []
        except NotWritten:
            continue
    return made


def test_json_and_yaml_have_a_schema() -> None:
    assert {name for name, _ in WRITTEN} == {
        "agent-contract",
        "agent-input",
        "agent-status",
        "remediation-evidence",
        "remediation-result",
        "result-envelope",
        "verify-result",
    }
    for name, profile in WRITTEN:
        assert validator(spec_of(name, profile), "handoff").schema["$id"].endswith(f":{name}@{profile}:handoff")


@pytest.mark.parametrize(("name", "profile"), sorted({*EVERY} - {*WRITTEN}), ids=lambda one: str(one))
def test_markdown_has_none(name: str, profile: str) -> None:
    with pytest.raises(ValueError, match="neither JSON nor YAML"):
        handoff_schema(spec_of(name, profile))


def test_a_sound_handoff_is_valid() -> None:
    sound = [(one, data) for one, data in documents(all_found()) if one.is_sound]
    assert len(sound) > 400
    assert {one.handoff.spec.name for one, _ in sound} >= {name for name, _ in WRITTEN}
    for one, data in sound:
        errors = [error.message for error in validator(one.handoff.spec, "handoff").iter_errors(data)]
        assert errors == [], one.name


def outcomes(generation: str) -> Counter[str]:
    """How many recorded documents are sound or broken, and how many of these the schema accepts."""
    counts: Counter[str] = Counter()
    for _, found in recorded(generation):
        for one, data in documents(found):
            if one.handoff.spec.name == "agent-contract":
                kind = "sound" if one.is_sound else "broken"
                counts[kind] += 1
                counts[f"{kind} accepted"] += validator(one.handoff.spec, "handoff").is_valid(data)
    return counts


@pytest.mark.parametrize("generation", GENERATIONS)
def test_it_refuses_no_sound_recorded_document_and_the_page_says_how_many_broken_ones_it_accepts(
    generation: str,
) -> None:
    counts = outcomes(generation)
    print(generation, dict(counts))
    assert counts["sound"] == counts["sound accepted"] > 100
    assert counts["broken"] > 200
    page = (TESTS.parent / "docs" / "schemas.md").read_text(encoding="utf-8")
    row = f"| `{GENERATIONS[generation]}` | {counts['sound']} | 0 | {counts['broken']} | {counts['broken accepted']} |"
    assert row in page, row


def test_what_the_original_validator_accepts_is_refused_only_for_a_difference_that_check_has_too() -> None:
    """An `agent_id` of a form that the seed requires and its validator does not check (`differences.yaml`)."""
    refused = [
        [(finding.code, finding.field) for finding in one.findings if finding.severity == "error"]
        for row, found in recorded("seed")
        if not (row["verdict"]["missing"] or row["verdict"]["invalid"] or row["verdict"]["A_missing"])
        for one, data in documents(found)
        if not validator(one.handoff.spec, "handoff").is_valid(data)
    ]
    assert refused == [[("invalid-format", "agent_status.agent_id")]] * 7


COMPLETE: dict[str, Any] = {
    "agent_status": {"plan_status": "COMPLETE", "agent_id": "a1b2c3d4", "pending_steps": [], "next_action": "done"},
    "evidence_report": {
        **{key: ["x"] for key in ("patterns_checked", "files_checked", "commands_run", "key_outputs")},
        **{key: [] for key in ("verbatim_outputs", "cross_layer_impacts", "open_gaps")},
        "verification": {"method": "test", "result": "pass"},
    },
}


def changed(path: str, value: Any = ...) -> dict[str, Any]:
    """A sound handoff with another value at a path, or without one."""
    made = copy.deepcopy(COMPLETE)
    *above, name = path.split(".")
    part = made
    for step in above:
        part = part[step]
    if value is ...:
        del part[name]
    else:
        part[name] = value
    return made


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("agent_status", ...),
        ("agent_status.plan_status", ...),
        ("agent_status.plan_status", "FINISHED"),
        ("agent_status.plan_status", 1),
        ("agent_status.agent_id", "worker-7"),
        ("agent_status.next_action", ""),
        ("evidence_report", ...),
        ("evidence_report.open_gaps", ...),
        ("evidence_report.verification", ...),
        ("evidence_report.verification", "pass"),
    ],
)
def test_what_is_wrong_in_shape_is_refused(path: str, value: Any) -> None:
    accepts = validator(spec_of("agent-contract"), "handoff")
    assert accepts.is_valid(COMPLETE)
    assert not accepts.is_valid(changed(path, value))


@pytest.mark.parametrize("spelling", ["complete", "Complete.", "COMPLETE"])
def test_a_spelling_that_the_contract_tolerates_is_accepted(spelling: str) -> None:
    assert validator(spec_of("agent-contract"), "handoff").is_valid(changed("agent_status.plan_status", spelling))


def test_a_condition_applies_only_where_it_holds() -> None:
    accepts = validator(spec_of("agent-contract"), "handoff")
    running = changed("agent_status.plan_status", "IN_PROGRESS")
    del running["evidence_report"]["verification"]
    assert accepts.is_valid(running)


# Conditions: comparisons with `and`, `or` and `not`

CONTRACT = """
contract: conditions
title: Conditions
about: A format with conditions.
status: state
file: {{syntax: json, path: '\\.json$', holds: [state]}}
fields:
  state: {{type: enum, values: [open, done, dropped], about: The state., required: true}}
  count: {{type: integer, about: A number.}}
  ready: {{type: boolean, about: Whether it is ready.}}
  items: {{type: list, about: Some items.}}
  note:
    type: line
    about: A note.
    absent_when: [null, ""]
    required: {condition}
"""


def spec_with(condition: str) -> Spec:
    """A contract whose note is required under a condition."""
    entry, problems = read_contract(CONTRACT.format(condition=condition))
    assert entry is not None, problems
    return entry.spec("default")


HOLDS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("{state: done}", {"state": "done"}, {"state": "open"}),
    ("{state: [done, dropped]}", {"state": "dropped"}, {"state": "open"}),
    ("{state: {none_of: open}}", {"state": "done"}, {"state": "open"}),
    ("{count: {at_least: 2}}", {"state": "open", "count": 2}, {"state": "open", "count": 1}),
    ("\"!(state == 'open')\"", {"state": "done"}, {"state": "open"}),
    ("\"state == 'done' && count < 3\"", {"state": "done", "count": 2}, {"state": "done", "count": 3}),
    ("\"state == 'done' || count > 5\"", {"state": "open", "count": 6}, {"state": "open", "count": 5}),
    ("\"!(state == 'done' || count > 5)\"", {"state": "open", "count": 5}, {"state": "open", "count": 6}),
    ("\"!(state in ['done'] && ready)\"", {"state": "done", "ready": False}, {"state": "done", "ready": True}),
    ("size(items) > 0", {"state": "open", "items": ["a"]}, {"state": "open", "items": []}),
    ("ready", {"state": "open", "ready": True}, {"state": "open", "ready": False}),
]


@pytest.mark.parametrize(("condition", "when", "otherwise"), HOLDS, ids=[one[0] for one in HOLDS])
def test_comparisons_become_if_and_then(condition: str, when: dict[str, Any], otherwise: dict[str, Any]) -> None:
    accepts = validator(spec_with(condition), "handoff")
    assert [list(one) for one in accepts.schema["allOf"]] == [["if", "then"]]
    assert not accepts.is_valid(when)
    assert not accepts.is_valid({**when, "note": ""})
    assert accepts.is_valid({**when, "note": "because"})
    assert accepts.is_valid(otherwise)


@pytest.mark.parametrize("condition", ["\"state == 'done'\"", "\"!(state == 'open')\"", "\"state != 'open'\"", "ready"])
def test_a_condition_on_an_absent_or_wrong_value_does_not_apply(condition: str) -> None:
    """As in a check: what has no value makes a condition neither true nor false."""
    conditions = validator(spec_with(condition), "handoff").evolve(schema={"allOf": _conditions(condition)})
    for document in ({}, {"state": None, "ready": None}, {"state": "opne"}, {"state": 1, "ready": "yes"}):
        assert conditions.is_valid(document)


def _conditions(condition: str) -> list[Any]:
    return list(handoff_schema(spec_with(condition))["allOf"])


@pytest.mark.parametrize(
    "condition",
    ["\"state.startsWith('d')\"", '"count * 2 > 6"', "\"items.exists(i, i == 'x')\"", '"size(items) == count"'],
)
def test_other_conditions_are_left_out(condition: str) -> None:
    assert "allOf" not in handoff_schema(spec_with(condition))


def test_a_part_of_an_alternative_that_is_no_comparison_is_left_out() -> None:
    accepts = validator(spec_with("\"state == 'done' || state.startsWith('dr')\""), "handoff")
    assert not accepts.is_valid({"state": "done"})
    assert accepts.is_valid({"state": "dropped"})


def test_each_pattern_is_read_alike_by_python_and_javascript() -> None:
    """No named groups, no flags inside."""
    for name, profile in WRITTEN:
        for pattern in _patterns(handoff_schema(spec_of(name, profile))):
            assert re.search(r"\(\?(?!:)|\\[pPAzZ]", pattern) is None, pattern
            re.compile(pattern)


def _patterns(schema: Any) -> list[str]:
    if isinstance(schema, dict):
        own = [schema["pattern"]] if isinstance(schema.get("pattern"), str) else []
        return own + [one for value in schema.values() for one in _patterns(value)]
    return [one for value in schema for one in _patterns(value)] if isinstance(schema, list) else []
