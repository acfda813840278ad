"""A handoff that is bound again after edits is equal to one that is bound from the text alone."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from case_files import read_cases
from fuzz.laws import slots_in
from fuzz.mutations import Mutation, mutation

from handoff_lsp.binding.handoff import Handoff
from handoff_lsp.contracts.registry import builtin
from handoff_lsp.engine import Options, bind_document
from handoff_lsp.text import Source, Span
from handoff_lsp.workspace.store import OpenDocument, TextChange

CASES = [case for case in read_cases() if case.path.endswith(".md") and "\n## " in case.text]
OPTIONS = Options()


def slots_of(handoffs: tuple[Handoff, ...]) -> list[list[tuple[object, ...]]]:
    """The slots of each handoff."""
    return [list(slots_in(handoff.root)) for handoff in handoffs]


def check_edits(path: str, text: str, edits: int, seed: int) -> None:
    """Edit a text at random, often at one place several times, and compare its handoffs after each edit."""
    document = OpenDocument("file:///a.md", Path("a.md"), 1, text)
    chance = random.Random(seed)
    place = Span(0, 0)
    for _ in range(edits):
        if chance.randrange(3):  # typing goes on where it was
            made = Mutation(Span(place.end, place.end), chance.choice("x \n-"))
        else:
            made = mutation(document.source.text, [text], chance)
        place = Span(made.span.start, made.span.start + len(made.text))
        document.change(1, [TextChange(*made)])
        bound = document.bound(path, builtin(), OPTIONS)
        alone = bind_document(Source(document.source.text), path, builtin(), OPTIONS)
        assert slots_of(bound) == slots_of(alone), document.source.text


@pytest.mark.parametrize("part", range(8))
def test_bound_again(part: int) -> None:
    for number, case in enumerate(CASES[part::24]):
        check_edits(case.path, case.text, 12, seed=number)


def test_an_unchanged_section_is_bound_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from handoff_lsp.binding import markdown_fields

    text = "# A — Handoff from Developer\n\n## Status\ncomplete\n\n## Key decisions\n- one\n- two\n"
    names: list[str] = []
    bind = markdown_fields._bind_section

    def noted(*args: object) -> None:
        names.append(args[0].name)  # type: ignore[attr-defined]
        bind(*args)  # type: ignore[arg-type]

    monkeypatch.setattr(markdown_fields, "_bind_section", noted)
    document = OpenDocument("file:///a.md", Path("a.md"), 1, text)
    for _ in range(5):
        document.change(1, [TextChange(Span(0, 0), "Words above.\n\n")])
        document.bound("a-handoff.md", builtin(), OPTIONS)
    assert len(names) == 4
