"""The skill and the paragraph for AGENTS.md: each command in them runs as it is written, and means what they say."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path
from typing import get_args

import pytest
import yaml
from cli.documents import BAD
from cli.hooks.conftest import ROOT

from handoff_lsp.cli.main import main
from handoff_lsp.reports.verdict import NO_HANDOFF, VerdictState

SKILL = ROOT / "editors" / "claude-code" / "skills" / "write-handoff" / "SKILL.md"
PAGE = ROOT / "editors" / "agents" / "README.md"
GOOD = BAD.replace("compleet", "complete")
# What a reader puts in place of each word in capitals.
NAMES = {"CONTRACT": "status-block", "PROFILE": "tester", "RULE": "missing-status", "AGENT": "reviewer"}
# The commands that an agent must know.
TAUGHT = {"new", "check", "explain", "parse", "doctor"}


def paragraph() -> str:
    """The paragraph for AGENTS.md."""
    (found,) = re.findall(r"^```markdown\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


def texts() -> dict[str, str]:
    return {"skill": SKILL.read_text(encoding="utf-8"), "paragraph": paragraph()}


def commands(text: str) -> list[str]:
    """The commands of a text, in code spans and in fences, without their comments."""
    spans = re.findall(r"`(handoff-lsp [^`]+)`", " ".join(text.split()))
    lines = re.findall(r"^ *(handoff-lsp .+?)(?: +#.*)?$", text, re.MULTILINE)
    return list(dict.fromkeys([*spans, *lines]))


COMMANDS = [(name, command) for name, text in texts().items() for command in commands(text)]


@pytest.mark.parametrize(("name", "command"), COMMANDS, ids=[f"{name}: {command}" for name, command in COMMANDS])
def test_each_command_runs(
    name: str, command: str, here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / ".handoff-lsp.toml").write_text('[agents.reviewer]\nreturns = "status-block"\n', encoding="utf-8")
    program, *arguments = shlex.split(command)
    assert program == "handoff-lsp"
    file = "handoffs/board/tester-handoff.md"
    Path(file).parent.mkdir(parents=True)
    if "-o" not in arguments:
        Path(file).write_text(GOOD, encoding="utf-8")
    if "<" in arguments:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(GOOD.encode())))
        arguments = arguments[: arguments.index("<")]
    named = [{**NAMES, "FILE": file}.get(word, word) for word in arguments]
    assert not [word for word in named if word.isupper()]
    assert main(named) in {0, 1}, capsys.readouterr().err
    if "-o" in arguments:
        assert Path(file).read_text(encoding="utf-8")
    else:
        assert capsys.readouterr().out


@pytest.mark.parametrize("name", texts())
def test_the_commands_and_the_verdicts_are_taught(name: str) -> None:
    text = texts()[name]
    taught = {command.split()[1] for command in commands(text)}
    assert taught >= (TAUGHT if name == "skill" else TAUGHT - {"doctor"})
    assert all(f"`{state}`" in text for state in get_args(VerdictState))


def test_the_words_of_the_skill_are_those_of_the_output(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    text = SKILL.read_text(encoding="utf-8")
    (here / "a-handoff.md").write_text(BAD, encoding="utf-8")
    (here / "notes.md").write_text("All done.\n", encoding="utf-8")
    main(["check", "a-handoff.md", "notes.md"])
    out = capsys.readouterr().out
    for words in ("possible fix:", NO_HANDOFF, "findings", "not checked"):
        assert words in text
        assert words in out


def test_the_frontmatter_is_that_of_a_skill() -> None:
    """ "Agent Skills", code.claude.com/docs/en/skills: the name is that of the folder, the description is bounded."""
    _, head, body = SKILL.read_text(encoding="utf-8").split("---\n", 2)
    data = yaml.safe_load(head)
    assert set(data) == {"name", "description"}
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", data["name"])
    assert data["name"] == SKILL.parent.name
    assert len(data["description"]) <= 1024
    assert body.count("\n") < 500
