"""A sample of changes of the contracts: the cases and words notice nearly all of them. See ``tests/mutants.py``."""

from __future__ import annotations

import pytest
from mutants import sample_of, survivors

SIZE, CHUNK = 120, 30
# The sample, and the changes in it that may go unnoticed: some have no effect that a document could show.
UNNOTICED = 6


@pytest.mark.parametrize("start", range(0, SIZE, CHUNK))
def test_changes_of_the_contracts_are_noticed(start: int) -> None:
    left = survivors(sample_of(12, SIZE)[start : start + CHUNK])
    assert len(left) <= UNNOTICED, [f"{mutant.contract}: {mutant.change}" for mutant in left]
