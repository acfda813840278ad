"""Defects that random edits once found stay fixed, and a few sessions with a fixed seed break no law."""

from __future__ import annotations

import random

import pytest
from lsprotocol import types

from fuzz.caches import Caches
from fuzz.client import Client
from fuzz.laws import differences
from fuzz.mutations import Mutation, mutation
from fuzz.run import Fuzz, documents, regressions
from fuzz.sessions import Sessions
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, analyze
from handoff_lsp.text import Source, Span


def test_regressions() -> None:
    assert [f"{breach.path}: {breach.law}" for breach in regressions()] == []


def test_some_sessions() -> None:
    fuzz = Fuzz(documents(), seed=13)
    found = [breach for _ in range(4) for breach in fuzz.session()]
    assert [f"{breach.path}: {breach.law}\n{breach.text}" for breach in found] == []
    assert fuzz.edits > 50 and fuzz.compared > 10


def test_some_sessions_of_whole_editors() -> None:
    sessions = Sessions(documents(), seed=13)
    found = [breach for _ in range(3) for breach in sessions.session()]
    assert [f"{breach.path}: {breach.law}" for breach in found] == []
    assert sessions.compared >= 12


def test_some_runs_with_a_cache() -> None:
    caches = Caches(documents(), seed=13)
    found = [breach for _ in range(3) for breach in caches.session()]
    assert [f"{breach.path}: {breach.law}" for breach in found] == []
    assert caches.steps >= 60 and caches.hits > 300


def test_the_same_seed_makes_the_same_edits() -> None:
    text, others = "# A\n\n## Status\n\ncomplete\n", ["one\ntwo\n"]
    made = [[mutation(text, others, chance) for _ in range(50)] for chance in (random.Random(7), random.Random(7))]
    assert made[0] == made[1]


def test_a_difference_is_reported() -> None:
    texts = ("# A — Handoff from Tester\n\n## Status\n\ndone\n", "# A — Handoff from Tester\n\n## Status\n\nfailed\n")
    one, other = (analyze(Source(text), "a-handoff.md", builtin(), Options()) for text in texts)
    assert list(differences(one, one)) == []
    assert list(differences(one, other)) == ["the text is another one"]
    quiet = analyze(Source(texts[0]), "a-handoff.md", builtin(), Options(severities={"invalid-value": "off"}))
    assert any("only after edits" in law for law in differences(one, quiet))


@pytest.mark.parametrize(("encoding", "columns"), [("utf-8", (6, 9)), ("utf-16", (3, 4)), ("utf-32", (2, 3))])
def test_the_editor_counts_by_itself(encoding: str, columns: tuple[int, int]) -> None:
    client = Client("# A\r\né🙂語\n", encoding)
    sent = client.change(Mutation(Span(7, 8), "x"), whole=False)
    assert isinstance(sent, types.TextDocumentContentChangePartial)
    where = [(one.line, one.character) for one in (sent.range.start, sent.range.end)]
    assert where == [(1, column) for column in columns]
    assert client.text == "# A\r\né🙂x\n"
    # No cursor is between the two characters of a line end.
    sent = client.change(Mutation(Span(4, 5), ""), whole=False)
    assert isinstance(sent, types.TextDocumentContentChangePartial)
    assert (sent.range.start.line, sent.range.start.character) == (0, 3)
    assert client.text == "# Aé🙂x\n"
