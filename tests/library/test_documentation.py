"""The Python of docs/library.md and of the README runs as it is shown."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from library.test_functions import SOUND, WRONG

import handoff_lsp

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGE = _BLOCK.findall((ROOT / "docs" / "library.md").read_text(encoding="utf-8"))
README = _BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def run(block: str, **names: Any) -> dict[str, Any]:
    """The names after a block has run in the folder of the clone."""
    exec(compile(block, "block", "exec"), names)
    return names


@pytest.mark.parametrize("block", [*PAGE, *README])
def test_a_block_runs(block: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(ROOT)
    run(block, agent=lambda _: SOUND)
    assert "check_all" not in block or "examples" not in capsys.readouterr().out


def test_the_page_begins_with_an_orchestrator_in_seven_lines() -> None:
    lines = [line for line in PAGE[0].splitlines() if line]
    assert len(lines) == 7 and lines[0] == "import handoff_lsp"
    says = iter(["No handoff.", WRONG, SOUND])
    told: list[str] = []

    def agent(prompt: str) -> str:
        told.append(prompt)
        return next(says)

    assert run(PAGE[0])["next_step"](agent, "Sort the board.") == "advance"
    assert len(told) == 3
    assert "there is no handoff" in told[1] or "missing" in told[1]
    assert 'Change "compleet" to `complete`' in told[2]


def test_its_orchestrator_asks_about_messages_with_two_decisions() -> None:
    block = (
        '```agent_contract_handoff\n{"agent_status": {"plan_status": "%s", "agent_id": "ab7e4d2", "pending_steps": [], '
        '"next_action": "done"}, "evidence_report": {"patterns_checked": [], "files_checked": [], "commands_run": [], '
        '"key_outputs": [], "verbatim_outputs": [], "cross_layer_impacts": [], "open_gaps": ["the key"], '
        '"verification": {"result": "pass"}}}\n```\n'
    )
    next_step = run(PAGE[0].replace("status-block", "agent-contract"))["next_step"]
    assert next_step(lambda _: block % "COMPLETE", "Sort the board.") == "advance"
    assert next_step(lambda _: block % "BLOCKED" + "\n" + block % "COMPLETE", "Sort the board.") == "ask"


def test_both_pages_show_python() -> None:
    assert len(PAGE) >= 4 and README


@pytest.mark.parametrize("name", ["check_text", "parse_text", "new", "schema"])
def test_the_page_names_all_arguments(name: str) -> None:
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    found = re.search(rf"^\| `{name}\((.*?)\)` \|", text, re.MULTILINE)
    assert found is not None
    shown = [part.split("=")[0].strip() for part in found[1].split(",")]
    assert [one for one in shown if one != "*"] == list(inspect.signature(getattr(handoff_lsp, name)).parameters)
