"""`:Handoff` with its subcommands, and the text for a statusline."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from editors.neovim.driver import Neovim
from editors.workspace import HANDOFF, Workspace

EVERYWHERE = ["doctor", "log", "new", "restart"]
IN_A_HANDOFF = [*EVERYWHERE, "check", "explain", "export", "fix", "insert", "list", "prompt", "routing", "status"]
WHOLE = "table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\\n')"


@pytest.fixture
def handoff(editor: Neovim, workspace: Workspace) -> Iterator[Neovim]:
    """Neovim in a handoff that has been checked."""
    editor.open(workspace.handoff, HANDOFF)
    editor.wait("#vim.diagnostic.get(0) > 0")
    yield editor
    editor.keys(r"<C-\><C-n>")
    editor.lua("vim.cmd('silent! tabonly!') vim.cmd('silent! only!') vim.cmd('messages clear')")


def offered(editor: Neovim, line: str) -> list[str]:
    """The completions after a command line."""
    found: list[str] = editor.lua(f"return vim.fn.getcompletion('{line}', 'cmdline')")
    return found


def test_it_is_a_buffer_s_own_command_where_a_server_is_attached(handoff: Neovim) -> None:
    assert handoff.lua("return vim.api.nvim_buf_get_commands(0, {}).Handoff ~= nil")
    assert offered(handoff, "Handoff ") == sorted(IN_A_HANDOFF)


def test_elsewhere_only_what_makes_sense_there_is_offered(handoff: Neovim, workspace: Workspace) -> None:
    handoff.open(workspace.ordinary)
    assert offered(handoff, "Handoff ") == EVERYWHERE
    handoff.command("Handoff fix")
    handoff.wait("vim.fn.execute('messages'):find('no server is attached here') ~= nil")


def test_what_is_unknown_is_reported_with_what_there_is(handoff: Neovim) -> None:
    handoff.command("Handoff inspect")
    handoff.wait("vim.fn.execute('messages'):find('there is no `:Handoff inspect`; there are check') ~= nil")
    handoff.command("Handoff")
    handoff.wait("vim.fn.execute('messages'):find('`:Handoff` does one of check, ') ~= nil")


def test_fix_says_why_it_fixes_nothing(handoff: Neovim) -> None:
    handoff.lua("vim.api.nvim_win_set_cursor(0, { 1, 0 })")
    handoff.command("Handoff fix")
    handoff.wait(f"{WHOLE}:find('## Status', 1, true) ~= nil")
    handoff.wait("#vim.diagnostic.get(0) > 0")
    handoff.command("Handoff fix")
    handoff.wait("vim.fn.execute('messages'):find('nothing to fix safely: %d+ findings? need') ~= nil")


def test_new_takes_contract_and_profile_from_the_path(handoff: Neovim, workspace: Workspace) -> None:
    handoff.lua("vim.ui.select = function() error('asked although the path decides') end")
    handoff.open(workspace.root / "handoffs" / "search" / "backend-dev-handoff.md", "")
    handoff.wait("#vim.lsp.get_clients({ bufnr = 0 }) == 1")
    handoff.command("Handoff new")
    handoff.wait(f"{WHOLE}:find('Handoff from Developer') ~= nil")
    # Each placeholder is a tab stop, the title is the first.
    handoff.wait("vim.snippet.active()")
    handoff.keys("Search")
    handoff.wait("vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == '# Search — Handoff from Developer'")
    handoff.lua("vim.snippet.jump(1)")
    handoff.wait("vim.api.nvim_win_get_cursor(0)[1] == 9")  # the reason; the status comes last
    handoff.lua("vim.snippet.stop()")


def test_new_asks_only_for_what_fits_the_path(handoff: Neovim, workspace: Workspace) -> None:
    assert "status-block" in offered(handoff, "Handoff new ")
    assert "reviewer" in offered(handoff, "Handoff new status-block ")
    handoff.lua("""
        vim.g.offered = {}
        vim.ui.select = function(items, options, choose)
            vim.g.offered = vim.tbl_map(function(item) return item.name end, items)
            choose(items[#items])
        end
    """)
    handoff.open(workspace.root / "somewhere" / "empty.md", "")
    handoff.command("Handoff new")
    handoff.wait(f"{WHOLE} ~= ''")
    assert "activity-log" not in handoff.lua("return vim.g.offered")
    handoff.lua("vim.snippet.stop()")


def test_new_writes_into_a_buffer_that_is_nothing_yet(handoff: Neovim) -> None:
    handoff.command("enew")
    handoff.command("Handoff new status-block reviewer")
    handoff.wait(f"{WHOLE}:find('Handoff from Reviewer') ~= nil")
    assert handoff.lua("return vim.bo.filetype") == "markdown"
    handoff.keys("Search")
    handoff.wait("vim.api.nvim_buf_get_lines(0, 0, 1, false)[1] == '# Search — Handoff from Reviewer'")
    handoff.lua("vim.snippet.stop()")


def test_new_completes_before_a_server_runs(handoff: Neovim) -> None:
    handoff.command("enew")
    handoff.lua("for _, client in ipairs(vim.lsp.get_clients()) do client:stop(true) end")
    handoff.wait("#vim.lsp.get_clients() == 0")
    assert "status-block" in offered(handoff, "Handoff new ")
    assert "developer" in offered(handoff, "Handoff new status-block ")


def test_insert_adds_what_a_handoff_lacks(handoff: Neovim) -> None:
    handoff.command("Handoff insert")
    handoff.wait(f"{WHOLE}:find('## Status\\n') ~= nil")


def test_fix_does_all_that_is_safe(handoff: Neovim) -> None:
    handoff.command("Handoff fix")
    handoff.wait(f"{WHOLE}:find('## Status\\n') ~= nil")


def test_routing_and_status_show_the_decision(handoff: Neovim) -> None:
    handoff.command("Handoff routing")
    handoff.wait("vim.fn.execute('messages'):find('stop: ', 1, true) ~= nil")
    handoff.wait("require('handoff').status() == 'no valid Status → stop'")


def test_status_is_that_of_the_text_as_it_is_now(handoff: Neovim) -> None:
    handoff.command("Handoff status")
    handoff.wait("vim.fn.execute('messages'):find('handoff-lsp: no valid Status → stop', 1, true) ~= nil")
    handoff.keys("3GO## Status<CR><CR>blocked<CR><Esc>:Handoff status<CR>")
    handoff.wait("vim.fn.execute('messages'):find('handoff-lsp: blocked → ask', 1, true) ~= nil")


def test_check_counts_what_is_found_in_the_workspace(handoff: Neovim) -> None:
    handoff.command("Handoff check")
    handoff.wait("vim.fn.execute('messages'):find('errors') ~= nil")


def test_list_fills_the_quickfix_list_with_what_needs_somebody_first(handoff: Neovim) -> None:
    handoff.command("Handoff list")
    handoff.wait("vim.bo.filetype == 'qf'")
    entries = handoff.lua("return vim.fn.getqflist()")
    assert entries[0]["text"].startswith("stop (")
    assert not entries[0]["valid"]
    number = next(number for number, entry in enumerate(entries) if entry["text"].startswith("board · "))
    handoff.keys(f"{number}j<CR>")
    handoff.wait("vim.api.nvim_buf_get_name(0):find('board%-dev%-handoff.md') ~= nil")


def test_explain_shows_the_finding_here_or_about_a_topic(handoff: Neovim) -> None:
    floating = (
        "vim.iter(vim.api.nvim_list_wins()):any(function(w) return vim.api.nvim_win_get_config(w).relative ~= '' end)"
    )
    handoff.keys("gg")
    handoff.command("Handoff explain")
    handoff.wait(floating)
    assert "missing-status" in offered(handoff, "Handoff explain missing-")


def test_export_shows_the_handoff_as_json(handoff: Neovim) -> None:
    handoff.command("Handoff export")
    handoff.wait("vim.bo.filetype == 'json'")
    assert json.loads(handoff.text())["contract"] == "status-block"
    assert handoff.lua("return #vim.lsp.get_clients({ bufnr = 0 })") == 0


def test_export_writes_the_file_that_it_is_given(handoff: Neovim, workspace: Workspace) -> None:
    handoff.command("Handoff export out/board.json")
    handoff.wait("vim.fn.execute('messages'):find('written to out/board.json') ~= nil")
    assert json.loads((workspace.root / "out" / "board.json").read_text(encoding="utf-8"))["contract"] == "status-block"
    assert not handoff.lua("return vim.bo[vim.fn.bufnr('board.json')].modified")


def test_doctor_shows_a_report(handoff: Neovim) -> None:
    handoff.command("Handoff doctor")
    handoff.wait("vim.bo.buftype == 'nofile' and vim.bo.filetype == 'markdown'")
    assert "utf-8" in handoff.text()


def test_log_shows_the_log(handoff: Neovim) -> None:
    handoff.command("Handoff log")
    handoff.wait("vim.fn.tabpagenr('$') == 2")
    assert handoff.lua("return vim.api.nvim_buf_get_name(0)").endswith("lsp.log")


def test_restart_starts_another_server(handoff: Neovim, workspace: Workspace) -> None:
    before = workspace.servers()
    first = handoff.lua("return vim.diagnostic.get(0)[1].namespace")  # each client has its own
    handoff.command("Handoff restart")
    handoff.wait(f"#vim.diagnostic.get(0, {{ namespace = {first} }}) == 0 and #vim.diagnostic.get(0) > 0")
    assert len(workspace.servers()) == len(before) + 1
