"""A hook that loads the engine only where it is needed answers as one that always loads it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from case_files import read_cases
from cli.hooks.told import BROKEN, GOOD, INPUTS, PATH, recorded

from handoff_lsp.cli.arguments.commands import parsers
from handoff_lsp.cli.hooks.agents import NAMES
from handoff_lsp.cli.hooks.checking import Checking
from handoff_lsp.cli.hooks.glance import Glance
from handoff_lsp.cli.plain import plain_arguments
from handoff_lsp.contracts.owed import Returned
from handoff_lsp.workspace.config.resolver import Resolver

STORY = "I changed the parser, and all tests pass.\n\n- src/parser.py\n"
EVERY = [(path.parent.name, path.stem) for path in sorted(INPUTS.glob("*/*.json"))]


def _asks_engine(glance: Glance) -> bool:
    return "_checking" in vars(glance)


def test_the_engine_has_nothing_to_say_where_it_is_not_asked(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    not_asked = 0
    for number, case in enumerate(read_cases()):
        file = root / str(number) / (case.path.lstrip("/") or "a.md")
        file.parent.mkdir(parents=True)
        file.write_text(case.text, encoding="utf-8", newline="", errors="surrogatepass")
        glance, checking = Glance(None, "error"), Checking(Resolver(), "error")
        if glance.rules_out_file(str(file)):
            assert checking.file(str(file)) is None, case.name
            not_asked += 1
        if glance.rules_out_message(case.text, ""):
            assert checking.message(case.text, None) is None, case.name
            not_asked += 1
        assert not checking.failed
    assert not_asked > 100


@pytest.mark.parametrize(("agent", "event"), EVERY)
@pytest.mark.parametrize("text", [GOOD, BROKEN, STORY, "", None])
def test_recorded_inputs_have_the_same_answers(
    agent: str, event: str, text: str | None, root: Path, hook: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if text is not None:
        (root / PATH).write_text(text, encoding="utf-8")
    data = recorded(agent, event, root)
    data = {name: text if "message" in name and text else value for name, value in data.items()}
    quick = hook(agent, {**data, "session_id": "quick", "conversation_id": "quick"}, "--main-message")
    monkeypatch.setattr(Glance, "_is_plain", lambda *_: False)
    whole = {**data, "session_id": "whole", "conversation_id": "whole"}
    assert hook(agent, whole, "--main-message") == quick


def test_a_config_is_always_left_to_the_engine(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "README.md").write_text(STORY, encoding="utf-8")
    monkeypatch.chdir(root)

    def asks(config: Path | None = None) -> list[bool]:
        glances = Glance(config, "error"), Glance(config, "error")
        glances[0].file(str(root / "README.md"))
        glances[1].message(STORY, None)
        return [_asks_engine(glance) for glance in glances]

    assert asks() == [False, False]
    (root / "pyproject.toml").write_text('[project]\nname = "a"\n', encoding="utf-8")
    assert asks() == [False, False]
    for text in (b"[tool.handoff-lsp]\n", b"\xff"):
        (root / "pyproject.toml").write_bytes(text)
        assert asks() == [True, True]
    (root / "pyproject.toml").unlink()
    (root.parent / ".handoff-lsp.toml").write_text("", encoding="utf-8")
    assert asks() == [True, True]
    (root.parent / ".handoff-lsp.toml").unlink()
    (root / "own.toml").write_text("", encoding="utf-8")
    assert asks(root / "own.toml") == [True, True]


@pytest.mark.skipif(os.name != "posix", reason="no pipes with names there")
def test_a_pipe_in_place_of_a_config_does_not_stop_a_hook(root: Path, hook: Callable[..., Any]) -> None:
    os.mkfifo(root / "pyproject.toml")
    (root / PATH).write_text(STORY, encoding="utf-8")
    assert hook("claude-code", recorded("claude-code", "edit", root)) == (None, "")


def test_an_agent_that_may_owe_something_is_left_to_the_engine(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(root)
    glance = Glance(None, "error")
    owed = glance.owed("sdd-apply")
    assert glance.message(STORY, Returned("sdd-apply", owed)) is not None
    assert _asks_engine(glance)


@pytest.mark.parametrize("agent", NAMES)
def test_a_command_line_without_options_is_read_as_the_parser_reads_it(agent: str) -> None:
    _reads_as_the_parser(["hook", agent])


@pytest.mark.parametrize("paths", [[], ["a.md"], ["handoffs", "a b.md"], [""], ["check", "@file", "hook"]])
def test_a_check_of_paths_alone_is_read_as_the_parser_reads_it(paths: list[str]) -> None:
    _reads_as_the_parser(["check", *paths])


def _reads_as_the_parser(argv: list[str]) -> None:
    plain = plain_arguments(argv)
    assert plain is not None
    assert vars(plain) == vars(parsers(argv[0])[0].parse_args(argv))


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["hook"],
        ["hook", "claud"],
        ["hook", "codex", "--affirm"],
        ["check", "-"],
        ["check", "a.md", "--fix"],
        ["check", "--", "-a.md"],
        ["baseline", "a.md"],
    ],
)
def test_any_other_command_line_is_left_to_the_parser(argv: list[str]) -> None:
    assert plain_arguments(argv) is None
