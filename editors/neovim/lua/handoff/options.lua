--- What the user has set: `vim.g.handoff`, or what `setup()` was given, over what is so otherwise.
local M = {}

---@class handoff.Options
---@field cmd? string[] The command that starts the server; otherwise it is looked for.
---@field venv? boolean|"ask" Whether a project's own `.venv` may give the server. "ask" asks for each, by |vim.secure.read()|.
---@field attach? fun(bufnr: integer): boolean? Whether a buffer gets a server, true or false; nil leaves it to the plugin.
---@field code_lens? boolean Whether the decision stands above each handoff (true).
---@field inlay_hints? boolean Whether values tell what they lead to (true).
---@field restarts? integer How often within three minutes a server that died is started again (3).
local defaults = {
	venv = false,
	code_lens = true,
	inlay_hints = true,
	restarts = 3,
}

---@return handoff.Options
function M.get()
	return vim.tbl_extend("force", defaults, vim.g.handoff or {})
end

return M
