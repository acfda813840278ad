"""Real files of public repositories at their paths, read where they are: ``../shared/wild``.

``FINDINGS.tsv`` holds what an earlier handoff-lsp found in them, each judged by hand: T true, D debatable, F false.
True ones are still found, false ones are not, and whatever else is found is counted below with the reason.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from typing import NamedTuple

import pytest
from conftest import SHARED

WILD = SHARED / "wild"


class Place(NamedTuple):
    """Where a finding is, and which one: by repository, path, line and rule, and the first name that it quotes."""

    repo: str
    path: str
    line: int
    rule: str
    name: str


def place(repo: str, path: str, line: int, rule: str, message: str) -> Place:
    quoted = _QUOTED.search(message)
    return Place(repo, path, line, rule, quoted[1] if quoted is not None else "")


_QUOTED = re.compile("`([^`]*)`")


# What was judged debatable and is still found, each with a sentence.
DEBATABLE: dict[Place, str] = {}

# What is found beyond the judged findings: repository and path, or its end behind `*`; rules; and why they are true.
SINCE: list[tuple[str, str, Counter[str], str]] = []


@pytest.fixture(scope="module")
def found() -> Counter[Place]:
    """What ``handoff-lsp check .`` finds in each repository."""
    if not WILD.is_dir():
        pytest.skip("no real files: ../shared/wild is not beside this clone")
    places: Counter[Place] = Counter()
    for repo in sorted(path for path in WILD.iterdir() if path.is_dir()):
        command = [sys.executable, "-m", "handoff_lsp", "check", "--output-format", "json", "--exit-zero", "."]
        done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=True)
        for each in json.loads(done.stdout):
            line = each["range"]["start"]["line"]
            places[place(repo.name, each["path"], line, each["rule"], each["message"])] += 1
    return places


def judged(*labels: str) -> Counter[Place]:
    with (WILD / "FINDINGS.tsv").open(encoding="utf-8", newline="") as rows:
        return Counter(
            place(row["repo"], row["path"], int(row["line"]), row["rule"], row["message"])
            for row in csv.DictReader(rows, delimiter="\t")
            if row["label"] in labels
        )


def test_what_is_true_is_found(found: Counter[Place]) -> None:
    assert judged("T") - found == Counter()


def test_what_is_false_is_not_found(found: Counter[Place]) -> None:
    # A line may have one of each.
    assert (found - judged("T")) & judged("F") == Counter()


def test_what_is_debatable_is_found_only_for_a_reason(found: Counter[Place]) -> None:
    left = (found - judged("T")) & judged("D")
    assert set(left) == set(DEBATABLE)


def test_nothing_else_is_found(found: Counter[Place]) -> None:
    others: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one, number in (found - judged("T", "D")).items():
        others[one.repo, one.path][one.rule] += number
    assert {key: dict(rules) for key, rules in others.items()} == {
        (repo, path): dict(rules) for repo, path, rules, _ in SINCE
    }
