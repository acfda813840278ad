"""Agreement with the original validators of agent_contract_handoff on the same documents.

The recorded verdicts are in ``tests/conformance/*.jsonl``; the intended differences are in ``differences.yaml``, each
with its reason. ``HANDOFF_LSP_CONFORMANCE`` names another folder with documents of the same kind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import SHARED

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.rules.rule import Finding
from handoff_lsp.text import Source

HERE = Path(__file__).parent / "conformance"
FOLDER = Path(os.environ.get("HANDOFF_LSP_CONFORMANCE", HERE))
PROFILES = {"seed": "gaia-5.0", "head": "gaia-5.4"}
DIFFERENCES: list[dict[str, Any]] = yaml.safe_load((HERE / "differences.yaml").read_text(encoding="utf-8"))

Tokens = set[tuple[str, str]]


def rows(generation: str) -> Iterator[dict[str, Any]]:
    for line in (FOLDER / f"agent-contract-{generation}.jsonl").read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def judge(row: dict[str, Any], generation: str) -> list[Finding]:
    options = Options(
        profiles={"agent-contract": PROFILES[generation]},
        settings={"agent-contract": {"consolidation_required": row["consolidation"]}},
    )
    return list(analyze(Source(row["text"]), "", builtin(), options).findings)


def ours(findings: list[Finding], generation: str, severity: str) -> Tokens:
    """The upstream tokens of our findings; in `head`, together with the field."""
    return {
        (token, finding.field or "" if generation == "head" else "")
        for finding in findings
        if finding.severity == severity
        for token in finding.upstream
    }


def theirs(verdict: dict[str, Any], generation: str) -> Tokens:
    if generation == "head":
        return {(code, field) for code, field in verdict["errors"]}
    loop = [token for token in verdict["A_missing"] if token.startswith("LOOP_STATE")]
    return {(token, "") for token in (*verdict["missing"], *verdict["invalid"], *loop)}


def without(tokens: Tokens, other: Tokens, generation: str, side: str) -> Tokens:
    """Tokens of one side less those that a listed difference explains, which must not be on the other side."""
    known = {
        (item["token"], item.get("field", "") if generation == "head" else "")
        for item in DIFFERENCES
        if item["generation"] == generation
        and item["only"] == side
        and "token" in item
        and (item.get("beside") is None or any(item["beside"] == token for token, _ in other | tokens))
    }
    return tokens - (known - other)


@pytest.mark.parametrize("generation", ["seed", "head"])
def test_sound_or_not_agrees_on_99_percent(generation: str) -> None:
    ours_alone = {item["rule"] for item in DIFFERENCES if item["generation"] == generation and "rule" in item}
    total, wrong = 0, []
    for row in rows(generation):
        total += 1
        findings = [item for item in judge(row, generation) if item.severity == "error"]
        counted = [item for item in findings if not (item.code in ours_alone and not item.upstream)]
        if bool(counted) != bool(theirs(row["verdict"], generation)):
            wrong.append(row["name"])
    assert len(wrong) <= 0.01 * total, wrong


@pytest.mark.parametrize("generation", ["seed", "head"])
def test_token_sets_agree_on_98_percent(generation: str) -> None:
    total, wrong = 0, []
    for row in rows(generation):
        total += 1
        mine, upstream = ours(judge(row, generation), generation, "error"), theirs(row["verdict"], generation)
        left = without(mine, upstream, generation, "ours"), without(upstream, mine, generation, "upstream")
        if left[0] != left[1]:
            wrong.append((row["name"], mine ^ upstream))
    assert len(wrong) <= 0.02 * total, wrong


def test_warnings_agree() -> None:
    total, wrong = 0, []
    for row in rows("seed"):
        total += 1
        mine = ours(judge(row, "seed"), "seed", "warning")
        upstream: Tokens = {(token, "") for token in row["verdict"]["warnings"]}
        if mine != without(upstream, mine, "seed", "upstream"):
            wrong.append((row["name"], mine ^ upstream))
    assert len(wrong) <= 0.02 * total, wrong


def test_every_difference_says_why() -> None:
    assert all(len(item["reason"]) > 40 for item in DIFFERENCES)


ATTACKS = SHARED / "attacks" / "repro" / "gaia"


@pytest.mark.skipif(not ATTACKS.is_dir(), reason=f"{ATTACKS} is not there")
def test_documents_of_the_attacks_agree() -> None:
    """Documents in which the two disagreed once: fences in HTML, blanks, keys in capitals, references."""
    known = {item["document"] for item in DIFFERENCES if "document" in item}
    wrong = {}
    for path in sorted(ATTACKS.glob("*.md")):
        verdict = json.loads(path.with_suffix(".upstream.json").read_text("utf-8"))
        generation = path.name.partition("-")[0]
        asked = "CONSOLIDATION_REPORT" in verdict.get("missing", [])
        row = {"text": path.read_bytes().decode("utf-8"), "consolidation": asked}
        mine, upstream = ours(judge(row, generation), generation, "error"), theirs(verdict, generation)
        left = without(mine, upstream, generation, "ours"), without(upstream, mine, generation, "upstream")
        if left[0] != left[1] and path.stem not in known:
            wrong[path.stem] = mine ^ upstream
    assert wrong == {}
