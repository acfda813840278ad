"""Which rounds of fixes keep the handoffs of a document."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from handoff_lsp.features.actions.fix_all import _keeps


def _document(*modes: str) -> Any:
    spec = SimpleNamespace(name="status-block")
    return SimpleNamespace(handoffs=[SimpleNamespace(mode=mode, spec=spec) for mode in modes])


@pytest.mark.parametrize(
    ("before", "after", "keeps"),
    [
        (["example"], ["template"], True),
        (["template", "example"], ["template", "template"], True),
        (["template", "example"], ["template"], False),
        (["example", "example"], ["template"], False),
        (["example"], ["example", "handoff"], True),
    ],
)
def test_each_example_that_goes_becomes_a_template(before: list[str], after: list[str], keeps: bool) -> None:
    assert _keeps(_document(*before), _document(*after), [], proved=False) is keeps
