"""A prompt in Neovim: its drift from the contract, the fix, references, and the rename of a value across four files."""

from __future__ import annotations

from pathlib import Path

from editors.neovim.driver import Neovim
from editors.workspace import Workspace

from editors import pack

ERRORS = "#vim.diagnostic.get(0)"


def opened(editor: Neovim, workspace: Workspace) -> Path:
    """The pack in a workspace of its own, with its prompt open and checked."""
    folder = workspace.root / "pack"
    pack.write(folder)
    (folder / ".git").mkdir(exist_ok=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    editor.lua(f"vim.cmd.cd([[{folder}]])")
    editor.open(folder / pack.PROMPT)
    editor.wait("#vim.lsp.get_clients({ bufnr = 0 }) == 1")
    return folder


def test_the_drift_of_a_prompt_is_fixed_and_its_value_renamed(editor: Neovim, workspace: Workspace) -> None:
    folder = opened(editor, workspace)
    editor.wait(f"{ERRORS} == 1")
    finding = editor.lua("return vim.diagnostic.get(0)[1]")
    line = editor.lua(f"return vim.fn.getline({pack.DRIFT_LINE})").encode()
    assert line[finding["col"] : finding["end_col"]].decode() == pack.DRIFT
    editor.lua("""
        vim.ui.select = function(actions, options, choose)
            _G.offered = vim.tbl_map(function(item) return item.action.title end, actions)
            for _, item in ipairs(actions) do
                if vim.startswith(item.action.title, 'Change `complted`') then choose(item) end
            end
        end
    """)
    editor.keys(f"{pack.DRIFT_LINE}G/{pack.DRIFT}<CR>gra")
    editor.wait(f"vim.endswith(vim.fn.getline({pack.DRIFT_LINE}), '`State: completed`.')")
    editor.wait(f"{ERRORS} == 0")
    editor.command("write")

    editor.keys("grr")
    listed = "vim.tbl_map(function(one) return vim.fn.bufname(one.bufnr) end, vim.fn.getqflist())"
    editor.wait(f"#{listed} == {sum(pack.SAID.values())}")
    found = [str(Path(name)) for name in editor.lua(f"return {listed}")]
    assert {path: sum(name.endswith(path) for name in found) for path in pack.SAID} == pack.SAID
    editor.command("cclose")

    editor.lua("vim.ui.input = function(options, confirm) confirm('closed') end")
    editor.keys("grn")
    editor.wait(f"vim.endswith(vim.fn.getline({pack.DRIFT_LINE}), '`State: closed`.')")
    editor.command("wall")
    editor.wait(f"{ERRORS} == 0")
    assert pack.lines_with(folder, "completed") == dict.fromkeys(pack.SAID, 0)
    assert pack.lines_with(folder, "closed") == {**pack.SAID, pack.CONTRACT: 2}
    editor.command("bufdo bwipeout!")
