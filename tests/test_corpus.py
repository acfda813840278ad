"""Real templates, handoffs and documents from public repositories, read where they are: ``../shared/corpus``.

Every file is listed with its recognition and all its findings, or it has none.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.text import Source

TEMPLATE = "status-block/Silfaran__ai-standards__templates_feature-handoff-template"
EXAMPLES = "agent-contract/metraton__gaia__skills_agent-protocol_examples"
APHELION = "aphelion/kirin0198__aphelion-agents__"
ATL = "result-envelope/Gentleman-Programming__agent-teams-lite__"
GENTLE = "result-envelope/wahh-22__gentle-ai__"
OPENKOS = "result-envelope/jasonssdev__openkos__openspec_changes_archive_"
ACADEMIX = "result-envelope/kronosoft-tech__academix__openspec_changes_archive_2026-08-13-mp-webhook-"
ESENCIA = "result-envelope/tomassette-prog__esenciadebelleza__openspec_changes_smart-import_"
SKELETONS = f"{APHELION}.claude_agents__AGENT_RESULT_templates__810608e.txt"

VERIFIED = "phase-summary verify handoff"
ENVELOPE = "result-envelope inline handoff"
SAMPLE = ("agent-result any template", "agent-result developer example")
OLD_TEMPLATE = {"error template-missing-section": 6}

# file: the handoffs in it as `contract profile mode`, and its findings with their numbers
EXPECTED: dict[str, tuple[tuple[str, ...], dict[str, int]]] = {
    f"{TEMPLATE}.md": (("status-block handoff template",), {}),
    f"{TEMPLATE}__44ea9f4.md": (("status-block handoff template",), {}),
    # Older shapes, fine for their time: today's orchestrator reads sections that they do not declare.
    f"{TEMPLATE}__aaa24b8.md": (("status-block handoff template",), {"error template-missing-section": 1}),
    f"{TEMPLATE}__bfb9397.md": (("status-block handoff template",), OLD_TEMPLATE),
    f"{TEMPLATE}__4fc7019.md": (("status-block handoff template",), OLD_TEMPLATE),
    "status-block/Silfaran__ai-standards__agents_dod-checker-agent__extracted.md": (
        ("status-block dod-checker template",),
        {},
    ),
    "agent-contract/metraton__gaia-ops__skills_agent-protocol_examples.md": (("agent-contract gaia-5.0 example",), {}),
    "agent-contract/metraton__gaia__skills_agent-protocol_SKILL__seed.md": (("agent-contract gaia-5.0 example",), {}),
    f"{EXAMPLES}__head.md": (("agent-contract gaia-5.4 example",), {}),
    f"{EXAMPLES}__seed.md": (("agent-contract gaia-5.0 example",), {}),
    **{
        f"{EXAMPLES}__seed_ex{number}.md": (("agent-contract gaia-5.0 example",), {})
        for number in ("1", "2", "3", "4", "5", "6", "7a", "7b", "8")
    },
    "aphelion/kirin0198__SF6ComList__DISCOVERY_RESULT.md": (("discovery-result discovery handoff",), {}),
    "aphelion/kirin0198__SF6ComList__docs_OPS_RESULT.md": (("ops-result operations handoff",), {}),
    "aphelion/kirin0198__ehon__docs_DISCOVERY_RESULT.md": (
        ("discovery-result discovery handoff", "agent-result scope-planner handoff"),
        {"information deprecated-field": 1},
    ),
    "aphelion/kirin0198__ehon__docs_OPS_RESULT.md": (("ops-result operations handoff",), {}),
    f"{APHELION}.claude_agents_analyst-intake.md": (("agent-result analyst-intake template",), {}),
    f"{APHELION}.claude_agents_developer__810608e.md": (
        ("agent-result developer example", "agent-result developer template"),
        {},
    ),
    f"{APHELION}.claude_agents_reviewer__810608e.md": (("agent-result reviewer template",), {}),
    f"{APHELION}CLAUDE__eb5e5f1.md": (SAMPLE, {}),
    f"{APHELION}docs_wiki_en_Architecture-Protocols.md": (SAMPLE, {}),
    f"{APHELION}docs_wiki_en_Architecture-Protocols__0632dd3.md": (SAMPLE, {}),
    f"{APHELION}docs_wiki_ja_Architecture-Protocols.md": (SAMPLE, {}),
    f"{APHELION}docs_design-notes_archived_analyst-model-split-design.md": (
        ("agent-result analyst-intake example",),
        {},
    ),
    f"{APHELION}docs_design-notes_archived_maintenance-flow.md": (
        (
            "agent-result change-classifier example",
            "agent-result impact-analyzer example",
            "agent-result maintenance-flow example",
        ),
        {},
    ),
    f"{APHELION}src_.claude_rules_agent-communication-protocol.md": (
        (*SAMPLE, "agent-result architect example", "agent-result spec-designer example"),
        {},
    ),
    # A fixture with the thirteen fields that there were before `approval_mode`.
    f"{APHELION}tests_fixtures_archive_pattern-b-handoff.md": (
        ("analyst-handoff current handoff",),
        {"warning missing-field": 1},
    ),
    f"{ATL}README__57ddff7.md": (("result-envelope json-v1 template",), {}),
    f"{ATL}skills__shared_sdd-phase-common.md": (("result-envelope inline example",), {}),
    f"{GENTLE}internal_assets_skills__shared_sdd-phase-common.md": (("result-envelope inline example",), {}),
    f"{GENTLE}internal_assets_claude_agents_sdd-apply.md": (("result-envelope agents-v4 template",), {}),
    "result-envelope/mintlify__agent-teams-lite-docs__sub-agents_result-contract.md": (
        ("result-envelope envelope-doc template",),
        {},
    ),
    f"{OPENKOS}2026-07-18-add-query-command_verify-report.md": ((VERIFIED,), {}),
    f"{OPENKOS}2026-07-18-ingest-source-body_verify-report.md": ((VERIFIED,), {}),
    f"{OPENKOS}2026-07-29-surface-skipped-extractions_verify-report.md": ((VERIFIED, ENVELOPE), {}),
    "result-envelope/unknown__unknown__analista-fuentes-datos-tab_verify-report.md": ((VERIFIED, ENVELOPE), {}),
    f"{ACADEMIX}404-and-logging_exploration.md": (("phase-summary explore handoff", ENVELOPE), {}),
    f"{ACADEMIX}500-diagnosis_exploration.md": (("phase-summary explore handoff", ENVELOPE), {}),
    f"{ESENCIA}design.md": ((ENVELOPE,), {}),
    f"{ESENCIA}tasks.md": ((ENVELOPE,), {}),
    f"{GENTLE}openspec_changes_archive_2026-05-14-trae-agent-support_verify-report.md": ((VERIFIED,), {}),
    f"{GENTLE}openspec_changes_archive_2026-07-08-engram-protocol-dedup_verify-report.md": ((VERIFIED,), {}),
    f"{GENTLE}openspec_changes_complete-native-review-lifecycle_verify-report.md": (
        ("verify-result v1 handoff", VERIFIED),
        {},
    ),
    f"{GENTLE}openspec_changes_pi-optional-codegraph-integration_verify-report.md": (
        ("verify-result v1 handoff", VERIFIED),
        {},
    ),
    # Six results, of which the last one counts: of an older form that the parser never accepted, with text after it.
    f"{GENTLE}openspec_changes_pi-optional-codegraph-integration_apply-progress.md": (
        (
            "remediation-result v1 example",
            "remediation-evidence v1 example",
            "remediation-result v1 handoff",
            "remediation-evidence v1 handoff",
        ),
        {"error missing-field": 8, "error unknown-field": 2, "error wrong-fence": 1},
    ),
}
# The mistakes in upstream's own examples, by their own parser: a triple backtick in a string cuts the second
# block, and 7a is there to show a COMPLETE that is refused.
KNOWN_FAULTS = {"2": {"wrong-fence"}, "7a": {"contradiction"}}


def _read(path: Path, *, examples: bool = False) -> Analysis:
    text = path.read_bytes().decode("utf-8")
    return analyze(Source(text), path.as_posix(), builtin(), Options(examples=examples))


def _told(analysis: Analysis) -> dict[str, int]:
    return dict(Counter(f"{finding.severity} {finding.code}" for finding in analysis.findings))


@pytest.mark.parametrize("name", EXPECTED)
def test_contract_profile_mode_and_findings_are_right(name: str, corpus: Path) -> None:
    handoffs, findings = EXPECTED[name]
    analysis = _read(corpus / name)
    assert {f"{handoff.spec.name} {handoff.spec.profile} {handoff.mode}" for handoff in analysis.handoffs} == set(
        handoffs
    )
    assert _told(analysis) == findings


def test_each_agents_skeleton_is_a_template_of_that_agent(corpus: Path) -> None:
    """All of the older skeletons are clean but for the fields that later ones replaced."""
    analysis = _read(corpus / SKELETONS)
    assert len(analysis.handoffs) == 31
    assert {handoff.mode for handoff in analysis.handoffs} == {"template"}
    agents = [
        handoff.source.slice(handoff.span).split(":", 1)[1].split("\n", 1)[0].strip() for handoff in analysis.handoffs
    ]
    assert [handoff.spec.profile for handoff in analysis.handoffs] == agents
    assert set(_told(analysis)) == {"information deprecated-field"}


@pytest.mark.parametrize("number", ["1", "2", "3", "4", "5", "6", "7a", "7b", "8"])
def test_examples_are_judged_when_asked(number: str, corpus: Path) -> None:
    analysis = _read(corpus / f"{EXAMPLES}__seed_ex{number}.md", examples=True)
    assert {finding.code for finding in analysis.findings if finding.severity == "error"} == KNOWN_FAULTS.get(
        number, set()
    )


def test_a_sample_in_a_markdown_fence_is_judged_when_asked(corpus: Path) -> None:
    path = corpus / "status-block/Silfaran__ai-standards__agents_dod-checker-agent.md"
    assert _read(path).findings == ()
    assert [finding for finding in _read(path, examples=True).findings if finding.severity == "error"] == []


@pytest.mark.parametrize("name", ["agents/dod-checker-agent.md", "commands/build-plan-command.md"])
def test_agents_and_commands_of_the_system_declare_what_they_must(name: str, corpus: Path) -> None:
    """At their paths upstream; each is reported if one of its words is missing."""
    text = (corpus / f"status-block/Silfaran__ai-standards__{name.replace('/', '_')}").read_text("utf-8")
    lost = text.replace(" | incomplete", "").replace("Absent / unrecognised", "Else")
    before, after = (analyze(Source(one), name, builtin(), Options()) for one in (text, lost))
    assert before.findings == ()
    assert [finding.code for finding in after.findings] in (["template-missing-value"], ["missing-mention"])


def test_all_else_gets_nothing(corpus: Path) -> None:
    known = {*EXPECTED, SKELETONS}
    others = [path for path in sorted(corpus.glob("*/*")) if path.relative_to(corpus).as_posix() not in known]
    assert len(others) > 20
    told = {path.name: (analysis.handoffs, analysis.findings) for path in others for analysis in [_read(path)]}
    assert {name: found for name, found in told.items() if any(found)} == {}


def test_other_peoples_status_files_get_nothing(corpus: Path) -> None:
    """Seven projects keep something else at the same path."""
    others = sorted((corpus / "agent-status").glob("*.json"))
    assert len(others) >= 3
    for path in others:
        analysis = analyze(Source(path.read_text("utf-8")), ".agent/status.json", builtin(), Options())
        assert (analysis.handoffs, analysis.findings) == ((), ()), path.name
