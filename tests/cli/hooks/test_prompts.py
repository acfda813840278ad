"""An agent that writes the definition of another agent hears of a value that its contract does not have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.conftest import Answer
from cli.hooks.told import recorded

from handoff_lsp.cli.hooks.glance import Glance

PROMPT = ".claude/agents/developer.md"
WRONG = "# Developer\n\nReturn a result envelope with `status: sucess`.\n"
TOLD = "# Developer\n\nEnd with an `AGENT_RESULT` block with `STATUS: sucess`.\n"
# What a text may say of other things in the same words.
OTHERS = "# Developer\n\nSet the ticket's `status: sucess` and its `summary`.\n"


def _edited(root: Path, path: str, text: str, **more: str) -> dict[str, Any]:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    event = recorded("claude-code", "edit", root, **more)
    return {**event, "tool_input": {"file_path": str(file)}}


def test_an_agent_hears_of_a_wrong_value_in_the_definition_of_another_agent(
    root: Path, command: Callable[..., Answer]
) -> None:
    answer = command("claude-code", _edited(root, PROMPT, TOLD))
    assert answer is not None and answer["decision"] == "block"
    told = answer["reason"].splitlines()
    assert told[0] == (
        f"handoff-lsp: the prompt `{PROMPT}` has 1 error. The file is written; edit it to correct this now."
    )
    assert "End with an `AGENT_RESULT` block with `STATUS: success`." in told


def test_it_hears_nothing_once_the_value_is_right(root: Path, hook: Callable[..., Any]) -> None:
    assert hook("claude-code", _edited(root, PROMPT, TOLD.replace("sucess", "success"))) == (None, "")


@pytest.mark.parametrize("folder", ["", "tests/", "examples/of/"])
def test_the_engine_is_asked_about_a_prompt_that_names_a_contract(root: Path, folder: str) -> None:
    """Also in a workspace in a folder whose name a prompt's path must not have: the glance knows no root."""
    (root / folder / ".git").mkdir(parents=True, exist_ok=True)
    _edited(root / folder, PROMPT, WRONG)
    assert not Glance(None, "error").rules_out_file(str(root / folder / PROMPT))


@pytest.mark.parametrize(("path", "text"), [(PROMPT, OTHERS), ("README.md", WRONG), ("notes/plan.md", WRONG)])
def test_the_engine_is_not_asked_about_other_words_and_other_documents(root: Path, path: str, text: str) -> None:
    _edited(root, path, text)
    assert Glance(None, "error").rules_out_file(str(root / path))
