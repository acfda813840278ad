--- Groups for a status by what it makes the orchestrator do. A color scheme or the user may define them instead.
local M = {}

---@type table<string, {group: string, link: string}>
M.actions = {
	advance = { group = "HandoffAdvance", link = "DiagnosticOk" },
	continue = { group = "HandoffContinue", link = "DiagnosticInfo" },
	retry = { group = "HandoffRetry", link = "DiagnosticHint" },
	ask = { group = "HandoffAsk", link = "DiagnosticWarn" },
	stop = { group = "HandoffStop", link = "DiagnosticError" },
}

function M.define()
	for action, colour in pairs(M.actions) do
		vim.api.nvim_set_hl(0, colour.group, { link = colour.link, default = true })
		-- The modifiers of the server's semantic tokens; no other server has them.
		vim.api.nvim_set_hl(0, "@lsp.mod." .. action, { link = colour.group, default = true })
	end
end

return M
