"""Editing a handoff in Neovim, as a user sees it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from editors.neovim.driver import Neovim
from editors.workspace import AGENT_STATUS, STATUS_FIX, Workspace

from editors.neovim import marks

# Wide characters before the findings on their lines, emoji among them: Neovim counts bytes, the carets code points.
BROKEN = """\
# 看板 🚀 — Handoff from Tester
  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ missing-section
  ^^^^^^^^^^^^^^^^^^^^^^^^^^^ missing-status

## Abstract

```yaml
outcome: 🚀 題名 can be set
verdict: 🚀日本 maybe
          ^^^^^^^^ invalid-value
files: 0 created, 0 modified, 0 deleted
next_phase: stop
open_questions: 0
```
"""

STATUS_FILE = """\
{"agent_id": "worker-7f3c", "task": "🚀 題名", "status": "runing", "success_criteria": {"題": "🚀"},}
                                                      ^^^^^^^^ invalid-value
"""

SOUND = """\
# Board title — Handoff from Tester

## Status

complete

## Status reason

## Abstract

```yaml
outcome: 🚀 題名 can be set
verdict: n/a
files: 0 created, 0 modified, 0 deleted
next_phase: reviewer
open_questions: 0
```
"""
STATUS_LINE, STATUS = 5, "complete"

# The whole window that floats over the others, as after hover.
FLOAT = """
    (function()
        for _, window in ipairs(vim.api.nvim_list_wins()) do
            if vim.api.nvim_win_get_config(window).relative ~= '' then
                return table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\\n')
            end
        end
    end)()
"""


@pytest.fixture(autouse=True)
def _normal_mode(editor: Neovim) -> Iterator[None]:
    yield
    editor.keys(r"<C-\><C-n>")
    editor.lua("vim.cmd('silent! fclose!') vim.cmd.only({ bang = true })")


def open_handoff(editor: Neovim, workspace: Workspace, text: str, *, findings: int) -> None:
    """Open a new handoff of the workspace, and wait until it has been checked."""
    folder = workspace.root / "handoffs" / "board"
    editor.open(folder / f"tester-{len(list(folder.iterdir()))}.md", text)
    editor.wait("#vim.lsp.get_clients({ bufnr = 0 }) == 1")
    editor.wait("#vim.lsp.codelens.get(0) > 0")
    editor.wait(f"#vim.diagnostic.get(0) == {findings}")


def test_findings_are_underlined_on_the_right_characters(editor: Neovim, workspace: Workspace) -> None:
    text, expected = marks.read(BROKEN)
    open_handoff(editor, workspace, text, findings=len(expected))
    assert editor.lua("return vim.lsp.get_clients()[1].offset_encoding") == "utf-8"
    assert marks.seen(editor) == expected


def test_so_they_are_in_json_on_one_line(editor: Neovim, workspace: Workspace) -> None:
    text, expected = marks.read(STATUS_FILE)
    editor.open(workspace.status, text)
    editor.wait("#vim.diagnostic.get(0) > 0")
    assert [mark for mark in marks.seen(editor) if mark.rule == "invalid-value"] == expected


def test_what_is_corrected_by_typing_is_underlined_no_more(editor: Neovim, workspace: Workspace) -> None:
    open_handoff(editor, workspace, SOUND.replace(STATUS, "compleet"), findings=1)
    editor.keys(f"{STATUS_LINE}Gciw{STATUS}<Esc>")
    editor.wait("#vim.diagnostic.get(0) == 0")
    assert marks.seen(editor) == []


def test_a_quick_fix_inserts_the_status_block(editor: Neovim, workspace: Workspace) -> None:
    text, expected = marks.read(BROKEN)
    open_handoff(editor, workspace, text, findings=len(expected))
    editor.lua(f"""
        vim.ui.select = function(actions, options, choose)
            for _, item in ipairs(actions) do
                if item.action.title == '{STATUS_FIX}' then choose(item) end
            end
        end
    """)
    editor.keys("gggra")
    editor.wait("vim.api.nvim_buf_get_lines(0, 2, 3, false)[1] == '## Status'")
    assert "\n## Status\n\n<complete | blocked | failed | incomplete>\n\n## Status reason\n" in editor.text()


def test_a_status_is_chosen_among_equal_values(editor: Neovim, workspace: Workspace) -> None:
    open_handoff(editor, workspace, SOUND.replace(STATUS, "dnoe"), findings=1)
    editor.lua("""
        _G.offered = {}
        vim.ui.select = function(items, options, choose)
            table.insert(_G.offered, options.prompt)
            for _, item in ipairs(items) do
                table.insert(_G.offered, options.format_item(item))
            end
            choose(items[1])
        end
    """)
    editor.keys(f"{STATUS_LINE}Ggra")
    editor.wait(f"vim.api.nvim_buf_get_lines(0, {STATUS_LINE - 1}, {STATUS_LINE}, false)[1] == 'blocked'")
    assert "\n## Open Questions\n" in editor.text()
    offered = editor.lua("return _G.offered")
    actions, values = offered[: offered.index("Set Status to:")], offered[offered.index("Set Status to:") + 1 :]
    assert actions[:2] == ["Code actions:", "Set `Status` to …"]
    assert len(actions) <= 7
    assert actions[-1] == "Ignore `invalid-value` …"
    assert [value.partition(":")[0] for value in values] == ["blocked", "failed", "incomplete", "complete"]


def test_completion_offers_the_values_of_a_field(editor: Neovim, workspace: Workspace) -> None:
    open_handoff(editor, workspace, SOUND, findings=0)
    editor.keys(f"{STATUS_LINE}GccB<C-x><C-o>")
    editor.wait("vim.fn.pumvisible() == 1")
    offered = editor.lua("return vim.tbl_map(function(item) return item.word end, vim.fn.complete_info().items)")
    assert "blocked" in offered, offered


def test_hover_shows_what_a_value_leads_to(editor: Neovim, workspace: Workspace) -> None:
    open_handoff(editor, workspace, SOUND.replace(STATUS, "blocked"), findings=2)
    editor.keys(f"{STATUS_LINE}GK")
    assert "Open Questions" in editor.wait(FLOAT)


def test_the_decision_is_above_the_handoff_and_follows_what_is_typed(editor: Neovim, workspace: Workspace) -> None:
    lens = "vim.lsp.codelens.get(0)[1].command.title"
    open_handoff(editor, workspace, SOUND, findings=0)
    before = editor.lua(f"return {lens}")
    editor.keys(f"{STATUS_LINE}Gciwfailed<Esc>")
    editor.wait(f"vim.startswith({lens}, 'stop: ')")
    assert before.startswith("advance: ")


def test_inlay_hints_show_what_a_value_leads_to(editor: Neovim, workspace: Workspace) -> None:
    open_handoff(editor, workspace, SOUND.replace(STATUS, "failed"), findings=1)
    hints = editor.wait("vim.tbl_map(function(hint) return hint.inlay_hint end, vim.lsp.inlay_hint.get({ bufnr = 0 }))")
    assert [hint["position"]["line"] + 1 for hint in hints] == [STATUS_LINE]


@pytest.mark.parametrize(
    ("status", "colour", "like"),
    [("complete", "HandoffAdvance", "DiagnosticOk"), ("failed", "HandoffStop", "DiagnosticError")],
)
def test_a_status_has_the_color_of_what_it_leads_to(
    editor: Neovim, workspace: Workspace, status: str, colour: str, like: str
) -> None:
    open_handoff(editor, workspace, SOUND.replace(STATUS, status), findings=int(status != STATUS))
    at = f"vim.inspect_pos(0, {STATUS_LINE - 1}, 0).semantic_tokens"
    editor.wait(f"#{at} > 0")
    groups = editor.lua(f"return vim.tbl_map(function(token) return token.opts.hl_group_link end, {at})")
    assert colour in groups or like in groups, groups


def test_a_status_file_gets_the_same_help(editor: Neovim, workspace: Workspace) -> None:
    editor.open(workspace.status, AGENT_STATUS)
    editor.wait("#vim.diagnostic.get(0) > 0")
    assert {mark.rule for mark in marks.seen(editor)} == {"invalid-json"}


def test_the_activity_log_is_a_log(editor: Neovim, workspace: Workspace) -> None:
    editor.open(workspace.status.with_name("activity.log"), "2026-02-08T10:00:00Z [STATUS] compleet\n")
    assert editor.lua("return vim.bo.filetype") == "log"
    editor.wait("#vim.diagnostic.get(0) > 0")
    assert "invalid-value" in {mark.rule for mark in marks.seen(editor)}
