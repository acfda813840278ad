"""Real templates, handoffs and documents from public repositories, read where they are: ``../shared/corpus``."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.text import Source

TEMPLATE = "Silfaran__ai-standards__templates_feature-handoff-template"
EXAMPLES = "metraton__gaia__skills_agent-protocol_examples"

# file: contract, profile, mode, rules of error severity that a reader of the format would call true
EXPECTED = {
    f"status-block/{TEMPLATE}.md": ("status-block", "handoff", "template", set()),
    f"status-block/{TEMPLATE}__44ea9f4.md": ("status-block", "handoff", "template", set()),
    # Older shapes, fine for their time: today's orchestrator reads sections that they do not declare.
    f"status-block/{TEMPLATE}__aaa24b8.md": ("status-block", "handoff", "template", {"template-missing-section"}),
    f"status-block/{TEMPLATE}__bfb9397.md": ("status-block", "handoff", "template", {"template-missing-section"}),
    f"status-block/{TEMPLATE}__4fc7019.md": ("status-block", "handoff", "template", {"template-missing-section"}),
    "status-block/Silfaran__ai-standards__agents_dod-checker-agent__extracted.md": (
        "status-block",
        "dod-checker",
        "template",
        set(),
    ),
    "agent-contract/metraton__gaia-ops__skills_agent-protocol_examples.md": (
        "agent-contract",
        "gaia-5.0",
        "example",
        set(),
    ),
    "agent-contract/metraton__gaia__skills_agent-protocol_SKILL__seed.md": (
        "agent-contract",
        "gaia-5.0",
        "example",
        set(),
    ),
    f"agent-contract/{EXAMPLES}__head.md": ("agent-contract", "gaia-5.4", "example", set()),
    f"agent-contract/{EXAMPLES}__seed.md": ("agent-contract", "gaia-5.0", "example", set()),
    **{
        f"agent-contract/{EXAMPLES}__seed_ex{number}.md": ("agent-contract", "gaia-5.0", "example", set())
        for number in ("1", "2", "3", "4", "5", "6", "7a", "7b", "8")
    },
}
# What upstream's own examples do wrong, as their own parser would say: a triple backtick in a string cuts the second
# block, and 7a is there to show a COMPLETE that is refused.
KNOWN_FAULTS = {"2": {"wrong-fence"}, "7a": {"contradiction"}}


def _read(path: Path, *, examples: bool = False) -> Analysis:
    text = path.read_bytes().decode("utf-8")
    return analyze(Source(text), path.as_posix(), builtin(), Options(examples=examples))


@pytest.mark.parametrize("name", EXPECTED)
def test_contract_profile_and_mode_are_right(name: str, corpus: Path) -> None:
    contract, profile, mode, errors = EXPECTED[name]
    analysis = _read(corpus / name)
    assert {(block.spec.name, block.spec.profile, block.mode) for block in analysis.blocks} == {
        (contract, profile, mode)
    }
    assert {finding.code for finding in analysis.findings if finding.severity == "error"} == errors


@pytest.mark.parametrize("number", ["1", "2", "3", "4", "5", "6", "7a", "7b", "8"])
def test_examples_are_judged_when_asked(number: str, corpus: Path) -> None:
    analysis = _read(corpus / f"agent-contract/{EXAMPLES}__seed_ex{number}.md", examples=True)
    assert {finding.code for finding in analysis.findings if finding.severity == "error"} == KNOWN_FAULTS.get(
        number, set()
    )


def test_a_sample_in_a_markdown_fence_is_judged_when_asked(corpus: Path) -> None:
    path = corpus / "status-block/Silfaran__ai-standards__agents_dod-checker-agent.md"
    assert _read(path).findings == ()
    assert [finding for finding in _read(path, examples=True).findings if finding.severity == "error"] == []


def test_all_else_gets_nothing(corpus: Path) -> None:
    others = [path for path in sorted(corpus.glob("*/*")) if path.relative_to(corpus).as_posix() not in EXPECTED]
    assert len(others) > 40
    told = {path.name: _read(path).findings for path in others}
    assert {name: findings for name, findings in told.items() if findings} == {}
