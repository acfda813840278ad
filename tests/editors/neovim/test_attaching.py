"""The buffers that get a server, the server they get, and the behavior without one."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from editors.neovim.driver import INIT, Neovim, neovim, wait_for
from editors.workspace import HANDOFF, Workspace

from editors import workspace as made

CLIENTS = "#vim.lsp.get_clients({ bufnr = 0 })"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """One for each test: these tests check which servers were started."""
    return made.make(tmp_path)


# Counts the answers to whether a buffer may be a handoff.
COUNTED = """
    local recognise = require('handoff.recognise')
    local buffer = recognise.buffer
    vim.g.answers = 0
    recognise.buffer = function(bufnr, root, on_answer)
        buffer(bufnr, root, function(may_be)
            on_answer(may_be)
            vim.g.answers = vim.g.answers + 1
        end)
    end
"""


def looked_at(editor: Neovim, path: Path, text: str | None = None) -> None:
    """Open a file, and wait until the plugin has classified it."""
    editor.lua(f"if not vim.g.answers then {COUNTED} end")
    before = editor.lua("return vim.g.answers")
    editor.open(path, text)
    editor.wait(f"vim.g.answers > {before}")


def looked_at_again(editor: Neovim) -> None:
    """Type something, and wait until the plugin has classified the result."""
    editor.lua(f"if not vim.g.answers then {COUNTED} end")
    before = editor.lua("return vim.g.answers")
    editor.keys(r"<C-\><C-n>Gox<Esc>")
    editor.wait(f"vim.g.answers > {before}")


def test_ordinary_markdown_starts_nothing(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        looked_at(editor, workspace.ordinary)
        assert len(workspace.questions()) == 1
        editor.keys("GoMore, and **Summary**: none<Esc>:write<CR>")
        looked_at_again(editor)
        assert editor.lua("return #vim.lsp.get_clients()") == 0
        assert editor.messages().strip().splitlines()[1:] == []
    assert workspace.servers() == []
    assert workspace.ended()


def test_a_running_server_is_asked_instead_of_a_process(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        editor.open(workspace.handoff)
        editor.wait("#vim.diagnostic.get(0) > 0")
        looked_at(editor, workspace.ordinary)
        assert editor.lua(f"return {CLIENTS}") == 0
        looked_at(editor, workspace.root / "report.md", "AGENT_RESULT: developer\nSTATUS: success\n")
        editor.wait(f"{CLIENTS} == 1")
        log = editor.log()
    assert len(workspace.servers()) == 1, log
    assert workspace.questions() == [], log


def test_many_files_are_asked_about_one_after_another(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        looked_at(editor, workspace.ordinary)
        for number in range(3):
            (workspace.root / f"{number}.md").write_text("AGENT_RESULT: developer\nSTATUS: success\n")
        editor.lua("vim.o.hidden = true vim.cmd('args [0-9].md') vim.cmd('argdo let b:seen = 1')")
        editor.wait("#vim.lsp.get_clients() == 1 and vim.tbl_count(vim.lsp.get_clients()[1].attached_buffers) == 3")
    assert len(workspace.servers()) == 1
    # As soon as the first is known to be one, its server answers for the others.
    assert 2 <= len(workspace.questions()) <= 4


def test_a_buffer_that_is_closed_is_asked_about_no_more(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        editor.open(workspace.ordinary)
        wait_for(workspace.questions, "a question", editor.screen)
        editor.command("bwipeout!")
        assert workspace.ended(10)
        (workspace.root / "other.md").write_text("# Other\n")
        looked_at(editor, workspace.root / "other.md")
    assert workspace.servers() == []
    assert len(workspace.questions()) == 2


def test_a_command_that_cannot_be_asked_is_started_for_any_markdown(workspace: Workspace) -> None:
    command = workspace.root / "own"
    command.write_text(f"#!/bin/sh\nexec '{workspace.bin / 'handoff-lsp'}' server\n")
    command.chmod(0o755)
    with neovim(workspace, init=f"vim.g.handoff = {{ cmd = {{ [[{command}]] }} }}\n" + INIT) as editor:
        editor.open(workspace.ordinary)
        editor.wait(f"{CLIENTS} == 1")
    assert workspace.questions() == []


def test_json_and_logs_are_attached_by_their_names(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        looked_at(editor, workspace.root / "package.json", "{}\n")
        assert workspace.servers() == []
        looked_at(editor, workspace.root / "my-context.json", "{}\n")
        editor.wait(f"{CLIENTS} == 1")
        editor.open(workspace.status)
        editor.wait(f"{CLIENTS} == 1")
        editor.open(workspace.status.with_name("activity.log"), "2026-02-08T10:00:00Z [START] TASK-1\n")
        editor.wait(f"{CLIENTS} == 1")


def test_a_file_that_becomes_a_handoff_while_it_is_written_is_attached(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        looked_at(editor, workspace.root / "report.md", "")
        assert editor.lua(f"return {CLIENTS}") == 0
        editor.keys("iAGENT_RESULT: developer<CR>STATUS: success<CR>")
        editor.wait(f"{CLIENTS} == 1")
        assert editor.lua("return vim.api.nvim_get_mode().mode") == "i"


def test_a_buffer_that_gets_a_name_later_is_attached_then(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        editor.command("Handoff new status-block")
        editor.wait("vim.bo.filetype == 'markdown' and #vim.lsp.get_clients() == 0")
        editor.keys(r"<C-\><C-n>Gox<Esc>")
        editor.command("write report.md")
        editor.wait(f"{CLIENTS} == 1")


def test_an_empty_file_where_handoffs_are_kept_is_attached(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        editor.open(workspace.root / "handoffs" / "search" / "search-dev-handoff.md")
        editor.wait(f"{CLIENTS} == 1")


def test_a_config_names_others(workspace: Workspace) -> None:
    config = '[[files]]\npattern = "turns/*.md"\ncontract = "agent-contract"\n'
    (workspace.root / ".handoff-lsp.toml").write_text(config, encoding="utf-8")
    with neovim(workspace) as editor:
        editor.open(workspace.root / "turns" / "one.md", "Done.\n")
        editor.wait(f"{CLIENTS} == 1")
        looked_at(editor, workspace.ordinary)
        assert editor.lua(f"return {CLIENTS}") == 0


def test_of_yaml_only_contracts_get_a_server(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        looked_at(editor, workspace.root / "compose.yaml", "services:\n  web: {image: nginx}\n")
        assert editor.lua(f"return {CLIENTS}") == 0
        assert workspace.questions() == []
        looked_at(editor, workspace.root / "formats" / "mine.yaml", "# A contract.\ncontract: mine\nfields: 4\n")
        editor.wait(f"{CLIENTS} == 1 and #vim.diagnostic.get(0) > 0")


def test_of_toml_only_configs_get_a_server(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        looked_at(editor, workspace.root / "a" / "pyproject.toml", "[project]\nname = 'x'\n")
        assert editor.lua(f"return {CLIENTS}") == 0
        assert workspace.questions() == []
        looked_at(editor, workspace.root / "b" / "pyproject.toml", "[tool.handoff-lsp]\ndisabl = []\n")
        editor.wait(f"{CLIENTS} == 1 and #vim.diagnostic.get(0) > 0")


def test_the_user_has_the_last_word(workspace: Workspace) -> None:
    init = "vim.g.handoff = { attach = function(bufnr) return vim.fn.bufname(bufnr):find('notes') ~= nil end }\n"
    with neovim(workspace, init=init + INIT) as editor:
        editor.open(workspace.ordinary)
        editor.wait(f"{CLIENTS} == 1")
        looked_at(editor, workspace.handoff)
        assert editor.lua(f"return {CLIENTS}") == 0


def test_two_projects_have_a_server_each(workspace: Workspace, tmp_path: Path) -> None:
    other = made.make(tmp_path / "other")
    with neovim(workspace) as editor:
        for handoff in (workspace.handoff, other.handoff):
            editor.open(handoff)
            editor.wait("#vim.diagnostic.get(0) > 0")
        roots = editor.lua("return vim.tbl_map(function(client) return client.root_dir end, vim.lsp.get_clients())")
    assert sorted(roots) == sorted(map(str, (workspace.root, other.root)))


def test_a_server_that_was_killed_is_started_again(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        editor.open(workspace.handoff)
        editor.wait("#vim.diagnostic.get(0) > 0")
        os.kill(workspace.servers()[-1], signal.SIGKILL)
        wait_for(lambda: len(workspace.servers()) == 2, "another server", editor.screen)
        editor.wait(f"{CLIENTS} == 1 and #vim.diagnostic.get(0) > 0")
        editor.keys("7Gf🚀lCn/a<Esc>")
        editor.wait("#vim.diagnostic.get(0) == 4")


def test_one_that_dies_at_once_is_left_alone_soon(workspace: Workspace) -> None:
    (workspace.bin / "handoff-lsp").write_text(f"#!/bin/sh\necho $$ >> '{workspace.started}'\nexit 3\n")
    with neovim(workspace, init="vim.g.handoff = { restarts = 2 }\n" + INIT) as editor:
        editor.open(workspace.handoff)
        editor.wait("vim.fn.execute('messages'):find('died too often') ~= nil")
    assert len(workspace.servers()) == 3


def test_quitting_leaves_no_process(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        editor.open(workspace.handoff)
        editor.wait("#vim.diagnostic.get(0) > 0")
    assert len(workspace.servers()) == 1
    assert workspace.ended()


def test_where_there_is_no_server_it_is_reported_once(workspace: Workspace) -> None:
    with neovim(workspace, PATH="/nowhere") as editor:
        editor.open(workspace.ordinary)
        assert "handoff-lsp" not in editor.messages().replace(str(workspace.root), "")
        for name in ("one-dev-handoff.md", "two-dev-handoff.md"):
            editor.open(workspace.root / "handoffs" / name, HANDOFF)
            editor.wait("vim.fn.execute('messages'):find('uv tool install %.') ~= nil")
        told = editor.messages()
        for times, asked in enumerate(("restart", "new"), start=2):  # an explicit request reports it again
            editor.command(f"Handoff {asked}")
            editor.wait(f"select(2, vim.fn.execute('messages'):gsub('no `handoff%-lsp` on PATH', '')) == {times}")
    assert told.count("no `handoff-lsp` on PATH") == 1
    assert "Error" not in told


def test_a_project_s_own_server_runs_only_with_leave(workspace: Workspace) -> None:
    own = workspace.root / ".venv" / "bin" / "handoff-lsp"
    own.parent.mkdir(parents=True)
    (workspace.bin / "handoff-lsp").rename(own)
    with neovim(workspace, PATH="/nowhere") as editor:
        editor.open(workspace.handoff)
        editor.wait("vim.fn.execute('messages'):find(\"This project's .venv has one\") ~= nil")
    assert workspace.servers() == []
    with neovim(workspace, init="vim.g.handoff = { venv = true }\n" + INIT, PATH=os.defpath) as editor:
        editor.open(workspace.handoff)
        editor.wait("#vim.diagnostic.get(0) > 0")
    assert len(workspace.servers()) == 1


@pytest.mark.parametrize(("answer", "servers"), [("nil", 0), ("true", 1)])
def test_a_person_may_want_to_be_asked_for_that(workspace: Workspace, answer: str, servers: int) -> None:
    own = workspace.root / ".venv" / "bin" / "handoff-lsp"
    own.parent.mkdir(parents=True)
    (workspace.bin / "handoff-lsp").rename(own)
    asked = f"vim.g.asked = 0\nvim.secure.read = function() vim.g.asked = vim.g.asked + 1 return {answer} end\n"
    init = f"vim.g.handoff = {{ venv = 'ask' }}\n{asked}{INIT}"
    with neovim(workspace, init=init, PATH=os.defpath) as editor:
        editor.open(workspace.handoff)
        editor.keys("Gohello<Esc>")
        if not servers:
            looked_at_again(editor)
        editor.wait(f"{CLIENTS} == {servers}")
        assert editor.lua("return vim.g.asked") == 1
    assert len(workspace.servers()) == servers


def test_the_command_may_be_given(workspace: Workspace) -> None:
    command = workspace.root / "my server"
    (workspace.bin / "handoff-lsp").rename(command)
    with neovim(workspace, init=f"vim.g.handoff = {{ cmd = {{ [[{command}]], 'server' }} }}\n" + INIT) as editor:
        editor.open(workspace.handoff)
        editor.wait("#vim.diagnostic.get(0) > 0")
    assert len(workspace.servers()) == 1
