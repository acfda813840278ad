"""docs/promises.md names tests that exist and run, and figures that are true."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import promises
import pytest
import silence
import test_conformance
import test_verdicts
from case_files import read_cases

ROOT = Path(__file__).parent.parent
TEXT = promises.PAGE.read_text(encoding="utf-8")


def rows() -> list[list[str]]:
    """The cells of each row with a promise, and no others."""
    tables = re.findall(r"^\| promise \|.*\n\| --- .*\n((?:\|.*\n)+)", TEXT, re.MULTILINE)
    return [[cell.strip() for cell in row.split(" | ")] for table in tables for row in table.splitlines()]


def test_each_promise_names_a_test() -> None:
    assert len(rows()) > 20
    assert [row for row in rows() if len(row) != 3 or not re.search(r"`tests/\S+\.py(::\w+)?`", row[2])] == []


def test_each_named_test_is_collected() -> None:
    ids = promises.named()
    assert len(ids) > 30
    # One collection for all: an id without a test is an error of pytest, which names it.
    collect = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "-n", "0", *ids]
    done = subprocess.run(collect, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2_000:] + done.stderr
    collected = {line.partition("[")[0] for line in done.stdout.splitlines() if "::" in line}
    missing = [name for name in ids if not any(one == name or one.startswith(f"{name}::") for one in collected)]
    assert missing == []


def test_the_nightly_workflow_runs_them_with_new_seeds() -> None:
    workflow = (ROOT / ".github" / "workflows" / "nightly.yml").read_text(encoding="utf-8")
    target = (ROOT / "Makefile").read_text(encoding="utf-8").partition("\npromises:")[2].partition("\n\n")[0]
    assert 'make promises ARGS="--hypothesis-seed=$SEED"' in workflow
    assert "tests/promises.py" in target
    # There a skip is a failure, and one test needs what lists an installation.
    assert "$(VENV)/.audit" in target
    # Hypothesis repeats its examples wherever `CI` is set, unless a profile is named.
    assert "--hypothesis-profile=default" in target


def test_there_are_as_many_cases_as_the_page_says() -> None:
    told = re.search(r"more than ([\d,]+) documents with the findings", TEXT)
    assert told is not None
    assert len(read_cases()) > int(told[1].replace(",", ""))


def agreement(validator: str) -> tuple[int, int]:
    """The number of recorded documents, and of those on which handoff-lsp and the validator agree."""
    if validator.startswith("gentle-ai"):
        recorded = list(test_verdicts.recorded("verify" if "verify" in validator else "remediation"))
        found = [test_verdicts.errors(row["path"], row["text"], row.get("files", {})) for row in recorded]
        return len(recorded), sum(bool(one) != row["accepted"] for one, row in zip(found, recorded, strict=True))
    generation = "seed" if "plan_status" in validator else "head"
    documents = list(test_conformance.rows(generation))
    same = 0
    for row in documents:
        ours = test_conformance.ours(test_conformance.judge(row, generation), generation, "error")
        theirs = test_conformance.theirs(row["verdict"], generation)
        left = test_conformance.without(ours, theirs, generation, "ours")
        same += left == test_conformance.without(theirs, ours, generation, "upstream")
    return len(documents), same


AGREEMENT = re.findall(r"^\| ((?:metraton/gaia|gentle-ai),[^|]*) \| [^|]* \| (\d+) \| (\d+) \|$", TEXT, re.MULTILINE)


def test_the_page_has_all_validators() -> None:
    assert len(AGREEMENT) == 4


@pytest.mark.parametrize(("validator", "documents", "same"), AGREEMENT)
def test_the_agreement_is_that_of_the_page(validator: str, documents: str, same: str) -> None:
    assert agreement(validator) == (int(documents), int(same))


def test_the_silence_is_that_of_the_page() -> None:
    table = silence.table()
    files = sum(repository.files for repository in table)
    for page in ("docs/promises.md", "README.md"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert f"{files:,} files of {len(table)} public repositories" in text, page
    assert all(re.fullmatch("[0-9a-f]{40}", repository.commit) for repository in table)
