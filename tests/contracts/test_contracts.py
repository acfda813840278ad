"""Contract files: the built-in ones are valid, profiles are merged, and each problem is reported at its token."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from contracts.problems import problems

from handoff_lsp.contracts.build import merge_patch
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.model import Contract
from handoff_lsp.contracts.names import fold_name, nearest
from handoff_lsp.contracts.patterns import PatternError, match_whole, search
from handoff_lsp.contracts.registry import builtin, schemas_folder
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Source

FILES = sorted((schemas_folder() / "contracts").glob("*.yaml"))
STATUS_BLOCK = schemas_folder() / "contracts" / "status-block.yaml"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_built_in_contract_is_valid_and_is_what_is_loaded(path: Path) -> None:
    entry, problems = read_contract(path.read_text(encoding="utf-8"))
    assert problems == []
    assert entry is not None
    loaded = {key: value for key, value in entry.data.items() if key != "seed"}
    assert builtin()[path.stem].data == json.loads(json.dumps(loaded))


@pytest.mark.parametrize("name", builtin().names)
def test_every_check_names_a_rule_and_every_severity_too(name: str) -> None:
    entry = builtin()[name]
    for profile in entry.contract.profiles:
        spec = entry.spec(profile)
        assert {check.rule for check in spec.contract.checks.values()} <= set(all_rules())
        assert {rule for _, field in spec.walk() for rule in field.severity} <= set(all_rules())


@pytest.mark.parametrize("name", builtin().names)
def test_everything_that_is_shown_is_explained(name: str) -> None:
    entry = builtin()[name]
    for profile in entry.contract.profiles:
        for path, field in entry.spec(profile).walk():
            assert field.about, f"{name}/{profile}: {path} has no `about`"
            assert not field.required or field.because, f"{name}/{profile}: {path} is required without `because`"


def broken(old: str, new: str) -> tuple[str, list[tuple[str, str]]]:
    """The problem of the status-block contract with one text replaced: the text at its place, and the message."""
    text = STATUS_BLOCK.read_text(encoding="utf-8").replace(old, new, 1)
    found = problems(text)
    assert found
    return text, found


@pytest.mark.parametrize(
    ("old", "new", "at", "words"),
    [
        ("    first: true", "    frist: true", "frist", "did you mean `first`"),
        ("type: integer", "type: integre", "integre", "did you mean `integer`"),
        ("required: {status: blocked}", "required: {statu: blocked}", "statu", "did you mean `status`"),
        ("required: {status: blocked}", 'required: "statu == 1"', "statu", "did you mean `status`"),
        ("required: {status: blocked}", "required: {status: bloked}", "bloked", "did you mean `blocked`"),
        ("required: {status: blocked}", "required: {status: 3}", "3", "`status` is never `3`"),
        ("required: {status: blocked}", "required: {status: {non_of: blocked}}", "non_of", "did you mean `none_of`"),
        ("required: {status: blocked}", "required: {status.: blocked}", "status.", "is not the path of a value"),
        (
            "count_of: open_questions",
            "count_of: open_question",
            "open_question",
            "did you mean `open_questions`",
        ),
        ("count_of: open_questions", "count_of: abstract.open_questions", "abstract.open_questions", "has no items"),
        ("count_of: open_questions", "at_least: status", "status", "is no number"),
        ("count_of: open_questions", "one_of: many", "many", "must be an integer"),
        ("count_of: open_questions", "one_of: 1\n    at_most: 3", "at_most", "only one of `one_of` and `at_most`"),
        ("    count_of: open_questions\n", "", "open-questions-count", "a check needs `check`, or one of"),
        (
            "count_of: open_questions",
            "one_of: [1, 2]\n    correct: true",
            "true",
            "`true` needs a relation with one value",
        ),
        (
            "at: abstract.open_questions\n",
            "at: abstract.questions\n",
            "abstract.questions",
            "`abstract.questions` is not a field",
        ),
        (
            "Status block: [status, status_reason, abstract]",
            "Status block: [statsu]",
            "statsu",
            "did you mean `status`",
        ),
        ("default_profile: handoff", "default_profile: handof", "handof", "did you mean `handoff`"),
        ("(?i)-handoff\\.(md|markdown)$", "(?=x)", "", "invalid RE2 pattern"),
        ("(?i)\\bdod[ -]checker\\b", "(?=x)", "", "invalid RE2 pattern"),
        ("ordered: true", "ordered: [", "", "not YAML"),
        ("      dod_coverage: null\n", "      dod_coverages: null\n", "dod_coverages", "no `dod_coverages` to remove"),
        ("(?i)^\\W*output\\W*$", "(?=x)", "", "invalid RE2 pattern"),
        ("title: '(?i)\\bagent\\W*$'", "form: section", "", "has no effect here"),
    ],
)
def test_what_is_wrong_is_reported_at_its_token(old: str, new: str, at: str, words: str) -> None:
    _, problems = broken(old, new)
    assert any(words in message and (not at or token == at) for token, message in problems), problems


def test_a_patch_merges_removes_and_renames_in_place() -> None:
    base = {"a": {"x": 1, "y": 2}, "b": 1, "c": 3}
    assert merge_patch(base, {"a": {"y": None, "z": 5}}) == {"a": {"x": 1, "z": 5}, "b": 1, "c": 3}
    assert list(merge_patch(base, {"b": None, "new": 7})) == ["a", "new", "c"]
    assert base == {"a": {"x": 1, "y": 2}, "b": 1, "c": 3}


def test_names_are_compared_as_people_mean_them() -> None:
    assert fold_name("4. **Ｓtatus** (required)") == "status"
    assert fold_name("スコープ（確定している場合）") == "スコープ"
    assert nearest("agent_sate", ["agent_state", "agent_id"]) == "agent_state"
    assert nearest("colour", ["status"]) is None


def test_patterns_are_linear_and_say_where_groups_are() -> None:
    found = match_whole(r"(?P<n>\d+) created", "12 created")
    assert found is not None
    assert found.groups == {"n": (0, 2)}
    assert search("é$", "日本 \ud800 é") is not None
    assert search("(a+)+$", "a" * 50_000 + "b") is None
    with pytest.raises(PatternError):
        search(r"(a)\1", "aa")


ROUTES = {
    "complete": ("advance", []),
    "blocked": ("ask", ["open_questions"]),
    "failed": ("stop", []),
    "incomplete": ("ask", []),
    "done": ("stop", []),  # unrecognized: treated as failed, never advanced on
}


def decide(text: str) -> Any:
    handoff = analyze(Source(text), "", builtin(), Options()).handoffs[0]
    return next(
        route for route in handoff.spec.contract.routing if handoff.values.holds(route.when == "true" or route.when)
    )


@pytest.mark.parametrize("status", ROUTES)
def test_the_routing_table_of_the_status_block(status: str) -> None:
    abstract = "outcome: x\nverdict: n/a\nopen_questions: 1\n"
    route = decide(f"# A — Handoff from Tester\n\n## Status\n{status}\n\n## Abstract\n{abstract}")
    assert (route.action, route.reads) == ROUTES[status]


@pytest.mark.parametrize(
    ("verdict", "action", "reads"),
    [("REQUEST_CHANGES", "retry", ["findings", "change_requests"]), ("APPROVED", "advance", [])],
)
def test_a_verdict_routes_beside_the_status(verdict: str, action: str, reads: list[str]) -> None:
    route = decide(
        f"# A — Handoff from Reviewer\n\n## Status\ncomplete\n\n## Abstract\noutcome: x\nverdict: {verdict}\nfiles: x\n"
    )
    assert (route.action, route.reads) == (action, reads)


def test_no_contract_is_named_in_python() -> None:
    package = Path(__file__).parents[2] / "handoff_lsp"
    profiles = {profile for entry in builtin() for profile in entry.contract.profiles if "-" in profile}
    words = {*builtin().names, *profiles}
    told_in_help = {package / "cli" / "help_texts.py"}
    sources = {path: path.read_text(encoding="utf-8") for path in set(package.rglob("*.py")) - told_in_help}
    assert [(path.name, word) for path, text in sources.items() for word in words if f'"{word}"' in text] == []


def test_the_model_is_the_published_schema() -> None:
    schema = json.loads((schemas_folder() / "contract.schema.json").read_text(encoding="utf-8"))
    assert set(schema["properties"]) == set(Contract.__dataclass_fields__)
    assert all(part.get("description") for part in schema["properties"].values())
    assert yaml.safe_load(FILES[0].read_text(encoding="utf-8")).keys() <= schema["properties"].keys()
