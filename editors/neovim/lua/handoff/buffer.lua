--- What a handoff's buffer gets when the server attaches.
local M = {}

-- Lenses are asked for again after so long a pause in typing (ms).
local PAUSE = 300

---@param bufnr integer
local function refresh_lenses(bufnr)
	if vim.api.nvim_buf_is_loaded(bufnr) and require("handoff.server").client(bufnr) then
		vim.lsp.codelens.refresh({ bufnr = bufnr })
	end
end

---@param client vim.lsp.Client
---@param bufnr integer
---@param group integer
local function show_lenses(client, bufnr, group)
	if vim.lsp.codelens.enable then -- since Neovim 0.12, which refreshes them itself
		vim.lsp.codelens.enable(true, { bufnr = bufnr, client_id = client.id })
		return
	end
	local waiting = false
	vim.api.nvim_create_autocmd({ "BufEnter", "TextChanged", "TextChangedI", "InsertLeave", "BufWritePost" }, {
		group = group,
		buffer = bufnr,
		callback = function()
			if not waiting then
				waiting = true
				vim.defer_fn(function()
					waiting = false
					refresh_lenses(bufnr)
				end, PAUSE)
			end
		end,
	})
	refresh_lenses(bufnr)
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.on_attach(client, bufnr)
	local options = require("handoff.options").get()
	local group = vim.api.nvim_create_augroup("handoff.buffer." .. bufnr, {})
	if options.code_lens then
		show_lenses(client, bufnr, group)
	end
	if options.inlay_hints then
		vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
	end
	require("handoff.status").watch(bufnr, group)
	vim.api.nvim_buf_create_user_command(bufnr, "Handoff", function(given)
		require("handoff.commands").run(given)
	end, {
		nargs = "*",
		desc = "What can be done with a handoff",
		complete = function(...)
			return require("handoff.commands").complete(...)
		end,
	})
end

return M
