"""The summary of a job of GitHub Actions."""

from __future__ import annotations

from pathlib import Path

import pytest
from cli.documents import BAD
from markdown_it import MarkdownIt

from handoff_lsp.cli.main import main
from handoff_lsp.cli.output.repository import Checkout
from handoff_lsp.cli.output.step_summary import StepSummary, as_markdown
from handoff_lsp.cli.output.summary import Summary
from handoff_lsp.reports.report import Handoff, Position, Range, Report

GOOD = BAD.replace("compleet", "complete")


@pytest.fixture
def summary(here: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file that GitHub names; another program of the step has written to it."""
    path = here / "summary.txt"
    path.write_text("before\n", encoding="utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    monkeypatch.setenv("GITHUB_WORKSPACE", str(here))
    return path


def test_it_lists_the_handoffs_with_their_routing(summary: Path, here: Path) -> None:
    (here / "a-handoff.md").write_text(BAD, encoding="utf-8")
    (here / "b-handoff.md").write_text(GOOD, encoding="utf-8")
    assert main(["check", "--output-format", "github", "missing.md", "."]) == 2
    html = MarkdownIt("commonmark").enable("table").render(summary.read_text(encoding="utf-8"))
    assert html.startswith("<p>before</p>\n<h3>handoff-lsp</h3>\n")
    assert html.count("<tr>") == 3
    assert "<td>a-handoff.md:1</td>\n<td>status-block</td>\n<td></td>\n<td>stop: " in html
    assert "<td>b-handoff.md:1</td>\n<td>status-block</td>\n<td>complete</td>\n<td>advance: " in html
    assert "<td>1 error</td>" in html
    assert "missing.md: no such file or folder" in html
    assert "Found 1 error in 1 of 2 files (2 handoffs)." in html


def test_other_formats_write_none(summary: Path, bad: Path) -> None:
    main(["check"])
    assert summary.read_text(encoding="utf-8") == "before\n"
    main(["check", "-o", "github:annotations.txt", "-q"])
    assert "a-handoff" in summary.read_text(encoding="utf-8").replace("&#45;", "-")


def test_nothing_of_a_document_is_markup() -> None:
    hostile = "a|b\nc <img src=x> `d` @everyone #1 [x](http://y) **e** <!-- \\| www.x &lt; $m$ ~~s~~"
    html = MarkdownIt("commonmark").enable("table").render(f"| a |\n| --- |\n| {as_markdown(hostile)} |\n")
    assert html.count("<td>") == 1
    for mark in ("<img", "<code", "<a", "<strong", "<s>"):
        assert mark not in html
    assert "@" not in as_markdown(hostile)
    assert len(as_markdown("x" * 1000)) == 300


def test_it_is_bounded(summary: Path) -> None:
    place = Range(Position(1, 1), Position(1, 1))
    handoff = Handoff("ä" * 200 + ".md", "status-block", "p", "handoff", place, "x" * 300, True, {}, "y", None, ())
    made = StepSummary(str(summary), Checkout())
    for _ in range(3000):
        made.document(Report(handoff.path, (handoff,), ()))
    made.finish(Summary(files=3000, handoffs=3000))
    text = summary.read_bytes()
    assert len(text) <= 1024 * 1024
    assert b" more handoffs do not fit into this summary." in text


def test_a_summary_that_cannot_be_written_is_a_warning(
    bad: Path, here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(here))
    assert main(["check", "--output-format", "github"]) == 1
    assert "warning: the job's summary was not written" in capsys.readouterr().err
