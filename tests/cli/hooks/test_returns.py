"""An agent that ends without what it owes is sent back once, with the block to emit."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.conftest import ROOT
from cli.hooks.told import emitted, recorded

NARRATIVE = "I have finished all the tasks, and the tests pass.\n\nLet me know if you need anything else."
BEGAN = "2026-11-23T10:00:00.000Z"

# An agent of a contract without `files` in its entry, and what it owes by the config.
CONFIG = """\
[agents.scribe]
returns = "status-block"
profile = "developer"
where = "{where}"
files = ["handoffs/*/scribe-handoff.md"]
"""


@pytest.fixture
def stop(root: Path) -> Callable[..., dict[str, Any]]:
    """The end of a subagent with a name and a final message."""

    def make(agent: str, message: str | None, **changed: Any) -> dict[str, Any]:
        event = recorded("claude-code", "subagent-stop", root, agent_type=agent, last_assistant_message=message)
        return {**event, "agent_transcript_path": str(root.parent / "t.jsonl"), **changed}

    return make


def transcript(root: Path, *entries: dict[str, Any], began: str = BEGAN) -> None:
    """Write the agent's transcript: its prompt, and entries."""
    prompt = {"type": "user", "timestamp": began, "message": {"role": "user", "content": "Do it."}}
    lines = [json.dumps(entry) for entry in (prompt, *entries)]
    (root.parent / "t.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def said(*parts: dict[str, Any], stop_reason: str | None = None) -> dict[str, Any]:
    message = {"role": "assistant", "content": list(parts), "stop_reason": stop_reason}
    return {"type": "assistant", "timestamp": BEGAN, "message": message}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def tool(name: str, **given: str) -> dict[str, Any]:
    return {"type": "tool_use", "name": name, "input": given}


def test_a_narrative_is_sent_back_once_and_the_filled_block_passes(
    root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    told, err = hook("claude-code", stop("sdd-apply", NARRATIVE))
    assert (list(told), err) == (["decision", "reason"], "")
    first, do, *rest = told["reason"].split("\n")
    assert first == (
        "handoff-lsp: your final message: [missing-handoff] The result envelope that `sdd-apply` owes is missing. "
        "The orchestrator treats the phase as failed or, worse, guesses that it succeeded."
    )
    assert do == "Send the whole message again, with this block at its end:"
    assert rest[0] == "```" and rest[-2:] == ["```", "Replace everything in `<…>`."]
    message = f"{NARRATIVE}\n\n{emitted(told['reason'])}"
    assert hook("claude-code", stop("sdd-apply", message, stop_hook_active=True)) == (None, "")


@pytest.mark.parametrize("agent", ["claude-code", "codex", "copilot", "qwen"])
def test_the_agent_is_known_by_its_name_in_every_program_that_says_it(
    agent: str, root: Path, hook: Callable[..., Any]
) -> None:
    named = {"agent_type": "sdd-apply"} if agent == "claude-code" else {}
    stop = recorded(agent, "subagent-stop", root, last_assistant_message=NARRATIVE, **named)
    told, err = hook(agent, stop)
    assert (told["decision"], err) == ("block", "") and "`sdd-apply` owes" in told["reason"]
    message = f"{NARRATIVE}\n\n{emitted(told['reason'])}"
    assert hook(agent, {**stop, "stop_hook_active": True, "last_assistant_message": message}) == (None, "")


def test_cursor_has_only_a_summary_of_what_a_subagent_said(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("cursor", "subagent-stop", root)
    (root / ".handoff-lsp.toml").write_text(
        CONFIG.format(where="file").replace("scribe", "sdd-apply"), encoding="utf-8"
    )
    told, _ = hook("cursor", stop)
    assert "Write the file `handoffs/board/sdd-apply-handoff.md` before you finish:" in told["followup_message"]
    assert hook("cursor", {**stop, "subagent_type": "sdd-verify", "conversation_id": "u-2"}) == (None, "")


def test_the_complaint_in_the_documentation_is_this_one(
    root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    told, _ = hook("claude-code", stop("sdd-apply", NARRATIVE))
    assert f"\n{told['reason']}\n" in (ROOT / "docs" / "hooks.md").read_text(encoding="utf-8")


def test_a_second_failure_is_for_the_person(root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
    assert hook("claude-code", stop("sdd-apply", NARRATIVE))[0]["decision"] == "block"
    told, _ = hook("claude-code", stop("sdd-apply", "All is done, really.", stop_hook_active=True))
    assert told == {
        "systemMessage": "handoff-lsp: the agent did not correct 1 finding in its final message (The result envelope "
        "that `sdd-apply` owes is missing). It is not notified again."
    }


def test_the_block_as_printed_is_not_a_return(root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
    """A status is never filled in: an agent that sends the block back as it is has not answered."""
    told, _ = hook("claude-code", stop("sdd-apply", NARRATIVE))
    block = told["reason"].split("```\n")[1]
    assert "**Status**: <" in block
    told, _ = hook("claude-code", stop("sdd-apply", f"{NARRATIVE}\n\n{block}", stop_hook_active=True))
    assert list(told) == ["systemMessage"]


def test_agents_that_owe_nothing_may_say_what_they_like(
    root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    for name in ("general-purpose", "Explore", "", "my-own"):
        for message in (NARRATIVE, "", None):
            assert hook("claude-code", stop(name, message)) == (None, "")


@pytest.mark.parametrize("message", ["", "  \n\n", "```\n```\n"])
def test_an_empty_return_is_one_without_its_handoff(
    message: str, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    told, _ = hook("claude-code", stop("sdd-apply", message))
    assert "[empty-return]" in told["reason"] and "**Status**: <" in told["reason"]


def test_a_message_that_is_not_in_the_input_is_not_checked_and_the_person_gets_one_note(
    root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    note = "handoff-lsp: what `sdd-apply` returned was not checked: the hook's input has no final message."
    assert hook("claude-code", stop("sdd-apply", None)) == ({"systemMessage": note}, "")
    assert hook("claude-code", stop("sdd-apply", None)) == (None, "")


def test_what_is_known_is_filled_in(root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
    tasks = root / "openspec" / "changes" / "dark-mode" / "tasks.md"
    tasks.parent.mkdir(parents=True)
    tasks.write_text("- [x] 1.1 a\n", encoding="utf-8")
    (root / "src.py").write_text("pass\n", encoding="utf-8")
    written = [tool("Write", file_path=str(tasks)), tool("Edit", file_path=str(root / "src.py"))]
    transcript(root, said(*written), said(text(NARRATIVE), stop_reason="end_turn"))
    told, _ = hook("claude-code", stop("sdd-apply", NARRATIVE))
    assert "\n**Artifacts**: openspec/changes/dark-mode/tasks.md, src.py\n" in told["reason"]
    assert "\n**Status**: <" in told["reason"]
    message = f"{NARRATIVE}\n\n{emitted(told['reason'])}"
    assert hook("claude-code", stop("sdd-apply", message, stop_hook_active=True)) == (None, "")


def test_the_id_of_the_agent_is_filled_in(root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
    agents = root / ".claude" / "agents"
    agents.mkdir(parents=True)
    (agents / "operator.md").write_text("---\nname: operator\nskills: [agent-protocol]\n---\n", encoding="utf-8")
    told, _ = hook("claude-code", stop("operator", NARRATIVE))
    assert '"agent_id": "a3b5b929ba43084cf"' in told["reason"]
    assert '"plan_status": "<IN_PROGRESS | ' in told["reason"]


def test_the_name_of_the_agent_is_filled_in(root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
    (root / ".handoff-lsp.toml").write_text('[agents.developer]\nreturns = "agent-result"\n', encoding="utf-8")
    told, _ = hook("claude-code", stop("aphelion:developer", NARRATIVE))
    assert "\nAGENT_RESULT: developer\nSTATUS: <success" in told["reason"]
    message = f"{NARRATIVE}\n\n{emitted(told['reason']).replace('success', 'error')}"
    assert hook("claude-code", stop("aphelion:developer", message, stop_hook_active=True)) == (None, "")


def test_a_handoff_in_an_earlier_message_is_misplaced(
    root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    told, _ = hook("claude-code", stop("sdd-apply", NARRATIVE))
    done = emitted(told["reason"])
    transcript(root, said(text(done)), said(text("That was all."), stop_reason="end_turn"))
    told, _ = hook("claude-code", stop("sdd-apply", "That was all.", agent_id="another"))
    assert "[misplaced-handoff]" in told["reason"] and "earlier message" in told["reason"]


def test_a_message_that_ends_at_the_limit_is_cut_off(
    root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    transcript(root, said(text(NARRATIVE), stop_reason="max_tokens"))
    told, _ = hook("claude-code", stop("sdd-apply", NARRATIVE))
    assert "[cut-off]" in told["reason"] and "**Status**: <" in told["reason"]


class TestFiles:
    """An agent that owes a file: it is known whether it wrote one since it began."""

    @pytest.fixture(autouse=True)
    def config(self, root: Path) -> None:
        (root / ".handoff-lsp.toml").write_text(CONFIG.format(where="file"), encoding="utf-8")

    def test_a_file_that_was_not_written_is_named_with_its_folder(
        self, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
    ) -> None:
        (root / "handoffs" / "other").mkdir()
        plan = root / "handoffs" / "board" / "plan.md"
        plan.write_text("# Plan\n", encoding="utf-8")
        transcript(root, said(tool("Write", file_path=str(plan))))
        told, _ = hook("claude-code", stop("scribe", NARRATIVE))
        first, do, *rest = told["reason"].split("\n")
        assert first.startswith("handoff-lsp: `handoffs/board/scribe-handoff.md`: [")
        assert do == "Write the file `handoffs/board/scribe-handoff.md` before you finish:"
        assert "## Status" in rest and "<complete | blocked | failed | incomplete>" in rest

    def test_a_folder_that_is_not_known_is_left_open(
        self, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
    ) -> None:
        (root / "handoffs" / "other").mkdir()
        told, _ = hook("claude-code", stop("scribe", NARRATIVE))
        assert "Write the file `handoffs/<…>/scribe-handoff.md` before you finish:" in told["reason"]

    def test_one_that_is_older_than_the_agent_is_not_its_own(
        self, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
    ) -> None:
        file = root / "handoffs" / "board" / "scribe-handoff.md"
        file.write_text("# Notes\n", encoding="utf-8")
        os.utime(file, (1_000_000_000, 1_000_000_000))
        assert hook("claude-code", stop("scribe", NARRATIVE)) == (None, "")  # nothing is known about its beginning
        transcript(root, said(text(NARRATIVE)))
        told, _ = hook("claude-code", stop("scribe", NARRATIVE))
        assert "Write the file `handoffs/board/scribe-handoff.md`" in told["reason"]

    def test_one_that_a_shell_command_wrote_counts(
        self, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
    ) -> None:
        transcript(root, said(tool("Bash", command="cat > handoffs/board/scribe-handoff.md")))
        file = root / "handoffs" / "board" / "scribe-handoff.md"
        file.write_text("# Notes\n", encoding="utf-8")
        told, _ = hook("claude-code", stop("scribe", NARRATIVE))
        assert "Write only this into the file:" in told["reason"]

    def test_either_place_will_do(self, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
        (root / ".handoff-lsp.toml").write_text(CONFIG.format(where="either"), encoding="utf-8")
        told, _ = hook("claude-code", stop("scribe", NARRATIVE))
        assert told["reason"].startswith("handoff-lsp: your final message: [missing-handoff] ")
        assert "\nSend the whole message again, as this document:\n" in told["reason"]
        transcript(root, said(text(NARRATIVE)))
        (root / "handoffs" / "board" / "scribe-handoff.md").write_text("# Notes\n", encoding="utf-8")
        assert hook("claude-code", stop("scribe", NARRATIVE, agent_id="another")) == (None, "")


def test_the_main_agent_owes_what_the_config_says_or_with_the_option(root: Path, hook: Callable[..., Any]) -> None:
    stop = recorded("claude-code", "stop", root, last_assistant_message=NARRATIVE, agent_type="sdd-apply")
    assert hook("claude-code", stop) == (None, "")
    assert hook("claude-code", stop, "--main-message")[0]["decision"] == "block"
    (root / ".handoff-lsp.toml").write_text('[agents.sdd-apply]\nreturns = "result-envelope"\n', encoding="utf-8")
    assert hook("claude-code", {**stop, "session_id": "another"})[0]["decision"] == "block"


BROKEN = "AGENT_RESULT: developer\nSTATUS: succes\nNEXT: test-designer\n"


class TestShell:
    """What a shell command wrote is seen at the end of the turn."""

    def test_of_the_main_agent(self, root: Path, hook: Callable[..., Any]) -> None:
        (root / "old.md").write_text(BROKEN, encoding="utf-8")
        os.utime(root / "old.md", (1_000_000_000, 1_000_000_000))
        prompt = recorded("codex", "stop", root, hook_event_name="UserPromptSubmit")
        assert hook("codex", prompt) == (None, "")
        (root / "new.md").write_text(BROKEN, encoding="utf-8")
        (root / "node_modules").mkdir()
        (root / "node_modules" / "their.md").write_text(BROKEN, encoding="utf-8")
        (root / ".gitignore").write_text("ignored.md\n", encoding="utf-8")
        (root / "ignored.md").write_text(BROKEN, encoding="utf-8")
        told, _ = hook("codex", recorded("codex", "stop", root))
        assert "the handoff in `new.md` has" in told["reason"]
        assert not [name for name in ("old.md", "their.md", "ignored.md") if name in told["reason"]]

    def test_without_a_beginning_nothing_is_known(self, root: Path, hook: Callable[..., Any]) -> None:
        (root / "new.md").write_text(BROKEN, encoding="utf-8")
        assert hook("codex", recorded("codex", "stop", root)) == (None, "")

    def test_a_checkout_is_not_looked_at(self, root: Path, hook: Callable[..., Any]) -> None:
        hook("codex", recorded("codex", "stop", root, hook_event_name="UserPromptSubmit"))
        for number in range(50):
            (root / f"{number}.md").write_text(BROKEN, encoding="utf-8")
        assert hook("codex", recorded("codex", "stop", root)) == (None, "")

    def test_of_a_subagent_only_what_its_commands_name(
        self, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
    ) -> None:
        transcript(root, said(tool("Bash", command="printf x > 'mine.md'; ls")), said(text("Done.")))
        for name in ("mine.md", "theirs.md"):
            (root / name).write_text(BROKEN, encoding="utf-8")
        told, _ = hook("claude-code", stop("general-purpose", "Done."))
        assert "`mine.md`" in told["reason"] and "theirs.md" not in told["reason"]
        # The main agent answers for the rest.
        main = recorded("claude-code", "stop", root, transcript_path="")
        hook("claude-code", {**main, "hook_event_name": "UserPromptSubmit"})
        later = time.time() + 5
        for name in ("mine.md", "theirs.md"):
            os.utime(root / name, (later, later))
        told, _ = hook("claude-code", main)
        assert "`theirs.md`" in told["reason"] and "mine.md" not in told["reason"]


@pytest.mark.parametrize(
    "odd",
    [
        b"",
        b"\xff\xfe\x00",
        b'{"type": "assistant", "message": {"content": [{"ty',
        b'{"type": "assistant", "message": []}\n{"type": "user", "message": {"content": 3}, "timestamp": 7}\n',
        b'{"type": "assistant", "message": {"stop_reason": [], "content": {"a": 1}}}\n',
        b'{"version": 9, "kind": "assistant", "body": "another form"}\n',
    ],
)
def test_odd_transcripts_are_passed_over(
    odd: bytes, root: Path, hook: Callable[..., Any], stop: Callable[..., Any]
) -> None:
    (root.parent / "t.jsonl").write_bytes(odd)
    told, err = hook("claude-code", stop("sdd-apply", NARRATIVE))
    assert told["decision"] == "block" and err == ""


def test_of_a_huge_transcript_the_end_is_read(root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
    transcript(root, said(text(NARRATIVE)))
    with (root.parent / "t.jsonl").open("ab") as file:
        file.truncate(200_000_000)  # a hole, as large as it looks
        file.seek(0, os.SEEK_END)
        file.write(b"\n" + json.dumps(said(text(NARRATIVE))).encode() + b"\n")
    told, err = hook("claude-code", stop("sdd-apply", NARRATIVE))
    assert told["decision"] == "block" and err == ""


def test_the_block_has_what_the_config_demands(root: Path, hook: Callable[..., Any], stop: Callable[..., Any]) -> None:
    demands = '[agents.scribe]\nreturns = "status-block"\nprofile = "reviewer"\nmust = ["findings"]\n'
    (root / ".handoff-lsp.toml").write_text(demands + 'never = ["files_created"]\n', encoding="utf-8")
    told, _ = hook("claude-code", stop("scribe", NARRATIVE))
    assert "\n## Findings\n" in told["reason"]
    assert "## Files Created" not in told["reason"]
