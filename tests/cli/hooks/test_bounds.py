"""No complaint is repeated for ever, none is too long, and only errors keep an agent from ending."""

from __future__ import annotations

import json
import os
import shutil
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli.hooks.conftest import ROOT
from cli.hooks.told import BROKEN, GOOD, LET_GO, NOT_CHECKED, PATH, recorded

from handoff_lsp.cli.hooks.memory import Memory

# A warning, and no error.
DOUBTFUL = GOOD.replace("verdict: n/a", "verdict: n/a\nverdict: n/a")


@pytest.fixture
def edit(root: Path) -> dict[str, Any]:
    return recorded("claude-code", "edit", root)


@pytest.fixture
def stop(root: Path) -> dict[str, Any]:
    return recorded("claude-code", "subagent-stop", root)


def test_the_same_is_said_twice_after_edits(root: Path, hook: Callable[..., Any], edit: dict[str, Any]) -> None:
    answers = []
    for number in range(4):
        (root / PATH).write_text(BROKEN + "\n" * number, encoding="utf-8")
        answers.append(hook("claude-code", edit)[0])
    assert [bool(answer) for answer in answers] == [True, True, False, False]
    moved = BROKEN.replace("## Status reason", "<!-- a line more -->\n\n## Status reason")
    (root / PATH).write_text(moved, encoding="utf-8")
    assert hook("claude-code", edit) == (None, "")  # only its place differs
    (root / PATH).write_text(BROKEN.replace("files: 1", "files: 2"), encoding="utf-8")
    assert hook("claude-code", edit)[0] is not None  # a different one


def test_what_was_right_in_between_is_wrong_anew(
    root: Path, hook: Callable[..., Any], edit: dict[str, Any], stop: dict[str, Any]
) -> None:
    for _ in range(4):
        (root / PATH).write_text(BROKEN, encoding="utf-8")
        assert hook("claude-code", edit)[0]["decision"] == "block"
        assert hook("claude-code", stop)[0]["decision"] == "block"
        (root / PATH).write_text(GOOD, encoding="utf-8")
        assert hook("claude-code", edit) == hook("claude-code", stop) == (None, "")


def test_an_agent_is_let_go_though_each_time_something_else_is_wrong(
    root: Path, hook: Callable[..., Any], edit: dict[str, Any], stop: dict[str, Any]
) -> None:
    def decisions(session: str, *options: str) -> list[str | None]:
        answers = []
        for number in range(2, 6):
            (root / PATH).write_text(GOOD.replace("files: 1", f"files: {number}"), encoding="utf-8")
            hook("claude-code", {**edit, "session_id": session}, *options)
            again = {**stop, "session_id": session, "stop_hook_active": number > 2}
            answers.append(hook("claude-code", again, *options)[0].get("decision"))
        return answers

    assert decisions("by default") == ["block", None, "block", None]
    assert decisions("twice", "--retries", "2") == ["block", "block", None, "block"]
    assert decisions("never", "--retries", "0") == [None] * 4


def test_the_note_says_whether_the_agent_was_sent_back_and_quotes_paths(
    root: Path, hook: Callable[..., Any], edit: dict[str, Any], stop: dict[str, Any]
) -> None:
    where = str(Path(PATH).with_name("a b-handoff.md"))
    (root / where).write_text(BROKEN, encoding="utf-8")
    edit = json.loads(json.dumps(edit).replace(PATH, where))
    for retries, told in (("0", "the agent ends with "), ("1", "the agent did not correct ")):
        hook("claude-code", {**edit, "session_id": retries}, "--retries", retries)
        for again in range(int(retries) + 1):
            event = {**stop, "session_id": retries, "stop_hook_active": bool(again)}
            answer = hook("claude-code", event, "--retries", retries)[0]
        note = answer["systemMessage"]
        assert note.startswith(f"handoff-lsp: {told}")
        assert note.endswith(f"See `handoff-lsp check '{where}'`.")
        assert ("was not sent back" in note) == (retries == "0")


def test_without_a_memory_an_agent_is_kept_once(
    root: Path, hook: Callable[..., Any], stop: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    stop |= {"session_id": "", "last_assistant_message": BROKEN}
    told, _ = hook("claude-code", stop)
    assert told["decision"] == "block"
    told, _ = hook("claude-code", {**stop, "stop_hook_active": True})
    assert list(told) == ["systemMessage"]
    told, _ = hook("gemini", recorded("gemini", "stop", root, session_id="", prompt_response=BROKEN), "--main-message")
    assert list(told) == ["systemMessage"]  # Gemini does not report reliably whether it was kept before


def test_warnings_are_reported_once_and_keep_nobody(
    root: Path, hook: Callable[..., Any], edit: dict[str, Any], stop: dict[str, Any]
) -> None:
    (root / PATH).write_text(DOUBTFUL, encoding="utf-8")
    told, _ = hook("claude-code", edit)
    assert list(told) == ["hookSpecificOutput"]
    text = told["hookSpecificOutput"]["additionalContext"]
    assert text.startswith(f"handoff-lsp: `{PATH}` is readable, with 1 warning:\n- {PATH}:14:1 [duplicate-field] ")
    assert hook("claude-code", edit) == hook("claude-code", stop) == (None, "")
    told, _ = hook("claude-code", stop, "--fail-on", "warning")
    assert told["decision"] == "block"


def test_warnings_come_after_errors(root: Path, hook: Callable[..., Any], edit: dict[str, Any]) -> None:
    (root / PATH).write_text(DOUBTFUL.replace("complete", "compleet"), encoding="utf-8")
    told, _ = hook("claude-code", edit)
    errors, warnings = told["reason"].split("\nWarnings:\n")
    assert "[invalid-value]" in errors and "[duplicate-field]" not in errors
    assert "[duplicate-field]" in warnings


def test_the_status_comes_first_and_the_rest_is_counted(
    root: Path, hook: Callable[..., Any], edit: dict[str, Any]
) -> None:
    wrong = "\n".join(f"| {number} | x |" for number in range(3))
    many = GOOD.replace("complete", "compleet").replace("files: 1 created, 0 modified", "files: 7 created, 7 modified")
    many = many.replace("open_questions: 0", "open_questions: 9").replace("# Board", f"{wrong}\n\n# Board")
    (root / PATH).write_text(many, encoding="utf-8")
    told, _ = hook("claude-code", edit)
    numbered = [line for line in told["reason"].split("\n") if line[:2] in {"1.", "2.", "3.", "4."}]
    assert "[invalid-value]" in numbered[0]
    assert [line.split("[")[1].split("]")[0] for line in numbered[1:]] == ["count-mismatch"] * 3


def test_what_is_said_is_bounded(root: Path, hook: Callable[..., Any], edit: dict[str, Any]) -> None:
    one = GOOD.replace("complete", "x" * 3000)
    files = [root / f"{number}-handoff.md" for number in range(30)]
    for file in files:
        file.write_text(one, encoding="utf-8")
        hook("claude-code", {**edit, "tool_input": {"file_path": str(file)}})
    told, _ = hook("claude-code", recorded("claude-code", "subagent-stop", root))
    assert len(told["reason"]) <= 8_100
    assert told["reason"].endswith("\n… `handoff-lsp check` lists the rest.")


def test_a_clean_handoff_is_affirmed_where_that_is_wanted(
    root: Path, hook: Callable[..., Any], edit: dict[str, Any], stop: dict[str, Any]
) -> None:
    (root / PATH).write_text(GOOD, encoding="utf-8")
    told, _ = hook("claude-code", edit, "--affirm")
    head, decision = told["hookSpecificOutput"]["additionalContext"].split("\n")
    assert head == f"handoff-lsp: the handoff in `{PATH}` is correct."
    assert decision.startswith("As it is, the orchestrator's next step is advance: ")
    assert hook("claude-code", stop, "--affirm") == (None, "")
    (root / PATH).write_text("# Ordinary\n", encoding="utf-8")
    assert hook("claude-code", edit, "--affirm") == (None, "")


def test_the_config_of_the_project_counts(root: Path, hook: Callable[..., Any], edit: dict[str, Any]) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    config = root / ".handoff-lsp.toml"
    config.write_text('exclude = ["handoffs/**"]\n', encoding="utf-8")
    assert hook("claude-code", edit) == (None, "")
    config.write_text('[rules]\nmissing-status = "off"\n', encoding="utf-8")
    assert hook("claude-code", edit) == (None, "")
    config.write_text("[rules\n", encoding="utf-8")
    told, err = hook("claude-code", edit)
    assert told == {"systemMessage": NOT_CHECKED}
    assert ".handoff-lsp.toml:1" in err
    assert hook("claude-code", edit)[0] is None  # once


def test_other_files_are_asked_as_check_does(root: Path, hook: Callable[..., Any], edit: dict[str, Any]) -> None:
    shutil.copytree(ROOT / "examples" / "worktree", root / "tree")
    status = root / "tree" / ".agent" / "status.json"
    told, _ = hook("claude-code", {**edit, "tool_input": {"file_path": str(status)}}, "--fail-on", "warning")
    assert "[file-disagreement]" in told["reason"]
    assert "\nSee activity.log:4: " in told["reason"]


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_what_is_remembered_is_private_and_cleaned(root: Path, hook: Callable[..., Any], edit: dict[str, Any]) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    hook("claude-code", edit)
    folder = root.parent / "caches" / "handoff-lsp" / "hooks"
    kept = [path for path in folder.iterdir() if path.is_file()]
    assert len(kept) == 2  # of the subagent, and of its session
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    long_ago = time.time() - 8 * 24 * 3600
    for file in kept:
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        os.utime(file, (long_ago, long_ago))
    hook("claude-code", {**edit, "session_id": "another"})
    assert not any(file.exists() for file in kept)
    assert sum(path.is_file() for path in folder.iterdir()) == 2


@pytest.mark.skipif(os.name != "posix", reason="permissions as POSIX has them")
def test_nothing_is_kept_where_others_may_write(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    caches = tmp_path / "caches" / "handoff-lsp" / "hooks"
    caches.mkdir(parents=True)
    caches.chmod(0o777)
    (tmp_path / f"handoff-lsp-hooks-{os.getuid()}").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "elsewhere").mkdir()
    assert not Memory("claude-code", "s", "").usable


def test_nothing_is_kept_in_the_project(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CACHE_HOME", "caches")  # to be ignored, by the specification
    monkeypatch.setenv("LOCALAPPDATA", "caches")
    Memory("claude-code", "s", "").reported("a", "x")
    assert [entry.name for entry in root.iterdir() if entry.name not in {".git", "handoffs"}] == []


def test_there_may_be_no_folder_for_temporary_files(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    (tmp_path / "file").touch()
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "file"))
    monkeypatch.setattr("tempfile.gettempdir", none)
    assert not Memory("claude-code", "s", "").usable


def test_a_long_session_remembers_what_came_last(root: Path) -> None:
    memory = Memory("claude-code", "s", "")
    memory.wrote("/a.md")
    (kept,) = (root.parent / "caches" / "handoff-lsp" / "hooks").iterdir()
    kept.write_bytes(kept.read_bytes() * 60_000)
    memory.blocked(True)
    assert Memory("claude-code", "s", "").handoffs() == 1


def test_what_was_cut_off_in_the_memory_is_passed_over(root: Path) -> None:
    memory = Memory("claude-code", "s", "")
    memory.wrote("/a.md")
    memory.reported("a", "x")
    (kept,) = (root.parent / "caches" / "handoff-lsp" / "hooks").iterdir()
    kept.write_bytes(b'[1]\n\xff\n{"file": 3}\n' + kept.read_bytes() + b'{"said": ["a", "x')
    again = Memory("claude-code", "s", "")
    assert (again.files(), again.times("a", "x"), again.handoffs()) == (["/a.md"], 1, 0)


@pytest.mark.parametrize("value", ["null", "[]", "{}", "3", '"x"', "[[]]", '["a", {}]', "1e999"])
def test_a_memory_of_another_version_does_no_harm(root: Path, hook: Callable[..., Any], edit: Any, value: str) -> None:
    """Each key with a value of another kind, and keys that this version does not know."""
    keys = ("file", "other", "began", "said", "right", "blocks", "event", "at", "version", "new")
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    hook("claude-code", edit)
    for kept in (root.parent / "caches" / "handoff-lsp" / "hooks").glob("*.jsonl"):
        kept.write_text("".join(f'{{"{key}": {value}}}\n' for key in keys), encoding="utf-8")
    answer, _ = hook("claude-code", edit)
    assert answer, "it is reported again, as in a new session"
    hook("claude-code", recorded("claude-code", "subagent-stop", root))


def test_a_person_is_notified_of_what_is_left(root: Path, hook: Callable[..., Any], edit: dict[str, Any]) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    hook("claude-code", edit)
    stop = recorded("claude-code", "subagent-stop", root, last_assistant_message=None)
    told = [hook("claude-code", stop)[0] for _ in range(2)][-1]
    assert told == {"systemMessage": LET_GO}


def test_what_is_given_up_is_not_part_of_the_next_complaint(
    root: Path, hook: Callable[..., Any], edit: dict[str, Any], stop: dict[str, Any]
) -> None:
    (root / PATH).write_text(BROKEN, encoding="utf-8")
    hook("claude-code", edit)
    assert [list(hook("claude-code", stop)[0]) for _ in range(2)] == [["decision", "reason"], ["systemMessage"]]
    (root / "a-handoff.md").write_text(BROKEN, encoding="utf-8")
    hook("claude-code", {**edit, "tool_input": {"file_path": str(root / "a-handoff.md")}})
    told, _ = hook("claude-code", stop)
    assert told["decision"] == "block" and "in `a-handoff.md` has" in told["reason"] and PATH not in told["reason"]
