"""Every format says the same of the same documents: as many findings, at the same places."""

from __future__ import annotations

import json
import os
from functools import cache, partial
from pathlib import Path

import pytest
from case_files import read_cases
from cli.output.readers import READERS, Found
from cli.output.schemas import VALIDATORS

from handoff_lsp.cli.main import main
from handoff_lsp.cli.output.format import FORMATS, Document, Look
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.cli.printable import printable
from handoff_lsp.reports.make import report_of
from handoff_lsp.reports.report import Finding

ROOT = Path(__file__).parents[3]
ALL_SEVERITIES = ("error", "warning", "information", "hint")


def output_of(name: str, documents: list[Document]) -> str:
    """The output of a format for documents."""
    pieces: list[str] = []
    summary = Summary()
    made = FORMATS[name].load()(pieces.append, Look(fails=ALL_SEVERITIES))
    for document in documents:
        summary.add(document.report, named=document.named)
        made.document(document)
    made.finish(summary)
    return "".join(pieces)


def held(name: str, finding: Finding, document: Document) -> Found:
    """The finding as a format is able to hold it."""
    column: int | None = finding.column
    if name == "pylint" or (name == "github" and finding.line != finding.range.end.line):
        column = None
    if name == "rdjson":
        line = document.source.lines.line_text(finding.line - 1)
        before = line[: finding.column - 1 + (finding.line == 1 and line.startswith("\ufeff"))]
        column = len(before.encode("utf-8", "replace")) + 1
    words = finding.message if name in {"json", "jsonl"} else printable(finding.message)
    if name == "pylint":
        words = words.replace("[", "(").replace("]", ")")
    if name == "sarif":
        words = words.replace("](", "] (")
    return Found(finding.path, finding.line, column, finding.rule, words)


@cache
def sampled() -> list[Document]:
    """Each fourth case, below a path that is a test of its own."""
    documents = []
    for number, case in enumerate(read_cases()[::4]):
        spelled = f"sub folder/ä {number}%2C,;:]/{case.path or 'x.md'}"
        report = report_of(case.analyze(), spelled)
        documents.append(Document(report, named=True, read=partial(str, case.text)))
    assert sum(len(document.report.findings) for document in documents) > 200
    return documents


@pytest.mark.parametrize("name", READERS)
def test_on_the_cases(name: str) -> None:
    documents = sampled()
    expected = [held(name, finding, each) for each in documents for finding in each.report.findings]
    output = output_of(name, documents)
    assert READERS[name](output) == expected
    if name in VALIDATORS:
        VALIDATORS[name](json.loads(output))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_on_the_examples(name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for variable in ("GITHUB_WORKSPACE", "CI_PROJECT_DIR", "BUILD_SOURCESDIRECTORY", "GITHUB_STEP_SUMMARY"):
        monkeypatch.delenv(variable, raising=False)
    main(["check", "--output-format", "json", "examples"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    places = [(each["path"], each["range"]["start"]["line"], each["rule"]) for each in findings]
    assert len(places) > 20
    assert main(["check", "--output-format", name, "examples"]) == 1
    out = capsys.readouterr().out
    if name in READERS:
        assert [(each.path, each.line, each.rule) for each in READERS[name](out)] == places
        return
    for path, line, rule in places:
        assert path in out
        assert f"{line}:" in out
        assert f"[{rule}]" in out
    marks = ("error[", "warning[", "information[")
    assert sum(out.count(mark) for mark in marks) == len(places)


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--help"])
    text = capsys.readouterr().out
    for name in FORMATS:
        assert f"\n  {name} " in text


def test_an_unknown_format_gets_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--output-format", "sariff"]) == 2
    assert "unknown value `sariff`; did you mean `sarif`?" in capsys.readouterr().err
    assert main(["check", "-o", "jsno:x"]) == 2
    assert "did you mean `json`?" in capsys.readouterr().err


def test_a_file_outside_the_repository_is_a_uri_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from handoff_lsp.cli.output.repository import Checkout

    inside = tmp_path / "checkout" / "docs"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "checkout"))
    repository = Checkout()
    assert repository.path("a b.md") == "docs/a b.md"
    assert repository.uri("a b:é.md") == "docs/a%20b%3A%C3%A9.md"
    assert repository.path("../x.md") == "x.md"
    assert repository.uri(os.path.join(tmp_path, "other", "a.md")) == (tmp_path / "other" / "a.md").as_uri()
    assert repository.path("<stdin>") == "<stdin>"
