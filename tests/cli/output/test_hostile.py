"""Names and texts that an attacker may choose come back as they were, and add nothing to the output."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from cli.documents import BAD
from cli.output.readers import READERS, Found, read_github
from cli.output.schemas import VALIDATORS
from cli.output.test_agreement import held, output_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handoff_lsp.cli.main import main
from handoff_lsp.cli.output.format import FORMATS, Document
from handoff_lsp.cli.printable import encodable, printable, printable_lines
from handoff_lsp.reports.report import Edit, Finding, Fix, Position, Range, Related, Report

# Pieces that mean something to a format, a terminal or a reader.
_PIECES = (
    "\n", "\r\n", "::error::x", "::", "%0A", "%25", "%AZP25", "##vso[task.setvariable variable=A]b", "##[warning]",
    "]]>", "<b>", "&amp;", '"', "'", ",", ";", "=", "]", "](http://a.b)", "\x1b[31m", "\x00", "\x85", "\u2028",
    "\u202e", "😀", "é", "\ufffe", "\udc80", "`", "|", "@all", "), x] y", ":4: [E(a), ] b", "{0}", "\t", "\\", " ",
)  # fmt: skip
_TEXTS = st.lists(st.one_of(st.sampled_from(_PIECES), st.text(max_size=4)), min_size=1, max_size=5).map("".join)
_NAMES = _TEXTS.map(lambda text: "d/" + text.replace("/", "").replace("\0", "") + ".md")
_LINES = "one\n𝒳 two äß\nthree\n"


@st.composite
def _findings(draw: st.DrawFn, path: str) -> Finding:
    line = draw(st.integers(1, 3))
    last = len(_LINES.split("\n")[line - 1])
    start = draw(st.integers(0, last))
    range_ = Range(Position(line, start + 1), Position(line, draw(st.integers(start, last)) + 1))
    text = draw(_TEXTS)
    fix = Fix(draw(_TEXTS), draw(st.booleans()), (Edit(range_, draw(_TEXTS)),))
    return Finding(
        path=path, rule="invalid-value", check=draw(_TEXTS), severity=draw(st.sampled_from(["error", "hint"])),
        message="x" + text, note=draw(_TEXTS), help=fix.title, contract="status-block", profile=draw(_TEXTS),
        mode="handoff", field=draw(_TEXTS), upstream=(), range=range_,
        related=(Related(draw(_NAMES), range_, draw(_TEXTS)),), fixable="unsafe",
        fix=draw(st.sampled_from([None, fix])),
    )  # fmt: skip


@st.composite
def _documents(draw: st.DrawFn) -> Document:
    path = draw(_NAMES)
    findings = tuple(draw(st.lists(_findings(path), min_size=1, max_size=3)))
    return Document(Report(path, (), findings), named=True, read=partial(str, _LINES))


def _path(name: str, path: str) -> str:
    """A path as a format is able to hold it."""
    if name in {"json", "jsonl", "sarif"}:
        return path
    if name in {"gitlab", "rdjson"}:
        return encodable(path)
    if name in {"github", "azure"}:
        return printable_lines(path)
    shown = printable(path)
    return shown.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd") if name == "junit" else shown


def _held(name: str, finding: Finding, document: Document) -> Found:
    found = held(name, finding, document)
    words = found.words
    if name == "junit":
        words = words.replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
    return found._replace(path=_path(name, found.path), words=words)


@pytest.mark.parametrize("name", READERS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(document=_documents())
def test_findings_come_back(name: str, document: Document) -> None:
    output = output_of(name, [document])
    output.encode("utf-8")
    found = READERS[name](output)
    if name == "github":  # its reader looks for the end of the place, which a name may hold
        assert [each[:4] for each in found] == [_held(name, each, document)[:4] for each in document.report.findings]
    else:
        assert found == [_held(name, each, document) for each in document.report.findings]
    if name in VALIDATORS:
        VALIDATORS[name](json.loads(output))


@pytest.mark.parametrize("name", ["concise", "grouped", "text", "agent"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(document=_documents())
def test_each_finding_begins_a_line_and_no_text_does(name: str, document: Document) -> None:
    output = output_of(name, [document])
    output.encode("utf-8")
    assert printable_lines(output) == output
    lines = output.split("\n")
    for finding in document.report.findings:
        place = f"{finding.line}:{finding.column}"
        where = place if name in {"grouped", "agent"} else f"{printable(finding.path)}:{place}:"
        head = f"{where} {finding.severity}[{finding.rule}] {printable(finding.message)}"
        assert head in [line.lstrip(" ") if name == "grouped" else line for line in lines]
    if name == "concise":
        assert len(lines) <= len(document.report.findings) + 3  # the summary of up to two lines, and the end


@pytest.mark.parametrize("name", ["github", "azure"])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(document=_documents())
def test_a_document_gives_no_command(name: str, document: Document) -> None:
    """Each line is one command of ours, so no line is one of the document's."""
    lines = output_of(name, [document]).split("\n")[:-1]
    assert len(lines) == len(document.report.findings)
    ours = "##vso[task.logissue " if name == "azure" else "::"
    assert all(line.startswith(ours) for line in lines)
    assert all("\r" not in line for line in lines)


@pytest.mark.parametrize("name", ["text", "concise", "grouped", "pylint", "agent"])
def test_text_in_a_log_gives_no_command(
    name: str, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The line of the document that text shows, and a name at the beginning of a line."""
    path = here / "::error::x-handoff.md"
    path.write_text(BAD.replace("compleet", "##vso[task.setvariable variable=PATH]x ##[add-mask]y"), encoding="utf-8")
    assert main(["check", "--output-format", name, "missing ##vso[a.b]c", "."]) == 2
    before = capsys.readouterr()
    assert "##vso[" in before.out + before.err or name == "pylint"
    monkeypatch.setenv("TF_BUILD", "True")
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    main(["check", "--output-format", name, "missing ##vso[a.b]c", "."])
    told = capsys.readouterr()
    assert "x-handoff.md" in told.out
    for line in (told.out + told.err).split("\n"):
        assert "##vso[" not in line
        assert "##[" not in line
        assert not line.lstrip().startswith("::")


def test_the_titles_of_github_hold_the_rule() -> None:
    place = Range(Position(1, 1), Position(2, 1))
    finding = Finding("a.md", "a-rule", None, "hint", "Words", "", "", None, None, None, None, (), place)
    document = Document(Report("a.md", (), (finding,)), named=True, read=lambda: "a\nb")
    assert read_github(output_of("github", [document])) == [Found("a.md", 1, None, "a-rule", "Words")]
    assert set(FORMATS) - set(READERS) == {"text", "concise", "grouped", "agent"}
