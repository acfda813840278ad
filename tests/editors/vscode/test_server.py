"""The server of the extension: found, absent, installed, crashed, not trusted, not needed."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from editors.vscode.code_server import CodeServer
from editors.vscode.conftest import SERVER
from editors.vscode.processes import Process, servers
from editors.vscode.workbench import Open, Workbench, write_settings

DEV = "handoffs/board/backend-dev-handoff.md"
NO_SERVER = {"handoff-lsp.server.path": ""}


@pytest.fixture
def running(code_server: CodeServer) -> Running:
    return Running(code_server)


class Running:
    def __init__(self, code_server: CodeServer) -> None:
        self.code_server = code_server

    def servers(self) -> list[Process]:
        assert self.code_server.process is not None
        return servers(self.code_server.process.pid)

    def pids(self) -> list[int]:
        return [server.pid for server in self.servers()]


def script(file: Path, lines: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{lines}\n", "utf-8")
    file.chmod(0o755)
    return file


def has_squiggles(window: Workbench) -> None:
    window.eventually(window.squiggles, lambda marks: ("error", "compleet") in marks)


def test_nothing_starts_where_there_is_no_handoff(
    open_window: Open, tmp_path: Path, running: Running, code_server: CodeServer
) -> None:
    folder = tmp_path / "project"
    (folder / "docs").mkdir(parents=True)
    (folder / "README.md").write_text("# A project\n\n## Status\n\nbeta\n", "utf-8")
    (folder / "docs" / "notes.md").write_text("- [ ] write them\n", "utf-8")
    (folder / "package.json").write_text('{"name": "project"}\n', "utf-8")
    window = open_window(folder, "README.md")

    def log() -> str:
        return code_server.logs("remoteexthost.log")

    # VS Code has finished starting, and its search for files that activate the extension.
    window.eventually(log, lambda text: "activationEvent: 'onStartupFinished'" in text)
    window.open_file("docs/notes.md")
    assert "vscode.markdown-language-features" in log(), "what is asked for by the language has started"
    started = "_doActivateExtension handoff-lsp.handoff-lsp"
    assert started not in log()
    assert running.servers() == []
    assert not any("Handoff" in item for item in window.status())
    window.run_command("Handoff: Doctor")
    window.eventually(window.text, lambda text: "# Handoff doctor" in text)
    assert started in log(), "a command has started it now, so that its start is what the log would show"


def test_paths_may_have_blanks_and_any_letters(
    open_window: Open, examples: Path, tmp_path: Path, running: Running
) -> None:
    folder = tmp_path / "引き継ぎ 📦 & more"
    examples.rename(folder)
    (folder / DEV).rename(folder / "handoffs" / "board" / "開発者 100% dev-handoff.md")
    program = script(tmp_path / "My 道具" / "handoff-lsp", f'exec "{SERVER}" "$@"')
    window = open_window(folder, "handoffs/board/開発者 100% dev-handoff.md", {"handoff-lsp.server.path": str(program)})
    has_squiggles(window)
    window.eventually(lambda: window.view("Handoffs"), lambda rows: any("開発者 100% dev" in row for row in rows))
    window.screenshot("paths")
    assert len(running.servers()) == 1


def test_a_workspace_of_several_folders_has_one_server(
    open_window: Open, examples: Path, tmp_path: Path, running: Running
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder in (one, other):
        (folder / "handoffs").mkdir(parents=True)
        shutil.copy(examples / DEV, folder / "handoffs" / "dev-handoff.md")
    both = tmp_path / "both.code-workspace"
    both.write_text('{"folders": [{"path": "one"}, {"path": "other"}]}', "utf-8")
    window = open_window(both)
    window.eventually(
        lambda: " ".join(window.view("Handoffs")),
        lambda rows: "one · dev-handoff.md" in rows and "other · dev-handoff.md" in rows,
    )
    assert len(running.servers()) == 1


def test_the_server_of_the_workspace_is_found(open_window: Open, examples: Path, running: Running) -> None:
    program = script(examples / ".venv" / "bin" / "handoff-lsp", f'touch "{examples}/used"; exec "{SERVER}" "$@"')
    window = open_window(examples, DEV, NO_SERVER)
    has_squiggles(window)
    assert (examples / "used").exists(), program


def test_nothing_of_a_workspace_runs_before_it_is_trusted(open_window: Open, examples: Path, running: Running) -> None:
    script(examples / ".venv" / "bin" / "handoff-lsp", f'touch "{examples}/by-venv"; exec "{SERVER}" "$@"')
    named = script(examples / "named", f'touch "{examples}/by-setting"; exec "{SERVER}" "$@"')
    write_settings(examples, {"handoff-lsp.server.path": str(named), "handoff-lsp.server.command": [str(named)]})
    trust = {"security.workspace.trust.enabled": True, "security.workspace.trust.startupPrompt": "never"}
    window = open_window(examples, DEV, {**NO_SERVER, **trust})
    window.eventually(window.status, lambda items: any("the folder is not trusted" in item for item in items))
    window.screenshot("untrusted")
    assert running.servers() == []
    assert not (examples / "by-venv").exists()
    assert not (examples / "by-setting").exists()
    window.run_command("Workspaces: Manage Workspace Trust")
    window.page.get_by_role("button", name="Trust", exact=True).first.click()
    window.eventually(lambda: len(running.servers()), 1)
    assert (examples / "by-setting").exists(), "it would have run: the folder is trusted now, and so it does"


def test_a_setting_that_names_no_server_is_named_and_a_choice_is_offered_only_if_it_counts(
    open_window: Open, examples: Path, tmp_path: Path
) -> None:
    write_settings(examples, {"handoff-lsp.server.command": [str(tmp_path / "no-server")]})
    window = open_window(examples, DEV, NO_SERVER)
    window.eventually(
        window.notifications,
        lambda texts: any("the workspace's setting handoff-lsp.server.command names" in text for text in texts),
    )
    window.screenshot("unusable")
    buttons = window.page.locator(".notifications-toasts .monaco-button").all_inner_texts()
    assert [text for text in buttons if text] == ["Open Settings", "Not Now", "Show Log"]
    window.eventually(
        window.status, lambda items: any("that the settings name does not work" in item for item in items)
    )
    window.dismiss()
    write_settings(examples, {"handoff-lsp.server.path": str(SERVER)})
    has_squiggles(window)


def test_a_chosen_program_replaces_one_that_does_not_work(open_window: Open, examples: Path, tmp_path: Path) -> None:
    # Alone in its folder: the dialog shows only the first files of one.
    program = tmp_path / "bin" / SERVER.name
    program.parent.mkdir()
    program.symlink_to(SERVER)
    window = open_window(examples, DEV, {"handoff-lsp.server.path": str(tmp_path / "no-server")})
    window.eventually(window.notifications, bool)
    window.press_button("Choose", on="does not work")
    box = window.page.locator(".quick-input-widget input.input").first
    box.wait_for()
    window.eventually(window.choices, lambda rows: ".." in rows)  # until then, the dialog may still write its folder
    box.fill(str(program))
    window.eventually(window.choices, lambda rows: program.name in rows)
    window.press("Enter")
    has_squiggles(window)


def test_the_server_that_it_brings_along_is_installed(
    open_window: Open,
    examples: Path,
    running: Running,
    code_server: CodeServer,
    fill_wheelhouse: Callable[[], None],
) -> None:
    python = {"handoff-lsp.server.python": os.path.realpath(sys.executable)}
    window = open_window(examples, DEV, {**NO_SERVER, **python})
    window.eventually(window.notifications, lambda texts: any("is not installed" in text for text in texts))
    window.screenshot("install-offered")
    assert running.servers() == []
    assert not (code_server.storage() / "servers").exists(), "nothing is installed before it is asked for"
    window.press_button("Install", on="is not installed")
    # Its wheel is present, but not its dependencies.
    window.eventually(
        window.notifications, lambda texts: any("No matching distribution" in text for text in texts), 180
    )
    window.screenshot("install-failed")
    fill_wheelhouse()
    window.press_button("Retry", on="was not installed")
    window.eventually(window.notifications, lambda texts: any("is installed" in text for text in texts), 180)
    window.screenshot("installed")
    has_squiggles(window)
    (server,) = running.servers()
    assert Path(server.command[0]).is_relative_to(code_server.storage())


def test_a_server_that_crashes_is_started_again_but_not_for_ever(
    open_window: Open, examples: Path, running: Running, code_server: CodeServer
) -> None:
    window = open_window(examples, DEV)
    has_squiggles(window)
    (first,) = running.servers()
    first.kill()
    window.eventually(running.pids, lambda pids: pids and first.pid not in pids)
    window.select_line(5)
    window.type("complete")
    window.eventually(window.squiggles, [("error", "2"), ("error", "1")])

    def kill_and_read() -> list[str]:
        for server in running.servers():
            server.kill()
        return window.notifications()

    try:
        window.eventually(kill_and_read, lambda texts: any("keeps crashing" in text for text in texts), 120)
    except AssertionError as error:
        error.add_note(code_server.logs("Handoff.log"))
        raise
    window.screenshot("crashed")
    assert running.servers() == []
    window.press_button("Restart", on="keeps crashing")
    window.eventually(lambda: len(running.servers()), 1)
    window.select_line(5)
    window.type("compleet")
    has_squiggles(window)


def test_a_server_that_does_not_answer_holds_nothing_up_and_is_given_up(
    open_window: Open, examples: Path, tmp_path: Path, running: Running
) -> None:
    program = script(tmp_path / "handoff-lsp", f'[ "$1" = server ] && while :; do sleep 1; done\nexec "{SERVER}" "$@"')
    hangs = {"handoff-lsp.server.path": str(program)}
    write_settings(examples, hangs)
    window = open_window(examples, DEV)
    window.eventually(window.status, lambda items: "The handoff-lsp server is starting." in items)
    window.screenshot("starting")
    write_settings(examples, {})
    window.eventually(window.squiggles, bool, 20)  # much less than what a start may take
    assert len(running.servers()) == 1
    write_settings(examples, hangs)
    window.eventually(window.notifications, lambda texts: any("did not answer" in text for text in texts), 90)
    window.eventually(window.status, lambda items: any("did not answer" in item for item in items))
    assert running.servers() == []


def test_a_server_that_ends_before_it_answers_is_given_up(
    open_window: Open, examples: Path, tmp_path: Path, running: Running
) -> None:
    program = script(tmp_path / "handoff-lsp", f'[ "$1" = server ] && exit 1\nexec "{SERVER}" "$@"')
    window = open_window(examples, DEV, {"handoff-lsp.server.path": str(program)})
    window.eventually(window.notifications, lambda texts: any("keeps crashing" in text for text in texts), 60)
    assert running.servers() == []
