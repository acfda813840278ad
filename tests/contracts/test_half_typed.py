"""A contract as it is while somebody types it: whatever is missing or of a wrong shape is a problem, never a crash."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml

from handoff_lsp.contracts.load import CRASHED, read_contract
from handoff_lsp.contracts.registry import ContractEntry
from handoff_lsp.workspace.config.contract_files import read_contracts

# Every way in which one part of a contract adds to another or changes it.
_STORY = """\
contract: story
title: Story
about: A story.
status: status
unread: nobody reads it
profile_in: size
default_profile: big
profiles:
  big: {about: Large., evidence: [{has: due}]}
  small:
    fields:
      due: {about: A day.}
      parts:
        fields: {first: {about: One.}, third: {type: enum, values: [x]}}
      status: {+values: [{value: waived, about: Not needed.}]}
      note: null
    terms: {open: status != 'done'}
    checks: {due-once-open: {at: due, when: open, check: due != 'x', message: Wrong.}}
    groups: {both: [status, due]}
    +reads: [due]
    +routing: [{when: {status: waived}, action: ask, reason: Somebody looks.}]
section: {title: ^Story, holds: [status, {some: [due]}]}
definitions:
  agents: {files: [agents/*.md], values: [{value: tester}]}
defaults:
  every: {about: 'The {name}.', carriers: [bold-label]}
  enum: {because: nobody decides without it}
fields:
  status: {type: enum, values: [open, {value: done, instead_of: [closed]}], required: true}
  size: {type: enum, values: [{value: small, about: Little.}]}
  agent: {type: enum, names: agents, values: [all]}
  due: {title: Due, type: line}
  note: {type: line}
  parts:
    type: object
    defaults: {line: {required: true}}
    fields: {first: {type: line}, second: {type: list, items: {type: object, fields: {a: {type: line}}}}}
terms: {ready: status == 'done'}
checks: {due-first: {at: due, when: ready, message: Wrong., check: due != ''}}
companions: {plan: {contract: plan, where: plan.md}}
reads: [status]
routing:
  - {when: {status: done}, action: advance, reason: Ready.}
  - {action: stop, reason: Somebody looks.}
"""

_TALE = """\
contract: tale
extends: story
title: Tale
fields:
  status: {+values: [told], about: The state.}
  parts: {fields: {first: null, last: {type: line, about: The last.}}}
checks: {due-first: {when: {status: told}}}
+routing: [{when: {status: told}, action: ask, reason: Somebody looks.}]
profiles:
  small:
    fields: {parts: null, due: {+carriers: [plain-label]}, status: {+values: [waived, lost]}}
    +reads: [due]
  new: {about: x, evidence: [{has: status}], fields: {parts: {fields: {c: {type: line, about: c}}}}}
"""

_WRONG: tuple[Any, ...] = (
    *(None, "d", 5, True, date(2026, 1, 2), b"d", {"d"}, [], ["d"], [None], {}, {1: "d"}),
    *({name: wrong} for name in ("status", "+values") for wrong in (None, "d", [], {}, {"fields": "x", "type": []})),
)


def _read(text: str, others: dict[str, ContractEntry | None]) -> ContractEntry | None:
    entry, problems = read_contract(text, None, others)
    assert (entry is None) == bool(problems), text
    assert not any(CRASHED in one.message for one in problems), f"{problems}\n{text}"
    return entry


@pytest.fixture(scope="module")
def others() -> dict[str, ContractEntry | None]:
    found: dict[str, ContractEntry | None] = {"plan": None}
    found["story"] = _read(_STORY, found)
    assert found["story"] is not None
    assert _read(_TALE, found) is not None
    return found


def _nodes(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for step, part in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from _nodes(part, (*path, step))


def _replaced(data: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    parts = dict(data) if isinstance(data, dict) else list(data)
    parts[path[0]] = _replaced(data[path[0]], path[1:], new)
    return parts


@pytest.mark.parametrize("text", [_STORY, _TALE], ids=["story", "tale"])
def test_a_part_of_another_shape_is_a_problem(text: str, others: dict[str, ContractEntry | None]) -> None:
    data = yaml.safe_load(text)
    for path in _nodes(data):
        for wrong in _WRONG:
            _read(yaml.dump(_replaced(data, path, wrong), Dumper=yaml.SafeDumper, sort_keys=False), others)


@pytest.mark.parametrize("text", [_STORY, _TALE], ids=["story", "tale"])
def test_a_contract_typed_from_top_to_bottom(text: str, others: dict[str, ContractEntry | None]) -> None:
    for end in range(len(text)):
        _read(text[:end], others)
        if text[end] == "\n":  # a line is typed into what follows
            for start in range(text.rfind("\n", 0, end) + 1, end, 3):
                _read(text[:start] + text[end:], others)


@pytest.mark.parametrize(
    ("profile", "place", "message"),
    [
        ("fields:", "fields", "`fields` cannot be removed: a contract needs it"),
        ("fields: d", "d", '`fields` must be a mapping of keys to values, not the text "d"'),
        ("fields: {due: d}", "d", '`due` must be a mapping of keys to values, not the text "d"'),
        ("fields: {status: {+values: }}", "+values", "`+values` must be a list, not nothing"),
        ("fields: {status: {+values: [a, []]}}", "[]", "an item of `values` must be a string or a mapping of keys to"),
        ("+routing:", "+routing", "`+routing` must be a list, not nothing"),
        ("+routing: {action: ask}", "+routing", "`+routing` must be a list, not a mapping"),
    ],
)
@pytest.mark.parametrize("text", [_STORY, _TALE], ids=["story", "tale"])
def test_a_problem_of_a_profile_is_at_its_token(
    text: str, profile: str, place: str, message: str, others: dict[str, ContractEntry | None]
) -> None:
    typed = text.replace("  small:\n", f"  tiny:\n    {profile}\n  small:\n")
    _, problems = read_contract(typed, None, others)
    assert [(one.span.of(typed), one.message[: len(message)]) for one in problems] == [(place, message)]


def test_a_crash_is_a_problem_of_its_contract(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def failing(*_: Any) -> None:
        raise KeyError("fields")

    monkeypatch.setattr("handoff_lsp.contracts.validate._check_profiles", failing)
    (tmp_path / "story.yaml").write_text(_STORY, encoding="utf-8")
    known = ContractEntry(yaml.safe_load(_STORY), tmp_path / "story.yaml")
    contracts = read_contracts([tmp_path / "story.yaml"], [known])
    assert [problem.message for problem in contracts.problems] == [f"{CRASHED} (KeyError: 'fields')"]
    assert contracts.entries == [known]  # the last good contract stays in force
