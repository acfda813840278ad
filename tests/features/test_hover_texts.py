"""The texts of hovers: short, no line of CEL, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from features.documents import context_of

from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.contracts.spec import Spec
from handoff_lsp.features.pages import contract_pages as pages
from handoff_lsp.features.pages.hover import hover
from handoff_lsp.rules.shared.condition_words import condition_text

CASES = Path(__file__).parents[1] / "cases"
# The most lines of a hover, without blank ones.
MOST = 24
# How many documents of each contract, and how many places of each document, to hover over.
DOCUMENTS, PLACES = 40, 60

_CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_CEL = re.compile(r"&&|\|\||[=!]=|\b(?:size|has|timestamp)\(|\.(?:matches|all|exists|filter|size|endsWith)\(")
_SENTENCE = re.compile(r"[^.!?]+[.!?](?=\s|$)")


def specs() -> Iterator[Spec]:
    return (entry.spec(profile) for entry in builtin() for profile in entry.contract.profiles)


def twice(page: str) -> list[str]:
    """The sentences of a page that it has more than once; each value of a list has its own."""
    lines = (line for line in page.split("\n") if line and not line.startswith("- "))
    sentences = [found.strip() for line in lines for found in _SENTENCE.findall(re.sub(r"\*\*[^*]*\*\*", "", line))]
    return [one for one in set(sentences) if sentences.count(one) > 1 and len(one) > 12]


def assert_reads_well(page: str, name: str) -> None:
    assert not twice(page), f"{name}: {twice(page)}\n{page}"
    assert ".." not in _CODE.sub("", page).replace("...", ""), f"{name}: two full stops\n{page}"


def test_pages_of_fields_and_values() -> None:
    for spec in specs():
        for path, field in pages.all_fields(spec):
            name = f"{spec.name}@{spec.profile}.{path}"
            page = pages.field_page(spec, path, field)
            assert not _CEL.search(page), page
            assert_reads_well(page, name)
            for value in field.values:
                assert_reads_well(pages.value_page(spec, path, field, value), f"{name}={value.value}")


def test_pages_of_checks() -> None:
    for spec in specs():
        for check in spec.contract.checks:
            page = pages.rule_page(f"{spec.name}/{check}", builtin())
            assert page is not None
            assert not _CEL.search(page.replace("`&&`", "")), page
            assert_reads_well(page, check)


@pytest.mark.parametrize("contract", builtin().names)
def test_hovers_over_the_cases(contract: str) -> None:
    """Each field and value of the documents that the cases of a contract have."""
    path = CASES / f"{contract}.md"
    cases, _ = read_case_file(path.read_text(encoding="utf-8"), path.stem, contract)
    seen = 0
    for case in islice(cases, DOCUMENTS):
        analysis = case.analyze(registry=builtin())
        slots = [slot for handoff in analysis.handoffs for slot in handoff.slots]
        places = [span.start for slot in slots for span in (slot.key, slot.value) if span is not None]
        places += [finding.span.start for finding in analysis.findings]
        for offset in islice(dict.fromkeys(places), PLACES):
            found = hover(context_of(analysis), offset)
            if found is None:
                continue
            seen += 1
            lines = [line for line in found.markdown.split("\n") if line]
            assert len(lines) <= MOST, found.markdown
            assert_reads_well(found.markdown, f"{path.name}:{case.line}")
            for line in lines:
                if line.startswith(("**Required", "**Must be empty")):
                    assert not _CEL.search(line), line
    assert seen > 20


@pytest.mark.parametrize(
    ("contract", "condition", "expected"),
    [
        ("status-block", "status == 'blocked'", "`Status` is `blocked`"),
        (
            "status-block",
            "verdict == 'APPROVED' && gaps.all(row, row.mark != '✗')",
            "`Verdict` is `APPROVED` and no item of `Gaps` is `✗`",
        ),
        ("status-block", "gaps.exists(row, row.mark == '✗')", "an item of `Gaps` is `✗`"),
        (
            "status-block",
            "size(findings) > 0 || size(change_requests) >= 1",
            "`Findings` or `Change requests` is filled in",
        ),
        ("status-block", "!(size(findings) == 0 || status == 'blocked')", ""),
        (
            "status-block",
            "!(status == 'failed' || status == 'blocked')",
            "`Status` is not `failed` and `Status` is not `blocked`",
        ),
        ("status-block", "status == 'blocked' && (size(findings) == 0 || size(gaps) == 0)", ""),
        (
            "status-block",
            "abstract.files.created < abstract.files.modified",
            "`abstract.files.created` is less than `abstract.files.modified`",
        ),
        ("discovery-result", "created >= '2026-07-29'", "`Created` is `2026-07-29` or later"),
        ("activity-log", "!has(last_status.index)", "`last_status.index` is missing"),
        ("status-block", "status.matches('^x$')", ""),
        ("status-block", "size(status) > 3", ""),
    ],
)
def test_conditions_in_words(contract: str, condition: str, expected: str) -> None:
    spec = builtin()[contract].spec(builtin()[contract].contract.default_profile)
    assert condition_text(spec, condition) == expected
