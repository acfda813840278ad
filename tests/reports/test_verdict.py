"""The verdict on a text: clean only if a handoff was found and nothing about it; else findings, or the reason."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import Any

import pytest
from case_files import Case, read_cases

import handoff_lsp
from handoff_lsp import check_text, new
from handoff_lsp.reports.data import data_of
from handoff_lsp.reports.make import report_of
from handoff_lsp.reports.verdict import NO_HANDOFF, ONLY_EXAMPLES, Verdict, not_checked
from handoff_lsp.rules import registry


def sound() -> str:
    """The text of a case without a finding, whose handoff advances."""
    for case in read_cases():
        report = report_of(case.analyze(), case.path, fixes=False)
        if report.ok and not report.findings and not case.path and case.text.isascii():
            return case.text
    raise AssertionError("no case is sound")


def test_a_clean_text_has_its_hash_and_the_version() -> None:
    text = sound()
    verdict = check_text(text).verdict
    assert verdict == Verdict("clean", "", hashlib.sha256(text.encode()).hexdigest(), handoff_lsp.__version__)
    assert verdict.line == f"clean (sha256 {verdict.sha256[:12]}, handoff-lsp {handoff_lsp.__version__})"
    assert check_text(text + "\n").verdict.sha256 != verdict.sha256


def test_a_text_without_a_handoff_is_not_clean() -> None:
    verdict = check_text("# Notes\n").verdict
    assert (verdict.state, verdict.reason) == ("not checked", NO_HANDOFF)
    assert verdict.sha256 == hashlib.sha256(b"# Notes\n").hexdigest()
    assert verdict.line == "not checked: no handoff found"


def test_examples_alone_are_not_clean() -> None:
    verdict = check_text(sound(), mode="example").verdict
    assert (verdict.state, verdict.reason) == ("not checked", ONLY_EXAMPLES)


@pytest.mark.parametrize("severity", ["error", "warning", "information", "hint"])
def test_each_finding_counts(severity: Any) -> None:
    report = check_text(new("status-block", "tester"), contract="status-block", mode="handoff", rules={})
    one = replace(report, findings=(replace(report.findings[0], severity=severity),))
    assert (one.verdict.state, one.verdict.reason) == ("findings", "")


def test_too_large_a_text_is_not_checked_and_the_feedback_says_so() -> None:
    report = check_text("x," * 100_001)
    assert report.verdict == not_checked(report.findings[0].message, report.sha256)
    assert "commas and brackets" in report.verdict.line
    assert report.feedback() == f"handoff-lsp: your final message was {report.verdict.line}"


def test_a_rule_that_crashes_leaves_no_clean_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object) -> object:
        raise ZeroDivisionError("a bug")

    text = sound()
    rule = registry.rules_of_handoffs()["missing-status"]
    monkeypatch.setitem(registry.rules_of_handoffs(), "missing-status", replace(rule, check=crash))
    verdict = check_text(text).verdict
    assert verdict.state == "not checked"
    assert "`missing-status` failed" in verdict.reason
    report = check_text(text)
    other = replace(report.findings[0], rule="missing-field")
    verdict = replace(report, findings=(other, *report.findings)).verdict
    assert (verdict.state, verdict.reason) == ("findings", f"not all was checked: {report.findings[0].message}")


def hidden(case: Case) -> Any:
    """The report of a case without its listed findings, as `--ignore` makes it."""
    report = report_of(case.analyze(), case.path, fixes=False)
    bare = tuple(replace(each, findings=()) for each in report.handoffs)
    return replace(report, handoffs=bare, findings=())


def test_a_hidden_finding_that_withholds_the_decision_is_no_clean_text() -> None:
    withheld = 0
    for case in read_cases():
        report = hidden(case)
        if any(each.routing is not None and each.routing.doubts for each in report.handoffs if each.mode == "handoff"):
            withheld += 1
            assert report.verdict.state == "findings"
            assert report.verdict.reason.startswith("a hidden finding ")
    assert withheld > 50


def test_a_message_with_only_a_template_is_not_clean_and_a_file_is() -> None:
    text = handoff_lsp.new("status-block", "tester", mode="template")
    message, file = check_text(text), check_text(text, "prompts/tester.md")
    assert (message.verdict.state, message.verdict.reason) == ("not checked", "only templates and examples")
    assert message.feedback().startswith("handoff-lsp: there is no handoff in your final message.")
    assert file.verdict.state == "clean"


def test_no_case_is_clean_over_a_finding() -> None:
    states = {"clean": 0, "findings": 0, "not checked": 0}
    for case in read_cases():
        report = report_of(case.analyze(), case.path, fixes=False)
        verdict = report.verdict
        states[verdict.state] += 1
        assert (verdict.state == "clean") <= (not report.findings and bool(report.handoffs))
        assert bool(verdict.reason) or verdict.state != "not checked"
        assert report.ok <= (verdict.state != "not checked")
    assert min(states.values()) > 100


def test_a_failure_is_a_verdict_too() -> None:
    verdict = not_checked("no such file or folder")
    assert data_of(verdict) == {
        "state": "not checked",
        "reason": "no such file or folder",
        "sha256": "",
        "version": handoff_lsp.__version__,
    }
