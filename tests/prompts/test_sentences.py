"""Sentences of prompts: what they say, and what their reader is to do (`sentences.md`)."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.prompts.reading import read_prompt
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source

_PATHS = {
    "In an agent's definition": ".claude/agents/developer.md",
    "In an orchestrator's command": ".claude/commands/delivery.md",
    "In a skill": ".claude/skills/delivery/SKILL.md",
    "On a page": "docs/protocols.md",
}
_CASE = re.compile(r"(?m)^- (?P<sentence>.+)\n  (?P<says>.+)$")


class Case(NamedTuple):
    """A sentence at a path, and what it says: act, label and value of each statement."""

    path: str
    sentence: str
    says: set[tuple[str, str, str]]


def cases() -> list[Case]:
    """The cases of the file."""
    found = []
    text = Path(__file__).with_name("sentences.md").read_text(encoding="utf-8")
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        for match in _CASE.finditer(body):
            found.append(Case(_PATHS[title], match["sentence"].replace("\\n", "\n"), _expected(match["says"])))
    return found


def _expected(says: str) -> set[tuple[str, str, str]]:
    found = set()
    for part in says.split("; ") if says != "nothing" else ():
        act, _, rest = part.partition(" ")
        label, values = ("NEXT", rest[5:]) if rest.startswith("NEXT ") else ("STATUS", rest)
        found |= {(act, label, value) for value in values.split(", ")}
    return found


@pytest.mark.parametrize("case", cases(), ids=lambda case: f"{case.path.split('/')[-2]}: {case.sentence}"[:80])
def test_sentence(case: Case) -> None:
    text = f"# Flow\n\nEach run ends with an `AGENT_RESULT` block.\n\n{case.sentence}\n"
    read = read_prompt(parse_markdown(Source(text)), case.path, builtin())
    assert read is not None
    said = {(one.act, one.path.upper(), one.value) for one in read.statements if one.value and one.sure}
    assert said == case.says
    assert all(text[one.span.start : one.span.end] == (one.value or one.label) for one in read.statements)
