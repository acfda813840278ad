"""The gallery in ``docs/gallery``: formats of users' own, each a contract with its cases."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

import contract_slips
import pytest
from conftest import ROOT, SHARED

from handoff_lsp.cases.case import Case
from handoff_lsp.cases.reader import read_case_file
from handoff_lsp.cli.main import main
from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import ContractEntry, Registry, builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source

GALLERY = ROOT / "docs" / "gallery"
FILES = sorted(GALLERY.glob("*.yaml"))
NAMES = [path.stem for path in FILES]
EACH = pytest.mark.parametrize("name", NAMES)
# As many real files of a folder, so that the test takes seconds.
_SAMPLE = 400


@cache
def entry(name: str) -> ContractEntry:
    path = GALLERY / f"{name}.yaml"
    found, problems = read_contract(path.read_text(encoding="utf-8"), path)
    assert found is not None, problems
    assert problems == []
    return found


@cache
def gallery() -> Registry:
    return builtin().with_entries([entry(name) for name in NAMES])


@cache
def cases(name: str) -> list[Case]:
    text = (GALLERY / f"{name}.cases.md").read_text(encoding="utf-8")
    found, problems = read_case_file(text, name, name)
    assert problems == []
    return found


def recognised(text: str, path: str) -> set[str]:
    """The contracts of a document's handoffs."""
    return {handoff.spec.name for handoff in analyze(Source(text), path, gallery(), Options()).handoffs}


def test_it_has_the_seven_formats_and_its_page_names_each() -> None:
    assert len(NAMES) == 7
    page = (GALLERY / "README.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[`([\w-]+)`\]\(\1\.yaml\)", page, re.MULTILINE) != []
    assert set(re.findall(r"\]\(([\w-]+)\.yaml\)", page)) == set(NAMES)
    assert not set(NAMES) & set(builtin().names), "a contract of the gallery takes the place of a built-in one"


@EACH
def test_its_cases_pass_and_show_all_of_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert entry(name).name == name
    code = main(["contract", "test", str(GALLERY / f"{name}.yaml")])
    out, err = capsys.readouterr()
    assert (code, err) == (0, ""), out + err
    assert "Not covered" not in out, out
    shown = re.search(r"cover (\d+) of (\d+) checks, conditions and routes", out)
    assert shown is not None, out
    assert shown[1] == shown[2]


def test_a_slip_in_a_contract_makes_a_case_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A condition turned around, a bound or a marker line changed: the cases see it."""
    slips = {
        "decision": ("{status: accepted, outcome: {none_of: ''}}", "status == 'rejected' && outcome != ''"),
        "verdict": ("{at_most: 2}", "{at_most: 9}"),
        "nightly": ("{result: {none_of: skipped}}", "{result: {none_of: red}}"),
        "relay": ("closing: ---END---", "closing: ---STOP---"),
        "task": ("acyclic: true", "acyclic: false"),
        "change": ("one.contains('BREAKING')", "one.contains('BROKEN')"),
        "plan": ("this.n == previous.n + 1", "this.n > previous.n"),
    }
    assert set(slips) == set(NAMES)
    for name, (right, wrong) in slips.items():
        text = (GALLERY / f"{name}.yaml").read_text(encoding="utf-8")
        assert right in text, name
        (tmp_path / f"{name}.yaml").write_text(text.replace(right, wrong), encoding="utf-8")
        written = (GALLERY / f"{name}.cases.md").read_text(encoding="utf-8")
        (tmp_path / f"{name}.cases.md").write_text(written, encoding="utf-8")
        assert main(["contract", "test", "-q", str(tmp_path / f"{name}.yaml")]) == 1, name
    capsys.readouterr()


def test_a_dropped_letter_in_a_name_is_refused() -> None:
    """A sample; ``python tests/contract_slips.py --all --contract NAME`` takes every name of one."""
    assert contract_slips.GALLERY_NAMES == NAMES
    found = random.Random(15).sample([slip for name in NAMES for slip in contract_slips.slips(name)], 60)
    answers = [contract_slips.answer(slip) for slip in found]
    assert [slip for slip, got in zip(found, answers, strict=True) if not got.refused] == []
    assert sum(got.named for got in answers) >= 0.95 * len(answers)


@EACH
def test_it_recognizes_its_documents_and_no_other_contract_does(name: str) -> None:
    """Mutually silent, the built-in contracts included: a document is its own format's or nobody's."""
    all_found = [recognised(case.text, case.path) for case in cases(name)]
    wrong = {case.name: found for case, found in zip(cases(name), all_found, strict=True) if not found <= {name}}
    assert wrong == {}
    assert sum(found == {name} for found in all_found) > len(all_found) / 2
    assert set() in all_found, "no near miss of its recognition"


def test_ordinary_markdown_of_the_project_is_none_of_them() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]
    assert len(pages) > 50
    found = {page: recognised(page.read_text(encoding="utf-8"), page.relative_to(ROOT).as_posix()) for page in pages}
    assert {page for page, names in found.items() if names & set(NAMES)} == set()


@pytest.mark.parametrize("folder", ["corpus", "wild"])
def test_real_files_are_none_of_them(folder: str) -> None:
    """Files of public repositories, at their paths: a part of them, taken evenly."""
    root = SHARED / folder
    if not root.is_dir():
        pytest.skip(f"no real files: ../shared/{folder} is not beside this clone")
    files = sorted(path for path in root.rglob("*.md") if path.stat().st_size < 30_000)
    assert len(files) > 20
    sample = files[:: max(1, len(files) // _SAMPLE)]
    found = {
        path: recognised(path.read_text(encoding="utf-8", errors="replace"), path.relative_to(root).as_posix())
        for path in sample
    }
    assert {path.name: names for path, names in found.items() if names & set(NAMES)} == {}
