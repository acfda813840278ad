"""Contracts learned from two thirds of the real files of a format know the others, and nothing else.

`python tests/learn/measure.py ../shared/corpus ../shared/wild --ordinary FOLDER` prints the figures of all files.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from conftest import ROOT
from learn.measure import Figures, formats, measure, ordinary

from handoff_lsp.learn.sample import Sample

SEED = 15
# More files of one format take time and show no more.
_MOST = 24
_ORDINARY = 200
_LEFT_OUT_SHARE = 0.9


@pytest.fixture(scope="module")
def others() -> list[Sample]:
    """Ordinary Markdown: the pages of this project and of the packages that are installed."""
    system = [Path("/usr/share/doc"), Path("/usr/lib/node_modules"), Path("/usr/local/lib/node_modules")]
    folders = [ROOT / "docs", ROOT / "editors", Path(sys.prefix), Path(sys.base_prefix), *filter(Path.is_dir, system)]
    return ordinary(folders, _ORDINARY, SEED)


@pytest.fixture(scope="module")
def figures(corpus: Path, others: list[Sample]) -> list[Figures]:
    held = formats([corpus, *filter(Path.is_dir, [corpus.parent / "wild"])])
    return [measure(name, files[:_MOST], others, SEED) for name, files in held.items()]


def test_what_was_left_out_is_recognized(figures: list[Figures]) -> None:
    left = sum(one.outside for one in figures)
    assert left >= 15
    assert sum(one.found for one in figures) >= _LEFT_OUT_SHARE * left


def test_nothing_is_wrong_in_what_a_contract_was_learned_from(figures: list[Figures]) -> None:
    assert {one.name: one.learned.trial.errors for one in figures if one.errors} == {}
    known, inside = sum(one.known for one in figures), sum(one.inside for one in figures)
    assert known >= 0.95 * inside


def test_ordinary_documents_are_not_recognized(figures: list[Figures], others: list[Sample]) -> None:
    assert len(others) >= 60
    assert {one.name: one.wrong for one in figures if one.wrong} == {}


def test_a_contract_can_be_read_at_a_glance(figures: list[Figures]) -> None:
    assert max(one.learned.text.count("\n") for one in figures) < 160
    assert max(len(line) for one in figures for line in one.learned.text.splitlines() if "#" not in line) < 200
    assert all(1 <= len(one.learned.questions) <= 10 for one in figures)
