--- Which buffers get a server, and when: at once, or as soon as they have become a handoff.
local M = {}

-- A buffer that changes is asked about this long (ms) after its first change: ten times as long as asking took.
local LEAST, MOST, SHARE = 500, 5000, 10

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

--- Find out whether a buffer gets a server.
---@param bufnr integer
---@param on_answer fun(root?: string) The root for its server, nil where it is none of ours or there is no server.
local function look(bufnr, on_answer)
	if not M.is_file(bufnr) then
		return on_answer(nil)
	end
	local root = require("handoff.project").root(bufnr)
	require("handoff.recognise").buffer(bufnr, root, function(may_be)
		on_answer(may_be and require("handoff.server").available(root) and root or nil)
	end)
end

--- Look at a buffer again whenever it has changed, until it is a handoff or a contract. Of data the name alone says what it is.
---@param bufnr integer
---@param took number How long looking took (ms).
---@param on_dir fun(root: string)
local function look_again(bufnr, took, on_dir)
	nameless[bufnr] = vim.api.nvim_buf_get_name(bufnr) == "" and on_dir or nil
	local waiting = false
	local by_text = vim.tbl_contains({ "markdown", "yaml", "toml" }, vim.bo[bufnr].filetype)
	local is_data = not by_text and vim.api.nvim_buf_get_name(bufnr) ~= ""
	vim.api.nvim_create_autocmd(is_data and { "BufFilePost" } or {
		"TextChanged",
		"TextChangedI",
		"BufWritePost",
		"BufFilePost",
	}, {
		group = group,
		buffer = bufnr,
		callback = function()
			if waiting then
				return
			end
			waiting = true
			vim.defer_fn(function()
				-- `vim.lsp.is_enabled` came after 0.11.0.
				local disabled = vim.lsp.is_enabled and not vim.lsp.is_enabled(require("handoff.server").NAME)
				if not disabled and vim.api.nvim_buf_is_loaded(bufnr) then
					M.root_dir(bufnr, on_dir)
				end
			end, math.ceil(math.min(math.max(LEAST, SHARE * took), MOST)))
		end,
	})
end

--- |lsp-root_dir()|: calls on_dir() only for what may be a handoff, now or later.
---@param bufnr integer
---@param on_dir fun(root: string)
function M.root_dir(bufnr, on_dir)
	vim.api.nvim_clear_autocmds({ group = group, buffer = bufnr })
	vim.api.nvim_create_autocmd("BufUnload", {
		group = group,
		buffer = bufnr,
		callback = function()
			require("handoff.recognise").cancel(bufnr)
		end,
	})
	local start = vim.uv.hrtime()
	local name, tick = vim.api.nvim_buf_get_name(bufnr), vim.api.nvim_buf_get_changedtick(bufnr)
	look(bufnr, function(root)
		if not vim.api.nvim_buf_is_loaded(bufnr) then
			return
		end
		if root then
			nameless[bufnr] = nil
			return on_dir(root)
		end
		look_again(bufnr, (vim.uv.hrtime() - start) / 1e6, on_dir)
		-- It may have changed while the answer was awaited.
		if vim.api.nvim_buf_get_name(bufnr) ~= name then
			vim.api.nvim_exec_autocmds("BufFilePost", { group = group, buffer = bufnr })
		elseif vim.api.nvim_buf_get_changedtick(bufnr) ~= tick then
			vim.api.nvim_exec_autocmds("TextChanged", { group = group, buffer = bufnr })
		end
	end)
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
