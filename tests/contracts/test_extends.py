"""A contract that extends another one: what it changes, and its problems at its own keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp import engine
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import builtin, schemas_folder
from handoff_lsp.text import Source
from handoff_lsp.workspace.config.contract_files import Contracts, read_contracts

WAIVED = """contract: status-block
extends: status-block
fields:
  status:
    aliases: [Zustand]
    "+values": [{value: waived, about: "The lead waived this step."}]
"""
HANDOFF = """# Login — Handoff from Backend Developer

## Status

waived

## Iterations

0

## Notes

Nothing was built.
"""


def read(tmp_path: Path, **texts: str) -> Contracts:
    """The contracts of a folder, each in a file of its name."""
    for name, text in texts.items():
        (tmp_path / f"{name}.yaml").write_text(text, encoding="utf-8")
    return read_contracts([tmp_path / f"{name}.yaml" for name in texts])


def problem(tmp_path: Path, text: str) -> tuple[int | None, str]:
    """The line and message of the only problem of a contract."""
    (found,) = read(tmp_path, own=text).problems
    return found.line, found.message


def rules_found(text: str, contracts: Contracts) -> list[str]:
    registry = builtin().with_entries(contracts.entries)
    analysis = engine.analyze(Source(text), "handoffs/board/backend-dev-handoff.md", registry, engine.Options())
    return [finding.code for finding in analysis.findings]


def test_a_value_added_to_a_built_in_contract(tmp_path: Path) -> None:
    own = read(tmp_path, own=WAIVED)
    assert own.problems == []
    assert "invalid-value" in rules_found(HANDOFF, Contracts([], [], []))
    assert "invalid-value" not in rules_found(HANDOFF, own)
    assert "invalid-value" in rules_found(HANDOFF.replace("waived", "waifed"), own)


def test_all_else_is_that_of_the_base(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, own=WAIVED).entries
    base = builtin()["status-block"]
    assert entry.data["fields"].keys() == base.data["fields"].keys()
    assert entry.data["profiles"] == base.data["profiles"]
    assert [value["value"] for value in entry.data["fields"]["status"]["values"]] == [
        *(value["value"] for value in base.data["fields"]["status"]["values"]),
        "waived",
    ]
    assert entry.data["fields"]["status"]["aliases"] == ["Zustand"], "without + a list takes the place of the other"


def test_a_contract_of_another_name_leaves_its_base_alone(tmp_path: Path) -> None:
    own = read(tmp_path, own=WAIVED.replace("contract: status-block", "contract: our-block"))
    assert [entry.name for entry in own.entries] == ["our-block"]
    assert own.problems == []


def test_one_own_contract_extends_another_in_any_order_of_the_files(tmp_path: Path) -> None:
    first = "contract: first\nextends: second\nfields: {owner: {about: Whose it is., type: line}}\n"
    second = "contract: second\nextends: status-block\nfields: {cost: {about: What it took., type: integer}}\n"
    own = read(tmp_path, a=first, b=second)
    assert own.problems == []
    assert [entry.name for entry in own.entries] == ["first", "second"]
    assert {"owner", "cost", "status"} <= own.entries[0].data["fields"].keys()


def test_a_profile_is_changed_added_and_removed(tmp_path: Path) -> None:
    text = """contract: status-block
extends: status-block
profiles:
  developer: {about: Our developers.}
  painter: {about: A new one., evidence: [{title: '(?i)painter'}], checks: {open-questions-count: null}}
  tester: null
"""
    (entry,) = read(tmp_path, own=text).entries
    profiles = entry.data["profiles"]
    assert profiles["developer"]["about"] == "Our developers."
    assert profiles["developer"]["evidence"] == builtin()["status-block"].data["profiles"]["developer"]["evidence"]
    assert "tester" not in profiles
    assert "open-questions-count" in entry.spec("developer").contract.checks
    assert "open-questions-count" not in entry.spec("painter").contract.checks


def test_a_part_that_some_profiles_change_is_removed_from_all(tmp_path: Path) -> None:
    base = builtin()["status-block"].data["profiles"]
    assert any("open-questions-count" in profile.get("checks", {}) for profile in base.values())
    text = "contract: status-block\nextends: status-block\nchecks: {open-questions-count: null}\n"
    own = read(tmp_path, own=text)
    assert own.problems == []
    (entry,) = own.entries
    assert not any("open-questions-count" in entry.spec(name).contract.checks for name in base)


def test_a_problem_in_an_added_item_is_at_its_token(tmp_path: Path) -> None:
    text = "contract: own\nextends: status-block\nfields: {status: {+values: [{value: a}, {value: b, abut: it}]}}\n"
    entry, problems = read_contract(text, tmp_path, dict.fromkeys(["own"]) | {e.name: e for e in builtin()})
    assert entry is None
    assert [(text[slice(*found.span)], found.message) for found in problems] == [
        ("abut", "unknown key `abut`; did you mean `about`?")
    ]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("contract: own\nextends: status-blok\n", 2, "unknown contract `status-blok`; did you mean `status-block`?"),
        ("contract: own\nextends: own\n", 2, "a contract cannot extend itself"),
        ("contract: own\nextends: [status-block]\n", 2, "`extends` must be the name of a contract"),
        ("contract: own\nextends: status-block\nfields:\n  statsu: {required: true}\n", 4, "did you mean `status`?"),
        ("contract: own\nextends: status-block\nfields:\n  statsu: null\n", 4, "did you mean `status`?"),
        ("contract: own\nextends: status-block\nfields:\n  status: {requird: true}\n", 4, "did you mean `required`?"),
        ("contract: own\nextends: status-block\nfields:\n  status: {'+valus': []}\n", 4, "did you mean `values`?"),
        (
            "contract: own\nextends: status-block\nfields:\n  status:\n    +values: [{value: complete}]\n",
            5,
            "duplicate value `complete`",
        ),
        ("contract: own\nextends: status-block\nstatus: null\n", 2, "routes need a status"),
    ],
)
def test_a_problem_is_at_a_key_of_the_file(tmp_path: Path, text: str, line: int, message: str) -> None:
    at, found = problem(tmp_path, text)
    assert message in found
    assert at == line


def test_a_copy_of_a_built_in_contract_says_that_it_hides_one(tmp_path: Path) -> None:
    line, message = problem(tmp_path, (schemas_folder() / "contracts" / "agent-input.yaml").read_text("utf-8"))
    assert message == "`agent-input` is built in: write `extends: agent-input` to change it, or choose another name"
    assert line == 2


def test_a_key_that_a_new_type_does_not_read_is_a_problem_only_of_the_file_that_has_it(tmp_path: Path) -> None:
    text = "contract: own\nextends: status-block\nfields: {iterations: {type: line}, status: {type: line}}\n"
    assert read(tmp_path, own=text).problems == []
    assert [one.message for one in read(tmp_path, own=text.replace("}}", ", pattern: x}}")).problems] == [
        "`pattern` has no effect here: it is for `type: pattern` and integers"
    ]


def test_contracts_in_a_circle(tmp_path: Path) -> None:
    own = read(tmp_path, a="contract: a\nextends: b\n", b="contract: b\nextends: a\n")
    assert [found.message for found in own.problems] == [
        "the contract `a` cannot be used: it has problems of its own, or extends this one in a circle",
        "the contract `b` cannot be used: it has problems of its own, or extends this one in a circle",
    ]


def test_a_broken_base_is_named_once_and_its_extension_says_why_it_is_not_used(tmp_path: Path) -> None:
    own = read(tmp_path, a="contract: a\nextends: b\n", b="contract: b\nextends: status-block\nfoo: 1\n")
    assert sorted((found.path.stem, found.message) for found in own.problems) == [
        ("a", "the contract `b` cannot be used: it has problems of its own, or extends this one in a circle"),
        ("b", "unknown key `foo`"),
    ]


def test_an_added_route_comes_before_those_of_the_base(tmp_path: Path) -> None:
    text = WAIVED + '"+routing":\n  - {when: {status: waived}, action: continue, reason: The lead waived it.}\n'
    (entry,) = read(tmp_path, own=text).entries
    base = builtin()["status-block"].contract.routing
    assert [route.reason for route in entry.contract.routing] == ["The lead waived it.", *(one.reason for one in base)]
    assert problem(tmp_path, text.replace("{status: waived}", "{status: waifed}"))[0] == text.count("\n")
    assert problem(tmp_path, text.replace("{when: {status: waived}, ", "{"))[0] == text.count("\n")
