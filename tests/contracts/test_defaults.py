"""What a contract says once for many fields and profiles: defaults, values of definitions, named profiles."""

from __future__ import annotations

import pytest
from contracts.problems import problems as told

from handoff_lsp import engine
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import ContractEntry, Registry
from handoff_lsp.engine import Analysis, Options
from handoff_lsp.text import Source

CONTRACT = """\
contract: crew
title: Crew report
about: What a member of the crew reports.
status: state
profile_in: member
run: {opening: member, closing: state}
definitions:
  members:
    values: [{value: cook, about: Cooks.}, {value: pilot, about: Flies.}, sailor]
defaults:
  every: {title: "{NAME}", severity: {empty-value: warning}}
  integer: {minimum: 0, about: "How many {name} there are."}
fields:
  member: {type: enum, open: true, names: members}
  meals: {type: integer}
  spare_cups: {type: integer, title: Cups left, minimum: 1}
  cargo:
    type: object
    defaults: {every: {title: "{Name}", required: true}}
    fields: {dry_goods: {type: line}, wet: {type: line, required: false}}
  state: {type: enum, values: [fine, late, lost], offers: [fine, late]}
checks:
  own-state:
    check: state in offered.state
    at: state
    message: "{member} reports one of {offered.state}"
routing:
  - {when: {state: fine}, action: advance, reason: Goes on.}
  - {action: stop, reason: Nobody knows.}
profiles:
  any: {about: Anybody else.}
  cook:
    fields:
      pans: {type: integer}
      meals: {severity: {invalid-type: hint}}
  pilot:
    about: In the air.
    fields: {state: {offers: [lost, fine]}}
    +routing:
      - {when: {state: lost}, action: ask, reason: Look for the pilot.}
"""


def crew(text: str = CONTRACT) -> ContractEntry:
    entry, problems = read_contract(text)
    assert problems == []
    assert entry is not None
    return entry


def report(text: str, contract: str = CONTRACT) -> Analysis:
    return engine.analyze(Source(text), "log.md", Registry({"crew": crew(contract)}), Options())


def problems(old: str, new: str) -> list[tuple[str, str]]:
    """The tokens and messages of the problems with a part of the contract replaced."""
    assert old in CONTRACT
    return told(CONTRACT.replace(old, new))


class TestDefaults:
    def test_of_every_field_and_of_a_type(self) -> None:
        meals = crew().contract.fields["meals"]
        assert (meals.title, meals.minimum, meals.about) == ("MEALS", 0, "How many meals there are.")
        assert meals.severity == {"empty-value": "warning"}

    def test_what_a_field_says_itself_counts_alone(self) -> None:
        cups = crew().contract.fields["spare_cups"]
        assert (cups.title, cups.minimum) == ("Cups left", 1)

    def test_of_a_new_field_of_a_profile(self) -> None:
        pans = crew().spec("cook").fields["pans"]
        assert (pans.title, pans.minimum) == ("PANS", 0)

    def test_a_profile_changes_what_the_contract_has_with_its_defaults(self) -> None:
        assert crew().spec("cook").fields["meals"].severity == {"empty-value": "warning", "invalid-type": "hint"}

    def test_of_the_fields_of_an_object(self) -> None:
        cargo = crew().contract.fields["cargo"].fields
        assert {name: (field.title, field.required) for name, field in cargo.items()} == {
            "dry_goods": ("Dry goods", True),
            "wet": ("Wet", False),
        }

    def test_profiles_share_what_they_do_not_change(self) -> None:
        entry = crew()
        assert (
            entry.spec("cook").fields["cargo"] is entry.spec("pilot").fields["cargo"] is entry.contract.fields["cargo"]
        )

    @pytest.mark.parametrize(
        ("old", "new", "token"),
        [
            ("empty-value: warning", "empty-valu: warning", "empty-valu"),
            ("integer: {minimum", "integre: {minimum", "integre"),
            ("minimum: 0", "minimun: 0", "minimun"),
        ],
    )
    def test_a_slip_is_reported_at_its_token(self, old: str, new: str, token: str) -> None:
        assert token in [found for found, _ in problems(old, new)]


class TestNamedProfiles:
    @pytest.mark.parametrize(
        ("member", "profile"),
        [("cook", "cook"), ("`pilot`", "pilot"), ("sailor", "any"), ("any", "any"), ("cooks", "any")],
    )
    def test_the_value_names_the_profile(self, member: str, profile: str) -> None:
        (handoff,) = report(f"MEMBER: {member}\nMEALS: 2\nSTATE: fine\n").handoffs
        assert handoff.spec.profile == profile

    def test_evidence_of_its_own_counts_alone(self) -> None:
        contract = CONTRACT.replace("    about: In the air.\n", "    evidence: [{value: {member: captain}}]\n")
        for member, profile in {"pilot": "any", "captain": "pilot"}.items():
            (handoff,) = report(f"MEMBER: {member}\nSTATE: fine\n", contract).handoffs
            assert handoff.spec.profile == profile

    def test_the_field_has_that_value_alone(self) -> None:
        field = crew().spec("cook").fields["member"]
        assert [value.value for value in field.values] == ["cook"]
        assert not field.open

    def test_the_profile_is_about_what_the_value_is(self) -> None:
        profiles = crew().contract.profiles
        assert (profiles["cook"].about, profiles["pilot"].about) == ("Cooks.", "In the air.")

    def test_a_slip_in_the_name_of_the_field(self) -> None:
        ((token, message),) = problems("profile_in: member", "profile_in: membre")
        assert token == "membre"
        assert "did you mean `member`?" in message


class TestOffered:
    @pytest.mark.parametrize(
        ("member", "state", "expected"),
        [
            ("sailor", "lost", ["Sailor reports one of fine, late"]),
            ("sailor", "late", []),
            ("pilot", "late", ["Pilot reports one of lost, fine"]),
            ("pilot", "lost", []),
        ],
    )
    def test_a_check_asks_for_what_the_profile_offers(self, member: str, state: str, expected: list[str]) -> None:
        found = report(f"MEMBER: {member}\nMEALS: 2\nSTATE: {state}\n").findings
        assert [one.message.partition(".")[0] for one in found if one.code == "contradiction"] == expected

    @pytest.mark.parametrize(
        ("old", "new", "token", "meant"),
        [
            ("state in offered.state", "state in offered.stat", "stat", "offered.state"),
            ("state in offered.state", "offered.state.exists(one, one == 'lsot')", "'lsot'", "lost"),
            ("{offered.state}", "{oferred.state}", "oferred", "offered"),
            ("offers: [lost, fine]", "offers: [lost, fien]", "fien", "fine"),
        ],
    )
    def test_a_slip_is_reported_at_its_token(self, old: str, new: str, token: str, meant: str) -> None:
        found = problems(old, new)
        assert [token for token, _ in found] == [token]
        assert f"did you mean `{meant}`?" in found[0][1]

    def test_a_field_of_that_name_is_the_field(self) -> None:
        contract = CONTRACT.replace("  meals: {type: integer}", "  offered: {type: integer}\n  meals: {type: integer}")
        contract = contract.replace("state in offered.state", "offered > 1").replace("{offered.state}", "{offered}")
        found = report("MEMBER: sailor\nOFFERED: 1\nSTATE: fine\n", contract).findings
        assert [one.code for one in found] == ["contradiction"]


class TestAddedRoutes:
    def test_the_route_of_a_profile_comes_first(self) -> None:
        entry = crew()
        actions = {
            profile: [route.action for route in entry.spec(profile).contract.routing] for profile in ("any", "pilot")
        }
        assert actions == {"any": ["advance", "stop"], "pilot": ["ask", "advance", "stop"]}

    @pytest.mark.parametrize(
        ("old", "new", "token"),
        [("{state: lost}", "{state: lots}", "lots"), ("{state: fine}", "{state: fien}", "fien")],
    )
    def test_a_slip_is_reported_at_its_token(self, old: str, new: str, token: str) -> None:
        assert [found for found, _ in problems(old, new)] == [token]
