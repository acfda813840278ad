"""Packs of prompts that agree have no finding; once one word of them is changed, there is one at the right place."""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

import pytest
from prompts.pack_mutants import Mutant, mutants
from prompts.packs_under_test import CONTRACTS, Found, OpenPack

# The part of the changes that is found, and how many changes there are at least.
FLOOR = 0.95
FEWEST = 500


@pytest.fixture(params=CONTRACTS)
def pack(request: pytest.FixtureRequest, tmp_path: Path) -> OpenPack:
    return OpenPack(request.param, tmp_path)


def test_prompts_that_agree_have_no_findings(pack: OpenPack) -> None:
    assert [str(one) for one in pack.found()] == []


def test_each_prompt_says_something_about_the_contract(pack: OpenPack) -> None:
    """Otherwise its silence would say nothing."""
    for name in pack.texts:
        read = pack.workspace.files.read(str(pack.root / name))
        assert read.said is not None and pack.contract in read.said.contracts, name
        assert read.said.statements, name


# Changes after which all still agree: by the pack and the name of the change, with the reason.
_OPEN = "an empty value is filled in by the agent"
_ELSEWHERE = "the values are listed on a page of the pack; an agent need not repeat them"
EQUIVALENT: dict[tuple[str, str], str] = {
    ("ferry", ".claude/agents/developer.md:15 `developer` removed"): _OPEN,
    ("ferry", ".claude/agents/developer.md:17 `reviewer` removed"): _OPEN,
    ("ferry", ".claude/agents/reviewer.md:15 `reviewer` removed"): _OPEN,
    ("ferry", ".claude/agents/reviewer.md:17 `developer` removed"): _OPEN,
    ("clinic", "agents/doctor.md:14 `visit_state` removed"): _ELSEWHERE,
    ("clinic", "agents/doctor.md:15 `care_level` removed"): _ELSEWHERE,
    ("clinic", "agents/pharmacist.md:25 `care_level` removed"): _ELSEWHERE,
    ("orchard", "agents/sdd-verify.md:15 `status` removed"): _ELSEWHERE,
}


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[Mutant, list[Found]]]]:
    """Each change of each pack, with what is then found."""
    found: dict[str, list[tuple[Mutant, list[Found]]]] = {}
    for name in CONTRACTS:
        pack = OpenPack(name, tmp_path_factory.mktemp("packs"))
        found[name] = []
        for one in mutants(pack):
            with pack.changed(one.path, one.text):
                found[name].append((one, list(pack.found())))
        assert [str(one) for one in pack.found()] == []  # all is as it was
    return found


def test_nearly_every_change_of_one_word_is_found_at_its_place(
    tried: dict[str, list[tuple[Mutant, list[Found]]]],
) -> None:
    every = [(name, one, found) for name, each in tried.items() for one, found in each]
    counted = [(name, one, found) for name, one, found in every if not _is_equivalent(name, one)]
    left = [(name, one, found) for name, one, found in counted if not _is_found(one, found)]
    for name, one, found in left:
        print(f"{name}: {one}{f', but elsewhere: {found[0]}' if found else ''}")
    print(f"{len(counted) - len(left)} of {len(counted)} found ({1 - len(left) / len(counted):.1%})")
    assert len(counted) >= FEWEST
    assert len(left) <= (1 - FLOOR) * len(counted)


def test_hardly_any_change_is_said_to_be_equivalent(tried: dict[str, list[tuple[Mutant, list[Found]]]]) -> None:
    every = [(name, one) for name, each in tried.items() for one, _ in each]
    equivalent = [one for one in every if _is_equivalent(*one)]
    assert len(equivalent) <= 0.03 * len(every)
    assert len(equivalent) == len(EQUIVALENT)  # each of them is still a change


def _is_equivalent(name: str, one: Mutant) -> bool:
    return (name, str(one)) in EQUIVALENT


def _is_found(one: Mutant, found: list[Found]) -> bool:
    """Whether a finding is in the section of the change, or about its word elsewhere, or refers to its document."""
    return any(_is_there(one, each) for each in found)


def _is_there(one: Mutant, found: Found) -> bool:
    if found.path == one.path and found.line in _section(one):
        return True
    if found.path == one.path or one.path.endswith(".yaml"):
        words = f"{found.source.slice(found.finding.span)} {found.finding.message}"
        return any(re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", words) for word in (one.old, one.new) if word)
    names = [Path(found.path).parent.joinpath(related.name) for related in found.finding.related if related.name]
    return any(_same(name, one.path) for name in names) or one.old in found.finding.message


def _section(one: Mutant) -> range:
    """The lines from the heading above a change to the next one."""
    lines = one.text.split("\n")
    headings = [number for number, line in enumerate(lines) if re.match(r"#+ ", line)]
    start = max((number for number in headings if number <= one.line), default=0)
    end = min((number for number in headings if number > one.line), default=len(lines))
    return range(start, end)


def _same(name: Path, path: str) -> bool:
    return posixpath.normpath(name.as_posix()) == path
