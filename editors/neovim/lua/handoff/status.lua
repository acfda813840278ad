--- What the orchestrator would do, for a statusline.
local M = {}

---@class handoff.Decision
---@field contract string
---@field statusText string
---@field range lsp.Range
---@field routing? {action: string, reason: string}

---@class handoff.Known
---@field tick integer For which text it was asked.
---@field decisions handoff.Decision[]

---@type table<integer, handoff.Known>
local known = {}

--- Forget a buffer's decisions when something may have changed them, or when it goes.
---@param bufnr integer
---@param group integer
function M.watch(bufnr, group)
	vim.api.nvim_create_autocmd({ "DiagnosticChanged", "LspDetach" }, {
		group = group,
		buffer = bufnr,
		callback = function()
			if known[bufnr] then
				known[bufnr].tick = -1
				vim.cmd.redrawstatus()
			end
		end,
	})
	vim.api.nvim_create_autocmd("BufWipeout", {
		group = group,
		buffer = bufnr,
		callback = function()
			known[bufnr] = nil
		end,
	})
end

---@param client vim.lsp.Client
---@param bufnr integer
---@param on_known? fun()
local function ask(client, bufnr, on_known)
	local tick = vim.api.nvim_buf_get_changedtick(bufnr)
	known[bufnr] = { tick = tick, decisions = known[bufnr] and known[bufnr].decisions or {} }
	local about = { uri = vim.uri_from_bufnr(bufnr), quiet = true }
	require("handoff.request").ask(client, "showRouting", about, function(answer)
		if known[bufnr] then
			known[bufnr].decisions = answer or {}
			vim.cmd.redrawstatus()
			if on_known then
				on_known()
			end
		end
	end)
end

---@param decisions handoff.Decision[]
---@param line integer Zero-based.
---@return handoff.Decision?
local function at(decisions, line)
	for _, decision in ipairs(decisions) do
		if decision.range.start.line <= line and line <= decision.range["end"].line then
			return decision
		end
	end
	return decisions[1]
end

---@param bufnr integer
---@return string
local function known_text(bufnr)
	local window = vim.fn.bufwinid(bufnr)
	local line = window > 0 and vim.api.nvim_win_get_cursor(window)[1] - 1 or 0
	local decision = at(known[bufnr].decisions, line)
	local routing = decision and decision.routing
	if not decision or type(routing) ~= "table" then
		return ""
	end
	return ("%s → %s"):format(decision.statusText, routing.action)
end

--- `complete → advance`, of the handoff at the cursor or the first; empty without one.
---@param bufnr? integer
---@return string
function M.text(bufnr)
	bufnr = bufnr and bufnr ~= 0 and bufnr or vim.api.nvim_get_current_buf()
	local client = require("handoff.server").client(bufnr)
	if not client or not client.initialized then
		return ""
	end
	if not known[bufnr] or known[bufnr].tick ~= vim.api.nvim_buf_get_changedtick(bufnr) then
		ask(client, bufnr)
	end
	return known_text(bufnr)
end

--- Show it, for the current text.
---@param client vim.lsp.Client
---@param bufnr integer
function M.tell(client, bufnr)
	ask(client, bufnr, function()
		local text = known_text(bufnr)
		require("handoff.request").tell(text ~= "" and text or "no handoff is here")
	end)
end

return M
