"""What definitions say that their agents owe: prompts in several languages, and those that owe nothing."""

from __future__ import annotations

from textwrap import indent

import pytest

from handoff_lsp.contracts.registry import builtin
from handoff_lsp.workspace.agents.definitions import AgentDefinition
from handoff_lsp.workspace.agents.said import Said, what_it_says

# A block of the contract `agent-result`.
BLOCK = """\
```
AGENT_RESULT: builder
STATUS: success | error | blocked
ARTIFACTS:
  - <path>
NEXT: reviewer
```
"""

# A document of the contract `status-block`.
DOCUMENT = """\
# {Feature} — Handoff from Builder

## Status
complete | blocked

## Status reason

## Abstract
outcome: <x>
verdict: n/a
files: 0 created, 0 modified, 0 deleted
next_phase: <x>
open_questions: 0
"""


def said(prompt: str, name: str = "builder") -> tuple[Said, ...]:
    path = f".claude/agents/{name}.md"
    return what_it_says(AgentDefinition((name,), path, prompt, prompt, path, 1), builtin())


def owes(prompt: str, name: str = "builder") -> set[str]:
    return {one.contract for one in said(prompt, name)}


OWN = [
    f"# Builder\n\n## Output\n\n{BLOCK}",
    f"You build.\n\nEnd your final message with this block:\n\n{BLOCK}",
    f"Always return exactly one block, so that the orchestrator can parse it:\n\n{BLOCK}",
    f"When you are done, reply with:\n\n{BLOCK}",
    f"# Builder\n\n## Required Output on Completion\n\n1. Last of all:\n\n{indent(BLOCK, '   ')}\n",
    "# Builder\n\nWork.\n\nEmit an `AGENT_RESULT` block. Required fields: `STATUS`, `NEXT`.\n",
    "# Builder\n\n### Step 9: Output AGENT_RESULT\n\nWith all paths.\n",
    f"# ビルダー\n\n## 出力\n\n{BLOCK}",
    f"作業の最後に、次のブロックを必ず出力する。\n\n{BLOCK}",
    "完了時に `AGENT_RESULT` ブロックを出力する。\n",
    f"# Constructor\n\n## Formato de salida\n\n{BLOCK}",
    f"Al terminar, devuelve este bloque:\n\n{BLOCK}",
    "Termina con un bloque `AGENT_RESULT`.\n",
    f"Gib am Ende diesen Block aus:\n\n{BLOCK}",
    f"À la fin, renvoie ce bloc :\n\n{BLOCK}",
    f"Ao concluir, retorne este bloco:\n\n{BLOCK}",
    f"完成后，输出以下内容：\n\n{BLOCK}",
]


@pytest.mark.parametrize("prompt", OWN)
def test_a_block_that_is_the_agents_own_output_is_owed(prompt: str) -> None:
    assert owes(prompt) == {"agent-result"}


OTHERS = [
    # It reads it.
    f"# Reviewer\n\n## Input\n\n{BLOCK}",
    f"Read the developer's result:\n\n{BLOCK}",
    f"First, parse the block that you receive:\n\n{BLOCK}",
    "If you receive an `AGENT_RESULT` block from `analyst`, start from phase 3.\n",
    "Extract the payload from the `AGENT_RESULT` of `analyst`.\n",
    f"# レビュアー\n\n## 入力\n\n{BLOCK}",
    f"開発者の結果を読み取る:\n\n{BLOCK}",
    f"Lee el resultado anterior:\n\n{BLOCK}",
    # Others write it.
    f"Each agent returns this at the end of its run:\n\n{BLOCK}",
    f"# Dispatch\n\nWorkers must end with this block:\n\n{BLOCK}",
    f"`developer` returns:\n\n{BLOCK}",
    # In some cases only.
    f"If a required field is missing:\n\n{BLOCK}",
    f"# Builder\n\n## Output\n\nIf the build is blocked, return:\n\n{BLOCK}",
    # It must not be written.
    f"# Builder\n\n## Output\n\nNever return a block like this:\n\n{BLOCK}",
    "# Flow\n\n## Output\n\nIt does not normally emit AGENT_RESULT. Emit an `AGENT_RESULT` block for a Major plan.\n",
    "This gate emits no AGENT_RESULT.\n",
    # The name alone.
    "The flow stores `AGENT_RESULT` blocks in the log.\n",
    "Report the number of `AGENT_RESULT` blocks.\n",
    f"Some history of the format.\n\n{BLOCK}",
    # No language that we read.
    f"Zwróć na końcu ten blok:\n\n{BLOCK}",
    # No handoff at all.
    "# Builder\n\n## Output\n\nReturn a short summary of the changes.\n\n```\nSummary: <text>\n```\n",
    "",
    "---\nname: builder\n---\n",
]


@pytest.mark.parametrize("prompt", OTHERS)
def test_any_other_block_is_not_owed(prompt: str) -> None:
    assert owes(prompt) == set()


@pytest.mark.parametrize(
    ("name", "opening"),
    [
        ("build-orchestrator", "You build."),
        ("flow", "You are the **orchestrator** of the build."),
        ("flow", "You are the lead coordinator for the team."),
    ],
)
def test_an_agent_that_coordinates_others_owes_nothing(name: str, opening: str) -> None:
    assert owes(f"{opening}\n\n## Output\n\n{BLOCK}", name) == set()


def test_an_agent_that_is_not_the_orchestrator_may_say_so() -> None:
    assert owes(f"You are not the orchestrator.\n\n## Output\n\n{BLOCK}") == {"agent-result"}


def test_a_statement_has_the_line_of_its_block_and_the_profile_that_the_block_shows() -> None:
    prompt = f"# Builder\n\n## Output\n\n{BLOCK.replace('builder', 'developer')}"
    (one,) = said(prompt)
    assert (one.line, one.profile, one.place) == (5, "developer", "`.claude/agents/builder.md`, line 5")


@pytest.mark.parametrize(
    ("sentence", "files", "only_file"),
    [
        ("Write your report to `handoffs/{feature}/builder.md`:", ("handoffs/*/builder.md",), True),
        ("Save it as `./out/result-<run>.md`:", ("out/result-*.md",), True),
        ("Write the plan to `docs/plan.md`. Then end your message with:", (), False),
        ("Write it to `docs/handoff.md` and return it:", ("docs/handoff.md",), False),
        ("Save it to `{root}/handoffs/{run}.md`:", ("**/handoffs/*.md",), True),
        # A glob of these would match other files as well.
        ("Save it as `docs/<run>.md`:", (), True),
        ("Save it as `{folder}/{name}.md`:", (), True),
        ("Write it to `../other/handoff.md`:", (), True),
        ("Return:", (), False),
    ],
)
def test_the_place_is_the_final_message_unless_a_path_is_named(
    sentence: str, files: tuple[str, ...], only_file: bool
) -> None:
    (one,) = said(f"# Builder\n\n## Output\n\n{sentence}\n\n{BLOCK}")
    assert (one.files, one.only_file) == (files, only_file)


def test_a_document_in_a_fence_is_recognized_as_well() -> None:
    block = f"```markdown\n{DOCUMENT}```\n"
    assert owes(f"## Output\n\n{block}") == {"status-block"}
    assert owes(f"## Before you start\n\nRead the handoff:\n\n{block}") == set()
