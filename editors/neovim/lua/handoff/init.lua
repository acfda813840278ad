local M = {}

--- For plugin managers that call it: sets `vim.g.handoff` and enables the server. |handoff-setup|
---@param options? handoff.Options
function M.setup(options)
	if options and next(options) then
		vim.g.handoff = vim.tbl_extend("force", vim.g.handoff or {}, options)
	end
	vim.cmd.runtime("plugin/handoff.lua") -- where it came too late to be read at the start; it runs but once
	vim.lsp.enable(require("handoff.server").NAME)
end

--- For a statusline: what the orchestrator does with the handoff at the cursor, `complete → advance`; else nothing.
---@param bufnr? integer
---@return string
function M.status(bufnr)
	return require("handoff.status").text(bufnr)
end

return M
