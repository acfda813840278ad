"""Prompts that promise nothing say nothing; every beginning of one is read, and hostile ones in linear time."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from conftest import SHARED
from cpu import at_most
from prompts.ordinary import prompt

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.prompts.reading import read_prompt
from handoff_lsp.prompts.statement import PromptStatements
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source

ABOUT = """# Flow

Each run ends with an `AGENT_RESULT` block with `STATUS`, `NEXT`, `skill_resolution`; see feature-handoff-template, sdd,
the result envelope and `.agent/status.json`.

"""
PACKS = sorted((Path(__file__).parent / "packs").rglob("*.md"))


def read(text: str, path: str = ".claude/agents/developer.md") -> PromptStatements | None:
    said = read_prompt(parse_markdown(Source(text)), path, builtin())
    for one in said.statements if said is not None else ():
        assert text[one.span.start : one.span.end] == (one.value or one.label)
    return said


def test_ordinary_prompts_say_nothing() -> None:
    told = {}
    for seed in range(600):
        path, text = prompt(seed)
        said = read(text, path)
        if said is not None and said.statements:
            told[seed] = said.statements
    assert told == {}


def test_ordinary_prompts_are_ones_whose_words_the_contracts_have() -> None:
    """Beside the name of a contract, the same texts say a lot: they are silent because of what is not there."""
    said = [read(ABOUT + prompt(seed)[1]) for seed in range(50)]
    assert sum(len(one.statements) for one in said if one is not None) > 300


def test_public_pages_without_a_contract_say_nothing() -> None:
    """Pages of public repositories that are about none of the formats."""
    wild = SHARED / "wild"
    if not wild.is_dir():
        pytest.skip("needs ../shared/wild")
    for path in wild.rglob("*.md"):
        text = path.read_text(encoding="utf-8", errors="replace")
        if not any(
            word in text
            for word in ("AGENT_RESULT", "gentle-ai", "sdd", "SDD", "openspec", "agent_contract", "handoff")
        ):
            said = read(text, f"docs/{path.name}")
            assert said is None or not said.statements, path


@pytest.mark.parametrize("path", PACKS, ids=lambda path: f"{path.parts[-3]}/{path.name}")
def test_every_beginning_is_read(path: Path) -> None:
    text = ABOUT + path.read_text(encoding="utf-8")
    for length in range(len(ABOUT), len(text) + 1, 23):
        read(text[:length])


def test_random_edits_are_read() -> None:
    dice = random.Random(19)
    texts = [path.read_text(encoding="utf-8") for path in PACKS]
    for _ in range(100):
        text = ABOUT + dice.choice(texts)
        for _ in range(dice.randint(1, 8)):
            at = dice.randrange(len(text))
            text = (
                text[:at]
                + dice.choice(["`", "|", "\n", "```\n", ":", "- ", "STATUS: ", "", "🙂"])
                + text[at + dice.randint(0, 9) :]
            )
        read(text)


HOSTILE = {
    "values": "`STATUS: success | error` ",
    "one list": "`success` | ",
    "rows": "| `success` | `error` |\n",
    "open code": "`a ``b ",
    "conditions": "if when on X `STATUS` ",
    "negations": "not never `STATUS: done` ",
    "fences": "```\nSTATUS: x\n```\n",
    "lines": "STATUS: success\n",
    "headings": "## status\n\n",
    "words": "the ",
    "blanks": " \n",
    "brackets": "(`x` (",
    "paths": "a/",
}


@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize(
    "opening", ["`status`: ", "| Status |\n|---|\n", "```\nAGENT_RESULT: x\n"], ids=["", "table", "fence"]
)
def test_hostile_prompts_are_read_in_linear_time(opening: str, unit: str) -> None:
    text = ABOUT + opening + unit * (60_000 // len(unit))
    tree = parse_markdown(Source(text))
    with at_most(20):
        read_prompt(tree, ".claude/agents/developer.md", builtin())
