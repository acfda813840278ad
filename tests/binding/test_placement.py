"""The place of a missing label: beside the existing ones and in their style, else right below its heading."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry
from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.rules.rule import Fix
from handoff_lsp.text import Source, apply_edits

ABSENT = {"missing-field", "missing-status", "missing-section"}


def _field(**more: Any) -> dict[str, Any]:
    return {"type": "line", "required": True, "because": "it is read", "about": "a field", **more}


def registry(carrier: str = "bold-label", **form: Any) -> Registry:
    """A contract with three labels and a section, in one form."""
    data: dict[str, Any] = {
        "contract": "errand",
        "title": "Errand",
        "about": "an errand",
        "status": "status",
        "unread": "nobody goes",
        "default_profile": "any",
        "profiles": {"any": {"about": "any"}},
        "fields": {
            "change": _field(title="Change", carriers=[carrier]),
            "status": _field(title="Status", carriers=[carrier]),
            "next": _field(title="Next", carriers=[carrier]),
            "risks": _field(title="Risks", type="text", carriers=["section"]),
        },
        **form,
    }
    entry, problems = read_contract(yaml.safe_dump(data, sort_keys=False))
    assert entry is not None, problems
    return Registry({"errand": entry})


def absences(text: str, known: Registry) -> tuple[Analysis, list[Any]]:
    analysis = analyze(Source(text), "errand.md", known, Options(contract="errand"))
    return analysis, [finding for finding in analysis.findings if finding.code in ABSENT]


def all_fixed(text: str, known: Registry) -> str:
    """The text after all missing fields are inserted, one after the other."""
    for _ in range(10):
        _, findings = absences(text, known)
        if not findings:
            return text
        fix: Fix = findings[0].fixes[0]
        after = apply_edits(text, fix.edits)
        assert len(absences(after, known)[1]) < len(findings), after
        text = after
    raise AssertionError(text)


DOCUMENT = {"detect": {"enough": 1, "content": 0, "signs": [{"weight": 1, "title": "Errand"}]}}
SECTION = {"section": {"title": "^Errand", "holds": ["change", "status", "next", "risks"], "labels": True}}
RISKS = "\n## Risks\n\nRain.\n"


@pytest.mark.parametrize(
    ("carrier", "written"),
    [
        ("bold-label", "**Change**: <change>\n**Status**: <status>\n**Next**: <next>"),
        ("plain-label", "Change: <change>\nStatus: <status>\nNext: <next>"),
        ("list-label", "- Change: <change>\n- Status: <status>\n- Next: <next>"),
        ("quote-label", "> Change: <change>\n> Status: <status>\n> Next: <next>"),
    ],
)
def test_labels_of_a_document_without_any_go_below_its_heading(carrier: str, written: str) -> None:
    known = registry(carrier, **DOCUMENT)
    assert all_fixed(f"# Errand\n{RISKS}", known) == f"# Errand\n\n{written}\n{RISKS}"
    assert all_fixed(f"# Errand\nSome words.\n{RISKS}", known) == f"# Errand\n\n{written}\n\nSome words.\n{RISKS}"


@pytest.mark.parametrize(
    ("there", "written"),
    [
        ("**Status**: done", "**Change**: <change>\n**Status**: done\n**Next**: <next>"),
        ("**Status:** done", "**Change:** <change>\n**Status:** done\n**Next:** <next>"),
        ("- **Status**: done", "- **Change**: <change>\n- **Status**: done\n- **Next**: <next>"),
        ("> Status: done", "> Change: <change>\n> Status: done\n> Next: <next>"),
        ("* Status：done", "* Change： <change>\n* Status：done\n* Next： <next>"),
        ("Change: shop\nNext: home", "Change: shop\nStatus: <status>\nNext: home"),
    ],
)
def test_labels_go_beside_those_that_are_there_in_their_style(there: str, written: str) -> None:
    known = registry(**DOCUMENT)
    assert all_fixed(f"# Errand\n\n{there}\n{RISKS}", known) == f"# Errand\n\n{written}\n{RISKS}"


def test_labels_of_a_section_go_below_its_heading_or_beside_others() -> None:
    known = registry(**SECTION)
    text = "# Day\n\nWords.\n\n## Errand\n\n### Risks\n\nRain.\n\n## Evening\n"
    labels = "**Change**: <change>\n**Status**: <status>\n**Next**: <next>"
    assert all_fixed(text, known) == text.replace("## Errand\n", f"## Errand\n\n{labels}\n")
    text = text.replace("## Errand\n", "## Errand\n\n**Change**: shop\n")
    wanted = "**Change**: shop\n**Status**: <status>\n**Next**: <next>\n"
    assert all_fixed(text, known) == text.replace("**Change**: shop\n", wanted)


def test_labels_and_sections_are_inserted_together() -> None:
    known = registry(**DOCUMENT)
    labels = "**Change**: <change>\n**Status**: <status>\n**Next**: <next>"
    assert all_fixed("# Errand\n", known) == f"# Errand\n\n{labels}\n\n## Risks\n\n<…>\n"


FENCE = {
    "fence": {
        "tags": {"yaml": "shared"},
        "syntax": "yaml",
        "holds": [{"some": ["change", "status", "next", "trip"], "enough": 2}],
    },
    "fields": {
        "change": _field(),
        "status": _field(),
        "trip": _field(type="object", fields={"by": _field(), "to": _field()}),
        "next": _field(),
    },
}


@pytest.mark.parametrize(
    ("there", "written"),
    [
        (
            "change: shop\ntrip:\n  to: town\n",
            "change: shop\nstatus: <status>\ntrip:\n  by: <by>\n  to: town\nnext: <next>\n",
        ),
        (
            "status: |\n  all\n  done\nnext: home\n",
            "change: <change>\nstatus: |\n  all\n  done\ntrip:\n  by: <by>\n  to: <to>\nnext: home\n",
        ),
        (
            "status: done\ntrip:\n\nnext: home\n",
            "change: <change>\nstatus: done\ntrip:\n  by: <by>\n  to: <to>\n\nnext: home\n",
        ),
    ],
)
@pytest.mark.parametrize(("opening", "lead"), [("", ""), ("- words\n\n  ", "  "), ("> ", "> ")])
def test_lines_of_a_fence_keep_their_prefix(there: str, written: str, opening: str, lead: str) -> None:
    def fence(body: str) -> str:
        lines = [lead + line if line else lead.rstrip() for line in body.split("\n")[:-1]]
        return "\n".join([f"{opening}```yaml", *lines, f"{lead}```", ""])

    known = registry(**FENCE)
    assert all_fixed(fence(there), known) == fence(written)


def test_all_missing_lines_at_one_place_are_one_edit() -> None:
    known = registry(**{**FENCE, "fields": {**FENCE["fields"], "trip": _field()}})
    _, findings = absences("```yaml\nchange: shop\nnext: home\n```\n", known)
    fix = next(fix for fix in findings[0].fixes if fix.title.startswith("Insert both"))
    (edit,) = fix.edits
    assert edit.text == "\nstatus: <status>\ntrip: <trip>"
    assert edit.snippet == "\nstatus: ${1:<status>}\ntrip: ${2:<trip>}"


@pytest.mark.parametrize(
    ("there", "written"),
    [
        ("- **status**: done\n- **next**: home", "- **change**: <change>\n- **status**: done\n- **next**: home"),
        ("> change: shop\n> next: home", "> change: shop\n> status: <status>\n> next: home"),
    ],
)
def test_runs_are_completed_in_their_own_style(there: str, written: str) -> None:
    run = {"run": {"holds": [{"some": ["change", "status", "next"], "enough": 2}]}}
    known = registry(**run, fields={"change": _field(), "status": _field(), "next": _field()})
    assert all_fixed(f"Words.\n\n{there}\n", known) == f"Words.\n\n{written}\n"
