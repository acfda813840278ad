"""Every word that a contract knows, with its meaning: a word that is lost or changes its meaning fails here."""

from __future__ import annotations

import pytest
from word_files import WORDS, failures, read_words

from handoff_lsp.contracts.registry import builtin


@pytest.mark.parametrize("name", builtin().names)
def test_words_come_to_what_is_written_beside_them(name: str) -> None:
    assert list(failures(builtin()[name], read_words(name))) == []


def test_every_file_is_that_of_a_contract() -> None:
    assert {path.stem for path in WORDS.glob("*.yaml")} <= set(builtin().names)
