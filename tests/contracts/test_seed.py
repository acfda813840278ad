"""The seeds' rules: each is enforced by existing code and shown by an existing test, or gives the reason why not."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from case_files import read_cases

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.rules.registry import all_rules

ROOT = Path(__file__).parent.parent.parent
CASES = {case.name: case for case in read_cases()}


def _seeds() -> Any:
    spec = importlib.util.spec_from_file_location("seeds", ROOT / "scripts" / "seeds.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look up their annotations
    spec.loader.exec_module(module)
    return module


SEEDS = _seeds()


ENTRIES = {entry.name: entry for entry in builtin()}


def _is_shown(name: str) -> bool:
    """Whether a case or a test of that name exists."""
    file, _, test = name.partition("::")
    if not test:
        return name in CASES
    path = ROOT / file
    function = re.escape(test.partition("[")[0])
    return path.is_file() and bool(re.search(rf"^(async )?def {function}\(", path.read_text("utf-8"), re.M))


def _named(name: str) -> set[str]:
    return {by for rule in SEEDS.seed_rules(name) for by in rule.by}


@pytest.mark.parametrize("name", list(ENTRIES))
def test_each_rule_of_the_seeds_is_held_and_shown_or_says_why_not(name: str) -> None:
    entry = ENTRIES[name]
    assert SEEDS.seed_rules(name), f"{name} says nothing of the rules that it is taken from"
    refs = [rule.ref for rule in SEEDS.seed_rules(name)]
    assert len(refs) == len(set(refs)), sorted(ref for ref in set(refs) if refs.count(ref) > 1)
    told = []
    for rule in SEEDS.seed_rules(name):
        held, told_why = bool(rule.by and rule.shown), bool(rule.left_out or rule.impossible)
        if held == told_why or sum(map(bool, (rule.lenient, rule.left_out, rule.impossible))) > 1:
            told.append(f"{rule.ref}: either `by` and `shown`, or one of `left_out` and `impossible`")
        told += [f"{rule.ref}: nothing is called `{by}`" for by in rule.by if SEEDS.profile_that_has(entry, by) is None]
        told += [f"{rule.ref}: there is no case or test `{shown}`" for shown in rule.shown if not _is_shown(shown)]
    assert told == []


@pytest.mark.parametrize("name", list(ENTRIES))
def test_a_duty_is_shown_by_a_finding_and_a_routing_rule_by_a_decision(name: str) -> None:
    """A case of the right kind: with sound documents only, a duty that is not enforced would go unnoticed."""
    wrong = [
        f"{rule.ref}: no case {'with a finding' if rule.kind == 'duty' else 'that states a decision'}"
        for rule in SEEDS.seed_rules(name)
        if rule.state in {"checked", "lenient"}
        and rule.kind in {"duty", "routing"}
        and not any(
            "::" in shown or (CASES[shown].expected if rule.kind == "duty" else CASES[shown].routes)
            for shown in rule.shown
            if "::" in shown or shown in CASES
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("name", list(ENTRIES))
def test_each_check_holds_a_rule_of_the_seeds(name: str) -> None:
    entry = ENTRIES[name]
    checks = {check for profile in entry.contract.profiles for check in entry.spec(profile).contract.checks}
    assert checks - {by.rpartition("checks.")[2] for by in _named(name) if "checks." in by} == set()


def test_each_contract_names_its_system_and_each_of_the_five_has_one() -> None:
    """A contract of another system is listed below the five."""
    assert [name for name, entry in ENTRIES.items() if not entry.contract.source] == []
    assert {SEEDS.system_of(entry.contract) for entry in ENTRIES.values()} >= set(SEEDS.SYSTEMS)


def test_each_rule_holds_one_of_the_seeds_or_is_our_own() -> None:
    """All but those about handoff-lsp itself: named, or reporting a check that is named, or declared with ``own``."""
    named = set().union(*map(_named, list(ENTRIES)))
    reporting = {
        check.rule
        for name in list(ENTRIES)
        for profile in ENTRIES[name].contract.profiles
        for check in ENTRIES[name].spec(profile).contract.checks.values()
    }
    rules = {code for code, rule in all_rules().items() if rule.group != "internal"}
    own = {code for code, rule in all_rules().items() if rule.own}
    assert rules - named - reporting - own == set(), "name it in the seed of a contract, or declare it with own=True"
    assert own <= rules - named


def test_the_page_counts_its_rules() -> None:
    entries = list(ENTRIES.values())
    rules = [rule for name in ENTRIES for rule in SEEDS.seed_rules(name)]
    page = SEEDS.seeds_page(entries, {})
    assert f"**{len(rules)} rules: " in page
    for state in SEEDS.STATES:
        rows = [line for line in page.splitlines() if line.count(f" | {state} | ") and not line.startswith("| kind")]
        assert len([line for line in rows if " | rules | " not in line]) == sum(rule.state == state for rule in rules)


def test_a_name_that_there_is_not_is_reported() -> None:
    entry = ENTRIES["status-block"]
    found = {by: SEEDS.profile_that_has(entry, by) for by in ("fields.status", "fields.abstract.verdict", "detect")}
    assert set(found.values()) == {"handoff"}
    assert SEEDS.profile_that_has(entry, "profiles.dod-checker.checks.touches-no-files") == "dod-checker"
    assert SEEDS.profile_that_has(entry, "invalid-value") == ""
    for wrong in ("fields.stats", "fields.status.stats", "checks.none", "profiles.x", "profiles.reviewer.checks.x"):
        assert SEEDS.profile_that_has(entry, wrong) is None
