--- Which buffers get a server, and when: at once, or as soon as they have become a handoff.
local M = {}

-- A buffer that changes is looked at no more often than this (ms), and a long one so much more seldom that looking takes
-- no more than a small part of the time.
local PAUSE, SHARE = 200, 20

local group = vim.api.nvim_create_augroup("handoff.look", {})

---@type table<integer, fun(root: string)> What is to be called for buffers that have no name yet.
local nameless = {}

--- Whether a buffer is a file that could be anything to us: not a help page, not `fugitive://…`.
---@param bufnr integer
---@return boolean
function M.is_file(bufnr)
	local name = vim.api.nvim_buf_get_name(bufnr)
	return name ~= "" and vim.bo[bufnr].buftype == "" and not name:find("^%w[%w+.-]+://")
end

---@param bufnr integer
---@return string? root The root for its server, nil where it is none of ours or there is no server.
local function wanted(bufnr)
	if not M.is_file(bufnr) then
		return nil
	end
	local root = require("handoff.project").root(bufnr)
	if not require("handoff.recognise").buffer(bufnr, root) then
		return nil
	end
	return require("handoff.server").available(root) and root or nil
end

--- Look at a buffer again whenever it has changed, until it is a handoff.
---@param bufnr integer
---@param on_dir fun(root: string)
local function look_again(bufnr, on_dir)
	nameless[bufnr] = vim.api.nvim_buf_get_name(bufnr) == "" and on_dir or nil
	local waiting, took = false, 0
	local function look()
		waiting = false
		-- `vim.lsp.is_enabled` came after 0.11.0.
		local disabled = vim.lsp.is_enabled and not vim.lsp.is_enabled(require("handoff.server").NAME)
		if disabled or not vim.api.nvim_buf_is_loaded(bufnr) then
			return
		end
		local start = vim.uv.hrtime()
		local root = wanted(bufnr)
		took = (vim.uv.hrtime() - start) / 1e6
		if root then
			vim.api.nvim_clear_autocmds({ group = group, buffer = bufnr })
			on_dir(root)
		end
	end
	vim.api.nvim_create_autocmd({ "TextChanged", "TextChangedI", "BufWritePost", "BufFilePost" }, {
		group = group,
		buffer = bufnr,
		callback = function()
			if not waiting then
				waiting = true
				vim.defer_fn(look, math.ceil(math.max(PAUSE, SHARE * took)))
			end
		end,
	})
end

--- |lsp-root_dir()|: calls on_dir() only for what may be a handoff, now or later.
---@param bufnr integer
---@param on_dir fun(root: string)
function M.root_dir(bufnr, on_dir)
	vim.api.nvim_clear_autocmds({ group = group, buffer = bufnr })
	local root = wanted(bufnr)
	if root then
		nameless[bufnr] = nil
		on_dir(root)
	else
		look_again(bufnr, on_dir)
	end
end

-- `:write NAME` in a buffer without a name takes its own autocommands away: it counts as another buffer from then on.
vim.api.nvim_create_autocmd("BufAdd", {
	group = group,
	callback = function(event)
		if nameless[event.buf] then
			M.root_dir(event.buf, nameless[event.buf])
		end
	end,
})

return M
