"""A message that should be a file of a contract of a user's own: YAML, JSON Lines, a log of its own shape."""

from __future__ import annotations

from pathlib import Path

import pytest
from own.test_own_cases import registry_of

from handoff_lsp.engine import Analysis, Options, analyze
from handoff_lsp.text import Source

CASES = Path(__file__).parent / "cases"
MESSAGE = "```\n{}```\n"
FILES = {
    "yaml-file": "task: Build\nstate: done\n",
    "jsonl-file": '{"task": "a", "state": "done"}\n{"task": "b", "state": "dropped"}\n',
    "shaped-log": "2026-01-01 10:00:00 INFO started\n  and on\n2026-01-01 10:00:02 END done\n",
}


def judged(name: str, text: str) -> Analysis:
    """The analysis of a message by the contract of a file of cases, which is named."""
    registry = registry_of(CASES / f"{name}.md")
    (own,) = (entry.name for entry in registry if not entry.is_builtin)
    return analyze(Source(text), "", registry, Options(contract=own))


@pytest.mark.parametrize("name", FILES)
def test_it_is_found_in_a_fence_and_as_a_whole(name: str) -> None:
    text = FILES[name]
    whole, message = judged(name, text), judged(name, MESSAGE.format(text))
    assert whole.handoffs
    assert [one.mode for one in message.handoffs] == ["handoff"] * len(whole.handoffs)
    assert [(one.code, one.message) for one in message.findings] == [(one.code, one.message) for one in whole.findings]
    assert [one.source.slice(one.span).strip() for one in message.handoffs] == [
        one.source.slice(one.span).strip() for one in whole.handoffs
    ]


@pytest.mark.parametrize("name", FILES)
def test_other_text_is_no_file(name: str) -> None:
    for text in ("All is done.\n", MESSAGE.format("make: ok\n"), "", "- a\n- b\n"):
        assert judged(name, text).handoffs == ()
