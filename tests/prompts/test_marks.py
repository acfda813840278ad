"""Statements about markers and files: which are read, and in which documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from handoff_lsp.contracts.load import read_contract
from handoff_lsp.contracts.registry import Registry, builtin
from handoff_lsp.prompts.marks import MOST
from handoff_lsp.prompts.reading import read_prompt
from handoff_lsp.prompts.vocabulary import FILE, MARKER
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source

_CONTRACT = """contract: mail
title: mail
about: What one agent sends the next.
status: state
unread: nobody acts on it
run: {opening: '---MAIL---', closing: '---END---'}
locations: [.mail/outbox.md]
fields:
  state: {title: STATE, type: enum, required: true, values: [{value: done}, {value: open}]}
routing: [{action: ask, reason: Somebody looks.}]
"""


@pytest.fixture(scope="module")
def registry() -> Registry:
    entry, problems = read_contract(_CONTRACT, None)
    assert entry is not None, problems
    return builtin().with_entries([entry])


def marks(text: str, registry: Registry, path: str = "agents/worker.md") -> list[tuple[str, str, str, str]]:
    """The kind, the text, the one that is meant, and the act of each marker and file."""
    read = read_prompt(parse_markdown(Source(text)), path, registry)
    found = [one for one in read.statements if one.path in {MARKER, FILE}] if read is not None else []
    assert all(text[one.span.start : one.span.end] == one.value for one in found)
    return [(one.path, one.value, one.label, one.act) for one in found]


def test_markers_and_files_are_said_by_the_one_who_speaks(registry: Registry) -> None:
    text = "# Run\n\nEnd with `---MAIL---`. Never write `---END---`. Save it as `./.mail/outbox.md`.\n"
    said = [(MARKER, "---MAIL---", "emits"), (MARKER, "---END---", "forbids"), (FILE, ".mail/outbox.md", "emits")]
    assert marks(text, registry) == [(kind, word, word, act) for kind, word, act in said]
    handled = [(kind, word, word, "forbids" if act == "forbids" else "handles") for kind, word, act in said]
    assert marks(text, registry, "commands/run.md") == handled


def test_a_document_about_nothing_names_no_markers(registry: Registry) -> None:
    assert not marks("# Worker\n\nEnd with `---MIAL---` and `---END---`, in `.mail/outbxo.md`.\n", registry)


def test_every_beginning_is_read(registry: Registry) -> None:
    block = "```\n---MIAL---\nSTATE: done\n--END--\n```\n"
    text = f"# Run\n\nBetween `---MAIL---` and `---STOP---`:\n\n{block}.mail/outbxo.md\n"
    for length in range(len(text) + 1):
        marks(text[:length], registry)
    assert len(marks(text, registry)) == 5


@pytest.mark.parametrize("part", ["`---MIAL---` `---MAIL---`\n", "\n---X---\n", ".mail/outbxo.md ", "<<<<.md"])
def test_what_is_read_has_a_bound(part: str, registry: Registry) -> None:
    assert len(marks("STATE in `.mail/outbox.md`, `---MAIL---`\n\n" + part * 5_000, registry)) <= MOST


@pytest.mark.parametrize(
    ("name", "origin", "about"),
    [
        ("build-report", Path("contracts/build-report.yaml"), ("build-report",)),
        ("report", Path("contracts/report.yaml"), None),  # a word of its own
        ("build-report", None, None),
    ],
)
def test_the_compound_name_of_a_contract_of_ones_own_names_it(
    name: str, origin: Path | None, about: tuple[str, ...] | None
) -> None:
    entry, problems = read_contract(_CONTRACT.replace("contract: mail", f"contract: {name}"), origin)
    assert entry is not None, problems
    registry = builtin().with_entries([entry])
    for words, named in (
        (f"Write a `{name}`", about),
        (f"Write the {name} handoff", about),
        (f"After {name}, write", None),
    ):
        text = f"# Worker\n\n{words} with `STATE`: `done`.\n"
        read = read_prompt(parse_markdown(Source(text)), "agents/worker.md", registry)
        assert (read.contracts if read is not None else None) == named, words
