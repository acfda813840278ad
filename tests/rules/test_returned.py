"""What an agent owes and does not return: one finding for one cause, and no decision that advances."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from case_files import read_cases

from handoff_lsp.contracts.model import GOES_ON
from handoff_lsp.contracts.options import Options
from handoff_lsp.contracts.owed import Owed, Returned
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.decide.routing import decision
from handoff_lsp.engine import Analysis, analyze
from handoff_lsp.reports.make import report_of
from handoff_lsp.rules.registry import all_rules
from handoff_lsp.text import Source, apply_edits

ABOUT_RETURNS = {code for code, rule in all_rules().items() if rule.of_return is not None}
ENVELOPE = """\
**Status**: success
**Summary**: Tasks 1.1 to 1.4 are done.
**Artifacts**: `sdd/add-dark-mode/apply-progress`
**Next**: sdd-verify
**Risks**: None
**Skill Resolution**: injected
"""
AS_JSON = """\
{
  "status": "ok",
  "executive_summary": "Tasks 1.1 to 1.4 are done.",
  "artifacts": [],
  "next_recommended": ["sdd-verify"],
  "risks": [],
  "skill_resolution": "injected"
}"""
DONE = "AGENT_RESULT: developer\nSTATUS: success\nNEXT: done\n"
SUSPENDED = "AGENT_RESULT: developer\nSTATUS: suspended\nNEXT: suspended\n"
ENVELOPE_OWED = Owed("sdd-apply", "result-envelope", ("inline-v3", "json-v1"))
BLOCK_OWED = Owed("developer", "agent-result", ("developer",))
REPORT_OWED = Owed("reporter", "status-block", where="file", files=("handoffs/*.md",))


def returned(text: str, owed: Owed, path: str = "", *, earlier: tuple[str, ...] = (), **options: Any) -> Analysis:
    """The analysis of what an agent returned."""
    cut_off = options.pop("cut_off", False)
    made = Options(returned=Returned(owed.agent, (owed,), earlier, cut_off), **options)
    return analyze(Source(text), path, builtin(), made)


def codes(analysis: Analysis) -> list[str]:
    return [finding.code for finding in analysis.findings]


def actions(analysis: Analysis) -> list[str]:
    return [route.action for handoff in analysis.handoffs if (route := decision(handoff)) is not None]


def test_there_are_six_rules_about_returns() -> None:
    names = {"cut-off", "empty-return", "misplaced-handoff", "missing-handoff", "several-handoffs", "wrong-contract"}
    assert names == ABOUT_RETURNS


@pytest.mark.parametrize(
    "text", ["", " \n\n", "\ufeff", "```\n```\n", "</content>\n", "<!-- all is done -->\n", "✅\n---\n"]
)
def test_marks_alone_are_an_empty_return(text: str) -> None:
    assert codes(returned(text, ENVELOPE_OWED)) == ["empty-return"]


@pytest.mark.parametrize("text", ["Done.", "完了", "ok", "<tool>1</tool>", "# Done"])
def test_one_word_is_no_empty_return(text: str) -> None:
    assert codes(returned(text, ENVELOPE_OWED)) == ["missing-handoff"]


def test_an_earlier_message_has_it() -> None:
    for earlier in [(ENVELOPE,), (ENVELOPE, "Now the tests."), ("Let me look.", ENVELOPE)]:
        (finding,) = returned("All is done.", ENVELOPE_OWED, earlier=earlier).findings
        assert (finding.code, finding.message) == (
            "misplaced-handoff",
            "The result envelope that `sdd-apply` owes is in an earlier message",
        )
    assert codes(returned(ENVELOPE, ENVELOPE_OWED, earlier=(ENVELOPE,))) == []
    assert codes(returned("All is done.", ENVELOPE_OWED, earlier=("Still at it.",))) == ["missing-handoff"]


def test_text_below_a_block_that_must_be_last() -> None:
    text = f"Hi.\n\n{ENVELOPE}\nAll tests pass.\n\nBye.\n"
    assert codes(returned(text, ENVELOPE_OWED)) == []
    below = returned(text, replace(ENVELOPE_OWED, at_end=True))
    assert codes(below) == ["misplaced-handoff"]
    assert actions(below) == ["stop"]
    (fix,) = below.findings[0].fixes
    moved = apply_edits(text, fix.edits)
    assert moved == f"Hi.\n\nAll tests pass.\n\nBye.\n\n{ENVELOPE}"
    assert codes(below.again(moved)) == []
    last = replace(ENVELOPE_OWED, at_end=True)
    for end in ("", "\n\n", "\n---\n"):
        assert codes(returned(ENVELOPE + end, last)) == []
    assert codes(returned(f"```\n{ENVELOPE}```\n", last)) == []


def test_a_fence_that_must_be_last_is_moved_below_the_line_right_behind_it() -> None:
    fence = f"```json\n{AS_JSON}\n```\n"
    below = returned(f"Hi.\n\n{fence}All tests pass.\nBye.\n", replace(ENVELOPE_OWED, at_end=True))
    assert codes(below) == ["misplaced-handoff"]
    (fix,) = below.findings[0].fixes
    moved = apply_edits(below.source.text, fix.edits)
    assert moved == f"Hi.\n\nAll tests pass.\nBye.\n\n{fence}"
    assert codes(below.again(moved)) == []


@pytest.mark.parametrize(
    ("takes", "first", "second", "expected"),
    [
        ("any", DONE, SUSPENDED, []),
        ("first", DONE, DONE, []),
        ("last", DONE, DONE, []),
        ("first", DONE, SUSPENDED, ["several-handoffs"]),
        ("last", DONE, SUSPENDED, ["several-handoffs"]),
        ("last", SUSPENDED, DONE, ["several-handoffs"]),
        ("only", DONE, DONE, ["several-handoffs"]),
    ],
)
def test_several_handoffs(takes: Any, first: str, second: str, expected: list[str]) -> None:
    analysis = returned(f"{first}\n## Then\n\n{second}", replace(BLOCK_OWED, takes=takes))
    assert len(analysis.handoffs) == 2
    assert codes(analysis) == expected
    if expected:
        assert not GOES_ON.intersection(actions(analysis))


def test_the_finding_is_at_the_handoff_that_its_reader_ignores() -> None:
    for takes, at in (("first", 1), ("last", 0)):
        analysis = returned(f"{DONE}\n## Then\n\n{SUSPENDED}", replace(BLOCK_OWED, takes=takes))
        assert analysis.findings[0].handoff is analysis.handoffs[at]


def test_the_handoff_of_another_agent() -> None:
    other = DONE.replace("developer", "tester")
    analysis = returned(other, BLOCK_OWED)
    # Not a word about the fields of a tester that it lacks: it is to be replaced as a whole.
    assert codes(analysis) == ["wrong-contract"]
    assert actions(analysis) == ["stop"]
    assert codes(returned(f"{other}\n## Mine\n\n{DONE}", BLOCK_OWED)).count("wrong-contract") == 0


def test_a_misspelled_name_is_no_other_agent() -> None:
    assert codes(returned(DONE.replace("developer", "develper"), BLOCK_OWED)) == ["invalid-value"]


def test_a_rule_that_is_off_replaces_nothing() -> None:
    other = "AGENT_RESULT: tester\nSTATUS: redy\nNEXT: done\n"
    assert codes(returned(other, BLOCK_OWED)) == ["wrong-contract"]
    assert codes(returned(other, BLOCK_OWED, severities={"wrong-contract": "off"})) == ["invalid-value"]


@pytest.mark.parametrize(
    "text",
    [
        '```json\n{"status": "ok", "executive_summary": "All',
        '```json\n{\n  "status": "ok",\n',
        '{"status": "ok", "executive_summary": "All is done.", "artifacts": [',
    ],
)
def test_json_that_ends_early(text: str) -> None:
    assert codes(returned(text, ENVELOPE_OWED)) == ["cut-off"]
    assert codes(returned(f"I am done.\n\n{text}", ENVELOPE_OWED)) in (["cut-off"], ["missing-handoff"])


@pytest.mark.parametrize("text", ['```json\n{"name": "left-pad"', "```python\nprint(", "```\nsome output", "{ a set"])
def test_other_text_that_ends_early(text: str) -> None:
    assert codes(returned(text, ENVELOPE_OWED)) == ["missing-handoff"]


def test_a_message_that_is_known_to_be_cut_off() -> None:
    for text in (ENVELOPE, "I am going to", '```json\n{"status": "ok"'):
        analysis = returned(text, ENVELOPE_OWED, cut_off=True)
        assert codes(analysis) == ["cut-off"]
        assert not GOES_ON.intersection(actions(analysis))
    assert codes(returned("", ENVELOPE_OWED, cut_off=True)) == ["empty-return"]


def test_an_unfilled_template_is_missing() -> None:
    block = returned("Done.", ENVELOPE_OWED)
    text = apply_edits("Done.", block.findings[0].fixes[0].edits)
    again = block.again(text)
    assert not GOES_ON.intersection(actions(again))
    assert not report_of(again, "").ok


def test_must_and_never_are_the_fields_of_the_contract() -> None:
    owed = replace(ENVELOPE_OWED, must=("risks", "skill_resolution"), never=("artifacts",))
    assert codes(returned(ENVELOPE, ENVELOPE_OWED)) == []
    (never,) = returned(ENVELOPE, owed).findings
    assert (never.code, never.note) == ("unexpected-field", "The config forbids it to `sdd-apply`")
    owed = replace(owed, never=())
    without = ENVELOPE.replace("**Skill Resolution**: injected\n", "")
    (must,) = returned(without, owed).findings
    assert (must.code, must.severity) == ("missing-field", "error")
    assert must.note == "The config requires it of `sdd-apply`"
    # The fix that inserts the field and the block to emit know them, too.
    assert "**Skill Resolution**: <" in apply_edits(without, must.fixes[0].edits)
    block = returned("Done.", owed).findings[0].fixes[0].edits[0].text
    assert "**Skill Resolution**" in block
    assert "**Risks**" in block
    assert codes(returned(ENVELOPE.replace("**Risks**: None", "**Risks**:"), owed)) == ["empty-value"]


def test_a_nested_field_must_be_there() -> None:
    owed = Owed("x", "agent-contract", must=("evidence_report.verification",))
    text = '```agent_contract_handoff\n{"agent_status": {"plan_status": "IN_PROGRESS", "agent_id": "ab7e4d2"}}\n```\n'
    found = [finding for finding in returned(text, owed).findings if finding.field and "evidence" in finding.field]
    assert [(finding.code, finding.note) for finding in found] == [("missing-field", "The config requires it of `x`")]


def test_no_agent_silences_its_debt() -> None:
    for comment in (
        "<!-- handoff: none -->",
        "<!-- handoff-ignore-file -->",
        "<!-- handoff-ignore: missing-handoff -->",
    ):
        analysis = returned(f"{comment}\n\nAll is done.\n", ENVELOPE_OWED)
        assert "missing-handoff" in codes(analysis)
    # In a file, a person does.
    assert "missing-handoff" not in codes(returned("<!-- handoff-ignore-file -->\n\nx\n", REPORT_OWED, "handoffs/1.md"))


# Files


def test_a_file_that_an_agent_must_write() -> None:
    assert codes(returned("", REPORT_OWED, "handoffs/01.md")) == ["empty-return"]
    assert codes(returned("# Notes\n\nAll done.\n", REPORT_OWED, "handoffs/01.md")) == ["missing-handoff"]
    (finding,) = returned(DONE, REPORT_OWED, "handoffs/01.md").findings
    assert finding.code == "wrong-contract"


@pytest.mark.parametrize(
    "path",
    [
        "handoffs/README.md",
        "handoffs/readme.ja.md",
        "handoffs/report-template.md",
        "handoffs/templates/01.md",
        "handoffs/example.md",
        "handoffs/prompts/01.md",
        ".claude/agents/reporter.md",
        "handoffs/CLAUDE.md",
    ],
)
def test_files_beside_the_returns_owe_nothing(path: str) -> None:
    for text in ("", "# Handoffs\n\nEach agent writes its report here.\n"):
        assert codes(returned(text, REPORT_OWED, path)) == []


def test_a_template_or_a_document_about_the_format_owes_nothing() -> None:
    block = returned("", REPORT_OWED, "handoffs/01.md").findings[0].fixes[0].edits[0].text
    for text in (block, "<!-- handoff: none -->\n\nNotes.\n"):
        assert set(codes(returned(text, REPORT_OWED, "handoffs/01.md"))) <= {"placeholder-left"}
    assert codes(returned("Notes.\n", REPORT_OWED, "handoffs/01.md", mode="example")) == []


# Laws


def test_a_good_return_is_not_touched() -> None:
    """Each clean handoff of the cases, as the final message of an agent that owes just that."""
    count = 0
    for case in read_cases():
        before = case.analyze()
        handoffs = [one for one in before.handoffs if one.mode == "handoff"]
        if before.findings or not handoffs or case.path or case.agent or handoffs[-1].form == "file":
            continue
        profiles = {one.spec.profile for one in before.handoffs if one.spec.name == handoffs[-1].spec.name}
        if len(profiles) > 1:
            continue  # of several agents
        owed = Owed("x", handoffs[-1].spec.name, tuple(profiles))
        options = replace(before.options, returned=Returned("x", (owed,)))
        after = analyze(before.source, "", builtin(), options, around=before.around)
        assert not ABOUT_RETURNS.intersection(codes(after)), case.name
        assert actions(after) == actions(before), case.name
        count += 1
    assert count > 70


def test_one_debt_has_one_finding_and_nothing_advances() -> None:
    """Each text of the cases, as the final message of an agent that owes something else or just that."""
    for case in read_cases():
        for owed in (ENVELOPE_OWED, replace(BLOCK_OWED, takes="only"), replace(ENVELOPE_OWED, at_end=True)):
            analysis = returned(case.text, owed)
            found = [code for code in codes(analysis) if code in ABOUT_RETURNS]
            assert len(found) <= 1, case.name
            if found:
                assert not GOES_ON.intersection(actions(analysis)), case.name
                assert not report_of(analysis, "", fixes=False).ok, case.name
            else:
                assert any(one.mode == "handoff" and one.spec.name in owed.contracts for one in analysis.handoffs)


def test_an_agent_that_owes_nothing_hears_nothing() -> None:
    for case in read_cases():
        if not case.agent:
            assert not ABOUT_RETURNS.intersection(codes(case.analyze())), case.name
