"""Prompts of several agents in one file: who speaks where."""

from __future__ import annotations

import itertools

import pytest
from cpu import at_most

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.prompts.reading import read_prompt
from handoff_lsp.prompts.speakers import agents_in, names_in, speakers_of
from handoff_lsp.syntax.markdown.incremental import parse_markdown
from handoff_lsp.text import Source

TEAM = "agents/team.md"

TWO_DEFINITIONS = """---
name: developer
---
End with an `AGENT_RESULT` block and `STATUS: success`.

---
name: flow-orchestrator
description: runs the others
---
On `STATUS: blocked`, ask the user. `AGENT_RESULT` comes from all agents.
"""

TWO_SECTIONS = """# Team

All of them end with an `AGENT_RESULT` block, with `STATUS`: `success` | `error`.

## Agent: developer

Return `STATUS: success`.

### Limits

If files are missing, return `STATUS: error`.

## Agent 2: Code Reviewer

Return `STATUS: approved`.

## Notes

`STATUS: rejected` is rare.
"""


def said(text: str, path: str = TEAM) -> list[tuple[str, str, str, str]]:
    """The kind and name of the speaker, the act and the value of each statement with a value."""
    read = read_prompt(parse_markdown(Source(text)), path, builtin())
    assert read is not None
    return [(one.speaker.kind, one.speaker.name, one.act, one.value) for one in read.statements if one.value]


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_each_front_matter_begins_the_prompt_of_an_agent(ending: str) -> None:
    assert said(TWO_DEFINITIONS.replace("\n", ending)) == [
        ("agent", "developer", "emits", "success"),
        ("orchestrator", "flow-orchestrator", "handles", "blocked"),
    ]


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_section_is_the_prompt_of_the_agent_in_its_heading(ending: str) -> None:
    """What is outside these sections is for all of them."""
    assert said(TWO_SECTIONS.replace("\n", ending)) == [
        ("page", "", "mentions", "success"),
        ("page", "", "mentions", "error"),
        ("agent", "developer", "emits", "success"),
        ("agent", "developer", "emits", "error"),
        ("agent", "code-reviewer", "emits", "approved"),
        ("page", "", "mentions", "rejected"),
    ]


def test_the_agents_of_a_file_can_be_called() -> None:
    assert names_in(TEAM, TWO_SECTIONS) == {"team", "developer", "code-reviewer"}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("## Agent: writer\n\nYou are the writer.", "## Agent: reader\n\nYou are the reader."),
        ("## Writer Agent\n\nYou are a technical writer.", "## Reader Agent\n\nAct as a reader."),
        ("### `writer`\n\n> You are the writer.", "### `reader`\n\n> You are the reader."),
        ("## 1. writer (subagent)\n\n**You are an** author.", "## 2. reader (subagent)\n\nYour role is to read."),
        ("## エージェント：writer\n\nあなたは執筆者です。", "## エージェント：reader\n\nあなたは読者です。"),
        ("## Agente: writer\n\nEres el escritor.", "## Agente: reader\n\nEres un lector."),
    ],
)
def test_sections_that_speak_to_an_agent_are_prompts_in_any_file(first: str, second: str) -> None:
    text = f"# Agents\n\n{first}\n\n{second}\n"
    assert [speaker.name for _, speaker in agents_in("AGENTS.md", text)] == ["writer", "reader"]
    at = text.index(second)
    assert [speakers_of("AGENTS.md", text).at(place).name for place in (0, at - 1, at)] == ["", "writer", "reader"]


@pytest.mark.parametrize(
    "text",
    [
        "# Flow\n\n## Agent: writer\n\nIt writes.\n\n## Agent: reader\n\nIt reads.\n",  # about them, not to them
        "# Flow\n\n## Role\n\nYou are a writer.\n\n## Task\n\nYou are now to write.\n",  # parts of one prompt
        "# Writer\n\n## Personality\n\nYou are a calm one.\n\n## Expertise\n\nYou are an expert in prose.\n",
        "# Flow\n\n## Agent: writer\n\nYou are the writer.\n\n## Output\n\nA page.\n",  # one agent
        "# Flow\n\n## Setup\n\nWhen you are the last, stop.\n\n## End\n\nIf you are the last, stop.\n",
        "# Flow\n\n```markdown\n## Agent: a\nYou are the a.\n## Agent: b\nYou are the b.\n```\n",  # an example
        "---\nname: writer\n---\nText\n\n---\n\nMore\n\n---\n",  # thematic breaks
        "<!-- large -->\n---\nname: writer\n---\nText\n<!-- small -->\n---\nname: writer\n---\nText\n",  # two versions
    ],
)
def test_other_files_have_one_speaker(text: str) -> None:
    assert not agents_in("AGENTS.md", text)
    assert not speakers_of("AGENTS.md", text).parts


@pytest.mark.parametrize(
    ("path", "opening"),
    [
        ("agents/team.md", "---\nname: lead\n---\n\n"),
        ("agents/orchestrator.md", "# Orchestrator\n\n"),
        ("commands/build.md", "# Build\n\n"),
        ("skills/team/SKILL.md", "# Team\n\n"),
    ],
)
def test_what_others_say_about_agents_is_not_said_by_them(path: str, opening: str) -> None:
    about = "## Agent: writer\n\nOn `STATUS: blocked`, ask.\n\n## Agent: reader\n\nOn `STATUS: error`, stop.\n"
    assert not agents_in(path, opening + about)
    assert agents_in("agents/team.md", about)


def test_pages_for_people_have_one_speaker() -> None:
    assert not agents_in("docs/team.md", TWO_DEFINITIONS)


@pytest.mark.parametrize("text", [TWO_DEFINITIONS, TWO_SECTIONS], ids=["front matter", "sections"])
def test_every_beginning_is_read(text: str) -> None:
    for length in range(len(text) + 1):
        parts = agents_in(TEAM, text[:length])
        spans = [span for span, _ in parts]
        assert all(first.end <= second.start for first, second in itertools.pairwise(spans))


@pytest.mark.parametrize(
    "part",
    [
        "---\n",
        "---\nname: a\n",
        "## Agent: a\nYou are the a.\n",
        "## Agent: a\n### b\n",
        "```\n## Agent: a\n",
        "# " + "a " * 50,
    ],
)
def test_hostile_texts_are_read_in_linear_time(part: str) -> None:
    text = part * (200_000 // len(part))
    with at_most(5):
        agents_in(TEAM, text)
