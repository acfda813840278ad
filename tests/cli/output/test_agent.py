"""The format for agents: a verdict on each document, and fixes that can be carried out from their words alone."""

from __future__ import annotations

import hashlib
import io
import re
import sys
from functools import partial
from pathlib import Path

import pytest
from case_files import Case, read_cases
from cli.documents import BAD
from cli.output.test_agreement import output_of

import handoff_lsp
from handoff_lsp.cli.main import main
from handoff_lsp.cli.output.agent import Output
from handoff_lsp.cli.output.edits import written_fix
from handoff_lsp.cli.output.format import Document, Look
from handoff_lsp.cli.output.summary import Failed, Summary
from handoff_lsp.reports.make import report_of
from handoff_lsp.reports.report import Finding, Fix
from handoff_lsp.text import Source

GOOD = BAD.replace("compleet", "complete")
END = f"handoff-lsp {handoff_lsp.__version__}: "


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """The lines of a run in the format for agents."""
    main(["check", "--output-format", "agent", *arguments])
    return capsys.readouterr().out.splitlines()


def test_each_document_has_its_verdict(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "bad-handoff.md").write_text(BAD, encoding="utf-8")
    (here / "good-handoff.md").write_text(GOOD, encoding="utf-8")
    (here / "notes.md").write_text("# Notes\n", encoding="utf-8")
    (here / "binary.md").write_bytes(b"\0")
    digest = hashlib.sha256((here / "good-handoff.md").read_bytes()).hexdigest()
    lines = checked(capsys, "bad-handoff.md", "good-handoff.md", "notes.md", "binary.md", "gone.md")
    assert lines == [
        "bad-handoff.md: findings; decision: stop",
        '4:1 error[invalid-value] `Status` is "compleet", but must be one of '
        "`complete`, `blocked`, `failed`, `incomplete`",
        "possible fix: `compleet` -> `complete`",
        f"good-handoff.md: clean (sha256 {digest[:12]}, handoff-lsp {handoff_lsp.__version__}); "
        "decision: advance: next is dod-checker",
        "notes.md: not checked: no handoff found",
        "binary.md: not checked: binary (a NUL byte at offset 0)",
        "gone.md: not checked: no such file or folder",
        f"{END}1 clean, 1 with findings (1 error), 3 not checked",
        "1 finding is fixable with `--fix --unsafe-fixes`.",
    ]


def test_found_files_without_a_handoff_are_counted(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "good-handoff.md").write_text(GOOD, encoding="utf-8")
    (here / "notes.md").write_text("# Notes\n", encoding="utf-8")
    (here / "binary.md").write_bytes(b"\0")
    lines = checked(capsys, ".")
    assert lines[-2:] == [
        "binary.md: not checked: binary",
        f"{END}1 clean, 1 not checked, 1 without a handoff",
    ]


def test_a_run_over_nothing_says_so(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert checked(capsys, ".") == [f"{END}nothing was checked"]


def test_an_excluded_file_and_a_broken_config_are_not_checked(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "a-handoff.md").write_text(GOOD, encoding="utf-8")
    lines = checked(capsys, "--force-exclude", "--exclude", "a-*", "a-handoff.md")
    assert lines == ["a-handoff.md: not checked: excluded by `a-*`", f"{END}1 not checked"]
    (here / ".handoff-lsp.toml").write_text("exclude = 1\n", encoding="utf-8")
    config, document, end = checked(capsys, "a-handoff.md")
    assert config.startswith(".handoff-lsp.toml:1: error[invalid-config] ")
    assert document == "a-handoff.md: not checked: its config is broken"
    assert end == f"{END}1 not checked"


def test_the_hash_is_that_of_the_fixed_file(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (line, *_) = checked(capsys, "--fix", "--unsafe-fixes", bad.name)
    digest = hashlib.sha256(bad.read_bytes()).hexdigest()
    assert line.startswith(f"{bad.name}: clean (sha256 {digest[:12]}, ")


def test_a_hidden_finding_leaves_no_clean_file(bad: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head, end = checked(capsys, "--ignore", "invalid-value", bad.name)
    assert head.startswith(f"{bad.name}: findings: a hidden finding ")
    assert end == f"{END}1 with findings"


def test_quiet_leaves_the_clean_documents_out(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (here / "good-handoff.md").write_text(GOOD, encoding="utf-8")
    assert checked(capsys, "--quiet", ".") == [f"{END}1 clean"]


def test_the_decisions_of_several_handoffs_have_their_lines(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    handoff = '```json:contract\n{"agent_status": {"plan_status": "COMPLETE", "agent_id": "a",}}\n```\n'
    (here / "turns.md").write_text(handoff + "\nthen\n\n" + handoff, encoding="utf-8")
    head = checked(capsys, "turns.md")[0]
    assert head == "turns.md: findings; decision: line 1: retry; line 7: retry"


def test_a_missing_handoff_is_printed_whole(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The block of the output, sent as the next message, is the handoff: only its placeholders are left."""

    def said(message: str) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(message.encode())))
        return checked(capsys, "-", "--agent", "reviewer")

    (here / ".handoff-lsp.toml").write_text('[agents.reviewer]\nreturns = "status-block"\n', encoding="utf-8")
    lines = said("All done, everything works.\n")
    assert lines[0] == "<stdin>: findings"
    assert "[missing-handoff]" in lines[1]
    again = said("\n".join(line[1:] for line in lines if line.startswith("+")))
    rules = set(re.findall(r"^\d+:\d+ error\[([a-z-]+)\]", "\n".join(again), re.MULTILINE))
    assert rules == {"placeholder-left"}


def test_many_unreadable_files_are_bounded(here: Path) -> None:
    pieces: list[str] = []
    output, summary = Output(pieces.append, Look()), Summary()
    summary.failed = [Failed(f"{number}.md", "gone") for number in range(50)]
    output.finish(summary)
    lines = "".join(pieces).splitlines()
    assert lines[19:] == ["19.md: not checked: gone", "… and 30 more not checked", f"{END}50 not checked"]


_LEAD = r"(?:fix|possible fix|and): "
_PLACE = r"(\d+):(\d+)"
_INSERTED = re.compile(_LEAD + rf"insert `(?P<new>.*)` at {_PLACE}")
_REPLACED = re.compile(
    _LEAD + rf"(?:delete )?(?:`(?P<old>.+?)`|{_PLACE}-(?P<end>\d+))(?: -> `(?P<new>.*)`)?(?: at (\d+):(\d+))?"
)
_LINES = re.compile(
    _LEAD + r"(?:(?P<at>add at the end)|insert before line (?P<before>\d+)"
    r"|(?:replace|delete) lines? (?P<first>\d+)(?:-(?P<last>\d+))?(?: by)?):?"
)
_TERMINATOR = re.compile(r"\r\n|\n|\r")


def carried_out(lines: list[str], finding: Finding, text: str) -> list[str]:
    """The lines of a text after the fix that the words describe, as a reader carries it out who knows nothing else."""
    source = Source(text)

    def offset(line: str, column: str) -> int:
        bom = line == "1" and text.startswith("\ufeff")
        return source.lines.line_start(int(line) - 1) + int(column) - 1 + bom

    if found := _LINES.fullmatch(lines[0]):
        old = _TERMINATOR.split(text)
        changes: list[tuple[int, int, list[str]]] = []
        for line in lines:
            if line.startswith("+"):
                changes[-1][2].append(line[1:])
                continue
            found = _LINES.fullmatch(line)
            assert found is not None, line
            first = len(old) if found["at"] else int(found["before"] or found["first"]) - 1
            changes.append((first, int(found["last"] or found["first"]) if found["first"] else first, []))
        for first, end, new in reversed(changes):
            old[first:end] = new
        return old
    assert len(lines) == 1
    if found := _INSERTED.fullmatch(lines[0]):
        at = offset(found[2], found[3])
        return _TERMINATOR.split(text[:at] + found["new"] + text[at:])
    found = _REPLACED.fullmatch(lines[0])
    assert found is not None, lines
    if found["old"] is None:
        start, end = offset(found[2], found[3]), offset(found[2], found["end"])
    else:
        start = offset(found[6], found[7]) if found[6] else offset(str(finding.line), str(finding.column))
        end = start + len(found["old"])
        assert text[start:end] == found["old"]
    return _TERMINATOR.split(text[:start] + (found["new"] or "") + text[end:])


def fixes_of(case: Case) -> list[tuple[Finding, Fix]]:
    report = report_of(case.analyze(), case.path or "handoff.md")
    return [(finding, fix) for finding in report.findings for fix in (finding.fix, *finding.choices) if fix is not None]


def test_each_written_fix_can_be_carried_out_from_its_words() -> None:
    done, named = 0, 0
    for case in read_cases():
        source = Source(case.text)
        for finding, fix in fixes_of(case):
            lines = written_fix(fix, finding, source).lines
            if lines[0].removeprefix("possible ").startswith(f"fix: {fix.title}"):
                named += 1
                continue
            done += 1
            assert carried_out(lines, finding, case.text) == _TERMINATOR.split(fix.apply(case.text))
    assert done > 1000
    assert named < done / 20


def test_it_is_shorter_than_text() -> None:
    """Counted in words and signs, as a tokenizer begins; benchmarks/agent_tokens.py counts tokens."""
    pieces = re.compile(r"\w+|[^\w\s]|\n")
    sums = {"agent": 0, "text": 0}
    for case in read_cases()[::5]:
        report = report_of(case.analyze(), case.path or "handoff.md")
        if report.errors:
            document = Document(report, named=True, read=partial(str, case.text))
            for name in sums:
                sums[name] += len(pieces.findall(output_of(name, [document])))
    assert sums["agent"] < sums["text"] * 0.85
