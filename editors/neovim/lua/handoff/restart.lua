--- Starting a server again: on request, and by itself when it has died.
local M = {}

local WITHIN = 3 * 60 * 1000 -- ms
local PATIENCE = 3000 -- So long a server may take to stop (ms).
local SIGTERM = 15

---@type integer[] When servers were started again by themselves.
local restarted = {}
---@type table<integer, true> Clients that the user wants again.
local wanted = {}

--- Whether another restart is allowed now; counts it.
local function may_restart()
	local now = vim.uv.now()
	restarted = vim.iter(restarted)
		:filter(function(time)
			return now - time < WITHIN
		end)
		:totable()
	if #restarted >= require("handoff.options").get().restarts then
		return false
	end
	restarted[#restarted + 1] = now
	return true
end

---@param config vim.lsp.ClientConfig
---@param buffers integer[]
local function start(config, buffers)
	for _, bufnr in ipairs(buffers) do
		if vim.api.nvim_buf_is_loaded(bufnr) then
			vim.lsp.start(config, { bufnr = bufnr })
		end
	end
end

--- |lsp-config| `on_exit`.
---@param code integer
---@param signal integer
---@param client_id integer
function M.on_exit(code, signal, client_id)
	local client = vim.lsp.get_client_by_id(client_id)
	local asked = wanted[client_id]
	wanted[client_id] = nil
	local died = signal ~= SIGTERM and (code ~= 0 or signal ~= 0)
	if not client or not (asked or died) or vim.v.exiting ~= vim.NIL then
		return
	end
	local buffers = vim.tbl_keys(client.attached_buffers)
	vim.schedule(function()
		if asked or may_restart() then
			start(client.config, buffers)
		else
			local text = "handoff-lsp: the server died too often and is left alone. `:Handoff log`, `:Handoff restart`."
			vim.notify(text, vim.log.levels.ERROR)
		end
	end)
end

--- Start all servers again; without any, attach to the open buffers.
function M.restart()
	local server = require("handoff.server")
	local name = server.NAME
	server.told = false
	restarted = {}
	local clients = vim.lsp.get_clients({ name = name })
	for _, client in ipairs(clients) do
		wanted[client.id] = true
		client:stop()
		vim.defer_fn(function()
			if wanted[client.id] then
				client:stop(true)
			end
		end, PATIENCE)
	end
	if #clients == 0 then
		vim.lsp.enable(name)
	end
end

return M
