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
        "**CRITICAL**: _None of the tests cover the token_",
        "**CRITICAL**:\n- _None\n- The token leaks",
        "**CRITICAL**:\n- Nothing encrypts the token",
        "**CRITICAL**: No issues in the styles, but the token leaks",
        "- CRITICAL: The token leaks\n- ~~WARNING: The name is long~~ fixed in abc123",
        "**CRITICAL**: closed connections leak",
        "**CRITICAL**: fixed width buffers overflow",
        "**CRITICAL**: warnings are swallowed by the logger",
        "| # | Issue | Severity |\n| --- | --- | --- |\n| 1 | The token leaks | CRITICAL |",
        "| # | Issue | Severity | File |\n| --- | --- | --- | --- |\n| 1 | The token leaks | CRITICAL | a.ts |",
        "| ID | Severity | Issue |\n| --- | --- | --- |\n| 1 | CRITICAL | The token leaks |",
        "| ID | Severidad | Hallazgo |\n| --- | --- | --- |\n| 1 | CRÍTICO | Se filtra el token |",
        "- **The token leaks** (CRITICAL)",
        "1. The token leaks [CRITICAL]",
        "**CRITICAL**: No se guarda el tema",
        "**CRITICAL**: No se encontraron pruebas del logout",
        "**CRITICAL**: No se pudo ejecutar la suite",
        "**CRITICAL**: No se requiere contraseña para entrar",
        "**CRITICAL**: No hay pruebas del logout",
        "**CRITICAL** (must fix before archive):\n- No se guarda el tema",
        "**CRÍTICO**: Sin pruebas del logout",
        "**CRITICAL**: 2 issues resolved, 1 open",
        "**CRITICAL**: Sin errores visibles para el usuario cuando falla",
        "**CRITICAL**: No se presenta el aviso al usuario",
        "**CRITICAL**: No hay elementos para cerrar el aviso",
        "- The token is not verified (CRITICAL)",
        "| ID | Severity | Issue |\n| --- | --- | --- |\n| 1 | CRITICAL | The token is not verified |",
        "**CRITICAL**: No new users can log in",
        "**CRITICAL**: No known user can log in",
        "- CRITICAL: No open session is closed at logout",
        "**CRITICAL**: All reported issues of the first round are not fixed",
        "**CRITICAL**:\n\n- None\n- The theme toggles twice",
        "#### CRITICAL\n- None.\n- The theme toggles twice\n\n#### WARNING\n- None",
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
        "| ID | Severity | Issue | State |\n| --- | --- | --- | --- |\n| 1 | CRITICAL | The token leaked | Fixed |",
        "| ID | Severity | Issue |\n| --- | --- | --- |\n| - | CRITICAL | None |",
        "| ID | Severity | Was | Issue |\n| --- | --- | --- | --- |\n| 1 | WARNING | CRITICAL | The name is long |",
        "| ID | Level | Meaning |\n| --- | --- | --- |\n| 1 | CRITICAL | Must be fixed |",
        "- ~~The token leaks~~ (CRITICAL)",
        "- The token leaked, fixed in abc1234 (CRITICAL)",
        "- No issue is left (CRITICAL)",
        "- The name is long (was CRITICAL)",
        "**CRÍTICO**: No hay.",
        "**CRÍTICO**: No hay hallazgos",
        "**CRÍTICO**: No hay nuevos problemas",
        "**CRÍTICO**: No hay nada que corregir",
        "**CRÍTICO**: No hay (0)",
        "**CRÍTICO**: No se encontraron.",
        "**CRÍTICO**: No se han encontrado hallazgos críticos",
        "**CRÍTICO**: No se detectó ninguno",
        "**CRÍTICO**: No quedan bloqueos",
        "**CRITICAL**: Sin críticos",
        "**CRITICAL**: Sin nuevos hallazgos",
        "**CRÍTICO**: Todos los hallazgos anteriores están resueltos",
        "**CRITICAL**: No new or open issues",
        "**CRITICAL**: No new CRITICAL findings",
        "**CRITICAL**: No known blockers",
        "**CRITICAL**: No open items.",
        "**CRITICAL**: no new failures introduced",
        "**CRITICAL**: All previously reported issues resolved",
        "**CRITICAL**: All three issues of the first round are now fixed",
        "**CRITICAL**: Prior findings closed in abc1234",
        "**CRITICAL**:\n\n- None\n- WARNING: The name is long",
        "**CRITICAL**:\n\n- None\n- ~~The token leaks~~",
        "**CRITICAL**:\n\n- None\n- The earlier one is closed",
        "| ID | Severity | Issue | State |\n| --- | --- | --- | --- |\n| 1 | CRITICAL | The token leaked | Addressed |",
        "| ID | Severity | Issue | State |\n| --- | --- | --- | --- |\n| 1 | CRITICAL | A leak | False positive |",
        "| ID | Severity | Issue | Fix |\n| --- | --- | --- | --- |\n| 1 | CRITICAL | The token leaked | `abc1234` |",
        "| ID | Severidad | Hallazgo | Estado |\n| --- | --- | --- | --- |\n| 1 | CRÍTICO | Fuga | Solucionado |",
        "| ID | Severity | Issue |\n| --- | --- | --- |\n| — | CRITICAL | — |",
        "| ID | Severity | Issue |\n| --- | --- | --- |\n| 1 | CRITICAL | No critical issues found |",
        "| Area | Severity | Count |\n| --- | --- | --- |\n| Spec | CRITICAL | 0 |\n| Spec | WARNING | 1 |",
        "| Check | Severity | Result |\n| --- | --- | --- |\n| Secrets | CRITICAL | PASS |",
        "- 0 issues [CRITICAL]",
        "- Sin hallazgos de nivel (CRITICAL)",
        "- There are no issues of this level (CRITICAL)",
        "- SUGGESTION: mark these log lines as [CRITICAL]",
        "- WARNING: the log line ends with `(CRITICAL)`",
        "**CRITICAL**:\n- None\n- W1: The name is long",
        "**CRITICAL**:\n- None\n- 🟡 The name is long",
        "**CRITICAL**:\n- None\n- Minor: the name is long",
        "**CRITICAL**:\n- None\n- 12/12 scenarios are compliant",
        "**CRITICAL**:\n- None\n- Every scenario is covered",
        "- CRITICAL:\n  - None\n- The name is long",
        "**CRITICAL**: 2 issues resolved in abc1234",
        "**CRITICAL**: No open questions",
        "**CRITICAL**: No new functional, security or performance issues",
        "**CRITICAL**: No known gaps in the coverage",
        "**CRÍTICO**: No hay por ahora",
        "**CRÍTICO**: No hay para este cambio",
        "**CRÍTICO**: No hay ítems",
        "**CRÍTICO**: No se encontraron discrepancias",
        "**CRÍTICO**: No se encuentran hallazgos",
        "- CRITICAL: None\n- The name is long",
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
        "- CRÍTICO: el build está roto",
        "- El build está roto (CRÍTICO)",
        "- CRITICAL: No se guarda el tema",
        "- CRITICAL: No hay pruebas del logout",
        "- CRITICAL: No new users can log in",
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
        "- CRÍTICO: Ninguno",
        "- CRÍTICOS: ninguno",
        "- CRITICAL: Sin riesgos",
        "- CRITICAL: No hay riesgos",
        "- CRITICAL: No hay.",
        "- CRITICAL: No se encontraron problemas",
        "- CRITICAL: No new or open risks",
        "- CRÍTICO: No aplica",
        "- CRITICAL: No open decisions",
        "- CRITICAL: No open questions",
        "- CRITICAL: No hay por ahora",
        "- CRITICAL: All previously reported risks resolved",
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
        ('["🔴 High: slow start"]', "advance"),
        ('["🔴 Alto: arranque lento"]', "advance"),
        ('["🔴 0 / 🟡 2"]', "advance"),
        ('["🔴 2 tokens leak"]', "ask"),
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
        ('[{"type": "critical-path", "message": "is slow"}]', "advance"),
        ('[{"severity": "low", "impact": "critical", "message": "data loss"}]', "advance"),
        ('[{"severity": "medium", "type": "critical", "message": "data loss"}]', "advance"),
        ('[{"severity": "critical: none"}]', "advance"),
        ('{"critical": {"count": 0, "items": []}, "warning": {"count": 2}}', "advance"),
        ('{"critical": {"count": 1, "items": ["data loss"]}}', "ask"),
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
        ('[{"severity": "WARNING", "impact": "critical", "message": "data loss"}]', "advance"),
        ('{"critical": [{"message": "data loss", "status": "resolved"}]}', "advance"),
        ('{"warning": ["a critical path is slow"]}', "advance"),
        ("[]", "advance"),
        ("{}", "advance"),
        ('"none"', "advance"),
        ('["CRÍTICO: el build está roto"]', "ask"),
        ('["Crítico: ninguno"]', "advance"),
        ('["La ruta crítica es lenta"]', "advance"),
        ('["CRITICAL: no se guarda"]', "ask"),
        ('["CRITICAL: no hay riesgos"]', "advance"),
        ('"CRITICAL: no se guarda"', "ask"),
        ('"CRITICAL: sin riesgos"', "advance"),
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
