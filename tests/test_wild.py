"""Real files of public repositories at their paths, read where they are: ``../shared/wild``.

``FINDINGS.tsv`` holds what an earlier handoff-lsp found in them, each judged by hand: T true, D debatable, F false.
True ones are still reported, false ones are not, and all others are counted below with the reason.
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import SHARED

from handoff_lsp.reports.matrix import is_about_prompts

WILD = SHARED / "wild"
# The judgments of what the rules about prompts find there, in the same columns.
PROMPTS = Path(__file__).with_name("wild_prompts.tsv")


class Place(NamedTuple):
    """Where a finding is, and which one: by repository, path, line and rule, and the first name that it quotes."""

    repo: str
    path: str
    line: int
    rule: str
    name: str


def place(repo: str, path: str, line: int, rule: str, message: str) -> Place:
    # Names of fields got their marks later than the judged messages.
    quoted = _QUOTED.search(_FIELD.sub(r"\1", message))
    return Place(repo, path, line, rule, quoted[1] if quoted is not None else "")


_QUOTED = re.compile("`([^`]*)`")
_FIELD = re.compile("`([^`]*)`(?= is `| counts | lists )")


# The debatable findings that are still reported, each with a sentence.
DEBATABLE: dict[Place, str] = {}

# The findings beyond the judged ones, by repository and path: their number by rule, and why they are right.
SINCE: dict[tuple[str, str], tuple[dict[str, int], str]] = {
    (
        "istrejo__racerlab-api",
        "openspec/changes/archive/2026-07-12-protect-users-with-auth-rbac/apply-progress.md",
    ): (
        {"missing-field": 8, "unknown-field": 6, "invalid-value": 1},
        "A remediation and its evidence, with fields that upstream's closed list refuses and without those it wants.",
    ),
    ("jasonssdev__openkos", "openspec/changes/archive/2026-07-25-ingest-slug-collision/verify-report.md"): (
        {"missing-field": 1},
        "`build_exit_code` is missing: judged debatable as long as `lint_exit_code` counted as a slip for it.",
    ),
    ("kirin0198__ehon", "docs/ARCHITECTURE.md"): (
        {"deprecated-field": 1},
        "ARTIFACTS, as in the other documents that end in an AGENT_RESULT.",
    ),
    ("kirin0198__ehon", "docs/DELIVERY_RESULT.md"): (
        {"path-not-found": 1},
        "docs/TASK.md is in the repository, but not among the files of it that are here.",
    ),
    ("wahh-22__gentle-ai", "openspec/changes/archive/2026-08-03-rdd-root-simplification-wave4/verify-report.md"): (
        {"contradiction": 1},
        "The envelope says fail; the last of several cycles below it says PASS.",
    ),
    ("wahh-22__gentle-ai", "openspec/changes/opencode-sdd-profiles/verify-report.md"): (
        {"contradiction": 1},
        "UNTESTED scenarios under PASS WITH WARNINGS, which upstream's skill calls CRITICAL.",
    ),
    ("wahh-22__gentle-ai", "openspec/changes/pi-optional-codegraph-integration/apply-progress.md"): (
        {"missing-field": 8, "unknown-field": 2, "wrong-fence": 1},
        "A remediation of the older form that upstream's parser never took, with text behind it.",
    ),
}


@pytest.fixture(scope="module")
def found() -> Counter[Place]:
    """The findings of ``handoff-lsp check .`` in each repository."""
    if not WILD.is_dir():
        pytest.skip("no real files: ../shared/wild is not beside this clone")
    places: Counter[Place] = Counter()
    for repo in sorted(path for path in WILD.iterdir() if path.is_dir()):
        command = [sys.executable, "-m", "handoff_lsp", "check", "--output-format", "json", "--exit-zero", "."]
        done = subprocess.run(command, cwd=repo, capture_output=True, text=True, check=True)
        for each in json.loads(done.stdout)["findings"]:
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
        # An older version of a file that also exists; the rules about prompts are judged below.
        if "@" not in one.path and not is_about_prompts(one.rule):
            others[one.repo, one.path][one.rule] += number
    assert {key: dict(rules) for key, rules in others.items()} == {key: rules for key, (rules, _) in SINCE.items()}


def test_what_is_found_in_prompts_is_judged(found: Counter[Place]) -> None:
    """Each finding of the rules about prompts is true or debatable, and no judged one is gone."""
    with PROMPTS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    judgments = Counter(Place(row["repo"], row["path"], int(row["line"]), row["rule"], row["name"]) for row in rows)
    about = {one: number for one, number in found.items() if is_about_prompts(one.rule)}
    assert about == judgments
    labels = Counter(row["label"] for row in rows)
    assert labels.keys() <= {"T", "D"} and labels["T"] >= 0.95 * labels.total()
