"""What the fast test before the engine rules out is not there: it may only save time.

Its conditions are necessary, so the engine never finds a handoff of a contract that they exclude, and a text that
fails all of them has no finding.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from case_files import read_cases
from conftest import SHARED
from hypothesis import given, settings
from hypothesis import strategies as st

from handoff_lsp.contracts.patterns import literals_in
from handoff_lsp.contracts.registry import Registry, _builtin, builtin
from handoff_lsp.contracts.schemas import needs_of_contracts
from handoff_lsp.engine import Options, analyze
from handoff_lsp.language import ENGLISH
from handoff_lsp.recognition.paths import is_data_file
from handoff_lsp.recognition.prescan import letters, possible_contracts
from handoff_lsp.text import Source

ROOT = Path(__file__).parent.parent
NEEDS = needs_of_contracts()
WILD = SHARED / "wild"


def _possible(text: str, path: str, needs: dict[str, Any] = NEEDS) -> list[str] | None:
    return possible_contracts(text, path, data_file=is_data_file(path), needs=needs)


@cache
def _all_read() -> Registry:
    """The built-in contracts, all of them read: of these, recognition rules out none beforehand."""
    registry = builtin()
    assert all(entry.data for entry in registry)
    return registry


def _none_read() -> Registry:
    """The built-in contracts as in a new process."""
    return _builtin.__wrapped__(ENGLISH)


def _check(text: str, path: str) -> None:
    possible = _possible(text, path)
    if possible is None or len(possible) == len(NEEDS):
        return
    analysis = analyze(Source(text), path, _all_read(), Options())
    assert {handoff.spec.name for handoff in analysis.handoffs} <= {*possible}, path
    if not possible:
        assert [repr(finding) for finding in analysis.findings] == [], path


def _telling_prefixes(text: str, path: str) -> Iterator[str]:
    """The text, and the longest of its prefixes for each answer: there, a little more would be enough."""
    seen: set[str] = set()
    end = len(text)
    while end > 0:
        answer = repr(_possible(text[:end], path))
        if answer not in seen:
            seen.add(answer)
            yield text[:end]
        end = text.rfind("\n", 0, end)


CASES = read_cases()


def test_no_case_loses_a_handoff_nor_does_a_beginning_of_one() -> None:
    for case in CASES:
        for path in dict.fromkeys([case.path, ""]):
            for text in _telling_prefixes(case.text, path):
                _check(text, path)


def test_an_unread_contract_changes_nothing() -> None:
    for case in CASES[::9]:  # reading all contracts takes time
        one, other = case.analyze(registry=_none_read()), case.analyze(registry=_all_read())
        assert [repr(finding) for finding in one.findings] == [repr(finding) for finding in other.findings], case.name
        assert [handoff.span for handoff in one.handoffs] == [handoff.span for handoff in other.handoffs], case.name


def test_an_ordinary_text_leaves_all_contracts_unread() -> None:
    registry = _none_read()
    analyze(Source("# Plan\n\nSome words.\n\n```md\n# A\n```\n"), "docs/plan.md", registry, Options())
    assert [entry.name for entry in registry if not entry.is_unread] == []


def test_no_page_or_example_loses_a_finding() -> None:
    for path in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.*")]:
        if path.is_file():
            _check(path.read_text(encoding="utf-8", errors="replace"), path.relative_to(ROOT).as_posix())


@pytest.mark.skipif(not WILD.is_dir(), reason="../shared/wild is not beside this clone")
def test_no_real_file_loses_a_finding() -> None:
    files = sorted(path for path in WILD.rglob("*") if path.suffix in {".md", ".json"} and path.is_file())
    assert len(files) > 100
    for path in files:
        text = path.read_text(encoding="utf-8", errors="replace")
        if len(text) < 60_000:
            _check(text, path.relative_to(WILD).as_posix())


@cache
def _lines() -> list[str]:
    return sorted({line for case in CASES for line in case.text.splitlines()})


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_no_lines_in_any_order_lose_one(data: st.DataObject) -> None:
    text = "\n".join(data.draw(st.lists(st.sampled_from(_lines()), max_size=30)))
    _check(text, data.draw(st.sampled_from(["", "docs/handoffs/a-handoff.md", ".agent/status.json"])))


def test_most_texts_are_ruled_out() -> None:
    """Otherwise it would be right, and useless."""
    prose = "# Project\n\nThe status of the work, a summary, its risks and the next steps.\n\n- src/a.py: done\n"
    for path in ("README.md", "", "docs/plan.md", "package.json", "app.log"):
        assert _possible(prose, path) == []
    ruled_out = [path for path in (ROOT / "docs").rglob("*.md") if _possible(path.read_text("utf-8"), path.name) == []]
    assert len(ruled_out) > 10


@pytest.mark.parametrize(
    "text", ["<!-- handoff: status-block -->", '{"\\u0061gent_id": 1}', '"\\x61gent_id": 1', "x" * 100_000]
)
def test_what_cannot_be_read_at_a_glance_is_left_to_the_engine(text: str) -> None:
    assert _possible(text, "a.md") is None


@given(st.lists(st.sampled_from(["\ud800", "é", "a.b", "(", "ab", "b", ""]), max_size=12))
def test_needles_are_found_the_same_at_first_and_later(parts: list[str]) -> None:
    text, needles = "".join(parts), ("a.b", "b(", "éa", "ab", "bb")
    there = frozenset(needle for needle in needles if needle in text)
    assert {literals_in(text, needles) for _ in range(40)} == {there}


def test_the_letters_of_a_part_are_a_part_of_the_letters() -> None:
    for whole, part in {"**Ｓtatus**\u0301: x": "Status", "- [ ] Próximo\n> passo": "próximo passo"}.items():
        assert letters(part) in letters(whole)
    from handoff_lsp.contracts.names import fold_name

    for number in range(0x110000):
        char = chr(number)
        if unicodedata.category(char) not in {"Cn", "Co", "Cs"}:
            assert letters(fold_name(f"a{char}b")) in letters(f"a{char}b"), hex(number)


def test_a_part_of_an_unread_contract_is_that_of_the_whole() -> None:
    for key in ("returns", "called", "no-such-key"):
        for entry, read in zip(_none_read(), _all_read(), strict=True):
            assert entry.part(key) == read.data.get(key), (entry.name, key)
            assert entry.is_unread, (entry.name, key)
