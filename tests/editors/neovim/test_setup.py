"""The ways to set it up in README.md, and the help page."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from editors.neovim.driver import INIT, PLUGIN, Neovim, neovim, neovim_program
from editors.workspace import Workspace

from editors import workspace as made

ENABLED = "vim.lsp.enable('handoff_lsp')\n"


def attaches(editor: Neovim, workspace: Workspace) -> bool:
    """Whether a handoff gets a server and everything that the plugin adds."""
    editor.open(workspace.handoff)
    editor.wait("#vim.diagnostic.get(0) > 0")
    return bool(editor.lua("return vim.api.nvim_buf_get_commands(0, {}).Handoff ~= nil"))


def findings(editor: Neovim) -> list[str]:
    """The messages in the current buffer."""
    return list(editor.lua("return vim.tbl_map(function(one) return one.message end, vim.diagnostic.get(0))"))


def test_as_a_native_package(workspace: Workspace, tmp_path: Path) -> None:
    shutil.copytree(PLUGIN, tmp_path / "pack" / "agents" / "start" / "handoff")
    with neovim(workspace, init=f"vim.opt.packpath:append([[{tmp_path}]])\n{ENABLED}") as editor:
        assert attaches(editor, workspace)


def test_as_a_plugin_manager_does_that_loads_late_and_calls_setup(workspace: Workspace) -> None:
    with neovim(workspace, init="vim.opt.number = true\n") as editor:
        editor.open(workspace.handoff)  # before it is loaded
        editor.lua(f"vim.opt.rtp:append([[{PLUGIN}]]) require('handoff').setup({{ inlay_hints = false }})")
        assert attaches(editor, workspace)
        assert not editor.lua("return vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })")


def test_as_one_file_copied_into_the_user_s_config(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "lsp").mkdir()
    shutil.copy(PLUGIN / "submit" / "nvim-lspconfig" / "lsp" / "handoff_lsp.lua", tmp_path / "lsp")
    with neovim(workspace, init=f"vim.opt.rtp:append([[{tmp_path}]])\n{ENABLED}") as editor:
        assert not attaches(editor, workspace)  # only the server, without the plugin's additions
        editor.open(workspace.status)
        editor.wait("#vim.diagnostic.get(0) > 0")


def test_the_server_speaks_the_language_of_neovim_s_own_messages(workspace: Workspace) -> None:
    # The machine need not have that locale, so Neovim's name for it is set here.
    with neovim(workspace, init="rawset(vim.v, 'lang', 'ja_JP.UTF-8')\n" + INIT) as editor:
        assert attaches(editor, workspace)
        assert all(any("\u3040" <= char <= "\u30ff" for char in message) for message in findings(editor))


@pytest.mark.parametrize(
    ("lang", "tag"),
    [("ja_JP.UTF-8", "ja-JP"), ("de_DE@euro", "de-DE"), ("en", "en"), ("C.UTF-8", ""), ("POSIX", ""), ("", "")],
)
def test_the_tag_of_a_locale(editor: Neovim, lang: str, tag: str) -> None:
    assert editor.lua(f"return require('handoff.server').tag([[{lang}]]) or ''") == tag


def test_checkhealth_shows_what_is_there(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        attaches(editor, workspace)
        editor.command("checkhealth handoff")
        editor.wait("vim.bo.filetype == 'checkhealth'")
        told = editor.text()
    assert "ERROR" not in told
    assert "WARN" not in told
    for fact in ("0.11", "server` (PATH)", "position encoding: utf-8", f"root: {workspace.root}", ".handoff-lsp.toml"):
        assert fact in told


def test_checkhealth_shows_what_is_missing(workspace: Workspace) -> None:
    with neovim(workspace, PATH="/nowhere") as editor:
        editor.command("checkhealth handoff")
        editor.wait("vim.bo.filetype == 'checkhealth'")
        assert "ERROR No server" in editor.text()


def test_the_help_is_found(workspace: Workspace) -> None:
    with neovim(workspace) as editor:
        editor.command("help :Handoff")
        editor.wait("vim.bo.filetype == 'help'")
        assert editor.lua("return vim.fs.basename(vim.api.nvim_buf_get_name(0))") == "handoff.txt"


def test_the_tags_of_the_help_are_up_to_date(tmp_path: Path) -> None:
    shutil.copy(PLUGIN / "doc" / "handoff.txt", tmp_path)
    command = [neovim_program(), "--clean", "--headless", "-n", "-c", f"helptags {tmp_path}", "-c", "quit"]
    subprocess.run(command, check=True, capture_output=True)
    assert (PLUGIN / "doc" / "tags").read_text() == (tmp_path / "tags").read_text()


@pytest.mark.parametrize("option", ["code_lens", "inlay_hints"])
def test_what_is_shown_can_be_switched_off(tmp_path: Path, option: str) -> None:
    workspace = made.make(tmp_path)
    with neovim(workspace, init=f"vim.g.handoff = {{ {option} = false }}\n" + INIT) as editor:
        assert attaches(editor, workspace)
        shown = {
            "code_lens": "#vim.lsp.codelens.get(0) > 0",
            "inlay_hints": "vim.lsp.inlay_hint.is_enabled({ bufnr = 0 })",
        }
        off = shown.pop(option)
        for what in shown.values():
            editor.wait(what)
        assert not editor.lua(f"return {off}")
