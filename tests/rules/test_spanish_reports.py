"""SDD reports in Spanish: their headings, the sign by which they are found, and the counts of a progress."""

from __future__ import annotations

import pytest
from rules.sdd_documents import action_of

from handoff_lsp import check_text

REPORT = """# Reporte de Verificación

**Cambio**: agregar-modo-oscuro

## %s

| Métrica | Valor |
|---|---|
| Tareas totales | 3 |
| Tareas incompletas | %s |

## %s

**Pruebas**: %s

## %s

| Requisito | Escenario | Prueba | Resultado |
|---|---|---|---|
| Tema | Alternar | (ninguna) | %s |

## Hallazgos

**CRÍTICO**: Ninguno

## Veredicto

APROBADO
"""
HEADINGS = [
    ("Completitud", "Ejecución de build y pruebas", "Matriz de cumplimiento"),
    ("Completitud de tareas", "Build y pruebas", "Cumplimiento de specs"),
    ("Completitud de las tareas", "Ejecución de pruebas", "Matriz de cumplimiento de la especificación"),
]
PROGRESS = """## Implementation Progress

**Change**: night-mode

### Completed Tasks
- [x] 1.1 Toggle

### Status
%s
"""


def checks_of(report: str) -> list[str | None]:
    """The checks that find something in a report, which needs no path to be found."""
    found = check_text(report)
    assert found.handoffs
    return [finding.check for finding in found.findings]


@pytest.mark.parametrize(("completeness", "runs", "matrix"), HEADINGS)
def test_a_pass_over_failures(completeness: str, runs: str, matrix: str) -> None:
    report = REPORT % (completeness, "1", runs, "✅ 11 pasaron / ❌ 1 falló / ⚠️ 0 omitidas", matrix, "❌ UNTESTED")
    assert sorted(map(str, checks_of(report))) == [
        "phase-summary/pass-without-failure",
        "phase-summary/pass-without-open-tasks",
        "phase-summary/pass-without-untested",
    ]


@pytest.mark.parametrize(("completeness", "runs", "matrix"), HEADINGS)
def test_a_sound_report(completeness: str, runs: str, matrix: str) -> None:
    report = REPORT % (completeness, "0", runs, "✅ 12 pasaron / ❌ 0 fallaron", matrix, "✅ COMPLIANT")
    assert checks_of(report) == []


@pytest.mark.parametrize(
    "line", ["❌ 11 pasaron / 1 falló", "1 prueba falla", "❌ 1 test falla", "❌ 2 pruebas fallan"]
)
def test_one_failure(line: str) -> None:
    report = REPORT % ("Completitud", "0", "Pruebas", line, "Matriz de cumplimiento", "✅ COMPLIANT")
    assert checks_of(report) == ["phase-summary/pass-without-failure"]


@pytest.mark.parametrize("line", ["ninguna prueba falla", "✅ 0 fallan", "12 pruebas; la suite falla si falta el tema"])
def test_no_failure(line: str) -> None:
    report = REPORT % ("Completitud", "0", "Pruebas", line, "Matriz de cumplimiento", "✅ COMPLIANT")
    assert checks_of(report) == []


@pytest.mark.parametrize("title", ["Informe final de verificación", "Reporte Final de Verificación"])
def test_a_final_report(title: str) -> None:
    report = f"# {title}\n\n**Cambio**: modo-oscuro\n\n## Veredicto\n\nAPROBADO\n"
    assert [handoff.routing.action for handoff in check_text(report).handoffs] == ["advance"]


@pytest.mark.parametrize(
    ("status", "action"),
    [
        ("1/1 tareas completas. Listo para verificar", "advance"),
        ("1/1 tarefas completas", "advance"),
        ("1/3 tareas completas. Listo para el siguiente lote", "continue"),
        ("1/1 tasks complete. Sin tareas pendientes", "advance"),
        ("1/1 tasks complete. Ready for verify; archive bloqueado hasta la verificación", "advance"),
        ("1/1 tareas completas. Bloqueado por CI", "ask"),
        ("1/1 tareas completas, pero fallan las pruebas", "ask"),
        ("1/1 tareas pendientes", "ask"),
        ("1/1 tareas completas. No está listo para verificar", "ask"),
    ],
)
def test_a_progress(status: str, action: str) -> None:
    assert action_of(PROGRESS % status, "apply-progress.md") == action


def test_a_change_in_general_is_no_sign() -> None:
    text = "# Informe de verificación\n\n**Cambio**: Nuevo\n\n## Hallazgos\n\nNinguno\n\n## Veredicto\n\nBien\n"
    assert check_text(text).handoffs == ()
