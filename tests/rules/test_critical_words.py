"""CRITICAL issues and risks, and the phrases that report none."""

from __future__ import annotations

import pytest
from rules.sdd_documents import ENVELOPE, REPORT, action_of

JSON = """```json
{"status": "success", "executive_summary": "Done.", "artifacts": [], "next_recommended": "sdd-tasks", "risks": %s,
 "skill_resolution": "none"}
```
"""


@pytest.mark.parametrize(
    "issues",
    [
        "**CRITICAL**:\n- The token leaks",
        "__CRITICAL__:\n- The token leaks",
        "_CRITICAL:_\n- The token leaks",
        "**CRÍTICO** (debe corregirse):\n- Se filtra el token",
        "**CRITICAL**:\n- None of the tests cover the token",
        "**CRITICAL**:\n- Nothing encrypts the token",
        "**CRITICAL**: No issues in the styles, but the token leaks",
        "- CRITICAL: The token leaks\n- ~~WARNING: The name is long~~ fixed in abc123",
        "**CRITICAL**: closed connections leak",
        "**CRITICAL**: fixed width buffers overflow",
        "**CRITICAL**: warnings are swallowed by the logger",
        "| # | Issue | Severity |\n| --- | --- | --- |\n| 1 | The token leaks | CRITICAL |",
    ],
)
def test_a_critical_issue_under_pass(issues: str) -> None:
    assert action_of(REPORT % (issues, "PASS"), "verify-report.md") == "ask"


@pytest.mark.parametrize(
    "issues",
    [
        "**CRITICAL**: None. All three of the first round are closed.",
        "**CRITICAL**: None blocking the spec. (See WARNING: no defect, but a task.)",
        "**CRITICAL**: None related to this change",
        "**CRITICAL**: None to report",
        "**CRITICAL** issues: None",
        "**CRITICAL**: no outstanding issues",
        "**CRÍTICO**: No hay problemas críticos",
        "**CRÍTICO**: Ningún hallazgo",
        "**CRÍTICO**: Todos resueltos",
        "**CRÍTICO**\n\n**ADVERTENCIA**: nombre largo",
        "**CRITICAL**: なし",
        "| Issue | Severity |\n| --- | --- |\n| None | CRITICAL |",
        "| Issue | Status | Severity |\n| --- | --- | --- |\n| The token leaked | ✅ Resolved | CRITICAL |",
        "| Meaning | Level |\n| --- | --- |\n| Must be fixed | CRITICAL |",
        "**CRITICAL**: 0 issues",
        "**CRITICAL**: 0 found",
        "**CRITICAL**: No blocking issues",
        "**CRITICAL**: Not applicable",
        "**CRITICAL**: all resolved",
        "**CRITICAL**: resolved in abc123",
        "**CRITICAL**: Sin hallazgos",
        "**CRITICAL**: No se encontraron problemas",
        "**CRITICAL**: ~~The token leaks~~ fixed in abc123",
        "- CRITICAL:\n    1. None",
        "**CRITICAL**\n\n**WARNING**: The name is long",
        "__CRITICAL__: None",
        "| Severity | Count |\n| --- | --- |\n| CRITICAL | 0 |",
        "| Issue | CRITICAL |\n| --- | --- |\n| The name is long | no |",
    ],
)
def test_nothing_critical_under_pass(issues: str) -> None:
    assert action_of(REPORT % (issues, "PASS"), "verify-report.md") == "advance"


@pytest.mark.parametrize(
    "risks",
    [
        "- CRITICAL: The token leaks",
        "- CRITICAL: トークンが漏れる",
        "- CRITICAL: None of the tests cover the token",
        "- R1 [CRITICAL]: the token leaks",
        "- CRITICAL\n  - The token leaks",
        "- CRITICAL:\n  the token leaks",
        "#### CRITICAL\n- The token leaks",
        "**CRITICAL**\n\n- The token leaks\n\n**WARNING**\n\n- The name is long",
        "| Severity | Risk |\n| --- | --- |\n| CRITICAL | The token leaks |",
        "| Severity | Risk |\n| --- | --- |\n| **CRITICAL** | The token leaks |",
        "| Risk | Severity |\n| --- | --- |\n| The token leaks | CRITICAL |",
    ],
)
def test_a_critical_risk(risks: str) -> None:
    assert action_of(ENVELOPE % ("success", "Ready for tasks (sdd-tasks)", risks), "out.md") == "ask"


@pytest.mark.parametrize(
    "risks",
    [
        "- CRITICAL: None",
        "_CRITICAL: None_",
        "- CRITICAL issues: none",
        "- **CRITICAL (0)**: none",
        "- CRITICAL: nothing found",
        "- CRITICAL: —",
        "- CRITICAL: 0; WARNING: 2",
        "- No CRITICAL risks",
        "- CRITICAL: なし",
        "- CRITICAL: none introduced",
        "- CRITICAL: all resolved",
        "#### CRITICAL\n- なし",
        "#### CRITICAL\n- ~~The token leaks~~ fixed in abc1234",
        "**CRITICAL**: —\n\n- WARNING: The name is long",
        "| CRITICAL | WARNING | SUGGESTION |\n| --- | --- | --- |\n| 0 | 1 | 0 |",
        "| # | Severity | Risk |\n| --- | --- | --- |\n| 1 | CRITICAL | None |",
        "| Severity | Risk | Was |\n| --- | --- | --- |\n| WARNING | The name is long | CRITICAL |",
        "- CRITICAL\n  - None",
        "**CRITICAL**\n\n- None\n\n**WARNING**\n\n- The name is long",
    ],
)
def test_no_critical_risk(risks: str) -> None:
    assert action_of(ENVELOPE % ("success", "Ready for tasks (sdd-tasks)", risks), "out.md") == "advance"


@pytest.mark.parametrize(
    ("risks", "action"),
    [
        ('["CRITICAL: the token leaks"]', "ask"),
        ('["CRITICAL: トークンが漏れる"]', "ask"),
        ('["The token leaks (CRITICAL)"]', "ask"),
        ('["CRITICAL: no issues"]', "advance"),
        ('["CRITICAL: なし"]', "advance"),
        ('["CRITICAL: no issues in the styles, but the token leaks"]', "ask"),
        ('["CRITICAL: nothing"]', "advance"),
        ('["Critical path is slow"]', "advance"),
        ('"CRITICAL: 0, WARNING: 1"', "advance"),
        ('"🔴 data loss on rollback"', "ask"),
        ('["🔴 data loss on rollback"]', "ask"),
        ('["🔴 CRITICAL: data loss"]', "ask"),
        ('["🔴 None"]', "advance"),
        ('["🔴 CRITICAL: none"]', "advance"),
        ('"🟢 no risks"', "advance"),
        ('"The token leaks (CRITICAL)"', "ask"),
        ('[{"severity": "CRITICAL"}]', "ask"),
        ('[{"severity": "CRITICAL (blocks release)"}]', "ask"),
        ('[{"level": "critical - data loss", "message": "on rollback"}]', "ask"),
        ('[{"type": "CRITICAL", "message": "data loss"}]', "ask"),
        ('[{"impact": "critical", "message": "data loss"}]', "ask"),
        ('{"severity": "CRITICAL", "message": "data loss"}', "ask"),
        ('[{"severity": "CRITICAL (resolved)"}]', "advance"),
        ('[{"severity": "non-critical"}]', "advance"),
        ('[{"type": "critical path", "message": "is slow"}]', "advance"),
        ('[{"severity": "HIGH", "message": "a critical path is slow"}]', "advance"),
        ('[{"severity": "LOW"}, "CRITICAL: the token leaks"]', "ask"),
        ('[{"severity": 3}, {"severity": null}]', "advance"),
        ('{"critical": ["data loss"], "warning": []}', "ask"),
        ('{"CRITICAL": "data loss"}', "ask"),
        ('{"critical": [{"message": "data loss"}]}', "ask"),
        ('{"critical": 2, "warning": 0}', "ask"),
        ('[{"critical": "data loss"}]', "ask"),
        ('{"critical": [], "warning": ["a slow page"]}', "advance"),
        ('{"critical": 0, "warning": 1}', "advance"),
        ('{"critical": "none"}', "advance"),
        ('{"critical": ["None"]}', "advance"),
        ('{"critical": null}', "advance"),
        ('{"critical": ["なし"]}', "advance"),
        ('{"critical": ["ninguno"]}', "advance"),
        ('{"critical": false, "notes": "none"}', "advance"),
        ('{"warning": ["a critical path is slow"]}', "advance"),
        ("[]", "advance"),
        ("{}", "advance"),
        ('"none"', "advance"),
    ],
)
def test_risks_in_json(risks: str, action: str) -> None:
    assert action_of(JSON % risks, "out.md") == action


def test_risks_in_yaml() -> None:
    text = """```yaml
status: success
executive_summary: The design is written.
artifacts: [engram]
next_recommended: sdd-tasks
risks:
  - severity: CRITICAL
    message: The token leaks
skill_resolution: none
```
"""
    assert action_of(text, "out.md") == "ask"
    assert action_of(text.replace("CRITICAL", "WARNING"), "out.md") == "advance"
