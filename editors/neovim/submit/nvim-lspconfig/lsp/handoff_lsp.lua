---@brief
---
--- https://github.com/handoff-lsp/handoff-lsp
---
--- A language server for the handoffs by which AI agents pass work along: Markdown with a `## Status` block, result
--- envelopes, JSON contracts in fences, `.agent/status.json` and its log. It says nothing about any other file.
---
--- `handoff-lsp` can be installed with `uv tool install handoff-lsp` or `pipx install handoff-lsp`.
---
--- The activity log needs a filetype:
---
--- ```lua
--- vim.filetype.add({ filename = { ['activity.log'] = 'log' } })
--- ```
---
--- With JSON, a server is only started for `.agent/status.json`; for more, override `root_dir`.

---@type vim.lsp.Config
return {
  cmd = { 'handoff-lsp', 'server' },
  filetypes = { 'markdown', 'json', 'log' },
  root_dir = function(bufnr, on_dir)
    local name = vim.api.nvim_buf_get_name(bufnr)
    if vim.bo[bufnr].filetype ~= 'markdown' and not name:find('[/\\]%.agent[/\\][^/\\]+$') then
      return
    end
    on_dir(vim.fs.root(bufnr, { '.handoff-lsp.toml', '.git' }) or vim.fs.dirname(name))
  end,
}
